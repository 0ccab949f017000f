import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { rows, sql } from '../../src/database/sql.ts';
import { connectApp } from '../../src/modules/conferencing/conferencing-app.commands.ts';
import { own } from '../../src/modules/levels/reach.ts';
import { openTestApi, type TestApi } from '../support/api.ts';
import { ROOMS_ALONE, storeApp } from '../support/conferencing-apps.ts';
import { unknownId, uuidOf } from '../support/ids.ts';
import { groupId } from './every-value/things-there.ts';

let api: TestApi;
/** Ada owns it and its organization, Bob administers it, Cyd is a member, and Dan is a stranger. */
let sales: string;
beforeAll(async () => {
  api = await openTestApi();
  sales = await groupId(api, 'team', 'sales');
});
beforeEach(() => rows(api.database.em.fork(), sql`delete from conferencing_apps`));
afterAll(() => api.close());

const APPS = 'conferencingApps { nodes { app name isDefault } }';
const VIDEO = { app: 'video', name: 'Video link', isDefault: true };
const list = async (who: string) => (await api.as(who).ask(`{ me { ${APPS} } }`)).data.me.conferencingApps.nodes;
const ofTeam = async (who: string) =>
  (await api.as(who).ask(`{ team(id: ${JSON.stringify(sales)}) { ${APPS} } }`)).data.team?.conferencingApps;

test('one’s own app is connected once, is the default, and is seen by its owner alone', async () => {
  const first = await api.as('bob').change('conferencingAppConnect', { app: 'video' }, 'conferencingAppId');
  const again = await api.as('bob').change('conferencingAppConnect', { app: 'video' }, 'conferencingAppId');
  expect([first.mistakes, again.data.conferencingAppId]).toEqual([[], first.data.conferencingAppId]);
  expect([await list('bob'), await list('ada')]).toEqual([[VIDEO], []]);
});

test('an app that is unknown, or not configured, is not connected', async () => {
  const unknown = await api.as('bob').change('conferencingAppConnect', { app: 'other' });
  expect([unknown.mistakes, unknown.messages[0]]).toEqual([['NOT_FOUND app'], expect.stringContaining('"other"')]);
  const zoom = await api.as('bob').change('conferencingAppConnect', { app: 'zoom' });
  expect([zoom.mistakes, zoom.messages[0]]).toEqual([['NOT_POSSIBLE app'], expect.stringContaining('not configured')]);
  const bob = uuidOf(api.as('bob').userId);
  const offered = { ...ROOMS_ALONE, hasRooms: false };
  const video = connectApp(api.database.em.fork(), own(bob), { app: 'video', userId: bob }, offered);
  await expect(video).rejects.toMatchObject({ code: 'NOT_POSSIBLE' });
  expect(await list('bob')).toEqual([]);
});

test.each([
  ['ada', [], { nodes: [VIDEO] }],
  ['bob', [], { nodes: [VIDEO] }],
  ['cyd', ['FORBIDDEN teamId'], null],
  ['dan', ['NOT_FOUND teamId'], undefined],
])('a team’s is connected, shown and disconnected as %s may', async (who, mistakes, shown) => {
  const connected = await api.as(who).change('teamConferencingAppConnect', { teamId: sales, app: 'video' });
  expect([connected.mistakes, await ofTeam(who)]).toEqual([mistakes, shown]);
  const conferencingAppId = mistakes.length > 0 ? await storeApp(api.database.em, sales) : undefined;
  const [there] = await rows(api.database.em.fork(), sql<{ id: string }>`select id from conferencing_apps`);
  expect(there).toBeDefined();
  if (conferencingAppId === undefined) return;
  for (const verb of ['Disconnect', 'DefaultSet']) {
    const tried = await api.as(who).change(`teamConferencingApp${verb}`, { teamId: sales, conferencingAppId });
    expect(tried.mistakes).toEqual(mistakes);
  }
  expect(await ofTeam('ada')).toEqual({ nodes: [VIDEO] });
});

test('somebody else’s is neither made the default nor disconnected; one’s own is', async () => {
  const conferencingAppId = await storeApp(api.database.em, api.as('cyd').userId);
  for (const verb of ['DefaultSet', 'Disconnect']) {
    const change = (who: string) => api.as(who).change(`conferencingApp${verb}`, { conferencingAppId });
    expect((await change('dan')).mistakes).toEqual(['NOT_FOUND conferencingAppId']);
    expect((await change('cyd')).mistakes).toEqual([]);
  }
  expect(await list('cyd')).toEqual([]);
  const gone = await api.as('cyd').change('conferencingAppDefaultSet', { conferencingAppId });
  expect(gone.mistakes).toEqual(['NOT_FOUND conferencingAppId']);
});

test('one of several is the default: the one that is set, and after it the oldest', async () => {
  const bob = api.as('bob');
  await storeApp(api.database.em, bob.userId);
  const second = await storeApp(api.database.em, bob.userId, 'other', false);
  const isDefault = async () => {
    const found = await rows(
      api.database.em.fork(),
      sql<{ app: string }>`select app from conferencing_apps where is_default order by id`,
    );
    return found.map(({ app }) => app);
  };
  const chosen = 'conferencingAppId conferencingApp { id app isDefault }';
  const { data } = await bob.change('conferencingAppDefaultSet', { conferencingAppId: second }, chosen);
  expect(data.conferencingApp).toEqual({ id: data.conferencingAppId, app: 'other', isDefault: true });
  expect(await isDefault()).toEqual(['other']);
  await bob.change('conferencingAppDefaultSet', { conferencingAppId: unknownId('conferencingApp') });
  expect(await isDefault()).toEqual(['other']);
  await bob.change('conferencingAppDisconnect', { conferencingAppId: second });
  expect(await isDefault()).toEqual(['video']);
});
