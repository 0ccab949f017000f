import type { Part } from '../../database/selection.ts';
import { sql } from '../../database/sql.ts';
import { User } from '../accounts/user.entity.ts';
import type { OwnedTable } from '../levels/owned.queries.ts';
import { areColleagues } from './colleague.ts';
import { OutOfOffice } from './out-of-office.entity.ts';

export const OUT_OF_OFFICE: OwnedTable<typeof OutOfOffice> = {
  entity: OutOfOffice,
  kind: 'outOfOffice',
  owner: 'userId',
  isDenormalized: true,
  guarded: ['reason', 'notes', 'redirectTo'],
};

/** The colleague who can be booked in the place of somebody who is away. */
export const COLLEAGUE: Part<'redirectTo', typeof User, 'ONE'> = {
  name: 'redirectTo',
  holds: 'ONE',
  entity: User,
  // A person who has left is no colleague any more, and is not shown to those who stayed.
  from: (alias, of) => {
    const isColleague = areColleagues(sql.ref(`${alias}.user_id`), sql`u.id`);
    return of.jsonObject(
      'u',
      sql`from users u
        where u.id = ${sql.ref(`${alias}.redirect_to_id`)} and u.suspended_at is null and ${isColleague}`,
    );
  },
};
