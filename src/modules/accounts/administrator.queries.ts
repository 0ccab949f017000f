import type { RowOf } from '../../database/columns.ts';
import { type Em, rows } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
import { User } from './user.entity.ts';

export type Administrator = Pick<RowOf<typeof User>, 'id' | 'email'>;

/** Everybody who may act as an administrator of the service. */
export async function findAdministrators(em: Em): Promise<Administrator[]> {
  const acting = selectFrom(User, { isAdministrator: true, suspendedAt: null });
  return rows(em, acting.select(['id', 'email']).orderBy('email'));
}
