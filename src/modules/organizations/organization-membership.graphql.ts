import { builder } from '../../graphql/builder.ts';
import { connectionOf, pageArguments, pagesBelow } from '../../graphql/connection.ts';
import { reads } from '../../scopes/declare.ts';
import { User } from '../accounts/accounts.graphql.ts';
import type { Person } from '../accounts/user.queries.ts';
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

const loadUsers = pagesBelow({ columns: ['UUID'], keyOf: ({ id }: Person) => [id] }, async ({ em }, ids, request) => {
  const found = await membershipPages(em, ORGANIZATION, 'USERS', ids, request);
  return new Map([...found].map(([id, page]) => [id, { ...page, rows: page.rows.map(({ user }) => user) }]));
});

builder.objectField(Organization, 'users', (t) =>
  t.field({
    type: UserConnection,
    nullable: true,
    description: 'Its members who have accepted. Null unless you administer it.',
    requires: read,
    args: pageArguments(),
    resolve: ({ id, role }, page, context) =>
      isAtLeast(role, 'ADMIN') ? loadUsers(context, id, page, undefined) : undefined,
  }),
);
