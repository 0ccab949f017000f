import { row, sql } from '../../../src/database/sql.ts';
import { scopesOf } from '../../../src/http/rest/openapi.ts';
import { BY_HEADER, type RestRoute } from '../../../src/http/rest/route.ts';
import { restRoutesOf } from '../../../src/http/rest/table.ts';
import { buildSchemas } from '../../../src/schema.ts';
import { openTestApi, type TestApi } from '../../support/api.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { APP, tokensFor } from '../../support/oauth-requests.ts';
import { TestBrowser } from '../../support/test-browser.ts';
import { type ValidInput, validInputs } from '../every-mutation/valid-inputs.ts';

const { rules } = buildSchemas().forTokens;

export const ROUTES = restRoutesOf(rules);
export const READS = ROUTES.filter(({ shape }) => shape !== 'CHANGE');
export const CHANGES = ROUTES.filter(({ shape }) => shape === 'CHANGE');

/** The name of a test that is about one path. */
export const named = (routes: readonly RestRoute[]) =>
  routes.map((route) => [`${route.method} ${route.path}`, route] as const);

export const scopesFor = (route: RestRoute): readonly string[] => scopesOf(route, rules);

export interface Sent {
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  readonly body: any;
}

/** The service over HTTP, and the same database without it. */
export class RestWorld {
  readonly app: TestApp;
  readonly api: TestApi;
  readonly valid: (name: string) => Promise<ValidInput>;
  readonly #browsers = new Map<string, Promise<TestBrowser>>();
  readonly #tokens = new Map<string, Promise<string>>();

  static async open(env: Record<string, string> = {}): Promise<RestWorld> {
    const api = await openTestApi();
    return new RestWorld(api, await startTestApp(env, { database: api.database }));
  }

  private constructor(api: TestApi, app: TestApp) {
    this.api = api;
    this.app = app;
    this.valid = validInputs(api);
  }

  close(): Promise<void> {
    return this.app.close();
  }

  /** An access token of somebody of the demo with these scopes. */
  token(username: string, scopes: readonly string[]): Promise<string> {
    const scope = scopes.length === 0 ? 'VERIFIED_RESOURCES_READ' : scopes.join(' ');
    return this.#tokens.getOrInsertComputed(`${username} ${scope}`, async () => {
      const browser = await this.#browsers.getOrInsertComputed(username, () => this.#signIn(username));
      return (await tokensFor(browser, APP, { scope })).access_token;
    });
  }

  /** Whom a test has made has no password yet. */
  async #signIn(username: string): Promise<TestBrowser> {
    const em = this.api.database.em.fork();
    const ofAda = sql`(select password_hash from users where username = 'ada')`;
    const named = await row(
      em,
      sql<{ email: string }>`update users set password_hash = ${ofAda} where username = ${username} returning email`,
    );
    return TestBrowser.signedIn(this.app.url, named?.email ?? '');
  }

  async send(method: string, path: string, { token, headers, body }: Sent = {}): Promise<Answered> {
    const response = await fetch(`${this.app.url}${path}`, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  }

  get(path: string, token?: string): Promise<Answered> {
    return this.send('GET', path, { token });
  }

  /** A document as it is, as the same caller. */
  async document(text: string, variables: Record<string, unknown>, token?: string) {
    return this.app.graphql(text, { token, variables });
  }

  /** The id of the demo's team or organization of this slug. */
  async groupId(of: 'teams' | 'organizations', slug: string): Promise<string> {
    const token = await this.token('ada', ['TEAM_PROFILE_READ', 'ORG_PROFILE_READ']);
    const { body } = await this.get(`/v2/${of}`, token);
    return body.data.find((one: { slug: string }) => one.slug === slug).id;
  }
}

/** An address of a path, with the values of its parameters. */
export function addressOf({ path }: Pick<RestRoute, 'path'>, values: Readonly<Record<string, unknown>>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values[name])));
}

/** A mutation's input as the path takes it. */
export function asRequest(route: RestRoute, input: Readonly<Record<string, unknown>>): { path: string; body: object } {
  const values = Object.fromEntries(Object.entries(route.bound).map(([member, name]) => [name, input[member]]));
  const rest = Object.entries(input).filter(([member]) => !(member in route.bound) && !(member in BY_HEADER));
  return { path: addressOf(route, values), body: Object.fromEntries(rest) };
}
