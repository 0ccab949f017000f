import { isTeam, newId, userOrTeam } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import { shown } from '../../core/text.ts';
import { changed, type Em, row, sql } from '../../database/sql.ts';
import { deleteFrom, updateTable } from '../../database/statements.ts';
import { notFoundHere } from '../levels/not-found-here.ts';
import type { Owner } from '../levels/reach.ts';
import { ConferencingApp } from './conferencing-app.entity.ts';
import { APPS, isApp } from './conferencing-app.rules.ts';

export const CONNECT_APP_CODES = ['NOT_POSSIBLE'] as const;

/**
 * Connects an app, which is the default if it is the only one; connected already, it stays as it is. `offered`: the apps that
 * the service is configured for. @returns its id. @throws Problem NOT_FOUND, FORBIDDEN, NOT_POSSIBLE
 */
export async function connectApp(em: Em, owner: Owner, app: string, offered: readonly string[]): Promise<string> {
  const { ownerId } = owner;
  if (!isApp(app)) throw unknownApp(app);
  if (!offered.includes(app)) throw notOffered(app);
  const { userId, teamId } = userOrTeam(ownerId);
  return inOrder(em, owner, unknownApp(app), async (inner) => {
    const connected = await row(
      inner,
      sql<{ id: string }>`
        insert into conferencing_apps as item (owner_id, id, user_id, team_id, app, is_default, created_at)
        select ${ownerId}::uuid, ${newId()}::uuid, ${userId}::uuid, ${teamId}::uuid, ${app}::text,
          not exists (select 1 from conferencing_apps other where other.owner_id = ${ownerId}), now()
        on conflict (owner_id, app) do update set app = item.app returning id`,
    );
    return connected?.id ?? '';
  });
}

/** Makes a connected app the one that locations mean which name none that is connected. @throws Problem NOT_FOUND, FORBIDDEN */
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

/** Forgets an app; of those that are left, the oldest takes the place of a default. @throws Problem NOT_FOUND, FORBIDDEN */
export async function disconnectApp(em: Em, owner: Owner, id: string): Promise<void> {
  const { ownerId } = owner;
  const notFound = notFoundHere('conferencingApp', { ownerId, id });
  await inOrder(em, owner, notFound, async (inner) => {
    if ((await changed(inner, deleteFrom(ConferencingApp, { ownerId, id }))) === 0) throw notFound;
    await changed(
      inner,
      sql`update conferencing_apps set is_default = true
          where owner_id = ${ownerId} and id = (select id from conferencing_apps where owner_id = ${ownerId} order by id limit 1)
            and not exists (select 1 from conferencing_apps where owner_id = ${ownerId} and is_default)`,
    );
  });
}

/** What is done to the apps of one owner, one after the other, so that one of them is the default. */
function inOrder<Result>(em: Em, owner: Owner, notFound: Problem, work: (em: Em) => Promise<Result>): Promise<Result> {
  const owners = isTeam(owner.ownerId) ? sql`teams` : sql`users`;
  return em.transactional(async (inner) => {
    const locked = sql`select 1 from ${owners} o where o.id = ${owner.ownerId} and ${owner.isInCharge} for no key update of o`;
    if (!(await row(inner, locked))) {
      await owner.refuse(inner);
      throw notFound;
    }
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
