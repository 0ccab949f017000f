import { ownedIdOf, publicOwnedId } from '../../../../core/id.ts';
import { builder } from '../../../../graphql/builder.ts';
import { connectionOf, pageArguments, pagesBelow, pagesForAll } from '../../../../graphql/connection.ts';
import { requireUserId } from '../../../../graphql/context.ts';
import { mutation } from '../../../../graphql/mutation.ts';
import { INHERIT, reads, writes } from '../../../../scopes/declare.ts';
import { notFoundHere } from '../../../levels/change-owned.ts';
import { enteringAt, LEVELS } from '../../../levels/level.graphql.ts';
import { idField, namedOwner, pathFields, withinOrganization } from '../../../levels/owned-store.graphql.ts';
import { mayList, requiredAt } from '../../../levels/resource.graphql.ts';
import { mutationName } from '../../../levels/resource-mutations.graphql.ts';
import {
  HELD_SLOT,
  type HeldSlotRow,
  heldSlotPages,
  RELEASE_SLOT_CODES,
  releaseHeldSlot,
} from './held-slot.queries.ts';
import { HELD_MINUTES } from './hold-limits.ts';

const read = reads('BOOKING');
const write = writes('BOOKING');

const HeldSlot = builder.objectRef<HeldSlotRow>('HeldSlot').implement({
  description:
    'A slot that somebody keeps for a few minutes before they book it, or do not: a reservation, as hosts see it. It names nobody, since who keeps a slot need not say who they are.',
  fields: (t) => ({
    id: t.id({
      requires: read,
      description: 'By it the slot is released. It is not the id of the reservation, and books nothing.',
      resolve: (held) => publicOwnedId(HELD_SLOT, held),
    }),
    start: t.expose('start', { type: 'DateTime', requires: read, description: 'When the slot starts.' }),
    end: t.expose('end', { type: 'DateTime', requires: read, description: 'When the slot ends.' }),
    title: t.exposeString('title', { requires: read, description: 'The title of its event type, as it is now.' }),
    heldAt: t.expose('heldSince', {
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

const HeldSlotConnection = connectionOf(HeldSlot);
const ORDER = {
  columns: ['TIME', 'UUID'] as const,
  keyOf: ({ start, id }: HeldSlotRow): readonly string[] => [start, id],
};

const LISTS = {
  user: {
    describes: 'The slots that somebody keeps of your time at the moment, earliest start first; your teams’ too.',
    pages: pagesForAll(ORDER, (em, ids, request) => heldSlotPages(em, 'HOST', ids, request)),
  },
  team: {
    describes:
      'The slots of its event types that somebody keeps at the moment, earliest start first. Null unless you administer it.',
    pages: pagesBelow(ORDER, ({ em }, ids: readonly string[], request) => heldSlotPages(em, 'TEAM', ids, request)),
  },
};

const RELEASES = {
  user: 'Releases a slot that somebody keeps of your time.',
  team: 'Releases a slot of a team that you administer.',
};
const AFTERWARDS = `It is free at once, also for who kept it, who cannot keep it again for ${HELD_MINUTES} minutes.`;

for (const level of ['user', 'team'] as const) {
  const { describes, pages } = LISTS[level];
  builder.objectField(LEVELS[level].door, 'heldSlots', (t) =>
    t.field({
      type: HeldSlotConnection,
      nullable: true,
      description: describes,
      requires: requiredAt(level, read),
      args: pageArguments(),
      resolve: (parent, page, context) => (mayList(parent) ? pages(context, parent.id, page, undefined) : undefined),
    }),
  );

  mutation(mutationName(level, 'heldSlot', 'Delete'), {
    description: `${RELEASES[level]} ${AFTERWARDS}`,
    requires: enteringAt(level, write),
    errors: level === 'user' ? RELEASE_SLOT_CODES : [...RELEASE_SLOT_CODES, 'FORBIDDEN'],
    input: (t) => ({ ...pathFields(t, level), ...idField(t, HELD_SLOT) }),
    resolve: async (given, context) => {
      const input = await withinOrganization(level, given, context);
      const heldSlotId = String(input[`${HELD_SLOT}Id`]);
      const hostId = requireUserId(context);
      if (level === 'user') {
        const named = ownedIdOf(HELD_SLOT, heldSlotId);
        if (!named) throw notFoundHere(HELD_SLOT, heldSlotId);
        await releaseHeldSlot(context.em, named, { hostId });
      } else {
        const { owner: right, id } = namedOwner(level, { kind: HELD_SLOT, belongsTo: 'GROUP' }, input, context);
        await releaseHeldSlot(context.em, { ownerId: right.ownerId, id }, { hostId, right });
      }
      return { heldSlotId };
    },
    payload: (t) => ({ heldSlotId: t.exposeID('heldSlotId', { nullable: true, requires: INHERIT }) }),
  });
}
