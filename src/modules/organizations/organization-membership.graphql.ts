import { type PageArguments, pageRequest } from '../../core/page.ts';
import { batched } from '../../graphql/batch.ts';
import { builder } from '../../graphql/builder.ts';
import { connection, connectionOf, pageArguments } from '../../graphql/connection.ts';
import { reads } from '../../scopes/declare.ts';
import { User } from '../accounts/accounts.graphql.ts';
import { ORGANIZATION } from './group.ts';
import { groupMemberships } from './group-memberships.graphql.ts';
import { membershipPages } from './membership.queries.ts';
import { Organization } from './organization.graphql.ts';
import { isAtLeast } from './role.rules.ts';

const read = reads('MEMBERSHIP', ['ORGANIZATION']);

groupMemberships({
  group: ORGANIZATION,
  door: Organization,
  level: 'ORGANIZATION',
  reads: read,
  describes: {
    invitations: 'The organizations that you are invited to.',
    create: 'Invites a user to an organization. The membership counts when they accept it.',
    delete: 'Removes somebody from an organization and from its teams, or lets you leave, or decline an invitation.',
  },
});

const UserConnection = connectionOf(User);

const loadUsers = batched(({ em }, ids, args: PageArguments) =>
  membershipPages(em, ORGANIZATION, 'USERS', ids, pageRequest(args)),
);

builder.objectField(Organization, 'users', (t) =>
  t.field({
    type: UserConnection,
    nullable: true,
    description: 'Its members who have accepted. Null unless you administer it.',
    requires: read,
    args: pageArguments(),
    resolve: async ({ id, role }, args, context) => {
      const page = isAtLeast(role, 'ADMIN') ? await loadUsers(context, id, args) : undefined;
      return page && connection({ ...page, rows: page.rows.map(({ user }) => user) }, (user) => [user.id]);
    },
  }),
);
