import { newId, publicOwnedId, userOrTeam } from '../../src/core/id.ts';
import { type Em, rows, sql } from '../../src/database/sql.ts';
import type { ReceiverKind } from '../../src/modules/verified-resources/verified-resource.rules.ts';
import { uuidOf } from './ids.ts';

/**
 * Has a receiver verified by a user for themselves, or by the owner of a team, without a code.
 * @returns its public id
 */
export async function storeVerified(em: Em, kind: ReceiverKind, owner: string, receiver: string): Promise<string> {
  const [ownerId, id] = [uuidOf(owner), newId()];
  const { userId, teamId } = userOrTeam(ownerId);
  const table = sql.table(kind === 'EMAIL' ? 'verified_emails' : 'verified_phones');
  await rows(
    em.fork(),
    sql`insert into ${table} (owner_id, id, user_id, team_id, receiver, verified_by_id, verified_at)
        values (${ownerId}, ${id}, ${userId}, ${teamId}, ${receiver}, coalesce(${userId}::uuid, ${ownerOf(teamId)}), now())`,
  );
  return publicOwnedId(kind === 'EMAIL' ? 'verifiedEmail' : 'verifiedPhone', { ownerId, id });
}

const ownerOf = (teamId: string | null) => sql`(
  select user_id from (
    select m.user_id from team_memberships m where m.team_id = ${teamId}::uuid and m.accepted and m.role = 'OWNER'
    union all select m.user_id from teams t join organization_memberships m on m.organization_id = t.organization_id
    where t.id = ${teamId}::uuid and m.accepted and m.role = 'OWNER'
  ) found limit 1)`;
