import { newId, publicOwnedId, userOrTeam } from '../../src/core/id.ts';
import { type Em, rows, sql } from '../../src/database/sql.ts';
import type { ReceiverKind } from '../../src/modules/verified-resources/verified-resource.rules.ts';
import { uuidOf } from './ids.ts';

/** Has a receiver verified for a user or a team, without a code. @returns its public id */
export async function storeVerified(em: Em, kind: ReceiverKind, owner: string, receiver: string): Promise<string> {
  const [ownerId, id] = [uuidOf(owner), newId()];
  const { userId, teamId } = userOrTeam(ownerId);
  const table = sql.table(kind === 'EMAIL' ? 'verified_emails' : 'verified_phones');
  await rows(
    em.fork(),
    sql`insert into ${table} (owner_id, id, user_id, team_id, receiver, verified_at)
        values (${ownerId}, ${id}, ${userId}, ${teamId}, ${receiver}, now())`,
  );
  return publicOwnedId(kind === 'EMAIL' ? 'verifiedEmail' : 'verifiedPhone', { ownerId, id });
}
