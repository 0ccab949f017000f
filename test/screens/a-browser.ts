import type { Hono } from 'hono';

/** As much of a browser as forms need: it keeps cookies, and sends what it was shown. */
export class Browser {
  readonly cookies = new Map<string, string>();
  readonly #routes: Hono;
  readonly #base: string;

  constructor(routes: Hono, base: string) {
    this.#routes = routes;
    this.#base = base;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.#send(path, { headers });
  }

  /** Opens `page`, fills its form in and sends it. */
  async submit(page: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
    const text = await (await this.get(page)).text();
    const action = /<form method="post" action="([^"]+)"/.exec(text)?.[1] ?? '';
    return this.post(action, { ...hiddenFieldsOf(text), ...fields }, headers);
  }

  /** Sends a form; a field of undefined is left out. */
  post(
    path: string,
    fields: Record<string, string | undefined>,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const given = Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined);
    return this.#send(path, { method: 'POST', body: new URLSearchParams(given), headers });
  }

  postJson(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return this.#send(path, {
      method: 'POST',
      body: text,
      headers: { 'content-type': 'application/json', ...headers },
    });
  }

  async #send(path: string, init: RequestInit): Promise<Response> {
    const request = new Request(new URL(path, this.#base), init);
    request.headers.set('cookie', [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    const response = await this.#routes.request(request);
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (/max-age=0/i.test(cookie)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }
}

export function hiddenFieldsOf(page: string): Record<string, string> {
  const fields = page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g);
  return Object.fromEntries([...fields].map(([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')]));
}
