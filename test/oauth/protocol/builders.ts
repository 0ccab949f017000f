import { parseAuthorizeRequest } from '../../../src/oauth/protocol/authorize-request.ts';
import type { Client } from '../../../src/oauth/protocol/client.ts';
import { challengeOf } from '../../../src/oauth/protocol/pkce.ts';
import { parseTokenRequest } from '../../../src/oauth/protocol/token-request.ts';

export const ISSUER = 'https://gatehouse.example';
export const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
export const CHALLENGE = challengeOf(VERIFIER);
export const KEY = new Uint8Array(32).fill(7);
/** Ids of rows, and their bytes as codes and tokens carry them: with both characters that base64url has beside letters and digits. */
export const INTERACTION_ID = '01934b9f-bfff-7def-8003-456789abcdef';
export const ENCODED_INTERACTION_ID = 'AZNLn7__fe-AA0VniavN7w';
export const GRANT_ID = '01934b9f-bfff-7def-8003-456789abcdee';
export const ENCODED_GRANT_ID = 'AZNLn7__fe-AA0VniavN7g';

export function aClient(changes: Partial<Client> = {}): Client {
  return {
    clientId: 'app-1',
    type: 'CONFIDENTIAL',
    status: 'APPROVED',
    name: 'App',
    developerName: 'Ada',
    purpose: 'Shows bookings.',
    logoUrl: null,
    websiteUrl: null,
    redirectUris: ['https://app.example/cb'],
    scopes: ['PROFILE_READ', 'BOOKING_READ'],
    legacy: false,
    requiresPkce: false,
    ...changes,
  };
}

type Fields = Readonly<Record<string, string | undefined>>;

/** A good authorization request with some parameters changed, or left out where the change is undefined. */
export function aQuery(changes: Fields = {}): string {
  return formOf({
    response_type: 'code',
    client_id: 'app-1',
    redirect_uri: 'https://app.example/cb',
    scope: 'PROFILE_READ',
    state: 'xyz',
    ...changes,
  });
}

/** The same, parsed; `rawSuffix` is added to the query as it is. */
export function aRequest(changes: Fields = {}, rawSuffix = '') {
  return expectValue(parseAuthorizeRequest(aQuery(changes) + rawSuffix));
}

/** A good code exchange with some parameters changed. */
export function anExchange(changes: Fields = {}) {
  return expectValue(
    parseTokenRequest(
      aForm(
        formOf({
          client_id: 'app-1',
          client_secret: 'secret',
          grant_type: 'authorization_code',
          code: 'gh_code_x',
          redirect_uri: 'https://app.example/cb',
          ...changes,
        }),
      ),
    ),
  );
}

export function aForm(body: string, authorization?: string) {
  return { contentType: 'application/x-www-form-urlencoded', body, query: '', authorization };
}

export function aJson(body: string, authorization?: string) {
  return { contentType: 'application/json', body, query: '', authorization };
}

export function basic(clientId: string, secret: string): string {
  return `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`;
}

function formOf(fields: Fields): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value ?? '')}`)
    .join('&');
}

export function at(seconds: number): Temporal.Instant {
  return Temporal.Instant.from('2026-11-20T10:00:00Z').add({ milliseconds: Math.round(seconds * 1_000) });
}

/** The value of a parser that must have succeeded here. */
export function expectValue<T extends object>(value: T): Exclude<T, { readonly error: string }> {
  if ('error' in value) throw new Error(`Expected a value, got ${JSON.stringify(value)}`);
  return value as Exclude<T, { readonly error: string }>;
}
