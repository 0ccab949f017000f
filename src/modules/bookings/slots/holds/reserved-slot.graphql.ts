import { ownedIdOf, publicOwnedId } from '../../../../core/id.ts';
import { type RawBuilder, sql, unnested } from '../../../../database/sql.ts';
import { batchedEach, batchedEachForAll } from '../../../../graphql/batch.ts';
import { builder } from '../../../../graphql/builder.ts';
import { connectionOf, pageArguments, pagesBelow } from '../../../../graphql/connection.ts';
import { requireUserId } from '../../../../graphql/context.ts';
import { describedById, idInWords, OTHER_KINDS, ownedIdArgument } from '../../../../graphql/id-arguments.ts';
import { filterArgument, type GivenFilter, listFilter, within } from '../../../../graphql/list-filter.ts';
import { mutation } from '../../../../graphql/mutation.ts';
import { INHERIT, reads, writes } from '../../../../scopes/declare.ts';
import { notFoundHere } from '../../../levels/change-owned.ts';
import { enteringAt, LEVELS } from '../../../levels/level.graphql.ts';
import { idField, namedOwner, pathFields, withinOrganization } from '../../../levels/owned-store.graphql.ts';
import { mayList, requiredAt } from '../../../levels/resource.graphql.ts';
import { mutationName } from '../../../levels/resource-mutations.graphql.ts';
import { HELD_MINUTES } from './hold-limits.ts';
import {
  findReservedSlots,
  RELEASE_SLOT_CODES,
  RESERVED_SLOT,
  type ReservedSlotRow,
  releaseReservedSlot,
  reservedSlotPages,
  type WantedHold,
} from './reserved-slot.queries.ts';

const read = reads('BOOKING');
const write = writes('BOOKING');

const ReservedSlot = builder.objectRef<ReservedSlotRow>('ReservedSlot').implement({
  description:
    'A slot that somebody keeps for a few minutes before they book it, or do not: a reservation, as hosts see it. It names nobody, since who keeps a slot need not say who they are.',
  fields: (t) => ({
    id: t.id({
      requires: read,
      description:
        'Pass it to the mutation that releases the slot. It cannot book it: that takes the uid of the reservation.',
      resolve: (held) => publicOwnedId(RESERVED_SLOT, held),
    }),
    start: t.expose('start', { type: 'DateTime', requires: read, description: 'When the slot starts.' }),
    end: t.expose('end', { type: 'DateTime', requires: read, description: 'When the slot ends.' }),
    title: t.exposeString('title', { requires: read, description: 'The title of its event type, as it is now.' }),
    reservedAt: t.expose('heldSince', {
      type: 'DateTime',
      requires: read,
      description: 'When somebody began to keep it, renewals included.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      requires: read,
      description: 'When it is free again, unless it is renewed or booked.',
    }),
  }),
});

const ReservedSlotConnection = connectionOf(ReservedSlot);
const ORDER = {
  columns: ['TIME', 'UUID'] as const,
  keyOf: ({ start, id }: ReservedSlotRow): readonly string[] => [start, id],
};

const IS_FOR_ONE = sql<boolean>`r.owner_id = one.owner_id and r.event_type_id = one.id`;

/** SQL: the event types `one` that a filter names, each once. */
function eventTypesNamed(named: readonly string[]): RawBuilder<unknown> {
  const ids = named.flatMap((id, index) => {
    const found = ownedIdArgument('eventType', id, ['filter', 'eventTypeIds', String(index)]);
    return found && named.indexOf(id) === index ? [found] : [];
  });
  return sql`${unnested(ids)} as one(owner_id, id)`;
}

const ReservedSlotFilter = listFilter('ReservedSlot', {
  eventTypeIds: {
    type: ['ID'],
    description: `For one of these event types, by their ids (\`evt_…\`). ${OTHER_KINDS}`,
    condition: (named: readonly string[]) => sql`exists (select from ${eventTypesNamed(named)} where ${IS_FOR_ONE})`,
    apart: (named: readonly string[]) => ({ found: eventTypesNamed(named), has: IS_FOR_ONE }),
  },
  start: within('r.starts_at', 'Starting in this period.'),
});

const LISTS = {
  user: {
    describes: 'The slots that somebody keeps of your time at the moment, earliest start first; your teams’ too.',
    pages: pagesBelow(ORDER, (context, ids: readonly string[], request, given: GivenFilter | null | undefined) =>
      reservedSlotPages(context.em, 'HOST', ids, request, ReservedSlotFilter.narrowedBy(given, context)),
    ),
    find: batchedEachForAll((em, wanted: readonly WantedHold[]) => findReservedSlots(em, 'HOST', wanted)),
  },
  team: {
    describes:
      'The slots of its event types that somebody keeps at the moment, earliest start first. Null unless you administer it.',
    pages: pagesBelow(ORDER, (context, ids: readonly string[], request, given: GivenFilter | null | undefined) =>
      reservedSlotPages(context.em, 'TEAM', ids, request, ReservedSlotFilter.narrowedBy(given, context)),
    ),
    find: batchedEach(({ em }, wanted: readonly WantedHold[]) => findReservedSlots(em, 'TEAM', wanted)),
  },
};

const RELEASES = {
  user: 'Releases a slot that somebody keeps of your time.',
  team: 'Releases a slot of a team that you administer.',
};
const AFTERWARDS = `It is free at once, also for who kept it, who cannot keep it again for ${HELD_MINUTES} minutes.`;

for (const level of ['user', 'team'] as const) {
  const { describes, pages, find } = LISTS[level];
  builder.objectField(LEVELS[level].door, 'reservedSlots', (t) =>
    t.field({
      type: ReservedSlotConnection,
      nullable: true,
      description: describes,
      requires: requiredAt(level, read),
      args: { ...filterArgument(ReservedSlotFilter), ...pageArguments() },
      resolve: (parent, args, context) => (mayList(parent) ? pages(context, parent.id, args, args.filter) : undefined),
    }),
  );

  builder.objectField(LEVELS[level].door, 'reservedSlot', (t) =>
    t.field({
      type: ReservedSlot,
      nullable: true,
      description: `${describedById('reservedSlots')}${level === 'team' ? ' Null unless you administer it.' : ''}`,
      requires: requiredAt(level, read),
      args: { id: t.arg.id({ required: true, description: idInWords(RESERVED_SLOT) }) },
      resolve: (parent, { id }, context) => {
        const named = mayList(parent) ? ownedIdArgument(RESERVED_SLOT, id, ['id']) : undefined;
        return named && find(context, { parentId: parent.id, ...named }, undefined);
      },
    }),
  );

  mutation(mutationName(level, 'reservedSlot', 'Delete'), {
    description: `${RELEASES[level]} ${AFTERWARDS}`,
    requires: enteringAt(level, write),
    errors: level === 'user' ? RELEASE_SLOT_CODES : [...RELEASE_SLOT_CODES, 'FORBIDDEN'],
    input: (t) => ({ ...pathFields(t, level), ...idField(t, RESERVED_SLOT) }),
    resolve: async (given, context) => {
      const input = await withinOrganization(level, given, context);
      const reservedSlotId = String(input[`${RESERVED_SLOT}Id`]);
      const hostId = requireUserId(context);
      if (level === 'user') {
        const named = ownedIdOf(RESERVED_SLOT, reservedSlotId);
        if (!named) throw notFoundHere(RESERVED_SLOT, reservedSlotId);
        await releaseReservedSlot(context.em, named, { hostId });
      } else {
        const { owner: right, id } = namedOwner(level, { kind: RESERVED_SLOT, belongsTo: 'GROUP' }, input, context);
        await releaseReservedSlot(context.em, { ownerId: right.ownerId, id }, { hostId, right });
      }
      return { reservedSlotId };
    },
    payload: (t) => ({ reservedSlotId: t.exposeID('reservedSlotId', { nullable: true, requires: INHERIT }) }),
  });
}
