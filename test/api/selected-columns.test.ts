import { afterAll, beforeAll, expect, test } from 'vitest';
import { rows, sql } from '../../src/database/sql.ts';
import { openTestApi, type TestApi } from '../support/api.ts';
import { UIDS } from '../support/uids.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

/** The columns of the outermost select of the one statement that a list takes, as the statement names them, and those in arrays of texts. */
async function columnsOf(document: string): Promise<string[]> {
  const { codes, sent } = await api.as('ada').ask(document);
  expect(codes).toEqual([]);
  expect(sent).toHaveLength(1);
  const found = outermostSelect(sent[0] ?? '').matchAll(/ as "(\w+)"|\."(\w+)"::text/g);
  return [...found].map(([, name, inArray = '']) => name ?? inArray);
}

/** Up to its `from`: those of what it selects stand in parentheses. */
function outermostSelect(statement: string): string {
  let depth = 0;
  for (const { 0: found, index } of statement.matchAll(/[()]|\bfrom\b/g)) {
    if (found === 'from' && depth === 0) return statement.slice(0, index);
    if (found !== 'from') depth += found === '(' ? 1 : -1;
  }
  throw new Error(`There is no select: ${statement}`);
}

const bookings = (fields: string) => `{ me { bookings(first: 20) { nodes { ${fields} } } } }`;

test.each<[string, string, string[]]>([
  ['what is selected, and the place in the list', 'id title', ['id', 'ownerId', 'title', 'sortTime']],
  ['what an alias selects, under its own name', 'id heading: title', ['id', 'ownerId', 'title', 'sortTime']],
  ['what a value is made of', 'id durationInMinutes', ['id', 'ownerId', 'startsAt', 'endsAt', 'sortTime']],
  [
    'of attendees, what is selected of them',
    'id attendees { name }',
    ['id', 'ownerId', 'name', 'attendees', 'sortTime'],
  ],
  [
    'of two selections of attendees, both',
    'id a: attendees { name } b: attendees { email }',
    ['id', 'ownerId', 'name', 'email', 'attendees', 'sortTime'],
  ],
  ['of who booked, what they said', 'id notes', ['id', 'ownerId', 'notes', 'booker', 'sortTime']],
  [
    'what a fragment selects',
    'id ... on Booking { title } ...more } } } } fragment more on Booking { status',
    ['id', 'ownerId', 'title', 'status', 'sortTime'],
  ],
])('a list of bookings selects %s', async (_, fields, columns) => {
  const found = await columnsOf(
    fields.includes('fragment') ? bookings(fields).replace(/ \} \} \} \}$/, ' }') : bookings(fields),
  );
  expect(found.toSorted()).toEqual(columns.toSorted());
});

test('a page of which only its ends are selected still knows them', async () => {
  const { data } = await api.as('ada').ask('{ me { bookings(first: 1) { pageInfo { hasNextPage endCursor } } } }');
  expect(data.me.bookings.pageInfo).toEqual({ hasNextPage: true, endCursor: expect.any(String) });
});

test.each<[string, string, RegExp]>([
  ['teams', '{ me { teams { nodes { name } } } }', /^select "t"\."id" as "id", "t"\."name" as "name",\s+case/],
  [
    'organizations',
    '{ me { organizations { nodes { slug } } } }',
    /^select "o"\."id" as "id", "o"\."slug" as "slug", mine\.role/,
  ],
  [
    'teams below an organization',
    '{ me { organizations { nodes { teams { nodes { name } } } } } }',
    /^select "o"\."id" as "id", mine\.role/,
  ],
])('a list of %s selects what is selected, and what the fields below it stand on', async (_, document, columns) => {
  const { codes, sent } = await api.as('ada').ask(document);
  expect(codes).toEqual([]);
  expect(sent[0]).toMatch(columns);
});

test.each<[string, () => string | Promise<string>, readonly string[]]>([
  [
    'what is selected of public event types',
    () => '{ publicEventTypes(username: "ada") { nodes { title } } }',
    ['description', 'booking_fields'],
  ],
  [
    'of a public booking, nothing of what its holder is not shown',
    async () => `{ publicBooking(uid: "${await uidOfAda()}") { title attendee { name } } }`,
    ['notes', 'responses', 'metadata'],
  ],
])('%s is read, and no more', async (_what, document, unread) => {
  const { codes, sent } = await api.nobody.ask(await document());
  expect(codes).toEqual([]);
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatch(/\btitle\b/);
  for (const column of unread) expect(sent[0]).not.toMatch(new RegExp(`\\b${column}\\b`));
});

async function uidOfAda(): Promise<string> {
  const [first] = await rows(
    api.database.em.fork(),
    sql<{ ownerId: string; id: string }>`select owner_id as "ownerId", id from bookings order by id limit 1`,
  );
  if (!first) throw new Error('Nobody has a booking.');
  return UIDS.of({ ...first, version: 0 });
}
