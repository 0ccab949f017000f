import type { GraphQLFormattedError } from 'graphql';
import type { Mistake, Problem } from '../../core/problem.ts';
import { sha256Base64url } from '../../core/secret.ts';
import { retryHeaders } from '../../database/failure.ts';
import type { InsideAnswer } from '../../graphql/inside.ts';
import { isAmong } from '../../screens/kit/page-response.ts';
import { parameterNamed } from './chain.ts';
import { mistakeIn } from './request.ts';
import { BY_HEADER, isByHeader, type RestRoute } from './route.ts';
import { statusOfMistake, statusOfRead } from './status.ts';

/** These headers of the GraphQL answer are the caller's business. */
export const PASSED_HEADERS = [
  'WWW-Authenticate',
  'Retry-After',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Deprecation',
  'Sunset',
  'Link',
];

export function passedHeaders({ headers }: Pick<InsideAnswer, 'headers'>): Headers {
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
  /** Whether what was changed is to be shown (RFC 7240 §4.2). */
  readonly isShown: boolean;
  /** The reason why a mutation was refused, which says when to come back. */
  readonly refusal: Problem | undefined;
}

/** The answer of a path, from that of its document. */
export function restAnswer(answer: InsideAnswer, asked: Asked): Response {
  const { status, data, errors: [mistake] = [] } = answer;
  const passed = passedHeaders(answer);
  if (mistake) return requestRefused(status, mistake, asked, passed);
  const { route } = asked;
  if (route.shape === 'CHANGE') return changeAnswer((data?.[route.answeredAt[0] ?? ''] ?? {}) as Data, asked, passed);
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
  return step?.bound[argument?.[0] ?? ''];
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
    const { nodes, pageInfo } = found as { nodes: unknown[]; pageInfo: { hasNextPage: boolean; endCursor: string } };
    const pagination = { cursor: pageInfo.endCursor, hasMore: pageInfo.hasNextPage };
    return json({ data: nodes, pagination }, 200, headers);
  }
  if (route.shape === 'ITEMS') return json({ data: found }, 200, headers);
  return oneAnswer(found, asked, headers);
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
  const { route, parameters, isShown, refusal } = asked;
  if (first) {
    const details = mistakes.map(byHeader);
    return errorAnswer(
      statusOfMistake(route, first),
      { ...headers, ...(refusal && retryHeaders(refusal)) },
      { ...byHeader(first), ...(details.length > 1 && { details }) },
    );
  }
  const status = Object.keys(payload).length === 0 ? 204 : route.status;
  if (status === 204) return new Response(null, { status, headers: { ...NOT_STORED, ...headers } });
  const applied = isShown && route.showing ? { 'Preference-Applied': 'return=representation' } : {};
  return json({ data: payload }, status, { ...headers, ...applied, ...location(route, parameters, payload) });
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
