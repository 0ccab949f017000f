/**
 * Anybody sends what they may within the default limits, from ten networks, for minutes, at a process with a heap of
 * 512 MB: it lives, and others hardly notice. `ATTACK_MINUTES` for each (10).
 */
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import {
  buildSchema,
  type GraphQLObjectType,
  getNamedType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { paced } from '../support/pace.ts';
import { PostgresCluster } from '../support/postgres-cluster.ts';
import { type RunningService, startService, temporaryFolder } from '../support/process.ts';
import { send } from '../support/raw-http.ts';
import { SHARED } from '../support/servers.ts';
import { TestBrowser } from '../support/test-browser.ts';

const MILLISECONDS = Number(process.env['ATTACK_MINUTES'] ?? 10) * 60_000;
const HEAP_MEGABYTES = 512;
/** At 120 a minute each, as `RATE_LIMITS` has it. */
const NETWORKS = 10;
const BETWEEN_MILLISECONDS = 500;
const OPERATIONS = 150;
/** “300 to 470 MB under load” (docs/operating.md). */
const MOST_MEGABYTES = 470;
/** Times vary by themselves up to this. */
const USUAL_MILLISECONDS = 100;

let cluster: PostgresCluster;
let folder: string;
let service: RunningService;
let ada: TestBrowser;
let eventTypeId: string;
let usual: Noticed;

beforeAll(async () => {
  [cluster, folder] = await Promise.all([PostgresCluster.start(), temporaryFolder()]);
  service = await startService({
    ...SHARED,
    DATABASE_URL: cluster.url,
    DATA_DIR: folder,
    RATE_LIMITS: 'anonymous=120',
    NODE_OPTIONS: `--max-old-space-size=${HEAP_MEGABYTES}`,
  });
  ada = await TestBrowser.signedIn(service.url, 'ada@acme.test');
  const { text } = await asked({
    query: '{ publicEventType(by: { ofUser: { username: "ada", slug: "intro" } }) { id } }',
  });
  eventTypeId = JSON.parse(text).data.publicEventType.id;
  // As many requests, each as cheap as can be.
  usual = await noticedDuring(() => ({ query: '{ __typename }' }), Math.min(MILLISECONDS, 60_000));
});
afterAll(async () => {
  await service?.kill('SIGKILL');
  await cluster?.stop();
  await rm(folder, { recursive: true, force: true });
});

interface Sent {
  readonly query: string;
  readonly operationName?: string;
}

/** All that can be asked of an event type without an argument: what a plan for it takes is much. */
const FIELDS = leavesOf(
  buildSchema(readFileSync(join(import.meta.dirname, '../../schema/schema.graphql'), 'utf8'), {
    assumeValid: true,
  }).getType('PublicEventType') as GraphQLObjectType,
  2,
);
const LOOKS = Array.from(
  { length: 20 },
  (_, n) => `r${n}: publicEventType(by: { ofUser: { username: "ada", slug: "intro" } }) { ...F }`,
);
const MANY_OPERATIONS = (document: number) =>
  `fragment F on PublicEventType { ${FIELDS} } fragment R on Query { ${LOOKS.join(' ')} }
   ${Array.from({ length: OPERATIONS }, (_, n) => `query D${document}_${n} { ...R }`).join(' ')}`;

test.each<[string, (n: number) => Sent]>([
  [
    'documents of many operations, each of which is asked for once',
    (n) => {
      const document = Math.floor(n / OPERATIONS);
      return { query: MANY_OPERATIONS(document), operationName: `D${document}_${n % OPERATIONS}` };
    },
  ],
  ['documents that are not valid', (n) => ({ query: `query D${n} { me { nope${n} } }` })],
  [
    'documents that are refused for their scopes',
    (n) => ({ query: `query D${n} { me { bookings { nodes { id } } } }` }),
  ],
  [
    'documents that are valid, each another one',
    (n) => ({
      query: `query D${n} { publicEventType(by: { ofUser: { username: "ada", slug: "intro" } }) { ${FIELDS} } }`,
    }),
  ],
  ['six weeks of slots', () => ({ query: slots(42) })],
  [
    'the schema',
    (n) => ({
      query: `query S${n} { __schema { types { name description fields { name description args { name description } } } } }`,
    }),
  ],
])('%s', { timeout: MILLISECONDS + paced(60_000) }, async (_, attack) => {
  const noticed = await noticedDuring(attack, MILLISECONDS);
  console.log(JSON.stringify({ noticed, usual }));
  expect(service.child.exitCode).toBeNull();
  expect(noticed.failures).toEqual([]);
  expect(noticed.megabytes).toBeLessThan(MOST_MEGABYTES);
  expect(noticed.healthAtMost).toBeLessThan(1_000);
  expect(noticed.largeAtMost).toBeLessThan(paced(2_000));
  expect(noticed.smallAtP99).toBeLessThan(2 * Math.max(usual.smallAtP99, paced(USUAL_MILLISECONDS)));
});

/** The delays that others notice, in milliseconds. */
interface Noticed {
  readonly healthAtMost: number;
  /** A session's large answer. */
  readonly largeAtMost: number;
  /** A session's small answer. */
  readonly smallAtP99: number;
  readonly failures: readonly string[];
  /** That the process takes at most. */
  readonly megabytes: number;
  readonly sent: number;
}

async function noticedDuring(attack: (n: number) => Sent, milliseconds: number): Promise<Noticed> {
  const end = performance.now() + milliseconds;
  const isOver = () => performance.now() >= end || service.child.exitCode !== null;
  const failures: string[] = [];
  let sent = 0;
  const attacker = async (network: number) => {
    while (!isOver()) {
      await asked(attack((sent += 1)), { 'x-forwarded-for': `198.51.100.${network}` }).catch(() => undefined);
      await pause(BETWEEN_MILLISECONDS);
    }
  };
  let megabytes = 0;
  const times = async (pauseInMs: number, ask: () => Promise<{ status: number }>) => {
    const taken: number[] = [];
    for (; !isOver(); await pause(pauseInMs)) {
      const from = performance.now();
      const { status } = await ask();
      taken.push(performance.now() - from);
      if (status !== 200) failures.push(`HTTP ${status}`);
      megabytes = Math.max(megabytes, residentMegabytes());
    }
    return taken.toSorted((a, b) => a - b);
  };
  const [health, large, small] = await Promise.all([
    times(100, () => fetch(`${service.url}/health/live`)),
    times(2_000, () => asked({ query: slots(42) }, { cookie: ada.cookie })),
    times(100, () => asked({ query: '{ me { id } }' }, { cookie: ada.cookie })),
    ...Array.from({ length: NETWORKS }, (_, network) => attacker(network)),
  ]);
  return {
    healthAtMost: health.at(-1) ?? Infinity,
    largeAtMost: large.at(-1) ?? Infinity,
    smallAtP99: small.at(Math.floor(small.length * 0.99)) ?? Infinity,
    failures,
    megabytes,
    sent,
  };
}

function asked(sent: Sent, headers: Readonly<Record<string, string>> = {}) {
  return send(service.url, {
    method: 'POST',
    path: '/graphql',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', ...headers },
    body: JSON.stringify(sent),
  });
}

function slots(days: number): string {
  const [start, end] = [1, 1 + days].map((day) =>
    Temporal.Now.instant()
      .add({ hours: 24 * day })
      .toString({ smallestUnit: 'second' }),
  );
  return `{ slots(eventType: { id: "${eventTypeId}" }, start: "${start}", end: "${end}") { start end } }`;
}

function residentMegabytes(): number {
  const [, kilobytes = ''] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${service.child.pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1_024;
}

function leavesOf(type: GraphQLObjectType, depth: number): string {
  return Object.values(type.getFields())
    .filter(({ args }) => !args.some(isRequiredArgument))
    .map((field) => {
      const named = getNamedType(field.type);
      if (isLeafType(named)) return field.name;
      const below = depth > 0 && isObjectType(named) && field.args.length === 0 ? leavesOf(named, depth - 1) : '';
      return below && `${field.name} { ${below} }`;
    })
    .join(' ');
}
