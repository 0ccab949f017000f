import type { IncomingMessage } from 'node:http';
import type { BlockList } from 'node:net';
import { queryPairs } from '../core/text.ts';
import { isDatabaseAway, unlessDatabaseIsSilent } from '../database/database-away.ts';
import { AWAY } from '../database/failure.ts';
import type { Em } from '../database/sql.ts';
import type { Authenticate, Authentication, Caller, RefusedCredentials } from '../graphql/context.ts';
import { readBearer } from '../oauth/protocol/bearer.ts';
import { isOAuthError } from '../oauth/protocol/oauth-error.ts';
import { stillLetIn } from '../oauth/stopped/stop-things.ts';
import type { BearerTokens, Principal } from '../oauth/tokens/bearer.ts';
import {
  credentialsChallenge,
  invalidRequestChallenge,
  invalidTokenChallenge,
  type ProtectedResource,
} from '../scopes/www-authenticate.ts';
import { countOf } from '../screens/kit/request.ts';
import { requestOrigin, type Visitors } from '../screens/kit/visitors.ts';
import { addressOfIncoming, clientAddress } from './client-address.ts';

export interface ApiCallerSettings {
  readonly em: Em;
  readonly bearerTokens: BearerTokens;
  readonly visitors: Visitors;
  readonly publicUrl: string;
  readonly resource: ProtectedResource;
  readonly trustedProxies: BlockList;
}

/** Finds out who calls the API: the bearer of an access token, a signed-in session, or nobody. */
export function apiCaller(settings: ApiCallerSettings): Authenticate {
  return async (request, server) => {
    const { req } = server as { req?: IncomingMessage };
    const address = clientAddress(
      req?.socket.remoteAddress,
      request.headers.get('x-forwarded-for'),
      settings.trustedProxies,
    );
    return { caller: await callerOf(settings, request, req), address } satisfies Authentication;
  };
}

/**
 * Recalls callers who are known at once: anonymous ones, and bearers of a token that was seen before. Undefined for all
 * others, and for whatever has to be refused.
 */
export function recallCaller({
  bearerTokens,
  trustedProxies,
}: ApiCallerSettings): (request: IncomingMessage) => Authentication | undefined {
  return (request) => {
    if (request.headers.authorization !== undefined && hasTokenInAddress(request.url ?? '')) return undefined;
    const caller = recalled(bearerTokens, request.headers, request.rawHeaders);
    return caller && { caller, address: addressOfIncoming(request, trustedProxies) };
  };
}

/** Whether there is a token in the address: beside one in a header, it is one too many (RFC 6750 §2). */
function hasTokenInAddress(address: string): boolean {
  return queryPairs(address).some(([name]) => name === 'access_token');
}

/** The one way of writing it that nearly everybody uses. */
const BEARER = 'Bearer ';

function recalled(
  bearerTokens: BearerTokens,
  { authorization, cookie }: IncomingMessage['headers'],
  rawHeaders: readonly string[],
): Caller | undefined {
  if (authorization === undefined) return cookie === undefined ? { kind: 'anonymous' } : undefined;
  // Node keeps the first and drops the others.
  if (!authorization.startsWith(BEARER) || countOf(rawHeaders, 'authorization') > 1) return undefined;
  const principal = bearerTokens.recall(authorization.slice(BEARER.length));
  if (!principal || isOAuthError(principal)) return undefined;
  return tokenCaller(principal);
}

async function callerOf(
  settings: ApiCallerSettings,
  request: Request,
  incoming: IncomingMessage | undefined,
): Promise<Caller | RefusedCredentials> {
  try {
    const presented = readBearer(authorizationHeaders(request, incoming), hasTokenInAddress(request.url));
    switch (presented.kind) {
      case 'TOKEN':
        return await bearerOf(settings, presented.token);
      case 'REFUSED':
        return presented.error.error === 'invalid_token'
          ? invalidToken(settings.resource, presented.error.description)
          : unusable(settings.resource, presented.error.description);
      case 'FOREIGN':
        return foreignScheme(settings.resource);
      case 'ABSENT':
        return await visitorOf(settings, request);
    }
  } catch (error) {
    if (isDatabaseAway(error)) return DATABASE_AWAY;
    throw error;
  }
}

/** Node joins or drops repeated headers; the distinct list shows whether there were two (RFC 6750 §2). */
function authorizationHeaders(request: Request, incoming: IncomingMessage | undefined): readonly string[] {
  const distinct = incoming?.headersDistinct['authorization'];
  if (distinct) return distinct;
  const header = request.headers.get('authorization');
  return header === null ? [] : [header];
}

async function bearerOf(
  { bearerTokens, em, resource }: ApiCallerSettings,
  token: string,
): Promise<Caller | RefusedCredentials> {
  const principal =
    bearerTokens.recall(token) ?? (await unlessDatabaseIsSilent(() => bearerTokens.authenticate(em.fork(), token)));
  if (isOAuthError(principal)) return invalidToken(resource, principal.description);
  return tokenCaller(principal);
}

function tokenCaller({ userId, clientId, grantId, held, isUnverified }: Principal): Caller {
  const standing = isUnverified ? stillLetIn(userId, { grantId }) : undefined;
  return { kind: 'token', userId, clientId, grantId, held, standing };
}

/**
 * A session's cookie comes along with whatever any site makes the browser send, so it is taken by POST alone, and not from
 * another site's page. A GET with it is refused whatever its headers say: links, frames and old browsers send it with none.
 */
async function visitorOf(
  { visitors, publicUrl }: ApiCallerSettings,
  request: Request,
): Promise<Caller | RefusedCredentials> {
  const session = await unlessDatabaseIsSilent(() => visitors.sessionOf(request));
  if (!session) return { kind: 'anonymous' };
  if (request.method !== 'POST') return SESSION_BY_GET;
  const origin = requestOrigin(request.headers, publicUrl);
  if (origin === 'foreign' || origin === 'opaque') return FOREIGN_PAGE;
  const { id: sessionId, userId, isAdministrator, isEmailVerified } = session;
  const standing = isEmailVerified ? undefined : stillLetIn(userId, { sessionId });
  return { kind: 'session', userId, sessionId, isAdministrator, standing };
}

function invalidToken(resource: ProtectedResource, description: string): RefusedCredentials {
  const headers = { 'WWW-Authenticate': invalidTokenChallenge(resource, description) };
  return { kind: 'refused', status: 401, code: 'UNAUTHENTICATED', message: description, headers };
}

function foreignScheme(resource: ProtectedResource): RefusedCredentials {
  const message =
    'The Authorization header is of another scheme than Bearer; send Bearer, a space and an access token, or none.';
  const headers = { 'WWW-Authenticate': credentialsChallenge(resource) };
  return { kind: 'refused', status: 401, code: 'UNAUTHENTICATED', message, headers };
}

function unusable(resource: ProtectedResource, description: string): RefusedCredentials {
  const headers = { 'WWW-Authenticate': invalidRequestChallenge(resource, description) };
  return { kind: 'refused', status: 400, code: 'BAD_REQUEST', message: description, headers };
}

const FOREIGN_PAGE: RefusedCredentials = {
  kind: 'refused',
  status: 403,
  code: 'FOREIGN_REQUEST',
  message: 'A signed-in session is taken from this service’s own pages only; other apps use an access token.',
  headers: {},
};

const SESSION_BY_GET: RefusedCredentials = {
  ...FOREIGN_PAGE,
  message:
    'A signed-in session is not taken by GET, which any site can have a browser send: send the query by POST, or without the cookie.',
};

const DATABASE_AWAY: RefusedCredentials = { ...AWAY, kind: 'refused' };
