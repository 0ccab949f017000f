/** The comparison is worth something: each of these faults, planted in the fast path alone, is found by it. */
import { ServerResponse } from 'node:http';
import { type DocumentNode, type GraphQLError, type OperationDefinitionNode, parse } from 'graphql';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { GraphQLContext } from '../../src/graphql/context.ts';
import { LIMITS } from '../../src/graphql/limits/limits.ts';
import { OperationLimits } from '../../src/graphql/limits/operation-limits.ts';
import { type KnownOperation, QueryPlans } from '../../src/graphql/operation.ts';
import type { QueryPlan, Text } from '../../src/graphql/plan.ts';
import { RequestLimit } from '../../src/limits/request-limit.ts';
import { compileOperation } from '../../src/scopes/compile.ts';
import { NO_SCOPES, scopeAt, union } from '../../src/scopes/scope-set.ts';
import { uuidOf } from '../support/ids.ts';
import { type Asked, type Callers, callersOf, openTwins, type Twins } from '../support/twin-apps.ts';
import { type Difference, difference, told } from './compare.ts';

/** Stands for the largest answer: no data of a test is as large as that of the table. */
const ANSWER_BYTES = 1_000;
const RATE = 6;

let twins: Twins;
let callers: Callers;
let teamId: string;
let danId: string;
const { answerBytes } = LIMITS;
const limitAnswers = (bytes: number): unknown => Object.assign(LIMITS, { answerBytes: bytes });

beforeAll(async () => {
  limitAnswers(ANSWER_BYTES);
  twins = await openTwins({ TRUST_PROXY: '127.0.0.0/8', RATE_LIMITS: `anonymous=${RATE},grant=9999999` });
  callers = await callersOf(twins, ['EVENT_TYPE_READ', 'PROFILE_READ']);
  const ask = async (caller: string, query: string) =>
    JSON.parse((await twins.ask('ordinary', asked(query, caller))).text).data;
  teamId = (await ask('all scopes', '{ me { teams { nodes { id } } } }')).me.teams.nodes[0].id;
  danId = uuidOf((await ask('all scopes, of another user', '{ me { id } }')).me.id);
});
afterEach(() => {
  vi.restoreAllMocks();
  limitAnswers(ANSWER_BYTES);
});
afterAll(async () => {
  limitAnswers(answerBytes);
  await twins?.close();
});

function asked(query: string, caller: string, headers: Readonly<Record<string, string>> = {}): Asked {
  return {
    body: JSON.stringify({ query }),
    headers: { 'content-type': 'application/json', ...callers[caller], ...headers },
  };
}

/** Requests of clients, and requests that are too much, too deep, or not theirs. */
function corpus(): readonly Asked[] {
  const queries = [
    '{ me { id name username email timeZone bio } }',
    '{ me { eventTypes(first: 2) { nodes { id title durationInMinutes ownerId } pageInfo { hasNextPage endCursor } } } }',
    `{ team(id: "${teamId}") { eventTypes { nodes { id title } } } }`,
    '{ me { eventTypes(first: 100) { nodes { privateLinks(first: 100) { nodes { id } } children(first: 100) { nodes { id } } } } schedules(first: 100) { nodes { id } } } }',
    '{ me { organizations(first: 100) { nodes { teams(first: 100) { nodes { eventTypes(first: 100) { nodes { id } } } } } } } }',
    `{ ${Array.from({ length: 31 }, (_, n) => `a${n}: __typename`).join(' ')} }`,
    `{ ${Array.from({ length: 4 }, (_, n) => `a${n}: publicEventTypes(username: "ada", first: 100) { nodes { id title description slug bookingUrl durationInMinutes color } }`).join(' ')} }`,
    `{ me ${'{ organizations { nodes { teams { nodes '.repeat(6)}{ id }${' } } } }'.repeat(6)} }`,
  ];
  return ['all scopes', 'EVENT_TYPE_READ', 'PROFILE_READ', 'all scopes, of another user', 'a revoked token'].flatMap(
    (caller) => queries.map((query) => asked(query, caller)),
  );
}

async function differences(): Promise<readonly Difference[]> {
  const found: Difference[] = [];
  for (const one of corpus()) {
    const different = await difference(twins, one, 3);
    if (different) found.push(different);
  }
  return found;
}

/** Changes what is known of operations that have come before: the ordinary one keeps none. */
function plant(change: (known: KnownOperation) => KnownOperation): void {
  for (const name of ['known', 'find'] as const) {
    const original = QueryPlans.prototype[name] as (this: QueryPlans, ...args: unknown[]) => KnownOperation | undefined;
    vi.spyOn(QueryPlans.prototype, name).mockImplementation(function (this: QueryPlans, ...args: unknown[]) {
      const known = original.apply(this, args);
      return known?.query ? change(known) : known;
    });
  }
}

function plantRun(change: (run: QueryPlan) => QueryPlan): void {
  plant(({ query, ...known }) => ({ ...known, query: query && { ...query, run: change(query.run) } }));
}

function plantText(change: (text: string) => string): void {
  plantRun(
    (write) =>
      (run): Text =>
        Promise.resolve(write(run)).then(change),
  );
}

function plantHead(change: (headers: Record<string, unknown>) => Record<string, unknown>): void {
  const { writeHead } = ServerResponse.prototype as unknown as Heads;
  vi.spyOn(ServerResponse.prototype, 'writeHead').mockImplementation(function (
    this: ServerResponse,
    ...args: unknown[]
  ) {
    const [status, headers] = args as [number, Record<string, unknown>];
    const isFast = typeof headers === 'object' && typeof headers['content-length'] === 'number';
    return writeHead.call(this, status, isFast ? change(headers) : headers);
  } as never);
}

function without(headers: Record<string, unknown>, left: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== left));
}

/** Plants it in the fast one alone: the ordinary one is asked first. */
function readUnlimited(): void {
  const { documentError } = OperationLimits.prototype as {
    readonly documentError: (this: OperationLimits, document: DocumentNode) => GraphQLError | undefined;
  };
  const asked = new Set<OperationLimits>();
  vi.spyOn(OperationLimits.prototype, 'documentError').mockImplementation(function (this: OperationLimits, document) {
    asked.add(this);
    return [...asked].indexOf(this) === 0 ? documentError.call(this, document) : undefined;
  });
}

interface Heads {
  readonly writeHead: (this: ServerResponse, ...args: unknown[]) => ServerResponse;
}

const NOTHING_MUCH = parse('{ __typename }').definitions[0] as OperationDefinitionNode;

const FAULTS: Readonly<Record<string, () => void>> = {
  'a cost that is not counted': () =>
    plant((planned) => ({ ...planned, required: { ...planned.required, operation: NOTHING_MUCH } })),
  'aliases, depth and size of a document that are not limited': readUnlimited,
  'an answer that may be of any size': () => void limitAnswers(answerBytes),
  'scopes that are not compared': () =>
    plant((planned) => ({ ...planned, required: { ...planned.required, required: NO_SCOPES } })),
  'a level that is taken for another: a team’s for a user’s': () =>
    plant((planned) => {
      if (!planned.required.document.loc?.source.body.includes('team(id')) return planned;
      const ofUser = compileOperation(planned.required.rules, parse('{ me { eventTypes { nodes { id title } } } }'));
      return { ...planned, required: { ...planned.required, required: ofUser?.required ?? NO_SCOPES } };
    }),
  'an owner who is not looked at': () =>
    plantRun((write) => ({ context, ...run }) => {
      const caller = { ...context.caller, userId: danId } as GraphQLContext['caller'];
      return write({ ...run, context: Object.assign(context, { caller }) });
    }),
  'a scope that is taken for required': () =>
    plant((planned) => ({
      ...planned,
      required: { ...planned.required, required: union(planned.required.required, scopeAt(0)) },
    })),
  'null where there is something': () => plantText((text) => text.replace(/"(id|title)":"[^"]*"/, '"$1":null')),
  'a text for null': () => plantText((text) => text.replace(/:null/, ':""')),
  'a field that is left out': () => plantText((text) => text.replace(/,"\w+":"[^"]*"/, '')),
  'fields in another order': () => plantText((text) => text.replace(/("\w+":"[^"]*"),("\w+":"[^"]*")/, '$2,$1')),
  'an item too many': () => plantText((text) => text.replace(/\[(\{[^{}]*\})/, '[$1,$1')),
  'another type of content': () => plantHead((headers) => ({ ...headers, 'content-type': 'application/json' })),
  'a header too few': () => plantHead((headers) => without(headers, 'Cache-Control')),
  'a refusal without its challenge': () => plantHead((headers) => without(headers, 'www-authenticate')),
};

describe('the comparison', () => {
  test('finds nothing where there is no fault, and plans answered', async () => {
    const before = twins.byPlans();
    expect(told(await differences())).toEqual([]);
    expect(twins.byPlans() - before).toBeGreaterThan(20);
  });

  test.each(Object.entries(FAULTS))('finds %s', async (_fault, commit) => {
    commit();
    expect(await differences()).not.toEqual([]);
  });
});

/** Asks from an address that nobody else has, until it has had enough; with what is left each time. */
async function series(which: 'fast' | 'ordinary', address: string): Promise<readonly unknown[]> {
  const answers: unknown[] = [];
  for (let n = 0; n < RATE + 2; n += 1) {
    const { status, headers, text } = await twins.ask(
      which,
      asked('{ __typename }', 'nobody', { 'x-forwarded-for': address }),
    );
    const left = headers.get('ratelimit-remaining');
    answers.push([
      status,
      left,
      headers.has('retry-after'),
      text.replaceAll(/\d+ seconds?/g, 'a while').replaceAll(/InSeconds":\d+/g, ''),
    ]);
  }
  return answers;
}

describe('requests that are counted', () => {
  test('are the same both ways', async () => {
    const before = twins.byPlans();
    expect(await series('fast', '198.51.100.1')).toEqual(await series('ordinary', '198.51.100.2'));
    expect(twins.byPlans() - before).toBeGreaterThan(2);
  });

  test('are missed where the fast path counts none', async () => {
    const { take } = RequestLimit.prototype as {
      readonly take: (
        this: RequestLimit,
        ...args: Parameters<RequestLimit['take']>
      ) => ReturnType<RequestLimit['take']>;
    };
    const anyTime = { isAllowed: true, limit: RATE, remaining: RATE - 1, resetInSeconds: 60 };
    const instances = new Set<RequestLimit>();
    const spy = vi.spyOn(RequestLimit.prototype, 'take').mockImplementation(function (this: RequestLimit, rates) {
      instances.add(this);
      // The first that is asked is that of the fast one.
      return [...instances].indexOf(this) === 0 ? anyTime : take.call(this, rates);
    });
    const planted = await series('fast', '198.51.100.3');
    expect(planted).not.toEqual(await series('ordinary', '198.51.100.4'));
    expect(spy).toHaveBeenCalled();
  });
});
