import { newId, publicOwnedId, userOrTeam } from '../../src/core/id.ts';
import { type Em, rows, sql } from '../../src/database/sql.ts';
import { uuidOf } from './ids.ts';

/** Has a user or a team have an app, the default one. @returns its public id */
export async function storeApp(em: Em, owner: string, app = 'video', isDefault = true): Promise<string> {
  const [ownerId, id] = [uuidOf(owner), newId()];
  const { userId, teamId } = userOrTeam(ownerId);
  await rows(
    em.fork(),
    sql`insert into conferencing_apps (owner_id, id, user_id, team_id, app, is_default, created_at)
        values (${ownerId}, ${id}, ${userId}, ${teamId}, ${app}, ${isDefault}, now())`,
  );
  return publicOwnedId('conferencingApp', { ownerId, id });
}
