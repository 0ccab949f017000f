import { publicId } from '../../core/id.ts';
import { builder } from '../../graphql/builder.ts';
import { connectionOf } from '../../graphql/connection.ts';
import { entering, reads } from '../../scopes/declare.ts';
import { viewerList } from '../accounts/viewer-list.graphql.ts';
import { LEVELS } from '../levels/level.graphql.ts';
import { type InvitationRow, listInvitations } from './invitation.queries.ts';
import { MembershipRole } from './memberships.graphql.ts';

const membership = reads('MEMBERSHIP');

/** Into a team or an organization: the level at which it is reached tells which. */
const Invitation = builder.objectRef<InvitationRow>('Invitation').implement({
  description: 'A team or an organization that you are invited to. Until you accept, you see no more of it than this.',
  fields: (t) => ({
    membershipId: t.id({
      requires: membership,
      description: 'What to accept, or to decline by deleting it.',
      resolve: ({ membershipId }) => publicId('membership', membershipId),
    }),
    groupId: t.id({
      requires: membership,
      description: 'The team or the organization.',
      resolve: ({ groupKind, groupId }) => publicId(groupKind, groupId),
    }),
    groupName: t.exposeString('groupName', { requires: membership, description: 'What it is called.' }),
    role: t.expose('role', {
      type: MembershipRole,
      requires: membership,
      description: 'What you may do there once you have accepted.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      requires: membership,
      description: 'When you were invited.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      requires: membership,
      description: 'When it was last changed or sent. The `ifUpdatedAt` by which you accept what you have seen.',
    }),
  }),
});

const InvitationConnection = connectionOf(Invitation);

for (const { group, scopeLevel } of [LEVELS.team, LEVELS.organization]) {
  viewerList(`${group.kind}Invitations`, {
    type: InvitationConnection,
    description: `The ${group.kind}s that you are invited to.`,
    requires: entering(scopeLevel, membership),
    order: { columns: ['UUID'], keyOf: ({ groupId }) => [groupId] },
    find: ({ em }, userId, request) => listInvitations(em, group, userId, request),
  });
}
