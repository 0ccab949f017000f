import { checksum } from '../../../src/core/secret.ts';
import {
  APP,
  basic,
  CLI,
  codeFor,
  type Fields,
  FORM,
  formOf,
  NARROW,
  PKCE,
  tokensFor,
  VERIFIER,
} from '../../support/oauth-requests.ts';
import type { TestBrowser } from '../../support/test-browser.ts';

/** Live credentials that a request may use or abuse. */
export interface Given {
  /** A code of the confidential client, with PKCE. */
  readonly code: string;
  /** The same without PKCE. */
  readonly plainCode: string;
  /** A code of the public client. */
  readonly cliCode: string;
  readonly refreshToken: string;
  readonly cliRefreshToken: string;
  /** A token of a client with two scopes, granted one. */
  readonly narrowRefreshToken: string;
  readonly accessToken: string;
}

/** One request to an endpoint that clients post to. */
export interface Sent {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>> | readonly (readonly [string, string])[];
  readonly body?: string | Uint8Array;
}

/** A request whose body is text. */
type FormSent = Sent & { readonly body: string };

/** The mistake, the request, and how it is refused. */
export type Row = readonly [name: string, request: (given: Given) => Sent, status: number, error: string];

export async function giveCredentials(browser: TestBrowser): Promise<Given> {
  const tokens = await tokensFor(browser, APP);
  return {
    refreshToken: tokens.refresh_token,
    accessToken: tokens.access_token,
    cliRefreshToken: (await tokensFor(browser, CLI)).refresh_token,
    narrowRefreshToken: (await tokensFor(browser, NARROW)).refresh_token,
    code: await codeFor(browser, APP, PKCE),
    plainCode: await codeFor(browser, APP),
    cliCode: await codeFor(browser, CLI, PKCE),
  };
}

const { redirect_uri: _, ...APP_LOGIN } = APP;

/** A good exchange of the code with PKCE, with changes. */
export function exchangeOf({ code }: Given, changes: Fields = {}): Fields {
  return { ...APP, grant_type: 'authorization_code', code, code_verifier: VERIFIER, ...changes };
}

export function plainExchangeOf({ plainCode }: Given, changes: Fields = {}): Fields {
  return { ...APP, grant_type: 'authorization_code', code: plainCode, ...changes };
}

export function cliExchangeOf({ cliCode }: Given, changes: Fields = {}): Fields {
  return { ...CLI, grant_type: 'authorization_code', code: cliCode, code_verifier: VERIFIER, ...changes };
}

export function refreshOf({ refreshToken }: Given, changes: Fields = {}): Fields {
  return { ...APP_LOGIN, grant_type: 'refresh_token', refresh_token: refreshToken, ...changes };
}

type Changes = Fields | ((given: Given) => Fields);
type Headers = Readonly<Record<string, string>>;

/** The same as a form, for a row: `added` is written behind it as it stands. */
export const exchange = asForm(exchangeOf);
export const plainExchange = asForm(plainExchangeOf);
export const cliExchange = asForm(cliExchangeOf);
export const refreshing = asForm(refreshOf);

function asForm(fieldsOf: (given: Given, changes: Fields) => Fields) {
  return (changes: Changes = {}, added = '', headers: Headers = {}) =>
    (given: Given): Sent =>
      form(fieldsOf(given, typeof changes === 'function' ? changes(given) : changes), added, headers);
}

export function form(fields: Fields, added = '', headers: Headers = {}): FormSent {
  return { headers: { 'content-type': FORM, ...headers }, body: formOf(fields) + added };
}

export function json(body: unknown): Sent {
  return {
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
}

/** The fields without credentials in the body, and any Authorization headers. */
export function withAuthorization(fields: Fields, ...authorization: readonly string[]): Sent {
  const { client_id: _id, client_secret: _secret, ...rest } = fields;
  const headers = authorization.map((value) => ['authorization', value] as const);
  return { headers: [['content-type', FORM], ...headers], body: formOf(rest) };
}

export const APP_BASIC = basic(APP.client_id, APP.client_secret);

/** A text of the form of a refresh token, whose checksum fits. */
export function forgedRefreshToken(token: string, change: (body: string) => string): string {
  const body = change(token.slice(0, -6));
  return body + checksum(body);
}
