import { coerceInputValue, getNamedType, isInputObjectType } from 'graphql';
import type { Context } from 'hono';
import { instantFrom } from '../../core/instant.ts';
import { type Mistake, Problem } from '../../core/problem.ts';
import { shown } from '../../core/text.ts';
import { isJson, readText } from '../request-body.ts';
import { queryParameters, variablesOfQuery } from './query-parameters.ts';
import { BY_HEADER, bodyOf, type RestRoute, takes } from './route.ts';

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
  const value = parsed(text);
  const known = bodyOf(route);
  const strange = Object.keys(value).find((given) => !known.some(({ name }) => name === given));
  if (strange === undefined) return value;
  throw new Problem('BAD_REQUEST', `${shown(strange)} is no member of the body here: ${otherwise(route, strange)}.`, [
    strange,
  ]);
}

function parsed(text: string): Variables {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Problem('BAD_REQUEST', 'The body is not valid JSON; send an object.');
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Variables;
  throw new Problem('BAD_REQUEST', 'The body is no JSON object; send one with the members that this path takes.');
}

function otherwise(route: RestRoute, name: string): string {
  if (Object.hasOwn(route.bound, name)) return 'the address gives it';
  if (Object.hasOwn(BY_HEADER, name) && takes(route, name as keyof typeof BY_HEADER)) {
    return `the header ${BY_HEADER[name as keyof typeof BY_HEADER]} gives it`;
  }
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

/** `If-Match` (RFC 9110 §13.1.1): our tags of things begin with the time of their last change. */
function lastSeen(route: RestRoute, { req }: Context): Variables {
  const sent = req.header('if-match')?.trim();
  if (sent === undefined || sent === '*') return {};
  if (!takes(route, 'ifUpdatedAt')) {
    throw new Problem('BAD_REQUEST', 'This path takes no If-Match: leave the header out.', ['If-Match']);
  }
  const [, time] = /^"([^",;]*)(?:;[^",]*)?"$/.exec(sent) ?? [];
  if (time !== undefined && instantFrom(time)) return { ifUpdatedAt: time };
  throw new Problem('CONFLICT', 'If-Match is not the one ETag that reading this gave; read it again, and send that.', [
    'If-Match',
  ]);
}

/** What of the variables does not fit its type, in the words of the request; GraphQL's door has refused it. */
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
  const input = getNamedType(route.field.args[0]?.type);
  if (route.shape === 'CHANGE' && isInputObjectType(input)) look(variables['input'], input, (path) => path);
  return mistakes[0];
}
