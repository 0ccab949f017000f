import type { Part } from '../../database/selection.ts';
import { sql } from '../../database/sql.ts';
import { User } from './user.entity.ts';

/** The person whom a row names by its `user_id`. */
export const PERSON: Part<'user', typeof User, 'ONE'> = {
  name: 'user',
  holds: 'ONE',
  entity: User,
  from: (alias, of) => of.jsonObject('u', sql`from users u where u.id = ${sql.ref(`${alias}.user_id`)}`),
};
