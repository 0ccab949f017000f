import {
  type FieldNode,
  type GraphQLResolveInfo,
  type OperationDefinitionNode,
  OperationTypeNode,
  visit,
} from 'graphql';
import { instantAt } from '../../../core/instant.ts';
import { TIME_ZONE_IN_WORDS } from '../../../core/text.ts';
import { databaseNow } from '../../../database/database-clock.ts';
import { builder } from '../../../graphql/builder.ts';
import type { GraphQLContext } from '../../../graphql/context.ts';
import { OTHER_KINDS } from '../../../graphql/id-arguments.ts';
import { costOfItem } from '../../../graphql/limits/cost.ts';
import { LIMITS } from '../../../graphql/limits/limits.ts';
import { PUBLIC } from '../../../scopes/declare.ts';
import type { BookableEventType } from '../../event-types/public/event-type-rules.queries.ts';
import { insiderId } from '../../event-types/public/public-event-type.graphql.ts';
import { bookingKeyArgument } from '../booking-input.graphql.ts';
import { type AdmitSlots, bytesOfSlots, listSlots, requirePossible } from './availability.ts';
import { hostIdOf, offeredName } from './offered-event-type.graphql.ts';
import { findOfferedEventType } from './offered-event-type.queries.ts';
import { MAX_DAYS } from './slot-request.rules.ts';

/** A slot is small, but an answer may have very many: 10,000 are a megabyte. */
const SLOT_WEIGHT = 4;
/** The cost of reading the schedule of a host, and of looking at one day of it. */
const HOST_WEIGHT = 25;
const HOST_DAY_WEIGHT = 0.1;

/** The memory of an operation that has as many slots, of several event types, as any may. */
const MOST_BYTES = bytesOfSlots({ slots: LIMITS.cost / SLOT_WEIGHT, hosts: 0, hostDays: 0, days: 0 });

interface SlotShape {
  readonly start: number;
  readonly end: number;
  readonly seatsLeft: number | null;
  readonly timeZone: string;
}

export const Slot = builder.objectRef<SlotShape>('Slot').implement({
  description: 'A time at which an event type can be booked.',
  fields: (t) => ({
    start: t.field({
      type: 'DateTime',
      requires: PUBLIC,
      description: 'When it starts: what `bookingCreate` takes as `start`.',
      resolve: ({ start }) => start,
    }),
    end: t.field({
      type: 'DateTime',
      requires: PUBLIC,
      description: 'When it ends, buffers not counted.',
      resolve: ({ end }) => end,
    }),
    date: t.field({
      type: 'Date',
      requires: PUBLIC,
      description: 'The date of its start in the requested time zone, as `YYYY-MM-DD`, such as `2026-12-01`.',
      resolve: ({ start, timeZone }) => instantAt(start).toZonedDateTimeISO(timeZone).toPlainDate().toString(),
    }),
    seatsLeft: t.exposeInt('seatsLeft', {
      nullable: true,
      requires: PUBLIC,
      description: 'How many more people can book it. Null when the event type has no seats.',
    }),
  }),
});

builder.queryField('slots', (t) =>
  t.field({
    type: [Slot],
    nullable: true,
    description: `When an event type can be booked, in order; at most ${MAX_DAYS} days at a time. Null when there is no such event type.`,
    requires: PUBLIC,
    price: { range: ['start', 'end'], oneAtATime: true },
    args: {
      eventTypeId: t.arg.id({
        description: `Its id, which begins with \`evt_\`; give this, or slug and owner. ${OTHER_KINDS}`,
      }),
      slug: t.arg.string({ description: 'Its name in addresses, such as `intro-call`; with username, or team.' }),
      username: t.arg.string({ description: 'The user whose booking page it is on, such as `ada-lovelace`.' }),
      team: t.arg.string({ description: 'The slug of the team whose booking page it is on.' }),
      organization: t.arg.string({ description: 'The slug of the organization that the team belongs to, if any.' }),
      ...slotRange(),
      lengthInMinutes: t.arg.int({
        description:
          'One of the event type’s `lengthInMinutesOptions`; its own length if left out, or that of the booking to move.',
      }),
      occurrences: t.arg.int({
        description:
          'Of a recurring event type: how many bookings are wanted, as `bookingCreate` takes it; as many as it says if left out. Slots are those where all of them can be had. A booking that moves does so by itself.',
      }),
      bookingUidToReschedule: t.arg.string({
        description:
          'A booking, or a seat, that is to be moved: its own time counts as free, and its length is asked for. It opens its own event type, also when that is hidden. Slots are those that it can move to; none where it cannot be moved any more.',
      }),
      privateLinkToken: t.arg.string({
        description: 'The last part of a private link’s address: it opens a hidden event type.',
      }),
    },
    resolve: async (_root, { start, end, ...args }, context, info) => {
      const { bookingUidToReschedule: uid, privateLinkToken = null } = args;
      const timeZone = args.timeZone ?? 'UTC';
      requirePossible({ start, end, timeZone });
      const booking = uid == null ? null : (bookingKeyArgument(uid, ['bookingUidToReschedule']) ?? null);
      const named = offeredName(args);
      if (!named) return null;
      // Both at a time: they travel together.
      const [eventType, now] = await Promise.all([
        findOfferedEventType(context.em, named, { viewerId: insiderId(context), privateLinkToken, booking }),
        databaseNow(context.em),
      ]);
      if (!eventType) return null;
      return shownSlots(context, info, eventType, {
        start,
        end,
        timeZone,
        lengthInMinutes: args.lengthInMinutes ?? null,
        occurrences: args.occurrences ?? null,
        rescheduled: booking && { key: booking, callerId: hostIdOf(context) },
        now,
      });
    },
  }),
);

/** Which slots: `start`, `end`, and the zone of their dates. */
export function slotRange() {
  return builder.args((t) => ({
    start: t.field({ type: 'DateTime', required: true, description: 'Slots that start from then on.' }),
    end: t.field({
      type: 'DateTime',
      required: true,
      description: `Slots that start before it; at most ${MAX_DAYS} days after \`start\`.`,
    }),
    timeZone: t.field({ type: 'TimeZone', description: `For \`date\`: ${TIME_ZONE_IN_WORDS}. UTC if left out.` }),
  }));
}

/** The slots of an event type, for a field that lists them; its budget pays for what they come to. */
export async function shownSlots(
  context: GraphQLContext,
  info: GraphQLResolveInfo,
  eventType: BookableEventType,
  question: Parameters<typeof listSlots>[2],
): Promise<SlotShape[]> {
  const found = await listSlots(context.em, eventType, question, spending(context, info));
  const { timeZone } = question;
  return found.map(({ start, end, seatsLeft }) => ({ start, end, seatsLeft, timeZone }));
}

/** Spends what the slots of an event type can come to, once it is known how close they follow each other. */
function spending({ budget }: GraphQLContext, info: GraphQLResolveInfo): AdmitSlots {
  const costOfSlot = costOfItem(info, SLOT_WEIGHT);
  return (price) => {
    const { slots, hosts, hostDays, days } = price;
    const cost = slots * costOfSlot + hosts * HOST_WEIGHT + hostDays * HOST_DAY_WEIGHT;
    const possible = Math.floor((days * budget.left) / cost);
    const narrower =
      possible >= 1 ? `at most ${possible} ${possible === 1 ? 'day' : 'days'} at a time` : 'less than a day at a time';
    budget.spend(cost, `ask for the slots of ${narrower}, and of fewer event types at once`);
    // The result of a mutation is shown without waiting for others, who might keep it from being shown.
    if (info.operation.operation === OperationTypeNode.MUTATION) return undefined;
    const bytes = bytesOfSlots(price);
    // The slots of the other event types follow, and find the place taken.
    return budget.roomFor(isSelectedOnce(info) ? bytes : Math.max(bytes, MOST_BYTES));
  };
}

const COUNTS = new WeakMap<OperationDefinitionNode, number>();

/** Whether the operation asks for slots in one place alone. */
function isSelectedOnce({ operation, fragments, fieldName }: GraphQLResolveInfo): boolean {
  return (
    COUNTS.getOrInsertComputed(operation, () => {
      let count = 0;
      const counts = { Field: ({ name }: FieldNode) => void (count += name.value === fieldName ? 1 : 0) };
      for (const node of [operation, ...Object.values(fragments)]) visit(node, counts);
      return count;
    }) === 1
  );
}
