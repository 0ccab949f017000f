import { Problem } from '../../core/problem.ts';
import { type Em, row, sql } from '../../database/sql.ts';
import { recordAudit } from '../../events/record-audit.ts';

/**
 * Makes the verified account of an address one of an administrator of the service; nothing happens to one that is already.
 * @returns whether it was none before. @throws Problem NOT_FOUND
 */
export async function appointAdministrator(em: Em, email: string): Promise<boolean> {
  return em.transactional(async (inner) => {
    const found = await row(
      inner,
      sql<{ id: string; isAdministrator: boolean }>`
        select id, is_administrator as "isAdministrator" from users
        where email = lower(${email}) and email_verified_at is not null for update`,
    );
    if (!found) throw new Problem('NOT_FOUND', `There is no verified account with the e-mail address "${email}".`);
    if (found.isAdministrator) return false;
    await row(inner, sql`update users set is_administrator = true, updated_at = now() where id = ${found.id}`);
    await recordAudit(inner, { type: 'USER_MADE_ADMINISTRATOR', userId: found.id });
    return true;
  });
}
