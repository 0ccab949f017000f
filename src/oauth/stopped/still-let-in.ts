import { PutOut, type Standing } from '../../database/on-behalf.ts';
import { row, sql } from '../../database/sql.ts';

/** The session or the grant that lets somebody into an account. */
export type Credential = { readonly sessionId: string } | { readonly grantId: string };

/**
 * For callers whose address was not verified when their request began: what they change is changed as long as it is not, or as
 * long as what let them in is alive. The proof of the address locks the user's row `for update`, so that it waits for
 * changes that hold this lock, and finds and stops what they made (stop-things.ts). Changes that come to the lock after the
 * proof see it, and that their session or grant has ended with it. Two statements, since only the row that was waited for
 * is read as it is by then.
 */
export function stillLetIn(userId: string, by: Credential): Standing {
  const account = sql<{ isUnverified: boolean }>`
    select email_verified_at is null as "isUnverified" from users where id = ${userId} for key share`;
  const credential =
    'sessionId' in by
      ? sql`select 1 from sessions where id = ${by.sessionId} and user_id = ${userId}`
      : sql`select 1 from oauth_grants where id = ${by.grantId} and user_id = ${userId} and revoked_at is null`;
  return async (em) => {
    const found = await row(em, account);
    if (found?.isUnverified) return;
    if (!found || !(await row(em, credential))) throw new PutOut();
  };
}
