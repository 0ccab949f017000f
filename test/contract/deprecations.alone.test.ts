import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builder } from '../../src/graphql/builder.ts';
import type { Caller } from '../../src/graphql/context.ts';
import { deprecated, UseCounts } from '../../src/graphql/deprecation.ts';
import { PUBLIC } from '../../src/scopes/declare.ts';

// Parts of a schema that nobody has: some of them will go.
// ----------------------------------------------------------------------------------------------------------------------
const first = deprecated({ since: '2026-01-10', sunset: '2026-11-01', instead: 'use `greeting`' });
const second = deprecated({ since: '2026-02-28', sunset: '2026-09-30', instead: 'leave it out' });
const third = deprecated({ since: '2026-12-24', sunset: '2030-12-24', instead: 'use `CALM`' });

const Mood = builder.enumType('MadeUpMood', { values: { CALM: {}, GRIM: { ...third } } });
const Words = builder.inputType('MadeUpWords', {
  fields: (t) => ({ word: t.string(), oldWord: t.string({ ...first }), moods: t.field({ type: [Mood] }) }),
});
builder.queryFields((t) => ({
  greeting: t.string({
    requires: PUBLIC,
    args: { words: t.arg({ type: Words }), mood: t.arg({ type: Mood }), loud: t.arg.boolean({ ...second }) },
    resolve: () => 'Hello',
  }),
  oldGreeting: t.string({ requires: PUBLIC, ...first, resolve: () => 'Hello' }),
}));
// ----------------------------------------------------------------------------------------------------------------------

// The schema is built when these are imported, so what was declared above belongs to it.
const { openTwoDoors, DOORS } = await import('../fast-path/two-doors.ts');
const { APP, tokensFor } = await import('../support/oauth-requests.ts');

const METRICS_TOKEN = 'a-token-of-the-operator';
const NAMES = ['deprecation', 'sunset', 'link'] as const;
const POLICY = 'http://gatehouse.test/deprecations';
const LINK = `<${POLICY}>; rel="deprecation"; type="text/html", <${POLICY}>; rel="sunset"; type="text/html"`;
const [FIRST, SECOND, THIRD] = [
  { deprecation: '@1768003200', sunset: 'Sun, 01 Nov 2026 00:00:00 GMT', link: LINK },
  { deprecation: '@1772236800', sunset: 'Wed, 30 Sep 2026 00:00:00 GMT', link: LINK },
  { deprecation: '@1798070400', sunset: 'Tue, 24 Dec 2030 00:00:00 GMT', link: LINK },
];
const NONE = { deprecation: null, sunset: null, link: null };

let doors: Awaited<ReturnType<typeof openTwoDoors>>;
let token: string;
beforeAll(async () => {
  doors = await openTwoDoors({ METRICS_TOKEN });
  token = (await tokensFor(doors.ada, APP)).access_token;
});
afterAll(() => doors.close());

type Door = (typeof DOORS)[number];
type Options = Parameters<typeof doors.fast.graphql>[1];

async function told(door: Door, query: string, options?: Options) {
  const { status, headers, body } = await doors[door].graphql(query, options);
  return { status, body, headers: Object.fromEntries(NAMES.map((name) => [name, headers.get(name)])) };
}

async function metricsAt(door: Door): Promise<string[]> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const text = await (await fetch(`${doors[door].url}/metrics`, { headers })).text();
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

async function countOf(door: Door, labels: string): Promise<number> {
  const line = (await metricsAt(door)).find((one) => one.startsWith(`gatehouse_deprecated_uses_total{${labels}} `));
  return Number(line?.split(' ').at(-1) ?? 0);
}

describe.each(DOORS)('at the %s door', (door) => {
  test.each([
    ['a field', '{ oldGreeting }', {}, FIRST],
    [
      'a field in a fragment of a fragment',
      '{ ...A } fragment A on Query { ...B } fragment B on Query { o: oldGreeting }',
      {},
      FIRST,
    ],
    ['an argument', '{ greeting(loud: true) }', {}, SECOND],
    ['a field of an input', '{ greeting(words: { oldWord: "a" }) }', {}, FIRST],
    ['a value of an enum', '{ greeting(mood: GRIM) }', {}, THIRD],
    ['a value in a list in an input', '{ greeting(words: { moods: [CALM, GRIM] }) }', {}, THIRD],
    ['a default', 'query ($m: MadeUpMood = GRIM) { greeting(mood: $m) }', {}, THIRD],
    ['an input in a variable', 'query ($w: MadeUpWords) { greeting(words: $w) }', { w: { oldWord: 'a' } }, FIRST],
    ['a value in a variable', 'query ($w: MadeUpWords) { greeting(words: $w) }', { w: { moods: ['GRIM'] } }, THIRD],
    // The earliest of each.
    ['several', '{ oldGreeting greeting(loud: true, mood: GRIM) }', {}, { ...SECOND, deprecation: FIRST.deprecation }],
    [
      'one that is written and one in a variable',
      'query ($m: MadeUpMood) { oldGreeting greeting(mood: $m) }',
      { m: 'GRIM' },
      FIRST,
    ],
    ['none', '{ greeting(mood: CALM) }', {}, NONE],
    ['none in its variable', 'query ($w: MadeUpWords) { greeting(words: $w) }', { w: { word: 'oldWord' } }, NONE],
    ['none, beside a fragment that is not spread', '{ greeting }', {}, NONE],
  ])('an operation that uses %s says so, each time', async (_what, query, variables, headers) => {
    const before = doors.byRoutes();
    for (let time = 0; time < 3; time += 1) {
      expect(await told(door, query, { variables })).toMatchObject({ status: 200, headers });
    }
    // Once it has come, a plan answers it.
    expect(door === 'fast' ? doors.byRoutes() - before : 0).toBeLessThanOrEqual(1);
  });

  test('an operation of a document is told what it uses itself, and no more', async () => {
    const document = 'query Old { oldGreeting } query New { greeting }';
    for (const [operationName, headers] of [
      ['Old', FIRST],
      ['New', NONE],
    ] as const) {
      const init = { method: 'POST', headers: { 'content-type': 'application/json' } };
      const body = JSON.stringify({ query: document, operationName });
      const answer = await fetch(`${doors[door].url}/graphql`, { ...init, body });
      expect(Object.fromEntries(NAMES.map((name) => [name, answer.headers.get(name)]))).toEqual(headers);
      expect(answer.headers.get('access-control-expose-headers')).toMatch(/Deprecation, Sunset, Link/);
    }
  });

  test('one that is refused is told as well', async () => {
    for (let time = 0; time < 3; time += 1) {
      const { status, headers } = await told(door, '{ oldGreeting me { bookings { nodes { id } } } }', { token });
      expect([status, headers]).toEqual([403, FIRST]);
    }
  });

  test('each use is counted once, by client and part', async () => {
    const mine = 'caller="token",client="demo-app",part="Query.greeting(loud:)"';
    const anybodys = 'caller="anonymous",client="",part="Query.greeting(loud:)"';
    const before = [await countOf(door, mine), await countOf(door, anybodys)] as const;
    for (let time = 0; time < 4; time += 1) await told(door, '{ greeting(loud: false) }', { token });
    await told(door, '{ greeting(loud: false) }');
    expect([await countOf(door, mine), await countOf(door, anybodys)]).toEqual([before[0] + 4, before[1] + 1]);
  });
});

test('the policy has a page that names what is deprecated, the first to go first', async () => {
  const page = await (await fetch(`${doors.fast.url}/deprecations`)).text();
  expect(page).toContain('at least 6 months');
  expect(page.match(/<code>[A-Z]\w+\.\w+[^<]*<\/code>/g)).toEqual([
    '<code>Query.greeting(loud:)</code>',
    '<code>MadeUpWords.oldWord</code>',
    '<code>Query.oldGreeting</code>',
    '<code>MadeUpMood.GRIM</code>',
  ]);
});

test.each([
  ['nothing', {}],
  ['another token', { authorization: 'Bearer another-token-of-nobody' }],
  ['an access token', {}],
])('the metrics are not shown to a caller who shows %s', async (what, headers) => {
  const shown = what === 'an access token' ? { authorization: `Bearer ${token}` } : headers;
  const answer = await fetch(`${doors.fast.url}/metrics`, { headers: shown });
  expect(answer.status).toBe(401);
  expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="Gatehouse metrics"');
  expect(await answer.text()).not.toContain('gatehouse_');
});

const app = (clientId: string) => ({ kind: 'token', clientId }) as Caller;

describe('uses are', () => {
  test('logged at most once a day for each client and part', () => {
    const logged: string[] = [];
    let now = 0;
    const counts = new UseCounts(
      ({ client, coordinate }) => void logged.push(`${client} ${coordinate}`),
      () => now,
    );
    const use = () => {
      for (const client of ['a', 'b']) for (const part of ['Q.x', 'Q.y']) counts.add(app(client), part);
      return logged.splice(0);
    };
    expect(use()).toEqual(['a Q.x', 'a Q.y', 'b Q.x', 'b Q.y']);
    now = 86_399_999;
    expect(use()).toEqual([]);
    now += 1;
    expect(use()).toHaveLength(4);
  });

  test('counted in a bounded number of series, and none is lost', () => {
    let logged = 0;
    const counts = new UseCounts(() => (logged += 1));
    for (let client = 0; client < 1_500; client += 1) counts.add(app(`c${client}`), 'Q.x');
    counts.add(app('c7'), 'Q.x');
    const lines = counts
      .metrics(3)
      .split('\n')
      .filter((line) => line.startsWith('gatehouse_'));
    expect(lines).toHaveLength(1_001);
    expect(lines).toContain('gatehouse_deprecated_uses_total{worker="3",caller="token",client="c7",part="Q.x"} 2');
    expect(lines.at(-1)).toBe('gatehouse_deprecated_uses_total{worker="3",caller="other",client="",part="Q.x"} 500');
    expect(logged).toBe(1_001);
  });
});
