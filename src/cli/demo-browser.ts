/** As much of a browser as the demo needs: cookies, redirects followed by hand, and the one form of the consent page. */
export class Browser {
  readonly #base: string;
  readonly #cookies = new Map<string, string>();

  private constructor(base: string) {
    this.#base = base;
  }

  static async signIn(base: string, email: string, password: string): Promise<Browser> {
    const browser = new Browser(base);
    const response = await browser.#send('/auth/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    if (response.ok) return browser;
    throw new Error(`Signing in as ${email} failed with HTTP ${response.status}; is the demo data seeded (SEED_DEMO)?`);
  }

  get(url: string, init?: RequestInit): Promise<Response> {
    return this.#send(url, init);
  }

  /** Opens an authorization URL, presses Allow where the page asks, and returns the address it was sent to at last. */
  async allow(authorizationUrl: string): Promise<URL> {
    let url = new URL(authorizationUrl);
    let response = await this.#send(url.href);
    for (let hop = 0; hop < 10; hop += 1) {
      const location = response.headers.get('location');
      if (location !== null) {
        url = new URL(location, url);
        if (url.origin !== new URL(this.#base).origin) return url;
        response = await this.#send(url.href);
      } else {
        const page = await response.text();
        if (!response.ok)
          throw new Error(`The authorization was refused with HTTP ${response.status}: ${textOf(page)}`);
        const form = consentForm(page);
        url = new URL(form.action ?? url.href, url);
        response = await this.#send(url.href, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded', origin: new URL(this.#base).origin },
          body: new URLSearchParams({ csrf: form.csrf, decision: 'allow' }),
        });
      }
    }
    throw new Error('The authorization went on for more than ten steps.');
  }

  async graphql<Data>(query: string, variables: Record<string, unknown>): Promise<Data> {
    const response = await this.#send('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    const body = (await response.json()) as { data?: Data; errors?: unknown };
    if (body.data && !body.errors) return body.data;
    throw new Error(`GraphQL answered HTTP ${response.status}: ${JSON.stringify(body.errors)}`);
  }

  async #send(url: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set('cookie', [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    const response = await fetch(new URL(url, this.#base), { ...init, headers, redirect: 'manual' });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (name !== undefined && value !== undefined) this.#cookies.set(name, value);
    }
    return response;
  }
}

function consentForm(page: string): { action: string | undefined; csrf: string } {
  const csrf = /value="([^"]+)"/.exec(elementWith(page, '<input', '>', 'name="csrf"'))?.[1];
  if (csrf === undefined) throw new Error(`A consent page was expected, but this was shown: ${textOf(page)}`);
  const form = elementWith(page, '<form', '</form>', 'name="decision"');
  return { action: /action="([^"]*)"/.exec(form)?.[1]?.replaceAll('&amp;', '&'), csrf };
}

/** Finds the first part of a page, from `begin` to `end`, that includes `content`. */
function elementWith(page: string, begin: string, end: string, content: string): string {
  const elements = page.split(begin).slice(1);
  return elements.map((text) => text.split(end, 1)[0] ?? '').find((text) => text.includes(content)) ?? '';
}

function textOf(page: string): string {
  const withoutStyles = page.split('</style>').map((part) => part.split('<style', 1)[0]);
  return withoutStyles
    .join(' ')
    .replaceAll(/<[^<>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 300);
}
