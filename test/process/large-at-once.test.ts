/** Many large answers at once, within all limits of requests: they are made few at a time, whatever they are of. */
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isOnPostgres, openTestDatabase, type TestDatabase } from '../support/database.ts';
import { type HeavyCaller, heavyCallers } from '../support/heavy-callers.ts';
import { fillHeavily, type HeavyData } from '../support/heavy-data.ts';
import { keyIn, uidsOf } from '../support/minted-tokens.ts';
import { type RunningService, startService, temporaryFolder } from '../support/process.ts';

/**
 * The size of V8's old generation; at rest a process takes a third of it. Half of the answers below, all half made, are
 * more.
 */
const HEAP_MEGABYTES = 256;
const AT_ONCE = 100;

const day = (days: number): string =>
  Temporal.Now.instant()
    .add({ hours: 24 * days })
    .toString({ smallestUnit: 'second' });

const schema = (n: number): string =>
  `query Schema${n} { __schema { types { name description fields { name description args { name description type { name ofType { name } } } type { name ofType { name ofType { name } } } } inputFields { name description } enumValues { name description } } } }`;

interface Asked {
  readonly path?: string;
  readonly query?: string;
  readonly token?: string | undefined;
  /** For `X-Forwarded-For`. */
  readonly from?: string;
}

// The embedded database runs inside the process, and takes memory of its own.
describe.runIf(isOnPostgres)('with a hundred large answers at once, a process lives, and answers others:', () => {
  let database: TestDatabase;
  let folder: string;
  let service: RunningService;
  let heavy: HeavyData;
  let app: HeavyCaller;
  beforeAll(async () => {
    [database, folder] = await Promise.all([openTestDatabase(), temporaryFolder()]);
    service = await startService({
      DATABASE_URL: database.url ?? '',
      DATA_DIR: folder,
      SEED_DEMO: 'on',
      TRUST_PROXY: '127.0.0.0/8,::1/128',
      NODE_OPTIONS: `--max-old-space-size=${HEAP_MEGABYTES}`,
    });
    heavy = await fillHeavily(database.em.fork(), await uidsOf({ config: keyIn(folder), database }));
    [, app] = await heavyCallers(service.url, heavy);
  }, 120_000);
  afterAll(async () => {
    await service.kill('SIGKILL');
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  const asked = async ({ path = '/graphql', query, token, from = '192.0.2.1' }: Asked) => {
    const response = await fetch(`${service.url}${path}`, {
      ...(query !== undefined && { method: 'POST', body: JSON.stringify({ query }) }),
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': from,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
    });
    const text = await response.text();
    return { status: response.status, retryAfter: response.headers.get('retry-after'), begin: text.slice(0, 300) };
  };

  const slots = (): string =>
    `{ slots(eventType: { id: "${heavy.eventTypeIds[0]}" }, start: "${day(1)}", end: "${day(8)}") { start end } }`;
  const bookings =
    '{ me { bookings(first: 8) { nodes { id title attendees { name email } hosts { user { name } } eventType { id title } } } } }';

  test.each<[string, (n: number) => Asked]>([
    ['slots, of one network', () => ({ query: slots() })],
    ['slots, of a hundred networks', (n) => ({ query: slots(), from: `198.51.${n}.1` })],
    ['slots, of one app', () => ({ query: slots(), token: app.token })],
    ['the schema, by one document', () => ({ query: schema(0) })],
    ['the schema, by a hundred documents', (n) => ({ query: schema(n) })],
    ['bookings with what is below them', () => ({ query: bookings, token: app.token })],
    ['the calendar of a booking page', () => ({ path: `/book/${heavy.username}/every-minute` })],
    ['lists by REST', () => ({ path: '/v2/bookings?limit=2', token: app.token })],
  ])('%s', async (_what, ask) => {
    const flood = Promise.all(Array.from({ length: AT_ONCE }, (_, n) => asked(ask(n))));
    const [small, other] = await Promise.all([
      asked({ query: '{ __typename }', from: '203.0.113.7' }),
      asked({ query: slots(), token: app.token, from: '203.0.113.7' }),
      asked({ path: '/health/live', from: '203.0.113.8' }),
    ]);
    const answers = await flood;
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.filter(({ status, retryAfter }) => status !== 503 || retryAfter === null)).toEqual([]);
    expect(answers.length - refused.length).toBeGreaterThan(0);
    expect({ small: small.status, other: other.status }).toMatchObject({ small: 200 });
    expect([200, 503]).toContain(other.status);
    expect(service.child.exitCode).toBeNull();
  });
});
