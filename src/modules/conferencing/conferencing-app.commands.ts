import { newId, type OwnedId, userOrTeam } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import { shown } from '../../core/text.ts';
import { changed, type Em, row, sql } from '../../database/sql.ts';
import { deleteFrom, selectFrom, updateTable } from '../../database/statements.ts';
import { Connection } from '../connections/connection.entity.ts';
import type { Connections } from '../connections/connections.ts';
import { endConnection } from '../connections/end-connection.ts';
import { notFoundHere } from '../levels/change-owned.ts';
import type { Owner } from '../levels/reach.ts';
import { lockOwnerAlone } from '../teams/lock-owner.ts';
import { ConferencingApp } from './conferencing-app.entity.ts';
import { APPS, type AppSlug, isApp, type OAuthApp } from './conferencing-app.rules.ts';

export const CONNECT_APP_CODES = ['NOT_POSSIBLE'] as const;

/** The apps that can be connected here. */
interface OfferedApps {
  /** Whether the service has rooms of its own. */
  readonly hasRooms: boolean;
  readonly connections: Pick<Connections, 'has' | 'begin'>;
}

/** An app that is connected, or the address that its user is to open in their browser to connect it, within ten minutes. */
type ConnectedApp = { readonly id: string } | { readonly authorizationUrl: string };

/**
 * Connects an app, which is the default if it is the only one; connected already, it stays as it is. One with an account is only
 * begun. `userId`: who does it. @throws Problem NOT_FOUND, FORBIDDEN, NOT_POSSIBLE
 */
export async function connectApp(
  em: Em,
  owner: Owner,
  { app, userId }: { readonly app: string; readonly userId: string },
  { hasRooms, connections }: OfferedApps,
): Promise<ConnectedApp> {
  if (!isApp(app)) throw unknownApp(app);
  if (app !== 'video') {
    if (!connections.has(app)) throw notOffered(app);
    return { authorizationUrl: await connections.begin(em, owner, { userId, provider: app }) };
  }
  if (!hasRooms) throw notOffered(app);
  return inOrder(em, owner, unknownApp(app), async (inner) => ({
    id: await insertApp(inner, owner.ownerId, app, null),
  }));
}

/** Keeps an app whose account has just been connected, in that transaction, which has locked the owner; connected before, it gets the new tokens. */
export async function keepConnectedApp(em: Em, { ownerId, id }: OwnedId, app: OAuthApp): Promise<void> {
  const before = await row(em, selectFrom(ConferencingApp, { ownerId, app }).select('connectionId'));
  await insertApp(em, ownerId, app, id);
  // Not revoked: providers end all tokens of an account with one of them, the new ones, too.
  if (before?.connectionId) await changed(em, deleteFrom(Connection, { ownerId, id: before.connectionId }));
}

async function insertApp(em: Em, ownerId: string, app: AppSlug, connectionId: string | null): Promise<string> {
  const { userId, teamId } = userOrTeam(ownerId);
  const connected = await row(
    em,
    sql<{ id: string }>`
      insert into conferencing_apps as item (owner_id, id, user_id, team_id, app, is_default, connection_id, created_at)
      select ${ownerId}::uuid, ${newId()}::uuid, ${userId}::uuid, ${teamId}::uuid, ${app}::text,
        not exists (select 1 from conferencing_apps other where other.owner_id = ${ownerId}), ${connectionId}::uuid, now()
      on conflict (owner_id, app) do update set connection_id = excluded.connection_id, notified_at = null returning id`,
  );
  return connected?.id ?? '';
}

/** Makes a connected app the default, which serves locations that name no connected app. @throws Problem NOT_FOUND, FORBIDDEN */
export async function setDefaultApp(em: Em, owner: Owner, id: string): Promise<void> {
  const { ownerId } = owner;
  const notFound = notFoundHere('conferencingApp', { ownerId, id });
  await inOrder(em, owner, notFound, async (inner) => {
    await changed(
      inner,
      updateTable(ConferencingApp, { ownerId }).set({ isDefault: false }).where('isDefault', '=', true),
    );
    const set = updateTable(ConferencingApp, { ownerId, id }).set({ isDefault: true });
    if ((await changed(inner, set)) === 0) throw notFound;
  });
}

/** Forgets an app, and its account; of those that are left, the oldest takes the place of a default. @throws Problem NOT_FOUND, FORBIDDEN */
export async function disconnectApp(em: Em, owner: Owner, id: string): Promise<void> {
  const { ownerId } = owner;
  const notFound = notFoundHere('conferencingApp', { ownerId, id });
  await inOrder(em, owner, notFound, async (inner) => {
    const gone = await row(inner, deleteFrom(ConferencingApp, { ownerId, id }).returning('connectionId'));
    if (!gone) throw notFound;
    if (gone.connectionId !== null) await endConnection(inner, { ownerId, id: gone.connectionId });
    await changed(
      inner,
      sql`update conferencing_apps set is_default = true
          where owner_id = ${ownerId} and id = (select id from conferencing_apps where owner_id = ${ownerId} order by id limit 1)
            and not exists (select 1 from conferencing_apps where owner_id = ${ownerId} and is_default)`,
    );
  });
}

/** Changes the apps of one owner one after the other, so that one of them is the default. */
function inOrder<Result>(em: Em, owner: Owner, notFound: Problem, work: (em: Em) => Promise<Result>): Promise<Result> {
  return em.transactional(async (inner) => {
    await lockOwnerAlone(inner, owner, notFound);
    return work(inner);
  });
}

function unknownApp(app: string): Problem {
  const message = `There is no conferencing app ${shown(app)}; give one of ${Object.keys(APPS).join(', ')}.`;
  return new Problem('NOT_FOUND', message, ['app']);
}

function notOffered(app: string): Problem {
  const message = `The conferencing app ${shown(app)} is not configured here; ask who runs the service.`;
  return new Problem('NOT_POSSIBLE', message, ['app']);
}
