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
import { costOfItem } from '../../../graphql/limits/cost.ts';
import { LIMITS } from '../../../graphql/limits/limits.ts';
import { PUBLIC } from '../../../scopes/declare.ts';
import { findPrivatelyLinked } from '../../event-types/private-links.ts';
import { EventTypeIdentifierInput, eventTypeName } from '../../event-types/public/public-event-type.graphql.ts';
import type { EventTypeName } from '../../event-types/public/public-event-type.queries.ts';
import { insiderId } from '../../teams/team.graphql.ts';
import type { BookingKey } from '../booking-key.rules.ts';
import { type AdmitSlots, bytesOfSlots, listSlots, requirePossible } from './availability.ts';
import { type BookableEventType, findEventTypeRules, findOfferedEventType } from './bookable-event-type.queries.ts';
import { MAX_DAYS } from './slot-range.rules.ts';

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
  readonly remainingSeatCount: number | null;
  readonly timeZone: string;
}

export const Slot = builder.objectRef<SlotShape>('Slot').implement({
  description: 'A time at which an event type can be booked.',
  fields: (t) => ({
    start: t.field({
      type: 'DateTime',
      requires: PUBLIC,
      description: 'When it starts. Send it to `bookingCreate` as `start`.',
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
    remainingSeatCount: t.exposeInt('remainingSeatCount', {
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
      eventType: t.arg({
        type: EventTypeIdentifierInput,
        required: true,
        description: 'What is to be booked. A private link opens its event type, also when that is hidden.',
      }),
      ...slotRange(),
      durationInMinutes: t.arg.int({
        description:
          'One of the event type’s `durationInMinutesOptions`; its own length if left out, or that of the booking to move.',
      }),
      occurrences: t.arg.int({
        description:
          'Of a recurring event type: how many bookings are wanted, as `bookingCreate` takes it; as many as it says if left out. Slots are those where all of them can be had. A booking that moves does so by itself.',
      }),
      bookingUidToReschedule: t.arg.string({
        description:
          'A booking, or a seat, that is to be moved, by its uid (`uid_…`, `uis_…`): its own time counts as free, and its length is asked for. It opens its own event type, also when that is hidden. Slots are those that it can move to; none where it cannot be moved any more, or the uid opens nothing. Hosts ask `slotsToMoveTo` of the booking.',
      }),
    },
    resolve: async (_root, { start, end, eventType: by, ...args }, context, info) => {
      const uid = args.bookingUidToReschedule;
      const timeZone = args.timeZone ?? 'UTC';
      requirePossible({ start, end, timeZone });
      const booking = uid == null ? null : (context.uids.read(uid) ?? null);
      const token = by.privateLinkToken;
      const named = token == null ? eventTypeName(by, 'eventType') : { token };
      if (!named) return null;
      // Both at a time: they travel together.
      const [eventType, now] = await Promise.all([findNamed(context, named, booking), databaseNow(context.em)]);
      if (!eventType) return null;
      if (uid != null && !booking) return [];
      return shownSlots(context, info, eventType, {
        start,
        end,
        timeZone,
        durationInMinutes: args.durationInMinutes ?? null,
        occurrences: args.occurrences ?? null,
        rescheduled: booking && { key: booking, actor: 'UID_HOLDER' },
        now,
      });
    },
  }),
);

/** The event type that is asked for: that of a private link, or one that is open to the caller, or that of their booking. */
async function findNamed(
  context: GraphQLContext,
  named: EventTypeName | { readonly token: string },
  booking: BookingKey | null,
): Promise<BookableEventType | undefined> {
  const { em } = context;
  if (!('token' in named)) {
    return findOfferedEventType(em, named, { viewerId: insiderId(context), privateLinkToken: null, booking });
  }
  const linked = await findPrivatelyLinked(em, named.token);
  return linked && findEventTypeRules(em, linked);
}

/** Which slots: `start`, `end`, and the zone of their dates. */
export function slotRange() {
  return builder.args((t) => ({
    start: t.field({ type: 'DateTime', required: true, description: 'Only slots that start at this time or later.' }),
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
  return found.map(({ start, end, remainingSeatCount }) => ({ start, end, remainingSeatCount, timeZone }));
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
