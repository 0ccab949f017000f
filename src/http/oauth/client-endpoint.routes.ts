/** oauth/ has the endpoints that clients call: token, introspection, revocation, metadata. Browsers go through screens/consent/. */
import type { IncomingMessage } from 'node:http';
import { type Context, Hono } from 'hono';
import { cors } from 'hono/cors';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { Problem } from '../../core/problem.ts';
import { unlessDatabaseIsSilent } from '../../database/database-away.ts';
import { failureOf, statusOf } from '../../database/failure.ts';
import type { Em } from '../../database/sql.ts';
import type { AuthorizationServer } from '../../oauth/authorization-server.ts';
import { isOAuthError, type OAuthError, oauthError } from '../../oauth/protocol/oauth-error.ts';
import type { TokenEndpointInput } from '../../oauth/protocol/tokens/token-request.ts';
import { rawQuery } from '../raw-query.ts';
import { readText } from '../request-body.ts';

/** What the routes of the authorization server need from the application around it. */
export interface EndpointSettings {
  /** The global EntityManager; each request works on a fork. */
  readonly em: Em;
  /** The network address that a request comes from. */
  readonly addressOf: (c: Context) => string;
  /** Logs a fault of ours under the id that the answer names. */
  readonly report: (error: unknown, id: string) => void;
}

/** An endpoint that clients post to. */
export interface ClientEndpoint {
  readonly path: string;
  /** Answers a request that was read; undefined is success with nothing to tell. */
  readonly answer: (
    em: Em,
    server: AuthorizationServer,
    input: TokenEndpointInput,
    address: string,
  ) => Promise<object | undefined>;
  /** Whether apps without a server of their own call it from a browser. */
  readonly isOpenToScripts: boolean;
}

/** RFC 6749 §5.1: on errors too, so that no cache ever holds a token or gives an old refusal. */
const NEVER_STORED = { 'Cache-Control': 'no-store', Pragma: 'no-cache', 'X-Content-Type-Options': 'nosniff' };
const AWAY = {
  ...oauthError('temporarily_unavailable', 'The database cannot be reached; nothing was done, so try again.'),
  retryAfterSeconds: 5,
};

/** Scripts of any site may call, without credentials of the browser: what counts is in the body. */
export const openToScripts = cors({
  origin: '*',
  allowHeaders: ['Authorization', 'Content-Type'],
  exposeHeaders: ['WWW-Authenticate', 'Retry-After'],
  maxAge: 600,
});

/** The routes of an endpoint: reading, headers and errors are the same for all. */
export function clientEndpoint(
  settings: EndpointSettings,
  server: AuthorizationServer,
  { path, answer, isOpenToScripts }: ClientEndpoint,
): Hono {
  const routes = new Hono();
  if (isOpenToScripts) routes.use(path, openToScripts);
  routes.post(path, async (c) => {
    const input = await readInput(c);
    if (isOAuthError(input)) return errorAnswer(c, input);
    const body = await unlessDatabaseIsSilent(() => answer(settings.em.fork(), server, input, settings.addressOf(c)));
    if (isOAuthError(body)) return errorAnswer(c, body);
    // RFC 7009 §2.2: the content of a revocation's answer is ignored, but some clients take nothing that is not JSON.
    return c.json(body ?? {}, 200, NEVER_STORED);
  });
  routes.all(path, (c) => {
    const error = oauthError('invalid_request', `${path} takes POST; send the request that way.`, 405);
    return errorAnswer(c, error, { Allow: isOpenToScripts ? 'POST, OPTIONS' : 'POST' });
  });
  routes.onError((error, c) => errorAnswer(c, asOAuthError(error, settings)));
  return routes;
}

async function readInput(c: Context): Promise<TokenEndpointInput | OAuthError> {
  const { headers } = c.req.raw;
  try {
    return {
      contentType: headers.get('content-type') ?? undefined,
      body: await readText(c.req.raw),
      query: rawQuery(c),
      authorization: authorizationOf(c),
    };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return oauthError('invalid_request', error.message, statusOf(error));
  }
}

/** Node keeps the first of several headers and hides the others; together they are no credentials. */
function authorizationOf(c: Context): string | undefined {
  const { req } = (c.env ?? {}) as { req?: IncomingMessage };
  const distinct = req?.headersDistinct?.['authorization'];
  return distinct ? distinct.join(', ') : (c.req.header('authorization') ?? undefined);
}

function errorAnswer(c: Context, error: OAuthError, headers: Readonly<Record<string, string>> = {}): Response {
  return c.json({ error: error.error, error_description: error.description }, error.status as ContentfulStatusCode, {
    ...NEVER_STORED,
    ...(error.status === 401 && { 'WWW-Authenticate': 'Basic realm="Gatehouse", charset="UTF-8"' }),
    ...(error.retryAfterSeconds !== undefined && { 'Retry-After': String(error.retryAfterSeconds) }),
    ...headers,
  });
}

function asOAuthError(error: unknown, { report }: EndpointSettings): OAuthError {
  const { kind, status, message } = failureOf(error, report);
  if (kind === 'AWAY') return AWAY;
  return kind === 'PROBLEM' ? oauthError('invalid_request', message, status) : oauthError('server_error', message);
}
