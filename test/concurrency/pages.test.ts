/** Pages of many people that one statement fetched (database/pages.ts): each is shown their own, as if they had asked alone. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { publicId } from '../../src/core/id.ts';
import { DEMO_USERS } from '../../src/persistence/demo-data.ts';
import { newHosts } from '../modules/bookings/support/booked-hosts.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { KNOWN_KEY, tokenMint } from '../support/minted-tokens.ts';
import { atOnce } from '../support/servers.ts';

let ordinary: TestApp;
let fast: TestApp;
/** Those of the demo, who have bookings and event types, and as many beside them who have nothing. */
let tokens: string[];
beforeAll(async () => {
  ordinary = await startTestApp({ ...KNOWN_KEY, PUBLIC_URL: 'http://gatehouse.test', FAST_PATH: 'off' });
  const database = { ...ordinary.database, close: async () => undefined };
  fast = await startTestApp({ ...KNOWN_KEY, PUBLIC_URL: 'http://gatehouse.test', FAST_PATH: 'on' }, { database });
  const mint = await tokenMint(ordinary);
  const { em } = ordinary.database;
  const found = await em.getConnection().execute<{ id: string }[]>('select id from users order by username');
  const empty = await newHosts(em, DEMO_USERS.length);
  // By turns, so that there are hosts without bookings before, between and behind those who have some.
  const ids = found.flatMap(({ id }, index) => [empty[index] ?? id, id]);
  const scopes = ['PROFILE_READ', 'BOOKING_READ', 'EVENT_TYPE_READ', 'SCHEDULE_READ'];
  tokens = await Promise.all(ids.map((id) => mint(publicId('user', id), scopes)));
});
afterAll(async () => {
  await fast?.close();
  await ordinary?.close();
});

const PAGE =
  'edges { cursor node { ...N } } nodes { ...N } pageInfo { startCursor endCursor hasNextPage hasPreviousPage }';
const BOOKING = 'fragment N on Booking { id icsUid title start eventType { id title } }';
const EVENT_TYPE = 'fragment N on EventType { id slug title schedule { id name } }';
const SCHEDULE = 'fragment N on Schedule { id name }';

interface Connection {
  readonly edges: readonly { readonly cursor: string; readonly node: unknown }[];
  readonly nodes: readonly unknown[];
  readonly pageInfo: {
    readonly startCursor: string | null;
    readonly endCursor: string | null;
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
  };
}

const LISTS: readonly (readonly [list: string, fragment: string])[] = [
  ['bookings', BOOKING],
  ['bookings(orderBy: { field: UPDATED_AT, direction: DESC }', BOOKING],
  ['bookings(filter: { statuses: [CANCELLED, ACCEPTED] }', BOOKING],
  ['eventTypes', EVENT_TYPE],
  ['schedules', SCHEDULE],
];

/** Alone by the executor, and among fifty others by a plan. */
test.each(LISTS)(
  'fifty who turn the pages of %s at the same moment are each shown their own',
  async (list, fragment) => {
    const document = (page: string): string =>
      `{ me { id page: ${list}${list.includes('(') ? ', ' : '('}${page}) { ${PAGE} } } } ${fragment}`;
    const ask = async (app: TestApp, person: number, page: string) => {
      const { body } = await app.graphql(document(page), { token: tokens[person] });
      return body;
    };
    let pages = tokens.map(() => ['first: 1', 'last: 1', 'first: 100']);
    let count = 0;
    for (let depth = 0; depth < 4; depth += 1) {
      const alone: Record<string, { readonly data: { readonly me: { readonly page: Connection } } }> = {};
      for (const [person, wanted] of pages.entries()) {
        for (const page of wanted) alone[`${person} ${page}`] = await ask(ordinary, person, page);
      }
      // The executor answers a document the first time, and a plan from then on.
      for (let round = 0; round < 2; round += 1) {
        const answers = await atOnce(50, async (n) => {
          const person = n % tokens.length;
          const wanted = pages[person] ?? [];
          const page = wanted[Math.floor(n / tokens.length) % wanted.length];
          return page === undefined ? undefined : { key: `${person} ${page}`, body: await ask(fast, person, page) };
        });
        const given = answers.filter((answer) => answer !== undefined);
        expect(given.map(({ body }) => body)).toEqual(given.map(({ key }) => alone[key]));
      }
      pages = tokens.map(() => []);
      for (const [key, { data }] of Object.entries(alone)) {
        const { edges, nodes, pageInfo } = data.me.page;
        count += nodes.length;
        expect(edges.map(({ node }) => node)).toEqual(nodes);
        expect([pageInfo.startCursor, pageInfo.endCursor]).toEqual([
          edges[0]?.cursor ?? null,
          edges.at(-1)?.cursor ?? null,
        ]);
        const [, person = '', page = ''] = /^(\d+) (.*)$/.exec(key) ?? [];
        const next = page.startsWith('last')
          ? `last: 1, before: "${pageInfo.startCursor}"`
          : `first: 1, after: "${pageInfo.endCursor}"`;
        const follows = page.startsWith('last') ? pageInfo.hasPreviousPage : pageInfo.hasNextPage;
        if (follows) pages[Number(person)]?.push(next);
      }
    }
    expect(count).toBeGreaterThan(10);
  },
);

/** A page after the other. */
async function uidsOf(token: string | undefined, from: 'first' | 'last'): Promise<string[]> {
  const uids: string[] = [];
  let cursor: string | null | undefined;
  for (;;) {
    const bound = cursor ? `, ${from === 'first' ? 'after' : 'before'}: "${cursor}"` : '';
    const query = `{ me { bookings(${from}: 1${bound}) { nodes { id } pageInfo { startCursor endCursor hasNextPage hasPreviousPage } } } }`;
    const { body } = await fast.graphql(query, { token });
    const { nodes, pageInfo } = body.data.me.bookings;
    const found = nodes.map(({ id }: { readonly id: string }) => id);
    if (from === 'first') uids.push(...found);
    else uids.unshift(...found);
    cursor = from === 'first' ? pageInfo.endCursor : pageInfo.startCursor;
    if (!(from === 'first' ? pageInfo.hasNextPage : pageInfo.hasPreviousPage)) return uids;
  }
}

test('whole lists are the same from both ends, page by page', async () => {
  const forwards = await Promise.all(tokens.map((token) => uidsOf(token, 'first')));
  expect(await Promise.all(tokens.map((token) => uidsOf(token, 'last')))).toEqual(forwards);
  expect(forwards.map((uids) => uids.length > 2)).toContain(true);
  expect(forwards.map((uids) => uids.length)).toContain(0);
  for (const uids of forwards) expect(new Set(uids).size).toBe(uids.length);
});
