/**
 * Every path of the table beside its twin, the document that it stands for: each is asked by people of every standing, with
 * the scopes that it takes and with others, and both answer what the table of rights says.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { getNamedType, isObjectType, Kind, type OperationDefinitionNode, parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rows, sql } from '../../../src/database/sql.ts';
import { costOf } from '../../../src/graphql/limits/cost.ts';
import { LIMITS } from '../../../src/graphql/limits/limits.ts';
import type { RestRoute } from '../../../src/http/rest/route.ts';
import { buildSchemas } from '../../../src/schema.ts';
import { chooseOperation } from '../../../src/scopes/compile.ts';
import {
  opens,
  type Right,
  rightOf,
  SCOPE_KINDS,
  type ScopeKind,
  STANDINGS,
  type Standing,
  scopesOfKind,
} from '../../contract/field-visibility/rights.ts';
import type { TestCaller } from '../../support/api.ts';
import {
  askedBy,
  enveloped,
  missingIn,
  namesSomething,
  outcome,
  outcomeOfTwin,
  requestWith,
  said,
  saidByTwin,
} from './matrix.ts';
import { type Answered, CHANGES, type Given, named, READS, RestWorld, ROUTES, scopesFor } from './rest-world.ts';

let world: RestWorld;
// oxlint-disable-next-line typescript/no-explicit-any -- an OpenAPI document
let description: any;
const fits = new Ajv2020({ strict: false, allErrors: true });
formats.default(fits);
// oxlint-disable-next-line typescript/no-explicit-any -- parts of every shape
const partAt = ({ $ref }: { $ref: string }): any => {
  const [place = '', name = ''] = $ref.split('/').slice(2);
  return description.components[place][name];
};
/** Another team and organization of ada, who owns the demo's organization and its team too. */
let otherTeam: string;
let otherOrganization: string;
beforeAll(async () => {
  world = await RestWorld.open();
  description = (await world.get('/openapi.json')).body;
  fits.addSchema(description, 'api');
  const ada = world.api.signedIn('ada');
  const team = await ada.change('teamCreate', { name: 'Other', slug: 'other' }, 'teamId');
  const organization = await ada.change('organizationCreate', { name: 'Other', slug: 'other' }, 'organizationId');
  otherTeam = team.data.teamId;
  otherOrganization = organization.data.organizationId;
});
afterAll(() => world.close());

const { schema } = buildSchemas().forTokens;

/** Mutations without a path: one team of an organization is a team, and its path is answered by the team's own mutations. */
const NO_PATH: readonly string[] = ['organizationTeamDelete', 'organizationTeamUpdate'];

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

const [OWN_SCOPES] = SCOPE_KINDS;

/** Somebody with a token of a kind, and what becomes of what they ask. */
interface Caller {
  readonly name: string;
  readonly standing: Standing;
  readonly kind: ScopeKind;
  readonly expected: Right | 'scope';
}

/** Everybody with the scopes that it takes; with others, who may most and who is nobody: a token is judged before its user. */
function callersOf(route: RestRoute): Caller[] {
  const [asked, required] = [askedBy(route), scopesFor(route)];
  const all = SCOPE_KINDS.filter((kind) => scopesOfKind(required, kind));
  return STANDINGS.flatMap((standing) =>
    (standing === 'owner' || standing === 'outsider' ? all : [OWN_SCOPES]).map((kind) => {
      const expected = opens(required, kind) ? rightOf(asked, standing) : 'scope';
      return { name: `${standing}, with ${kind}`, standing, kind, expected };
    }),
  );
}

function usernameOf(route: RestRoute, { standing }: Caller, { username }: Given): string | undefined {
  if (standing === 'nobody') return undefined;
  return standing === 'owner' ? username : world.people.named(askedBy(route).level, standing);
}

async function tokenOf(route: RestRoute, caller: Caller, given: Given): Promise<string | undefined> {
  const username = usernameOf(route, caller, given);
  return username && world.token(username, scopesOfKind(scopesFor(route), caller.kind) ?? []);
}

/**
 * The answer of the path's document: at its door, or behind it for callers who may not, where the door has nothing to
 * say.
 */
async function twinOf(route: RestRoute, caller: Caller, given: Given, token: string | undefined): Promise<Answered> {
  const username = usernameOf(route, caller, given);
  if (username === undefined || !['no', '-'].includes(caller.expected)) {
    return world.document(route.document(), given.variables, token);
  }
  const { data, errors } = await world.api.as(username).ask(route.document(), { ...given.variables });
  return { status: 200, headers: new Headers(), body: { data, errors } };
}

/** A caller who may not see what a group has is told so by its lists; a single thing there is as if there were none. */
function expectedOf({ shape, coordinate }: RestRoute, { expected }: Caller): string {
  const isTold = shape === 'CHANGE' || (shape === 'LIST' && /^(?:Team|Organization)\./.test(coordinate));
  return expected === 'no' && !isTold ? '-' : expected;
}

function ask(route: RestRoute, { path, body }: Pick<Given, 'path' | 'body'>, token?: string): Promise<Answered> {
  return world.send(route.method, path, { token, body });
}

/** Each path's request is made once, and sent until it is done. */
const REQUESTS = new Map<RestRoute, Promise<Given>>();
const givenOf = (route: RestRoute): Promise<Given> => REQUESTS.getOrInsertComputed(route, () => world.given(route));

/** Ways of naming one thing beside another that it does not belong to, though the caller may see and change both. */
function strangersTo({ path, shape }: RestRoute): Readonly<Record<string, Record<string, unknown>>> {
  const organization = shape === 'CHANGE' ? 'organizationId' : 'orgId';
  const isNested = path.startsWith('/v2/organizations/:orgId/teams/:teamId');
  // A person's things are reached through each of their teams.
  const isOfTeam = /:teamId\/(?!schedules|out-of-office).*:/.test(path);
  return {
    ...(isNested && { 'of another organization': { [organization]: otherOrganization } }),
    ...(isOfTeam && { 'of another team': { teamId: otherTeam } }),
  };
}

/** The answers of a path and of its document to a caller; another test does what changes things. */
async function compared(route: RestRoute, caller: Caller, given: Given) {
  const token = await tokenOf(route, caller, given);
  const [ours, twin] = [await ask(route, given, token), await twinOf(route, caller, given, token)];
  const outcomes = [caller.name, outcome(ours), outcomeOfTwin(route, twin)];
  expectDescribed(route, ours);
  if (caller.expected === 'yes') return { outcomes, says: ours.body, twinSays: enveloped(route, twin.body.data) };
  // A document that reads says nothing of what it does not show.
  if (twin.body.data && route.shape !== 'CHANGE') return { outcomes };
  return { outcomes, says: said(ours), twinSays: saidByTwin(route, twin) };
}

async function answersEverybody(route: RestRoute): Promise<void> {
  const given = await givenOf(route);
  const before = isChange(route) && (await world.thingsThere());
  const callers = callersOf(route).filter(({ expected }) => !(isChange(route) && expected === 'yes'));
  const found = await Promise.all(callers.map((caller) => compared(route, caller, given)));
  expect(found.map(({ outcomes }) => outcomes)).toEqual(
    callers.map((caller) => [caller.name, expectedOf(route, caller), expectedOf(route, caller)]),
  );
  expect(found.map(({ says }) => says)).toEqual(found.map(({ twinSays }) => twinSays));

  const token = await world.token(given.username, scopesFor(route));
  for (const [what, instead] of Object.entries(strangersTo(route))) {
    const answer = await ask(route, requestWith(route, given.variables, instead), token);
    expect([what, outcome(answer)]).toEqual([what, '-']);
  }
  expect(isChange(route) && (await world.thingsThere())).toEqual(before);
}

/** The work of an answer: its statements, and its content without the ids that it repeats. */
async function work({ document, field }: RestRoute, who: TestCaller, variables: Given['variables']) {
  const { data, codes, statements, sent } = await who.ask(document(), { ...variables });
  const mistakes = data?.[field.name]?.userErrors?.map(({ code, path }: { code: string; path: string[] }) => [
    code,
    path,
  ]);
  return { codes, mistakes, statements, sent, data: mistakes ? undefined : data };
}

async function takesTheSame(route: RestRoute): Promise<void> {
  const { variables } = await givenOf(route);
  const stranger = world.api.as(world.people.named(askedBy(route).level, 'outsider'));
  const all = [variables, ...missingIn(route, variables)];
  const [foreign, ...missing] = await Promise.all(all.map((one) => work(route, stranger, one)));
  expect(missing.length).toBeGreaterThan(0);
  for (const one of missing) expect(one).toEqual(foreign);
}

async function takesNoOther(route: RestRoute): Promise<void> {
  const { username, path, body } = await givenOf(route);
  const token = await world.token(username, scopesFor(route));
  for (const member of ['nonsense', ...Object.keys(route.bound)]) {
    const answer = await ask(route, { path, body: { ...body, [member]: 'x' } }, token);
    expect([answer.status, answer.body.error.path]).toEqual([400, [member]]);
    expect(answer.body.error.message).toContain(`"${member}"`);
  }
}

/** They take a code that somebody was sent, which is nobody else's. */
const BY_OWN_CODE = /^verified(?:Email|Phone)Create$/;

/** The members of the payload that the document of a change asks for. */
function membersOf(document: string): string[] {
  const [change] = (parse(document).definitions[0] as OperationDefinitionNode).selectionSet.selections;
  const selected = change?.kind === Kind.FIELD ? (change.selectionSet?.selections ?? []) : [];
  const names = selected.flatMap((one) => (one.kind === Kind.FIELD ? one.name.value : []));
  return names.filter((name) => name !== 'userErrors');
}

// oxlint-disable-next-line typescript/no-explicit-any -- of every shape
const describedAt = ({ method, path }: RestRoute): any =>
  description.paths[path.replace(/:(\w+)/g, '{$1}')][method.toLowerCase()];

/** An example cannot know these: the names of what is there, its time, codes that were sent, and what must be new. */
const GIVEN =
  /(?:Ids?|^id|[uU]id|^start|^end|^date|[aA]t|[cC]ode|[tT]oken|[sS]lug|[uU]rls?|^server|^appPassword|^username|[eE]mail|[pP]hone|^guests|^app|^provider|^answers|^attendees|^trigger|^location|^hours|^urls)$/;

/** The example that is described, with those parts of a request that it cannot know. */
function exampled(example: unknown, given: unknown): unknown {
  if (Array.isArray(example)) {
    return example.map((one, place) => exampled(one, Array.isArray(given) ? given[place] : undefined));
  }
  if (typeof example !== 'object' || example === null) return example;
  const there = (given ?? {}) as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => [
      name,
      GIVEN.test(name) && name in there ? there[name] : exampled(value, there[name]),
    ]),
  );
}

function exampleOf(route: RestRoute, given: object | undefined): object | undefined {
  const { requestBody } = describedAt(route);
  if (!requestBody) return given;
  const { value } = partAt(requestBody).content['application/json'].examples.usual;
  return exampled(value, given) as object;
}

/** Whether an answer is as it is described. */
function expectDescribed(route: RestRoute, { status, body }: Answered): void {
  const { $ref } = describedAt(route).responses[status];
  if (body === undefined) return;
  const isDescribed = fits.getSchema(`api${$ref}/content/application~1json/schema`);
  expect(isDescribed?.(body) === true || isDescribed?.errors).toBe(true);
}

async function isDone(route: RestRoute): Promise<void> {
  // Where anybody may, one of those who belong to nothing.
  const anybody: readonly Standing[] = BY_OWN_CODE.test(route.field.name) ? ['owner'] : ['owner', 'outsider', 'nobody'];
  const actors = askedBy(route).level === 'user' ? anybody : STANDINGS;
  const may = callersOf(route).filter(
    ({ expected, standing, kind }) => expected === 'yes' && kind === OWN_SCOPES && actors.includes(standing),
  );
  const least = route.document();
  const most = route.documents().at(-1) ?? least;
  const readers =
    most === least ? [] : may.filter(({ standing }) => standing === 'owner').map((one) => [one, most] as const);
  for (const [caller, document] of [...may.map((one) => [one, least] as const), ...readers]) {
    const given = await (REQUESTS.get(route) ?? world.given(route));
    REQUESTS.delete(route);
    const asReader = { ...route, document: () => document };
    const isFirst = document === least && caller === may[0];
    const body = isFirst ? exampleOf(route, given.body) : given.body;
    const request = { path: given.path, ...(body && { body }) };
    const answer = await ask(route, request, await tokenOf(asReader, caller, given));
    const { status, headers, body: told } = answer;
    const members = route.status === 204 ? [] : membersOf(document);
    expect([caller.name, status, told?.error]).toEqual([
      caller.name,
      members.length === 0 ? 204 : route.status,
      undefined,
    ]);
    expect(Object.keys(told?.data ?? {})).toEqual(members);
    expectDescribed(route, answer);
    // protocol.test.ts says which have one: what can be read by an address.
    expect(headers.has('location')).toBe(route.location !== undefined);
    if (document !== least) expect(Object.values(told.data)).toContainEqual(expect.any(Object));
  }
}

test('no document of a path costs more than an operation may', () => {
  const all = ROUTES.flatMap((route) => route.documents());
  const costs = all.map((text) => {
    const document = parse(text);
    const operation = chooseOperation(document);
    return operation ? costOf(schema, document, operation, { first: 5 }) : Infinity;
  });
  expect(costs.filter((cost) => cost > LIMITS.cost)).toEqual([]);
});

const isChange = ({ shape }: RestRoute): boolean => shape === 'CHANGE';
const namesWhatIsOwned = (route: RestRoute): boolean => namesSomething(route) && scopesFor(route).length > 0;

/** The questions to a path, in this order: at last it is done. */
const TESTS: readonly (readonly [string, (route: RestRoute) => boolean, (route: RestRoute) => Promise<void>])[] = [
  ['answers everybody what the table of rights says, as its document does', () => true, answersEverybody],
  ['takes the same statements for somebody else’s as for what is not there', namesWhatIsOwned, takesTheSame],
  ['takes no member that its input has not, nor one that the path gives', isChange, takesNoOther],
  ['does what its mutation does, for each who may', isChange, isDone],
];

describe.each(named(ROUTES))('%s', (_name, route) => {
  test.each(TESTS.filter(([, isOf]) => isOf(route)))('%s', async (_title, _isOf, run) => {
    expect.hasAssertions();
    await run(route);
  });
});

test('the event of somebody’s act on bookings records the network address of that person', async () => {
  const acts = await rows<{ type: string; isKnown: boolean }>(
    world.app.database.em.fork(),
    sql`select type, bool_and(data -> 'by' ->> 'network' is not null) as "isKnown"
        from domain_events where type like 'BOOKING%' and data ? 'by' group by type`,
  );
  expect(acts.length).toBeGreaterThan(5);
  expect(acts.filter(({ isKnown }) => !isKnown)).toEqual([]);
});
