import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  coerceInputValue,
  GraphQLBoolean,
  type GraphQLFormattedError,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
} from 'graphql';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { instantFrom } from '../../core/instant.ts';
import { holdsMore, namesIn } from '../../core/json-text.ts';
import { MOST_COUNTED } from '../../core/page.ts';
import { type Mistake, Problem } from '../../core/problem.ts';
import { PROBLEM_CODES, type ProblemCode } from '../../core/problem-code.ts';
import { sha256Base64url } from '../../core/secret.ts';
import { shown } from '../../core/text.ts';
import { retryHeaders, statusOf, statusOfCode } from '../../database/failure.ts';
import type { Authenticate, Authentication } from '../../graphql/context.ts';
import { Operation, type Outcome, resultResponse, type Shared } from '../../graphql/operation.ts';
import { MOST_BODY_VALUES } from '../../graphql/request.ts';
import { NO_SCOPES, type ScopeSet } from '../../scopes/scope-set.ts';
import { isAmong } from '../../screens/kit/page-response.ts';
import { isInUtf8, isJson, readText } from '../../screens/kit/request.ts';
import type { Visitors } from '../../screens/kit/visitors.ts';
import { openToScripts } from '../open-to-scripts.ts';
import {
  BY_HEADER,
  bodyOf,
  COUNT,
  COUNTS,
  isByHeader,
  isRequired,
  PAGING,
  parameterNamed,
  type RestRoute,
  takes,
} from './route.ts';

/** Carries out the documents of paths. */
interface RestDoor {
  readonly shared: Shared;
  readonly authenticate: Authenticate;
  /** Finds the caller where that takes no statement. */
  readonly recall?: ((request: IncomingMessage) => Authentication | undefined) | undefined;
}

/** These headers of the GraphQL answer are the caller's business. */
const PASSED_HEADERS = [
  'WWW-Authenticate',
  'Retry-After',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Deprecation',
  'Sunset',
  'Link',
];
const EXPOSED = [...PASSED_HEADERS, 'ETag', 'Location', 'Allow', 'Preference-Applied'];

/** In the order in which `Allow` lists them. */
const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'] as const;

/** The paths of a table, each answered by its document. */
export function restRoutes(
  table: readonly RestRoute[],
  door: RestDoor,
  visitors: Pick<Visitors, 'countRequest'>,
): Hono {
  const routes = new Hono();
  const paths = Map.groupBy(table, ({ path }) => path);
  for (const [path, offered] of paths) {
    const methods = METHODS.filter((one) =>
      offered.some(({ method }) => method === one || (method === 'GET' && one === 'HEAD')),
    );
    const allow = [...methods, 'OPTIONS'].join(', ');
    routes.use(path, allowHeader(allow), openToScripts(methods, EXPOSED));
    for (const route of offered) routes.on(route.method, path, (c) => answered(route, c, door));
    routes.all(path, async (c) => {
      const error = {
        code: 'METHOD_NOT_ALLOWED',
        message: `${c.req.method} is not possible here; there are ${allow}.`,
      };
      return (await visitors.countRequest(c, undefined)) ?? errorAnswer(405, { Allow: allow }, error);
    });
  }
  // Addresses below that are none: they are counted as those that GraphQL answers, and scripts of other sites can read it.
  routes.use('/v2/*', async (c, next) => {
    const tooMany = await visitors.countRequest(c, undefined);
    if (tooMany) c.res = tooMany;
    else await next();
    if (!c.res.headers.has(OPEN)) c.res.headers.set(OPEN, '*');
  });
  return routes;
}

const OPEN = 'Access-Control-Allow-Origin';

/** Adds `Allow` to answers to OPTIONS. */
function allowHeader(allow: string): MiddlewareHandler {
  return (c, next) => {
    if (c.req.method === 'OPTIONS') c.header('Allow', allow);
    return next();
  };
}

/**
 * Answers a request to a path: finds its caller, and goes with its document through the phases of an operation. Nothing is written
 * as a GraphQL answer that would only be read again.
 */
async function answered(route: RestRoute, c: Context, door: RestDoor): Promise<Response> {
  const { req } = c;
  const { res: response } = (c.env ?? {}) as Environment;
  const { shared } = door;
  const parameters = req.param() as Readonly<Record<string, string>>;
  const ifNoneMatch = req.header('if-none-match');
  const preferred = preferredReturn(req.header('prefer'));
  const authentication = await callerOf(c, door);
  const query = preferred === 'minimal' ? route.document() : route.documentFor(heldBy(authentication));
  const isShort = query === route.document();
  const applied = preferred === (isShort ? 'minimal' : 'representation') ? preferred : undefined;
  const attempt = async (read: () => Variables | Promise<Variables>): Promise<Attempt> => {
    let variables: Variables = {};
    let [unreadable, refusal]: (Problem | undefined)[] = [];
    const onRefusal = (problem: Problem): void => {
      refusal = problem;
    };
    const operation = new Operation(shared, { authentication, isByGet: false, onRefusal });
    // Ends the work when nobody waits for the answer any more.
    response?.once('close', () => operation.done());
    try {
      let outcome: Outcome;
      let isReading = false;
      try {
        // Before the request is read: its caller may have no room left in their limit.
        await operation.count();
        isReading = true;
        variables = await read();
        isReading = false;
        const isCounted = route.counting && (variables[COUNT] ?? false) !== false;
        outcome = await operation.answer(operation.ask({ query: isCounted ? route.counting() : query, variables }));
      } catch (error) {
        if (isReading && error instanceof Problem) unreadable = error;
        outcome = operation.failure(error);
      }
      const answer = await documentAnswer(outcome, shared);
      for (const [name, value] of Object.entries(operation.headers(answer.status))) answer.headers.set(name, value);
      const answered = unreadable
        ? unreadableAnswer(unreadable, passedHeaders(answer))
        : restAnswer(answer, { route, parameters, variables, ifNoneMatch, applied, refusal });
      return { answered, variables };
    } finally {
      operation.done();
    }
  };
  const { answered: first, variables } = await attempt(() => variablesOf(route, c));
  let last = first;
  // It has changed since one of the times that were seen, and each change compares one.
  for (const ifUpdatedAt of otherTimesSeen(c)) {
    if (last.status !== 412) break;
    const input = { ...(variables['input'] as Variables), ifUpdatedAt };
    ({ answered: last } = await attempt(() => ({ input })));
  }
  return last;
}

type Variables = Readonly<Record<string, unknown>>;

interface Attempt {
  readonly answered: Response;
  readonly variables: Variables;
}

/** The answer of a document, as application/graphql-response+json has it: a request that is refused has a status that says so. */
interface DocumentAnswer {
  readonly status: number;
  readonly headers: Response['headers'];
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly GraphQLFormattedError[];
}

async function documentAnswer(outcome: Outcome, { refusals }: Pick<Shared, 'refusals'>): Promise<DocumentAnswer> {
  switch (outcome.kind) {
    case 'TEXT':
      return { status: 200, headers: new Headers(), ...JSON.parse(outcome.text) };
    case 'SHARED':
      return { status: 200, headers: new Headers(), ...JSON.parse(outcome.bytes.toString()) };
    case 'REFUSED':
    case 'RESULT': {
      const response = resultResponse(outcome, refusals, 'application/graphql-response+json');
      return { status: response.status, headers: response.headers, ...(await response.json()) };
    }
  }
}

function unreadableAnswer(problem: Problem, headers: Readonly<Record<string, string>>): Response {
  const [{ code, message, path }] = problem.mistakes;
  const status = path?.[0] === 'If-Match' && code === 'CONFLICT' ? 412 : statusOf(problem);
  return errorAnswer(status, headers, { code, message, ...(path && { path }) });
}

type PreferredReturn = 'minimal' | 'representation';

/** RFC 7240 §4.2: the first that is named counts. */
function preferredReturn(prefer = ''): PreferredReturn | undefined {
  const [, named] = /(?:^|[,;])\s*return\s*=\s*"?(minimal|representation)"?\s*(?:[,;]|$)/i.exec(prefer) ?? [];
  return named?.toLowerCase() as PreferredReturn | undefined;
}

function heldBy({ caller }: Authentication): ScopeSet {
  return caller.kind === 'token' ? caller.held : NO_SCOPES;
}

/** The members of the environment that Node's server gives, and a request that comes otherwise has not. */
interface Environment {
  readonly req?: IncomingMessage;
  readonly res?: ServerResponse;
}

/** Only the token counts here: a session belongs to this service's own pages. */
async function callerOf({ req, env }: Context, { authenticate, recall }: RestDoor): Promise<Authentication> {
  const { req: incoming } = (env ?? {}) as Environment;
  const recalled = incoming && recall?.(incoming);
  if (recalled) return recalled;
  const headers = new Headers();
  for (const name of ['authorization', 'x-forwarded-for']) {
    const value = req.header(name);
    if (value !== undefined) headers.set(name, value);
  }
  return authenticate(new Request(req.url, { headers }), env ?? {});
}

/** A booking form with all that it can ask is some 200 KiB. */
export const MAX_REST_BODY_BYTES = 512 * 1024;

/** The variables of a path's document, as a request gives them. @throws Problem BAD_REQUEST, CONFLICT, UNSUPPORTED_MEDIA_TYPE, BODY_TOO_LARGE */
async function variablesOf(route: RestRoute, c: Context): Promise<Variables> {
  const { req } = c;
  const parameters = req.param() as Readonly<Record<string, string>>;
  const query = variablesOfQuery(route, new URL(req.url).searchParams);
  const headers = { ...idempotencyKey(route, c), ...lastSeen(route, c) };
  if (route.shape !== 'CHANGE') return { ...parameters, ...query };
  const given = Object.entries(route.bound).map(([member, name]) => [member, parameters[name]]);
  return { input: { ...(await body(route, req.raw)), ...headers, ...Object.fromEntries(given) } };
}

async function body(route: RestRoute, request: Request): Promise<Variables> {
  const text = request.body === null ? '' : await readText(request, MAX_REST_BODY_BYTES);
  if (text === '') return {};
  if (!isJson(request)) {
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', 'Send the body as JSON: Content-Type: application/json.');
  }
  if (!isInUtf8(request)) {
    throw new Problem(
      'UNSUPPORTED_MEDIA_TYPE',
      'Send the body in UTF-8, and leave the charset out: JSON has no other.',
    );
  }
  const value = parsed(text);
  const repeated = repeatedName(text);
  if (repeated !== undefined) {
    // RFC 8259 §4: which of them counts, every reader decides for itself.
    throw new Problem('BAD_REQUEST', `${shown(repeated)} stands in one object of the body twice; give it once.`, [
      repeated,
    ]);
  }
  const known = bodyOf(route);
  const strange = Object.keys(value).find((given) => !known.some(({ name }) => name === given));
  if (strange === undefined) return value;
  throw new Problem('BAD_REQUEST', `${shown(strange)} is no member of the body here: ${otherwise(route, strange)}.`, [
    strange,
  ]);
}

function parsed(text: string): Variables {
  if (holdsMore(text, MOST_BODY_VALUES)) {
    throw new Problem('BAD_REQUEST', `The body has more than ${MOST_BODY_VALUES} values; send less at once.`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Problem('BAD_REQUEST', 'The body is not valid JSON; send an object.');
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Variables;
  throw new Problem('BAD_REQUEST', 'The body is no JSON object; send one with the members that this path takes.');
}

/** A name that an object has twice, somewhere in a text that is valid JSON. */
function repeatedName(json: string): string | undefined {
  const seen = new Set<string>();
  for (const { object, name } of namesIn(json)) {
    const place = `${object} ${name}`;
    if (seen.has(place)) return name;
    seen.add(place);
  }
  return undefined;
}

function otherwise(route: RestRoute, name: string): string {
  if (Object.hasOwn(route.bound, name)) return 'the address gives it';
  if (isByHeader(name) && takes(route, name)) return `the header ${BY_HEADER[name]} gives it`;
  const known = bodyOf(route).map((one) => one.name);
  return known.length === 0 ? 'it takes none' : `there are ${known.join(', ')}`;
}

/** `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header), with its quotes or without. */
function idempotencyKey(route: RestRoute, { req }: Context): Variables {
  const sent = req.header('idempotency-key');
  if (sent === undefined) return {};
  if (!takes(route, 'idempotencyKey')) {
    throw new Problem('BAD_REQUEST', 'This path takes no Idempotency-Key: leave the header out.', ['Idempotency-Key']);
  }
  return { idempotencyKey: /^"(.*)"$/.exec(sent)?.[1] ?? sent };
}

/** `If-Match`, of whose tags the first is compared here; the caller goes on with the others (`otherTimesSeen`). */
function lastSeen(route: RestRoute, c: Context): Variables {
  const sent = c.req.header('if-match')?.trim();
  if (sent === undefined) return {};
  if (!takes(route, 'ifUpdatedAt')) {
    throw new Problem('BAD_REQUEST', 'This path takes no If-Match: leave the header out.', ['If-Match']);
  }
  if (sent === '*') return {};
  const [time, ...others] = timesSeen(sent);
  if (others.length >= MOST_TAGS) {
    throw new Problem('BAD_REQUEST', `If-Match takes at most ${MOST_TAGS} tags; send the last ones.`, ['If-Match']);
  }
  if (time !== undefined) return { ifUpdatedAt: time };
  throw new Problem('CONFLICT', 'If-Match has no ETag that reading this gave; read it again, and send that.', [
    'If-Match',
  ]);
}

/** More were seen by nobody at once, and each may take a statement. */
const MOST_TAGS = 5;

/** The times in all tags of `If-Match` but the first: any of them may be that of the thing (RFC 9110 §13.1.1). */
function otherTimesSeen({ req }: Context): readonly string[] {
  return timesSeen(req.header('if-match') ?? '').slice(1);
}

/** Our tags of things begin with the time of their last change. The comparison is strong: weak ones are none of ours. */
function timesSeen(ifMatch: string): string[] {
  const tags = [...ifMatch.matchAll(/(W\/)?"([^"]*)"/g)].filter(([, weak]) => weak === undefined);
  const times = tags.map(([, , tag = '']) => tag.split(';', 1)[0] ?? '');
  return [...new Set(times)].filter((time) => instantFrom(time) !== undefined);
}

/** Finds the variable that does not fit its type, in the words of the request; GraphQL's door has refused it. */
function mistakeIn(route: RestRoute, variables: Variables): Mistake | undefined {
  const mistakes: Mistake[] = [];
  const look = (
    value: unknown,
    type: Parameters<typeof coerceInputValue>[1],
    name: (path: readonly string[]) => readonly string[],
  ) =>
    coerceInputValue(value, type, (path, _value, { message }) =>
      mistakes.push({ code: 'BAD_REQUEST', message, path: name(path.map(String)) }),
    );
  for (const { at, name, type, isRequired } of queryParameters(route)) {
    const value = at.reduce<unknown>((inner, step) => (inner as Variables | undefined)?.[step], variables);
    if (value !== undefined) look(value, type, (path) => [name, ...path]);
    else if (isRequired)
      mistakes.push({ code: 'BAD_REQUEST', message: `The query parameter ${name} is missing.`, path: [name] });
  }
  for (const { name, type } of route.query) {
    const named = getNamedType(type);
    // Each member can be left out, but not all of them, nor one without which the others say nothing.
    if (!isInputObjectType(named) || !(named.isOneOf || name in variables)) continue;
    look(variables[name] ?? {}, type, (path) => [[name, ...path].join('.')]);
  }
  const input = getNamedType(route.field.args[0]?.type);
  if (route.shape === 'CHANGE' && isInputObjectType(input)) look(variables['input'], input, (path) => path);
  return mistakes[0];
}

/** A parameter of the address, and where in the variables of the document its value belongs. */
interface QueryParameter {
  readonly name: string;
  readonly at: readonly string[];
  readonly type: GraphQLInputType;
  readonly isRequired: boolean;
  readonly description: string;
}

/** The one argument whose members are parameters without its name before them. */
const FILTER = 'filter';

const KNOWN = new WeakMap<RestRoute, readonly QueryParameter[]>();

/** The query parameters of a path: its field's arguments, members of objects as `start.from`. */
export function queryParameters(route: RestRoute): readonly QueryParameter[] {
  return KNOWN.getOrInsertComputed(route, parametersOfQuery);
}

const COUNTING: QueryParameter = {
  name: COUNT,
  at: [COUNT],
  type: GraphQLBoolean,
  isRequired: false,
  description: `Counts all, up to ${MOST_COUNTED}.`,
};

function parametersOfQuery({ query, counting }: RestRoute): readonly QueryParameter[] {
  const given = query.flatMap((argument) => {
    const { name, type, description } = argument;
    return parametersOf(
      name === FILTER ? '' : parameterNamed(name),
      [name],
      type,
      isRequired(argument),
      description ?? '',
    );
  });
  return counting ? [...given, COUNTING] : given;
}

function parametersOf(
  name: string,
  at: readonly string[],
  type: GraphQLInputType,
  required: boolean,
  description: string,
): QueryParameter[] {
  const named = getNamedType(type);
  if (!isInputObjectType(named)) return [{ name, at, type, isRequired: required, description }];
  return Object.values(named.getFields()).flatMap((member) =>
    parametersOf(
      name === '' ? member.name : `${name}.${member.name}`,
      [...at, member.name],
      member.type,
      required && isRequired(member),
      member.description ?? '',
    ),
  );
}

/** A token there counts as none, which GraphQL's door says (RFC 6750 §2.3). */
const CREDENTIALS = 'access_token';

/** The variables that an address gives. @throws Problem BAD_REQUEST naming the parameter that is wrong */
function variablesOfQuery(route: RestRoute, search: URLSearchParams): Record<string, unknown> {
  const known = queryParameters(route);
  const variables: Record<string, unknown> = {};
  for (const name of new Set(search.keys())) {
    if (name === CREDENTIALS) continue;
    const parameter = known.find((one) => one.name === name);
    if (!parameter) throw unknownParameter(name, known);
    const [text = '', ...more] = search.getAll(name);
    if (more.length > 0) {
      const advice = isMany(parameter.type) ? 'separate its values by commas' : 'give it once';
      throw new Problem('BAD_REQUEST', `The query parameter ${shown(name)} is there several times; ${advice}.`, [name]);
    }
    put(variables, parameter.at, valueOf(parameter, text));
  }
  const most = route.mostOnPage();
  if (most !== undefined) variables[PAGING.limit] = pageSize(variables[PAGING.limit], most);
  return variables;
}

/** How many a page has where nobody says: as in GraphQL, or all that is possible. */
export const USUAL_PAGE = 25;

function pageSize(asked: unknown, most: number): number {
  if (asked === undefined) return Math.min(USUAL_PAGE, most);
  if (typeof asked === 'number' && asked >= 1 && asked <= most) return asked;
  throw new Problem(
    'BAD_REQUEST',
    `limit is ${typeof asked === 'number' ? asked : shown(asked as string)}; give a whole number from 1 to ${most}.`,
    ['limit'],
  );
}

function unknownParameter(name: string, known: readonly QueryParameter[]): Problem {
  const names = known.map((one) => one.name).join(', ');
  const advice = names === '' ? 'there are none here' : `there are ${names}`;
  return new Problem('BAD_REQUEST', `There is no query parameter ${shown(name)}: ${advice}.`, [name]);
}

function isMany(type: GraphQLInputType): boolean {
  return isListType(getNullableType(type));
}

function valueOf({ type }: QueryParameter, text: string): unknown {
  if (isMany(type)) return text.split(',').map((one) => scalarOf(getNamedType(type).name, one));
  return scalarOf(getNamedType(type).name, text);
}

/** Reads a value by its type. A text that does not fit stays a text, which the document's type then refuses. */
function scalarOf(type: string, text: string): unknown {
  if (type === 'Int' && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (type === 'Boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function put(into: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) into[name] = value;
  else put((into[name] ??= {}) as Record<string, unknown>, rest, value);
}

function passedHeaders({ headers }: Pick<DocumentAnswer, 'headers'>): Headers {
  return Object.fromEntries(
    PASSED_HEADERS.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}

type Data = Readonly<Record<string, unknown>>;
type Headers = Readonly<Record<string, string>>;

/** The parts of a request that its answer depends on. */
export interface Asked {
  readonly route: RestRoute;
  readonly parameters: Readonly<Record<string, string>>;
  readonly variables: Data;
  readonly ifNoneMatch: string | undefined;
  /** How the caller wanted a change to be answered, where it is (RFC 7240 §3). */
  readonly applied: PreferredReturn | undefined;
  /** The reason why a mutation was refused, which says when to come back. */
  readonly refusal: Problem | undefined;
}

/** The answer of a path, from that of its document. */
function restAnswer(answer: DocumentAnswer, asked: Asked): Response {
  const { status, data, errors: [mistake] = [] } = answer;
  const passed = passedHeaders(answer);
  const { route } = asked;
  const payload = route.shape === 'CHANGE' && data?.[route.answeredAt[0] ?? ''];
  // A change is done once it has a payload, even if a part of what it was to show could not be read.
  if (payload) return changeAnswer(payload as Data, asked, passed);
  if (mistake) return requestRefused(status, mistake, asked, passed);
  return readAnswer(data ?? {}, asked, passed);
}

/** Answers a request that was wrong, or could not be carried out. */
function requestRefused(status: number, error: GraphQLFormattedError, asked: Asked, headers: Headers): Response {
  const { message, extensions = {} } = error;
  const { code, requiredScopes, missingScopes, id, argument, limit } = extensions as Data & { readonly code: string };
  const nothing = nothingNamed(asked.route, error);
  if (nothing) return errorAnswer(404, headers, { code: 'NOT_FOUND', message, path: [nothing] });
  const mistake = code === 'BAD_USER_INPUT' ? mistakeIn(asked.route, asked.variables) : undefined;
  const path = mistake?.path ?? parameterPath(argument);
  return errorAnswer(status === 200 ? statusOfRead(code) : status, headers, {
    code,
    message:
      mistake?.message ??
      (path?.[0] === 'cursor' ? 'cursor is none of this list; send the one that its `pagination` gave.' : message),
    ...(requiredScopes !== undefined && { requiredScopes }),
    ...(missingScopes !== undefined && { missingScopes }),
    ...(path && { path }),
    ...(id !== undefined && { id }),
    ...(limit !== undefined && { limit }),
  });
}

/** The parameter of the path that cannot name anything: an id of another kind. */
function nothingNamed({ steps }: RestRoute, { path = [], extensions = {} }: GraphQLFormattedError): string | undefined {
  const { argument } = extensions as { readonly argument?: readonly string[] };
  const step = steps.find(({ name }) => name === path.findLast((part) => typeof part === 'string'));
  return step?.bound[argument?.join('.') ?? ''] ?? step?.bound[argument?.[0] ?? ''];
}

function parameterPath(argument: unknown): readonly string[] | undefined {
  if (!Array.isArray(argument)) return undefined;
  const [first = '', ...rest] = argument as string[];
  return [parameterNamed(first), ...rest].filter((name) => name !== 'filter');
}

function readAnswer(data: Data, asked: Asked, headers: Headers): Response {
  const { route } = asked;
  let found: unknown = data;
  for (const [place, name] of route.answeredAt.entries()) {
    found = (found as Data)[name];
    if (found != null) continue;
    // The caller sees what the list belongs to, and not the list.
    const isList = route.shape === 'LIST' && place === route.answeredAt.length - 1 && place > 0;
    return isList ? errorAnswer(403, headers, NOT_ALLOWED) : errorAnswer(404, headers, NOTHING_HERE);
  }
  if (route.shape === 'FIRST') [found] = found as unknown[];
  if (found == null) return errorAnswer(404, headers, NOTHING_HERE);
  if (route.shape === 'LIST') {
    const { nodes, pageInfo, ...rest } = found as Data & Connection;
    const counts = Object.fromEntries(COUNTS.flatMap((name) => (name in rest ? [[name, rest[name]]] : [])));
    const pagination = { cursor: pageInfo.endCursor, hasMore: pageInfo.hasNextPage, ...counts };
    return json({ data: nodes, pagination }, 200, headers);
  }
  if (route.shape === 'ITEMS') return json({ data: found }, 200, headers);
  return oneAnswer(found, asked, headers);
}

interface Connection {
  readonly nodes: unknown[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
}

const NOT_ALLOWED = {
  code: 'FORBIDDEN',
  message:
    'You can see what this belongs to, but your role there does not show you this; ask somebody who administers it.',
};
const NOTHING_HERE = {
  code: 'NOT_FOUND',
  message: 'There is nothing at this address, or not for you; look at its ids, and at who you are.',
};

/** One thing, with a tag that begins with its last change where it has one: so `If-Match` can name that. */
function oneAnswer(found: unknown, { route, ifNoneMatch }: Asked, headers: Headers): Response {
  const text = JSON.stringify(route.isBare ? found : { data: found });
  const { updatedAt } = found as { readonly updatedAt?: string };
  const hash = sha256Base64url(text).slice(0, 16);
  const etag = updatedAt === undefined ? `"${hash}"` : `"${updatedAt};${hash}"`;
  const shared = { ...headers, ETag: etag, 'Cache-Control': 'private, no-cache', Vary: 'Authorization' };
  if (isAmong(ifNoneMatch ?? '', etag)) return new Response(null, { status: 304, headers: shared });
  return new Response(text, { headers: { ...shared, ...JSON_TYPE } });
}

function changeAnswer({ userErrors, ...payload }: Data, asked: Asked, headers: Headers): Response {
  const mistakes = (userErrors ?? []) as Mistake[];
  const [first] = mistakes;
  const { route, parameters, applied, refusal } = asked;
  if (first) {
    const details = mistakes.map(byHeader);
    return errorAnswer(
      statusOfMistake(route, first),
      { ...headers, ...(refusal && retryHeaders(refusal)) },
      { ...byHeader(first), ...(details.length > 1 && { details }) },
    );
  }
  const status = Object.keys(payload).length === 0 ? 204 : route.status;
  const preference = applied && { 'Preference-Applied': `return=${applied}` };
  const sentHeaders = { ...headers, ...preference };
  if (status === 204) return new Response(null, { status, headers: { ...NOT_STORED, ...sentHeaders } });
  return json({ data: payload }, status, { ...sentHeaders, ...location(route, parameters, payload) });
}

/** Messages name members that headers give; the answer names the headers. */
const SAID: Readonly<Record<keyof typeof BY_HEADER, readonly [RegExp, string]>> = {
  idempotencyKey: [/\bidempotencyKey\b/g, BY_HEADER.idempotencyKey],
  ifUpdatedAt: [/\bupdatedAt\b/g, 'ETag'],
};

/** A mistake of a header, which its caller knows by no other name. */
function byHeader(mistake: Mistake): Mistake {
  const [member = '', ...rest] = mistake.path ?? [];
  if (!isByHeader(member)) return mistake;
  const [word, name] = SAID[member];
  return { ...mistake, message: mistake.message.replaceAll(word, name), path: [BY_HEADER[member], ...rest] };
}

function location({ location: made }: RestRoute, parameters: Asked['parameters'], payload: Data): Headers {
  if (!made) return {};
  const id = made.at.reduce<unknown>((inner, name) => (inner as Data | null)?.[name], payload);
  if (typeof id !== 'string') return {};
  const named: Asked['parameters'] = { ...parameters, [made.parameter]: id };
  return { Location: made.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(named[name] ?? '')) };
}

const NOT_STORED = { 'Cache-Control': 'no-store' } as const;
const JSON_TYPE = { 'Content-Type': 'application/json', 'X-Content-Type-Options': 'nosniff' } as const;

function json(body: unknown, status: number, headers: Headers): Response {
  return new Response(JSON.stringify(body), { status, headers: { ...NOT_STORED, ...JSON_TYPE, ...headers } });
}

export function errorAnswer(status: number, headers: Headers, error: Data): Response {
  return json({ error }, status, headers);
}

/** Codes that say what is so now, rather than what is wrong with what was sent. */
const CONFLICTS: ReadonlySet<string> = new Set([
  'ALREADY_INVITED',
  'ALREADY_MEMBER',
  'ALREADY_VERIFIED',
  'DEFAULT_SCHEDULE',
  'LAST_OWNER',
  'RESERVATION_LIMIT_REACHED',
  'SCHEDULE_IN_USE',
  'SLOT_RESERVED',
  'TEAM_IN_USE',
] satisfies ProblemCode[]);

/** The HTTP status of a code of `userErrors`. */
export function restStatusOf(code: ProblemCode): number {
  if (code === 'FORBIDDEN') return 403;
  return CONFLICTS.has(code) || code.endsWith('_TAKEN') ? 409 : statusOfCode(code);
}

/**
 * The status for what a mutation refused: 412 where `If-Match` did not hold, and 422 where the body, rather than the address,
 * names what is not there.
 */
function statusOfMistake({ bound }: Pick<RestRoute, 'bound'>, { code, path: [named] = [] }: Mistake): number {
  if (code === 'CONFLICT' && named === 'ifUpdatedAt') return 412;
  if (code === 'NOT_FOUND' && named !== undefined && !(named in bound)) return 422;
  return restStatusOf(code);
}

/** The status for an error of a field that was read: what is wrong is in the address. */
function statusOfRead(code: string): number {
  if (!(code in PROBLEM_CODES)) return 500;
  const status = restStatusOf(code as ProblemCode);
  return status === 422 ? 400 : status;
}
