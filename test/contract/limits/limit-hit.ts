/** Reaches a limit from outside. A file beside this one exports `hits`, by the ids of their rows. */
import { DEMO_PASSWORD, type TestApp } from '../../support/app.ts';
import { FORM, formOf } from '../../support/oauth-requests.ts';
import { type RawRequest, send } from '../../support/raw-http.ts';
import type { Limit } from './limit-table.ts';

/** An answer as a client branches on it. */
export interface Outcome {
  readonly status: number;
  /** The code of the error, or of the first `userError`. */
  readonly code: string | undefined;
  readonly retryAfterInSeconds: number | undefined;
  readonly text: string;
}

export interface Reached {
  /** The answer to exactly as much as is allowed. */
  readonly within: Outcome;
  /** The answer to one more. */
  readonly beyond: Outcome;
  /** The expected `within`, where it is no plain success: "401 WRONG_CREDENTIALS" for a guess that is judged. */
  readonly withinIs?: string;
}

/** Sends the allowed amount and one more. The figure comes from the page: one that drifts from the code fails here. */
export type Hit = (visit: Visit, limit: Limit) => Promise<Reached>;
export type Hits = Readonly<Record<string, Hit>>;

export interface As {
  readonly token?: string;
  readonly cookie?: string;
}

/** One caller with a network of their own, so that no hit uses up what another one counts. */
export class Visit {
  readonly app: TestApp;
  readonly address: string;

  constructor(app: TestApp, index: number) {
    this.app = app;
    this.address = `198.18.${index}.1`;
  }

  async send({ headers = {}, ...request }: Omit<RawRequest, 'headers'> & { headers?: Record<string, string> }) {
    const own = { accept: 'application/json', 'x-forwarded-for': this.address, ...headers };
    return outcomeOf(await send(this.app.url, { ...request, headers: own }));
  }

  json(path: string, body: object, headers: Record<string, string> = {}): Promise<Outcome> {
    const own = { 'content-type': 'application/json', ...headers };
    return this.send({ method: 'POST', path, headers: own, body: JSON.stringify(body) });
  }

  form(path: string, fields: Readonly<Record<string, string | undefined>>, headers = {}): Promise<Outcome> {
    return this.send({ method: 'POST', path, headers: { 'content-type': FORM, ...headers }, body: formOf(fields) });
  }

  graphql(query: string, variables: object = {}, { token, cookie }: As = {}): Promise<Outcome> {
    return this.json(
      '/graphql',
      { query, variables },
      {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(cookie !== undefined && { cookie }),
      },
    );
  }

  /** Somebody else, in a network of their own: one of 65,536. */
  elsewhere(index: number): Visit {
    const visitor = new Visit(this.app, 0);
    return Object.assign(visitor, { address: `10.${index >> 8}.${index & 255}.1` });
  }

  /** One mutation; the outcome has the code of its first `userError`. */
  mutation(name: string, input: object, as: As = {}, selection = ''): Promise<Outcome> {
    const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
    const query = `mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} userErrors { code message path } } }`;
    return this.graphql(query, { input }, as);
  }

  /** A session of a demo user, for the header `Cookie`. */
  async sessionOf(email: string): Promise<As> {
    const answer = await send(this.app.url, {
      method: 'POST',
      path: '/auth/login',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': this.address },
      body: JSON.stringify({ email, password: DEMO_PASSWORD }),
    });
    const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0]);
    if (answer.status >= 300) throw new Error(`Signing in as ${email} failed: ${answer.text}`);
    return { cookie: cookies.join('; ') };
  }
}

/** For what one request holds: as much as is allowed, then one more. */
export async function bothOf(limit: Limit, ask: (amount: number) => Promise<Outcome>): Promise<Reached> {
  return { within: await ask(limit.amount), beyond: await ask(limit.amount + 1) };
}

/** For what is counted over many requests: so many of them, then one more. */
export async function oneByOne(
  { amount }: Limit,
  ask: (index: number) => Promise<Outcome>,
  withinIs?: string,
): Promise<Reached> {
  let within = await ask(0);
  for (let index = 1; index < amount; index += 1) within = await ask(index);
  return { within, beyond: await ask(amount), ...(withinIs !== undefined && { withinIs }) };
}

/** "400 TOO_MANY_ALIASES", "200" */
export function inWords({ status, code }: Pick<Outcome, 'status' | 'code'>): string {
  return code === undefined ? String(status) : `${status} ${code}`;
}

function outcomeOf(answer: { readonly status: number; readonly headers: Headers; readonly text: string }): Outcome {
  const { status, headers, text } = answer;
  const isJson = (headers.get('content-type') ?? '').includes('json');
  const waits = headers.get('retry-after');
  return {
    status,
    text,
    code: isJson ? codeIn(JSON.parse(text)) : undefined,
    retryAfterInSeconds: waits === null ? undefined : Number(waits),
  };
}

/** Errors of GraphQL, of mutations, of OAuth, and of everything else. */
// oxlint-disable-next-line typescript/no-explicit-any -- answers of every shape
function codeIn(body: any): string | undefined {
  if (typeof body?.error === 'string') return body.error;
  const payloads: { userErrors?: { code: string }[] }[] = Object.values(body?.data ?? {});
  return (
    body?.errors?.[0]?.extensions?.code ??
    body?.error?.code ??
    payloads.find((payload) => payload?.userErrors?.[0])?.userErrors?.[0]?.code
  );
}
