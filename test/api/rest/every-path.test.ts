/** Every path of the table beside its twin: the document that it stands for, sent to GraphQL's door by the same caller. */
import { getNamedType, isObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { USUAL_PAGE } from '../../../src/http/rest/query-parameters.ts';
import type { RestRoute } from '../../../src/http/rest/route.ts';
import { buildSchemas } from '../../../src/schema.ts';
import { addressOf, asRequest, CHANGES, named, READS, RestWorld, ROUTES, scopesFor } from './rest-world.ts';

let world: RestWorld;
beforeAll(async () => {
  world = await RestWorld.open();
  for (const [kind, slug] of [
    ['team', 'sales'],
    ['organization', 'acme'],
  ] as const) {
    const input = { [`${kind}Id`]: await world.groupId(`${kind}s`, slug), email: 'invited@mail.test', role: 'MEMBER' };
    await world.api.as('ada').change(`${kind}Invite`, input);
  }
});
afterAll(() => world.close());

const { schema } = buildSchemas().forTokens;

/** Mutations without a path. */
const NO_PATH: readonly string[] = [];

test('every mutation has a path', () => {
  const reached = CHANGES.map(({ field }) => field.name);
  const there = Object.keys(schema.getMutationType()?.getFields() ?? {});
  expect(there.filter((name) => !reached.includes(name)).toSorted()).toEqual(NO_PATH);
});

/** Lists that are told with the thing that they belong to. */
const NO_LIST: readonly string[] = [];

test('every list of a door has a path', () => {
  const reached = new Set(READS.map(({ coordinate }) => coordinate));
  const lists = ['Viewer', 'Team', 'Organization'].flatMap((name) => {
    const type = schema.getType(name);
    const fields = isObjectType(type) ? Object.values(type.getFields()) : [];
    const all = fields.filter((field) => getNamedType(field.type).name.endsWith('Connection'));
    return all.map((field) => `${name}.${field.name}`);
  });
  expect(lists.filter((one) => !reached.has(one))).toEqual(NO_LIST);
});

/** What the parameters of a path are, for ada. */
async function valuesFor(route: RestRoute): Promise<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  const parts = route.path.split('/');
  for (const [place, part] of parts.entries()) {
    if (!part.startsWith(':')) continue;
    const name = part.slice(1);
    if (name === 'orgId') values[name] = await world.groupId('organizations', 'acme');
    else if (name === 'teamId') values[name] = await world.groupId('teams', 'sales');
    else if (name === 'team') values[name] = 'sales';
    else values[name] = await firstOf(parts.slice(0, place).join('/'), values);
  }
  return values;
}

const QUERY: Readonly<Record<string, () => Promise<string>>> = {
  '/v2/public-event-types': async () => '?username=ada',
  '/v2/public-teams/:team': async () => '?organization=acme',
  '/v2/slots': async () => {
    const from = Temporal.Now.instant().add({ hours: 24 });
    const times = `start=${from.toString()}&end=${from.add({ hours: 96 }).toString()}`;
    return `?username=ada&slug=intro&${times}`;
  },
};

/** How many a page has where nobody says. */
function pageOf(route: RestRoute): { first?: number } {
  const most = route.mostOnPage();
  return most === undefined ? {} : { first: Math.min(USUAL_PAGE, most) };
}

/** The first thing of a list. */
async function firstOf(path: string, values: Record<string, unknown>): Promise<unknown> {
  const listPath = path === '/v2/public-bookings' ? '/v2/bookings' : path;
  const list = ROUTES.find((route) => route.method === 'GET' && route.path === listPath);
  if (!list) throw new Error(`What is the last parameter of ${path}?`);
  if (listPath.endsWith('/teams/:teamId/bookings')) await world.valid('teamBookingConfirm');
  if (listPath === '/v2/out-of-office' || listPath.endsWith('/out-of-office')) await world.valid('outOfOfficeUpdate');
  if (listPath === '/v2/webhooks') await world.valid('webhookUpdate');
  if (listPath.endsWith('/bookings')) await world.valid('teamBookingConfirm');
  const address = `${addressOf(list, values)}${(await QUERY[listPath]?.()) ?? ''}`;
  const { body } = await world.get(address, await world.token('ada', scopesFor(list)));
  const [first] = body.data;
  return first.uid ?? first.id;
}

describe.each(named(READS))('%s', (_name, route) => {
  test('shows what its document shows', async () => {
    const values = await valuesFor(route);
    const search = (await QUERY[route.path]?.()) ?? '';
    const variables = { ...values, ...pageOf(route), ...Object.fromEntries(new URLSearchParams(search)) };
    const token = await world.token('ada', scopesFor(route));
    const twin = await world.document(route.document(), variables, token);
    expect(twin.body.errors).toBeUndefined();
    let shown = twin.body.data;
    for (const name of route.answeredAt) shown = shown[name];
    const { status, body } = await world.get(addressOf(route, values) + search, token);
    expect([status, body]).toEqual([200, enveloped(route, shown)]);
  });

  test('is refused as its document is', async () => {
    for (const { ours, twin } of await refusals(route, {})) expect(ours).toEqual(twin);
  });

  test.skipIf(!route.path.includes(':'))('is 404 for an id of nothing', async () => {
    const values = await valuesFor(route);
    const names = Object.keys(values);
    for (const name of names) {
      const address = addressOf(route, { ...values, [name]: `${String(values[name]).slice(0, 4)}nothing` });
      const { status, body } = await world.get(address, await world.token('ada', scopesFor(route)));
      expect([status, body.error.code]).toEqual([404, 'NOT_FOUND']);
    }
  });
});

/** What a path answers where its document answers this. */
// oxlint-disable-next-line typescript/no-explicit-any -- of every shape
function enveloped(route: RestRoute, shown: any): unknown {
  if (route.isBare) return shown;
  if (route.shape !== 'LIST') return { data: route.shape === 'FIRST' ? shown[0] : shown };
  const { endCursor: cursor, hasNextPage: hasMore } = shown.pageInfo;
  return { data: shown.nodes, pagination: { cursor, hasMore } };
}

/** Without a token, and with one that lacks a scope: what the path says, and what its document says. */
async function refusals(route: RestRoute, input: object) {
  const scopes = scopesFor(route);
  if (scopes.length === 0) return [];
  const values = Object.fromEntries([...route.path.matchAll(/:(\w+)/g)].map(([, name]) => [name, 'x']));
  const variables = route.shape === 'CHANGE' ? { input } : { ...values, ...pageOf(route) };
  const callers = [undefined, await world.token('ada', ['VERIFIED_RESOURCES_READ'])];
  return Promise.all(
    callers.map(async (token) => {
      const [one, other] = await Promise.all([
        world.send(route.method, addressOf(route, values), { token }),
        world.document(route.document(), variables, token),
      ]);
      const { message, extensions } = other.body.errors[0];
      const { code, missingScopes } = extensions;
      return {
        ours: { status: one.status, challenge: one.headers.get('www-authenticate'), ...one.body.error },
        twin: {
          status: other.status,
          challenge: other.headers.get('www-authenticate'),
          message,
          code,
          requiredScopes: scopes,
          missingScopes,
        },
      };
    }),
  );
}

describe.each(named(CHANGES))('%s', (_name, route) => {
  test('does what its mutation does', async () => {
    const { username, input } = await world.valid(route.field.name);
    const { path, body } = asRequest(route, await withinPath(route, input));
    const token = await world.token(username, scopesFor(route));
    const { status, headers, body: answer } = await world.send(route.method, path, { token, body });
    const payload = (/\{ \w+\(input: \$input\) \{ (.*)userErrors/.exec(route.document())?.[1] ?? '').trim();
    const isEmpty = payload === '' || route.status === 204;
    expect([status, answer?.error]).toEqual([isEmpty ? 204 : route.status, undefined]);
    const members = payload.replaceAll(/\{[^{}]*(?:\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}[^{}]*)*\}/g, '').split(/\s+/);
    expect(Object.keys(answer?.data ?? {})).toEqual(isEmpty ? [] : members.filter((name) => name !== ''));
    expect(headers.has('location')).toBe(route.status === 201);
  });

  test('is refused as its mutation is', async () => {
    const { input } = await world.valid(route.field.name);
    for (const { ours, twin } of await refusals(route, input)) expect(ours).toEqual(twin);
  });

  test.skipIf(scopesFor(route).length === 0 || Object.keys(route.bound).length === 0)(
    'says to somebody else what its mutation says',
    async () => {
      const { input } = await world.valid(route.field.name);
      const whole = await withinPath(route, input);
      const { path, body } = asRequest(route, whole);
      const token = await world.token('dan', scopesFor(route));
      const twin = await world.document(route.document(), { input: whole }, token);
      const [mistake] = twin.body.data[route.field.name].userErrors;
      const { status, body: answer } = await world.send(route.method, path, { token, body });
      expect([status, answer.error]).toEqual([404, mistake]);
      expect(mistake.code).toBe('NOT_FOUND');
    },
  );

  test('takes no member that its input has not, nor one that the path gives', async () => {
    const { username, input } = await world.valid(route.field.name);
    const { path, body } = asRequest(route, await withinPath(route, input));
    const token = await world.token(username, scopesFor(route));
    for (const member of ['nonsense', ...Object.keys(route.bound)]) {
      const answer = await world.send(route.method, path, { token, body: { ...body, [member]: 'x' } });
      expect([answer.status, answer.body.error.path]).toEqual([400, [member]]);
      expect(answer.body.error.message).toContain(`"${member}"`);
    }
  });
});

/** What a mutation has beside its input's: the organization of a team. */
async function withinPath(route: RestRoute, input: Readonly<Record<string, unknown>>) {
  const missing = Object.keys(route.bound).filter((member) => !(member in input));
  return missing.length === 0 ? input : { ...input, organizationId: await world.groupId('organizations', 'acme') };
}
