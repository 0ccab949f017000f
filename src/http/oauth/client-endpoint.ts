/**
 * oauth/ has the endpoints that clients call: token, introspection, revocation, metadata. Browsers go through screens/consent/.
 *
 * An endpoint that clients post to, from plain values to plain values: what differs between the doors that lead here
 * (client-endpoint.routes.ts, client-endpoint.listener.ts) is only where the values come from and go to.
 */
import { Problem } from '../../core/problem.ts';
import { unlessDatabaseIsSilent } from '../../database/database-away.ts';
import { failureOf, type Report, statusOf } from '../../database/failure.ts';
import type { Em } from '../../database/sql.ts';
import type { AuthorizationServer } from '../../oauth/authorization-server.ts';
import { isOAuthError, type OAuthError, oauthError } from '../../oauth/protocol/oauth-error.ts';
import type { TokenEndpointInput } from '../../oauth/protocol/token-request.ts';
import { type SentBody, textOf } from '../../screens/kit/request.ts';

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

export interface ClientEndpointSettings {
  /** A fork that all requests share: they load nothing into it, and a transaction has a fork of its own. */
  readonly em: Em;
  readonly server: AuthorizationServer;
  /** Logs a fault of ours under the id that the answer names. */
  readonly report: Report;
}

export interface SentRequest extends Pick<TokenEndpointInput, 'contentType' | 'query' | 'authorization'> {
  readonly method: string;
  readonly body: SentBody;
  /** The network address that it comes from. */
  readonly address: string;
}

export interface PlainAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Scripts of any site may read these headers of an answer. */
export const EXPOSED_HEADERS = ['WWW-Authenticate', 'Retry-After'] as const;

/** RFC 6749 §5.1: on errors too, so that no cache ever holds a token or gives an old refusal. */
const NEVER_STORED = {
  'cache-control': 'no-store',
  'content-type': 'application/json',
  pragma: 'no-cache',
  'x-content-type-options': 'nosniff',
};
const OPEN_TO_SCRIPTS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED_HEADERS.join(','),
  ...NEVER_STORED,
};
const AWAY = {
  ...oauthError('temporarily_unavailable', 'The database cannot be reached; nothing was done, so try again.'),
  retryAfterSeconds: 5,
};

/** A refresh token is answered with the same pair when it is sent again, and so is a revocation. */
const IN_DOUBT = {
  ...oauthError(
    'temporarily_unavailable',
    'The database was lost before it said whether this was done, so it may have been; send the same request again. If a code is refused then, it was used up: send the user through authorization again.',
  ),
  retryAfterSeconds: 5,
};

/** Never rejects: whatever happens is an answer. */
export async function answerClient(
  { em, server, report }: ClientEndpointSettings,
  endpoint: ClientEndpoint,
  sent: SentRequest,
): Promise<PlainAnswer> {
  if (sent.method !== 'POST') return wrongMethod(endpoint);
  try {
    const input = await inputOf(sent);
    // Counted with the requests of unknown clients: it comes from none that has shown who it is.
    if (isOAuthError(input)) return errorAnswer(endpoint, await server.clientGuesses.failed('', sent.address, input));
    const found = await unlessDatabaseIsSilent(() => endpoint.answer(em, server, input, sent.address), {
      mayChange: true,
    });
    if (isOAuthError(found)) return errorAnswer(endpoint, found);
    // RFC 7009 §2.2: the content of a revocation's answer is ignored, but some clients take nothing that is not JSON.
    return plainAnswer(endpoint, 200, found ?? {});
  } catch (error) {
    return errorAnswer(endpoint, asOAuthError(error, report));
  }
}

async function inputOf({ body, ...sent }: SentRequest): Promise<TokenEndpointInput | OAuthError> {
  try {
    return { ...sent, body: await textOf(body) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return oauthError('invalid_request', error.message, statusOf(error));
  }
}

function wrongMethod(endpoint: ClientEndpoint): PlainAnswer {
  const error = oauthError('invalid_request', `${endpoint.path} takes POST; send the request that way.`, 405);
  return errorAnswer(endpoint, error, { allow: endpoint.isOpenToScripts ? 'POST, OPTIONS' : 'POST' });
}

function errorAnswer(
  endpoint: ClientEndpoint,
  { error, description, status, retryAfterSeconds }: OAuthError,
  headers: Readonly<Record<string, string>> = {},
): PlainAnswer {
  return plainAnswer(
    endpoint,
    status,
    { error, error_description: description },
    {
      ...(status === 401 && { 'www-authenticate': 'Basic realm="Gatehouse", charset="UTF-8"' }),
      ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
      ...headers,
    },
  );
}

function plainAnswer(
  { isOpenToScripts }: ClientEndpoint,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): PlainAnswer {
  const text = JSON.stringify(body);
  const always = isOpenToScripts ? OPEN_TO_SCRIPTS : NEVER_STORED;
  return { status, headers: { ...always, ...headers, 'content-length': String(Buffer.byteLength(text)) }, text };
}

function asOAuthError(error: unknown, report: Report): OAuthError {
  const { kind, status, message } = failureOf(error, report);
  if (kind === 'AWAY') return AWAY;
  if (kind === 'IN_DOUBT') return IN_DOUBT;
  return kind === 'PROBLEM' ? oauthError('invalid_request', message, status) : oauthError('server_error', message);
}
