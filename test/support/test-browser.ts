import { DEMO_PASSWORD } from '../../src/persistence/demo-data.ts';
import { noticeOf } from '../../src/screens/kit/cookies.ts';
import { formsOf, textOf } from './html-form.ts';
import { expectNoUuid } from './ids.ts';
import { type RawAnswer, send } from './raw-http.ts';

/** One of our pages, shown. */
export interface ShownPage {
  readonly kind: 'PAGE';
  readonly status: number;
  /** Path and query of the page. */
  readonly address: string;
  readonly headers: Headers;
  readonly html: string;
  /** The text that a reader sees. */
  readonly text: string;
}

/** The browser was sent away from the service. */
export interface Departure {
  readonly kind: 'AWAY';
  readonly status: number;
  /** Exactly as the header had it. */
  readonly location: string;
  /** The parameters added to the redirect URI. */
  readonly parameters: URLSearchParams;
}

/** Where a browser stands after following the redirects of the service. */
export type Stop = ShownPage | Departure;

/**
 * The headers that Chromium sends when a person follows a link of another site, and when one of our own forms is sent.
 */
export const NAVIGATION = {
  'sec-fetch-dest': 'document',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-site': 'cross-site',
};
export const OWN_FORM = {
  ...NAVIGATION,
  'sec-fetch-site': 'same-origin',
  origin: 'null',
  'content-type': 'application/x-www-form-urlencoded',
};

/** A browser without scripts: it keeps cookies, follows redirects inside the service, and sends the forms it was shown. */
export class TestBrowser {
  /** The process that it talks to; several may serve the same service. */
  readonly base: string;
  readonly #cookies: Map<string, string>;

  constructor(base: string, cookies: ReadonlyMap<string, string> = new Map()) {
    this.base = base;
    this.#cookies = new Map(cookies);
  }

  /** A browser in which a demo user has signed in by the form of the page. */
  static async signedIn(base: string, email: string): Promise<TestBrowser> {
    const browser = new TestBrowser(base);
    await browser.signIn(await browser.open('/auth/login'), email);
    return browser;
  }

  /** The same browser at another process of the service. */
  at(base: string): TestBrowser {
    return new TestBrowser(base, this.#cookies);
  }

  /** The cookies it would send, as a header. */
  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** One request, without following where it leads. */
  async request(
    path: string,
    headers: Readonly<Record<string, string>> = NAVIGATION,
    body?: string,
  ): Promise<RawAnswer> {
    const method = body === undefined ? 'GET' : 'POST';
    const answer = await send(this.base, { method, path, headers: { ...headers, cookie: this.cookie }, body });
    for (const cookie of answer.headers.getSetCookie()) this.#keep(cookie);
    expectNoUuid(answer.text, () => `${path} ${body}`);
    return answer;
  }

  /** Opens an address of the service as if another site led there. */
  async open(path: string): Promise<Stop> {
    return this.#follow(path, await this.request(path));
  }

  /** Sends the form of a page that has all of these controls; the one to an address, where several have. */
  async submit(page: Stop, values: Readonly<Record<string, string>>, to?: string): Promise<Stop> {
    if (page.kind !== 'PAGE') throw new Error(`Expected a page, but the browser was sent to ${page.location}.`);
    const names = Object.keys(values);
    const forms = formsOf(page.html).filter(({ action }) => to === undefined || action === to);
    const form = forms.find(({ controls }) => names.every((name) => controls.includes(name)));
    if (!form) throw new Error(`No form has ${names.join(', ')} on this page (${page.status}): ${page.text}`);
    const body = new URLSearchParams({ ...form.fields, ...values }).toString();
    return this.#follow(form.action, await this.request(form.action, OWN_FORM, body));
  }

  /** Opens a page that says what was done, as the form that has done it would lead there. */
  openAfterForm(path: string): Promise<Stop> {
    this.comeFromForm(path);
    return this.open(path);
  }

  /** Leaves in the browser what the form that leads to a page would. */
  comeFromForm(path: string): void {
    this.#cookies.set('gatehouse_notice', noticeOf(path, new URL(path, this.base).searchParams.get('done') ?? ''));
  }

  signIn(page: Stop, email: string, password: string = DEMO_PASSWORD): Promise<Stop> {
    return this.submit(page, { email, password });
  }

  /** One GraphQL request of the signed-in user, as our own pages send it. @returns its data */
  async ask<Data>(query: string, variables: object = {}): Promise<Data> {
    const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
    const { text } = await this.request('/graphql', headers, JSON.stringify({ query, variables }));
    const { data, errors } = JSON.parse(text);
    if (data && !errors) return data;
    throw new Error(`GraphQL refused: ${text}`);
  }

  /** @returns the payload of a mutation; throws where there is a mistake */
  async mutate<Payload>(name: string, input: object, selection: string): Promise<Payload> {
    const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
    const query = `mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} userErrors { code message } } }`;
    const { [name]: payload } = await this.ask<Record<string, Payload & { userErrors: { code: string }[] }>>(query, {
      input,
    });
    if (payload?.userErrors.length === 0) return payload;
    throw new Error(`${name} was refused: ${JSON.stringify(payload?.userErrors)}`);
  }

  async signOut(): Promise<void> {
    const page = await this.open('/auth/logout');
    await this.submit(page, {});
  }

  /** Opens an authorization, allows it where it is asked, and arrives at the app. */
  async allow(path: string): Promise<Departure> {
    const stop = await this.open(path);
    return departed(stop.kind === 'AWAY' ? stop : await this.submit(stop, { decision: 'allow' }));
  }

  async #follow(path: string, first: RawAnswer): Promise<Stop> {
    let [address, answer] = [path, first];
    for (let hop = 0; hop < 10; hop += 1) {
      const location = answer.headers.get('location');
      if (location === null) return shown(address, answer);
      if (!location.startsWith('/')) return away(answer.status, location);
      address = location;
      answer = await this.request(address);
    }
    throw new Error(`The service redirects for ever, at last to ${address}.`);
  }

  #keep(cookie: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    if (/max-age=0/i.test(cookie)) this.#cookies.delete(name);
    else this.#cookies.set(name, value);
  }
}

export function departed(stop: Stop): Departure {
  if (stop.kind === 'AWAY') return stop;
  throw new Error(`Expected the browser to leave, but a page was shown (${stop.status}): ${stop.text}`);
}

export function shownPage(stop: Stop): ShownPage {
  if (stop.kind === 'PAGE') return stop;
  throw new Error(`Expected a page, but the browser was sent to ${stop.location}.`);
}

function shown(address: string, { status, headers, text }: RawAnswer): ShownPage {
  return {
    kind: 'PAGE',
    status,
    address,
    headers,
    html: text,
    get text() {
      return textOf(text);
    },
  };
}

function away(status: number, location: string): Departure {
  const query = location.slice(location.indexOf('?') + 1);
  return { kind: 'AWAY', status, location, parameters: new URLSearchParams(query) };
}
