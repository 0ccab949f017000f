import { expect, test } from 'vitest';
import { columnOf, columnsOf } from '../../src/database/columns.ts';
import { ENTITIES } from '../../src/persistence/entities.ts';
import { readSources } from './import-graph.ts';
import { isPlain, rawStatements } from './raw-statements.ts';

const ALIAS = /\b([a-z]\w*) as "(\w+)"/g;
const COLUMNS = new Set(ENTITIES.flatMap((entity) => [...columnsOf(entity).keys()]));

/** Columns of entities that a template names as in code by hand: `time_zone as "timeZone"`. */
function namedByHand(text: string): string[] {
  return [...text.matchAll(ALIAS)]
    .filter(([, column, name = '']) => COLUMNS.has(name) && column === columnOf(name))
    .map(([alias]) => alias);
}

test('columns are named as in code by the builder or `selectColumns`, never by hand', async () => {
  expect(namedByHand('select u.time_zone as "timeZone", u.name as "ownerName"')).toEqual(['time_zone as "timeZone"']);
  const sources = await readSources('src');
  const found = [...sources].flatMap(([path, text]) => namedByHand(text).map((alias) => `${path}: ${alias}`));
  expect([sources.has('src/main.ts'), found]).toEqual([true, []]);
});

/** Plain statements that stay templates: how many a file has, and why. */
const STAY_RAW: Readonly<Record<string, readonly [times: number, why: string]>> = {
  'src/modules/bookings/lists/few-bookings.queries.ts': [1, 'is a part of a larger statement, and has a name for that'],
  'src/modules/bookings/occupancy/take-time.ts': [
    1,
    'every booking sends it, and the builder takes ten times as long to write one',
  ],
  'src/oauth/stopped/revive-thing.ts': [3, 'take the names of tables and columns from what is stored'],
  'src/oauth/stopped/stopped-kinds.ts': [1, 'is one of a list, over whichever table and with jsonb in it'],
  'src/oauth/tokens/access-tokens.ts': [
    1,
    'token endpoints send it, and the builder takes ten times as long to write one',
  ],
};

test('plain statements over one table are written by the builder', async () => {
  const found = rawStatements(await readSources('src'));
  expect(found.length).toBeGreaterThan(100);
  const plain = Map.groupBy(found.filter(isPlain), ({ path }) => path);
  expect([...plain].map(([path, { length }]) => [path, length])).toEqual(
    Object.entries(STAY_RAW).map(([path, [times]]) => [path, times]),
  );
});

test.each([
  ['select name from users where id = ${id}', true],
  ["select ${selectColumns(Session, LISTED, 's')} from sessions s where user_id = ${userId} and ${within}", true],
  ['select count(*)::int as count from sessions where user_id = ${userId}', true],
  ['update teams t set name = ${name} where ${isTeamInCharge(target)} returning id', true],
  ['delete from ${tableOf(entity)} item where item.id = ${id} and ${owner.isInCharge}', true],
  ['insert into usernames (name) values (${name})', true],
  ['select u.name from sessions s join users u on u.id = s.user_id', false],
  ['select name from users where id = ${id} for no key update', false],
  ['select name from users where id = ${id} and exists (select from teams)', false],
  ["select ${selection.from('item')} from schedules item where item.is_default", false],
  ['delete from sessions where user_id = ${userId} returning ${shown}', false],
  ['insert into sessions (id) select ${id} where ${isAllowed}', false],
  ['insert into usernames (name) values (${name}) on conflict do nothing', false],
  ['with gone as (delete from sessions returning id) select id from gone', false],
  ['select id from jobs.job where name = ${name}', false],
  ["select pg_advisory_xact_lock(hashtext('migrate'))", false],
])('is plain: %s (%s)', (text, isOne) => {
  const code = `import { row, sql } from './sql.ts'; export const found = await row(em, sql<Found>\`${text}\`);`;
  const raw = rawStatements(new Map([['src/a.ts', code]]));
  expect(raw.map(isPlain)).toEqual([isOne]);
});
