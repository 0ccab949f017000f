import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COUNT, MOST_COUNTED, pageRequest } from '../../src/core/page.ts';
import { type Em, rows, sql } from '../../src/database/sql.ts';
import { isOnPostgres, openTestDatabase, type TestDatabase } from '../support/database.ts';
import { paced } from '../support/pace.ts';
import { costOf, PLAN_MODES } from '../support/plans.ts';
import { fillLists, LISTS, unmatchedResources } from '../world/every-fixture.ts';
import type { ManyRows } from '../world/fixture.ts';
import { LIMITED, narrowedLists } from '../world/narrowed-lists.ts';

const ROWS = 10_000;
/** Pages of 8 kB that a page of 25 rows may look at. */
const MOST_BUFFERS = 500;
const MOST_ROWS = 100;
/** A page of each of so many. */
const MOST_SORTED = 1_000;
/** At most this many of either, where members without anything are passed over. */
const MOST_OF_ALL = 5 * ROWS;

/** A count reads as much as a page of a thousand, one entry of an index after the other. */
const MOST_COUNT_BUFFERS = 20 * MOST_COUNTED;

/** Whether a team offers something is looked up for each: who counts them has all of them looked at. */
const OF_EACH = 'PublicOrganization.teams';

/** Filters that look through what an owner has, or a group's members: docs/operating.md says what that costs. */
const LOOKED_THROUGH =
  /\.text$|^(?:Viewer|Team|Organization)\.outOfOffice\.during$|^EventType\.privateLinks\.isExpired$/;
/** Each owner whom a list visits takes some pages; never that many for each of them. */
const MOST_LOOKED_THROUGH = 10 * ROWS;

/** Its filters and orders have a test and a benchmark of their own. */
const ELSEWHERE = ['Viewer.bookings'];

test('every resource that is declared has a fixture, and no fixture has another one', () => {
  expect(unmatchedResources()).toEqual([]);
});

test('every connection of the schema is here', async () => {
  const schema = await readFile('schema/first-party.graphql', 'utf8');
  const types = schema.matchAll(/^type (\w+)[^{]*\{\n(.*?)^\}/gms);
  const found = [...types].flatMap(([, type, fields = '']) =>
    [...fields.matchAll(/^ {2}(\w+)\((?:(?!^ {2}\w).)*?^ {2}\): \w+Connection\b/gms)].map(
      ([, name]) => `${type}.${name}`,
    ),
  );
  expect(found.toSorted()).toEqual([...Object.keys(LISTS), ...ELSEWHERE].toSorted());
});

// The planner of the embedded database is the same, but filling it takes long.
describe.runIf(isOnPostgres)(`in tables of ${ROWS} rows, a page costs as much as a page:`, () => {
  let database: TestDatabase;
  let many: ManyRows;

  beforeAll(async () => {
    database = await openTestDatabase();
    const em = database.em.fork();
    many = await em.transactional((inner) => fillLists(inner, ROWS));
    await rows(em, sql`vacuum analyze`);
  }, paced(120_000));
  afterAll(() => database?.close());

  test.each(Object.entries(LISTS))('%s', async (_, { passesOver, lists }) => {
    const tooMuch: string[] = [];
    const [mostBuffers, mostRows] = passesOver ? [MOST_OF_ALL, MOST_OF_ALL] : [MOST_BUFFERS, MOST_ROWS];
    for (const [index, list] of lists.entries()) {
      for (const page of [{ first: 25 }, { last: 25 }]) {
        for (const mode of PLAN_MODES) {
          const ask = (em: Em) => list(em, many, pageRequest(page));
          const { whole, buffers, removed, sorted, indexes } = await costOf(database.em, mode, ask);
          if (whole.length === 0 && buffers < mostBuffers && removed < mostRows && sorted < MOST_SORTED) continue;
          const what = `list ${index}, ${JSON.stringify(page)}, ${mode}`;
          tooMuch.push(
            `${what}: ${buffers} pages, ${removed} rows, ${sorted} sorted; ${indexes.join()}; ${whole.join()}`,
          );
        }
      }
    }
    expect(tooMuch).toEqual([]);
  });

  test.each(Object.entries(LISTS))(
    'a count of %s reads no more than it counts',
    async (name, { passesOver, lists }) => {
      const tooMuch: string[] = [];
      const isEachLookedAt = passesOver || name === OF_EACH;
      for (const [index, list] of lists.entries()) {
        for (const mode of PLAN_MODES) {
          const ask = (em: Em) => list(em, many, COUNT);
          const { whole, buffers, removed, indexes } = await costOf(database.em, mode, ask);
          const [mostBuffers, mostRows] = isEachLookedAt
            ? [MOST_OF_ALL, MOST_OF_ALL]
            : [MOST_COUNT_BUFFERS, MOST_COUNTED];
          if (whole.length === 0 && buffers < mostBuffers && removed <= mostRows) continue;
          tooMuch.push(`list ${index}, ${mode}: ${buffers} pages, ${removed} rows; ${indexes.join()}; ${whole.join()}`);
        }
      }
      expect(tooMuch).toEqual([]);
    },
  );

  test(
    'a filter and an order cost a page, or one look through what an owner has',
    async () => {
      const tooMuch: string[] = [];
      const lists = narrowedLists(many);
      expect(lists.length).toBeGreaterThan(100);
      for (const { name, by, ask } of lists) {
        for (const page of [{ first: 25 }, { last: 25 }]) {
          const { whole, buffers, removed, sorted, indexes } = await costOf(database.em, 'force_custom_plan', (em) =>
            ask(em, many, page),
          );
          const isLookedThrough = LOOKED_THROUGH.test(by);
          const [mostBuffers, mostRows] = isLookedThrough
            ? [MOST_LOOKED_THROUGH, MOST_LOOKED_THROUGH]
            : [MOST_BUFFERS, MOST_ROWS];
          const isWhole = whole.length > 0 && !isLookedThrough;
          if (!isWhole && buffers < mostBuffers && removed < mostRows && sorted < MOST_SORTED) continue;
          tooMuch.push(
            `${name}, ${JSON.stringify(page)}: ${buffers} pages, ${removed} rows, ${sorted} sorted; ${indexes.join()}; ${whole.join()}`,
          );
        }
      }
      expect(tooMuch).toEqual([]);
    },
    paced(120_000),
  );
});

test('the lists whose filters look through all that an owner has are limited', async () => {
  const limits = await readFile('docs/limits.md', 'utf8');
  expect(Object.values(LIMITED).filter((limit) => !limits.includes(`| \`${limit}\` |`))).toEqual([]);
});
