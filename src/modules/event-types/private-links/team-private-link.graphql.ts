import { requireUserId } from '../../../graphql/context.ts';
import { mutation } from '../../../graphql/mutation.ts';
import { entering, INHERIT, reads, writes } from '../../../scopes/declare.ts';
import { ownOfTeam } from '../../levels/reach.ts';
import { createPrivateLink } from './create-private-link.ts';
import { deletePrivateLink } from './delete-private-link.ts';
import { changedLink, limitFields, PrivateLink } from './private-link.graphql.ts';
import { PRIVATE_LINK_MISTAKES } from './private-link.rules.ts';
import { updatePrivateLink } from './update-private-link.ts';

const read = reads('EVENT_TYPE', ['TEAM']);
const write = entering('TEAM', writes('EVENT_TYPE'));

mutation('teamPrivateLinkCreate', {
  description:
    'Makes a private link to an event type of a team that you administer. With neither limit it serves once.',
  requires: write,
  errors: [...PRIVATE_LINK_MISTAKES, 'NOT_FOUND', 'FORBIDDEN', 'NOT_POSSIBLE'],
  onceByKey: true,
  input: (t) => ({ teamId: t.id({ required: true }), eventTypeId: t.id({ required: true }), ...limitFields(t) }),
  resolve: async ({ teamId, eventTypeId, ...limits }, context) => {
    const owner = ownOfTeam(requireUserId(context), teamId);
    return changedLink(await createPrivateLink(context.em, owner, eventTypeId, limits));
  },
  payload: (t) => ({
    privateLinkId: t.exposeID('privateLinkId', { nullable: true, requires: INHERIT }),
    privateLink: t.expose('privateLink', { type: PrivateLink, nullable: true, requires: read }),
  }),
});

mutation('teamPrivateLinkUpdate', {
  description: 'Changes the limits of a private link of a team. What is left out stays; null lifts a limit.',
  requires: write,
  errors: [...PRIVATE_LINK_MISTAKES, 'NOT_FOUND', 'FORBIDDEN'],
  input: (t) => ({ teamId: t.id({ required: true }), privateLinkId: t.id({ required: true }), ...limitFields(t) }),
  resolve: async ({ teamId, privateLinkId, ...limits }, context) => {
    const owner = ownOfTeam(requireUserId(context), teamId);
    return changedLink(await updatePrivateLink(context.em, owner, privateLinkId, limits));
  },
  payload: (t) => ({
    privateLinkId: t.exposeID('privateLinkId', { nullable: true, requires: INHERIT }),
    privateLink: t.expose('privateLink', { type: PrivateLink, nullable: true, requires: read }),
  }),
});

mutation('teamPrivateLinkDelete', {
  description: 'Ends a private link of a team at once.',
  requires: write,
  errors: ['NOT_FOUND', 'FORBIDDEN'],
  input: (t) => ({ teamId: t.id({ required: true }), privateLinkId: t.id({ required: true }) }),
  resolve: async ({ teamId, privateLinkId }, context) => {
    await deletePrivateLink(context.em, ownOfTeam(requireUserId(context), teamId), privateLinkId);
    return { privateLinkId };
  },
  payload: (t) => ({ privateLinkId: t.exposeID('privateLinkId', { nullable: true, requires: INHERIT }) }),
});
