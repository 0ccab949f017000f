import { builder } from '../../graphql/builder.ts';
import { connectionOf, pageArguments, pagesBelow } from '../../graphql/connection.ts';
import { reads } from '../../scopes/declare.ts';
import { User } from '../accounts/accounts.graphql.ts';
import type { Person } from '../accounts/user.queries.ts';
import { ORGANIZATION } from '../organizations/group.ts';
import { Organization } from '../organizations/organization.graphql.ts';
import { isAtLeast } from '../organizations/role.rules.ts';
import { membershipPages } from './membership.queries.ts';

const read = reads('MEMBERSHIP', ['ORGANIZATION']);

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
