import { pageRequest } from '../../core/page.ts';
import { builder } from '../../graphql/builder.ts';
import { connection, connectionOf, pageArguments } from '../../graphql/connection.ts';
import { entering, reads } from '../../scopes/declare.ts';
import { Viewer } from '../accounts/accounts.graphql.ts';
import { ORGANIZATION } from './group.ts';
import { type InvitationRow, listInvitations } from './invitation.queries.ts';
import { MembershipRole } from './membership.graphql.ts';

const membership = reads('MEMBERSHIP');

/** Into a team or an organization: the level at which it is reached tells which. */
const Invitation = builder.objectRef<InvitationRow>('Invitation').implement({
  description: 'A team or an organization that you are invited to. Until you accept, you see no more of it than this.',
  fields: (t) => ({
    membershipId: t.exposeID('membershipId', {
      requires: membership,
      description: 'What to accept, or to decline by deleting it.',
    }),
    groupId: t.exposeID('groupId', { requires: membership, description: 'The team or the organization.' }),
    groupName: t.exposeString('groupName', { requires: membership }),
    role: t.expose('role', { type: MembershipRole, requires: membership }),
    createdAt: t.field({
      type: 'DateTime',
      requires: membership,
      resolve: ({ createdAt }) => Temporal.Instant.from(createdAt),
    }),
  }),
});

export const InvitationConnection = connectionOf(Invitation);

builder.objectField(Viewer, 'organizationInvitations', (t) =>
  t.field({
    type: InvitationConnection,
    description: 'The organizations that you are invited to.',
    requires: entering('ORGANIZATION', membership),
    args: pageArguments(),
    resolve: async ({ id }, args, { em }) =>
      connection(await listInvitations(em, ORGANIZATION, id, pageRequest(args)), ({ groupId }) => [groupId]),
  }),
);
