import { newId, publicOwnedId, userOrTeam } from '../../src/core/id.ts';
import { type Em, rows, sql } from '../../src/database/sql.ts';
import { ConferencingAccounts } from '../../src/modules/conferencing/conferencing-accounts.ts';
import { testConnections } from './calendar-accounts.ts';
import { uuidOf } from './ids.ts';

const NO_CONNECTIONS = testConnections();

/** The service offers these where only its own rooms are configured. */
export const ROOMS_ALONE = {
  connections: NO_CONNECTIONS,
  hasRooms: true,
  conferencingAccounts: new ConferencingAccounts({ providers: {}, connections: NO_CONNECTIONS }),
};

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
