import { URL_TEXT } from '../../graphql/limits/price.ts';
import { type RowFields, rowType } from '../../graphql/row.ts';
import { reads } from '../../scopes/declare.ts';
import type { Requirement } from '../../scopes/requirement.ts';
import { User } from './user.entity.ts';

/** These scopes let an app see a person: the user's own profile, or the memberships of a group. */
export const people = { ...reads('PROFILE', ['USER']), ...reads('MEMBERSHIP') };

/** The fields of a person, for a type of their row. */
export function personFields(t: RowFields<typeof User>, requires: Requirement) {
  return {
    id: t.id('id', 'user', { requires }),
    name: t.column('name', { requires, description: 'What people call them.' }),
    username: t.column('username', { requires, description: 'Their name in the addresses of their booking pages.' }),
  };
}

export const Person = rowType(User, 'Person', {
  description: 'A person, as their profile or membership shows them.',
  fields: (t) => ({
    ...personFields(t, people),
    avatarUrl: t.column('avatarUrl', {
      type: 'URL',
      price: URL_TEXT,
      requires: people,
      description: 'The https address of their picture. Null: there is none.',
    }),
  }),
});
