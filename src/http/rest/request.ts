import {
  coerceInputValue,
  GraphQLBoolean,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
} from 'graphql';
import type { Context } from 'hono';
import { instantFrom } from '../../core/instant.ts';
import { holdsMore, namesIn } from '../../core/json-text.ts';
import { MOST_COUNTED } from '../../core/page.ts';
import { type Mistake, Problem } from '../../core/problem.ts';
import { shown } from '../../core/text.ts';
import { MOST_BODY_VALUES } from '../../graphql/request.ts';
import { isInUtf8, isJson, readText } from '../../screens/kit/request.ts';
import {
  BY_HEADER,
  bodyOf,
  COUNT,
  isByHeader,
  isRequired,
  PAGING,
  parameterNamed,
  type RestRoute,
  takes,
} from './route.ts';

/** A booking form with all that it can ask is some 200 KiB. */
export const MAX_REST_BODY_BYTES = 512 * 1024;

type Variables = Readonly<Record<string, unknown>>;

/** The variables of a path's document, as a request gives them. @throws Problem BAD_REQUEST, CONFLICT, UNSUPPORTED_MEDIA_TYPE, BODY_TOO_LARGE */
export async function variablesOf(route: RestRoute, c: Context): Promise<Variables> {
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
export function otherTimesSeen({ req }: Context): readonly string[] {
  return timesSeen(req.header('if-match') ?? '').slice(1);
}

/** Our tags of things begin with the time of their last change. The comparison is strong: weak ones are none of ours. */
function timesSeen(ifMatch: string): string[] {
  const tags = [...ifMatch.matchAll(/(W\/)?"([^"]*)"/g)].filter(([, weak]) => weak === undefined);
  const times = tags.map(([, , tag = '']) => tag.split(';', 1)[0] ?? '');
  return [...new Set(times)].filter((time) => instantFrom(time) !== undefined);
}

/** Finds the variable that does not fit its type, in the words of the request; GraphQL's door has refused it. */
export function mistakeIn(route: RestRoute, variables: Variables): Mistake | undefined {
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
