import { Problem } from '../../core/problem.ts';
import type { RowOf } from '../../database/columns.ts';
import { changed, type Em, LATER, row, rows, sql } from '../../database/sql.ts';
import { selectFrom, updateTable } from '../../database/statements.ts';
import { recordAudit } from '../../events/record-audit.ts';
import { User } from './user.entity.ts';

/**
 * Makes the verified account of an address one of an administrator of the service; nothing happens to one that is already.
 * @returns whether it was none before. @throws Problem NOT_FOUND
 */
export async function appointAdministrator(em: Em, email: string): Promise<boolean> {
  return em.transactional(async (inner) => {
    const found = await row(
      inner,
      selectFrom(User)
        .where('email', '=', sql<string>`lower(${email})`)
        .where('emailVerifiedAt', 'is not', null)
        .select(['id', 'isAdministrator'])
        .forUpdate(),
    );
    if (!found) throw new Problem('NOT_FOUND', `There is no verified account with the e-mail address "${email}".`);
    if (found.isAdministrator) return false;
    await changed(inner, updateTable(User, { id: found.id }).set({ isAdministrator: true, updatedAt: LATER }));
    await recordAudit(inner, { type: 'USER_MADE_ADMINISTRATOR', userId: found.id });
    return true;
  });
}

type Administrator = Pick<RowOf<typeof User>, 'id' | 'email'>;

/** Everybody who may act as an administrator of the service. */
export async function findAdministrators(em: Em): Promise<Administrator[]> {
  const acting = selectFrom(User, { isAdministrator: true, suspendedAt: null });
  return rows(em, acting.select(['id', 'email']).orderBy('email'));
}
