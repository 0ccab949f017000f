import { expect } from 'vitest';
import type { TestApp } from '../../support/app.ts';
import { formsOf, textOf } from '../../support/html-form.ts';
import { type ShownPage, shownPage, TestBrowser } from '../../support/test-browser.ts';

export const CLIENTS = '/settings/developer/oauth';

/** A registration in which nothing is wrong. */
const GOOD = {
  type: 'CONFIDENTIAL',
  name: 'Calendar helper',
  purpose: 'Shows free times in a mail program.',
  redirectUris: 'https://helper.example.test/cb\r\n  https://helper.example.test/cb2  \r\n\r\n',
  websiteUrl: '',
  logoUrl: '',
  scopes: 'PROFILE_READ',
};

/** The pages of the register, as a developer, an administrator and somebody else use them. */
export class ClientPages {
  readonly developer: TestBrowser;
  readonly administrator: TestBrowser;
  readonly stranger: TestBrowser;

  private constructor(developer: TestBrowser, administrator: TestBrowser, stranger: TestBrowser) {
    this.developer = developer;
    this.administrator = administrator;
    this.stranger = stranger;
  }

  static async open(app: TestApp): Promise<ClientPages> {
    return new ClientPages(
      await TestBrowser.signedIn(app.url, 'ada@acme.test'),
      await TestBrowser.signedIn(app.url, 'admin@gatehouse.test'),
      await TestBrowser.signedIn(app.url, 'dan@solo.test'),
    );
  }

  /** Sends the form that registers a client; `more` are further scopes. */
  async register(changes: Record<string, string> = {}, more: readonly string[] = []): Promise<ShownPage> {
    const path = `${CLIENTS}/new`;
    return this.#send(path, { ...GOOD, ...changes }, more);
  }

  /** Registers a client in which nothing is wrong. @returns its id */
  async newClient(changes: Record<string, string> = {}): Promise<string> {
    return idOn(await this.register(changes));
  }

  /** Sends the form of a client's page, its other fields as an unchanged page would send them. */
  async save(clientId: string, changes: Record<string, string>): Promise<ShownPage> {
    // A legacy client has other fields, and no scopes to send.
    const isLegacy = clientId === 'demo-legacy';
    const known = { ...GOOD, ...(isLegacy && { redirectUris: 'https://legacy.example.test/cb', scopes: '' }) };
    return this.#send(`${CLIENTS}/${clientId}`, { ...known, ...changes }, []);
  }

  /** Sends the form of a decision, with the reason in its own field. */
  async decide(clientId: string, { reason = '', ...values }: Record<string, string>): Promise<ShownPage> {
    const path = `/admin/oauth/${clientId}`;
    const fields = fieldsOf(await show(this.administrator, path), path);
    const reasons = { rejection: reason, suspension: reason };
    return post(this.administrator, path, new URLSearchParams({ ...fields, ...reasons, ...values }));
  }

  async #send(path: string, values: Record<string, string>, moreScopes: readonly string[]): Promise<ShownPage> {
    const { csrf = '' } = fieldsOf(await show(this.developer, path), path);
    const body = new URLSearchParams({ csrf, ...values });
    if (values['scopes'] === '') body.delete('scopes');
    for (const scope of moreScopes) body.append('scopes', scope);
    return post(this.developer, path, body);
  }
}

export async function show(browser: TestBrowser, path: string): Promise<ShownPage> {
  return shownPage(await browser.open(path));
}

/** The fields of the form that goes to `action`, before anybody has typed. */
export function fieldsOf({ html }: ShownPage, action: string): Readonly<Record<string, string>> {
  return formsOf(html).find((form) => form.action === action)?.fields ?? {};
}

/** Posts like a form of ours; success leads on by GET. */
export async function post(browser: TestBrowser, path: string, body: URLSearchParams): Promise<ShownPage> {
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'sec-fetch-site': 'same-origin',
    origin: 'null',
  };
  const { status, headers: answered, text: html } = await browser.request(path, headers, body.toString());
  const location = answered.get('location');
  if (location === null) return { kind: 'PAGE', status, address: path, headers: answered, html, text: textOf(html) };
  expect(status).toBe(303);
  return show(browser, location);
}

export function idOn({ html }: ShownPage): string {
  return /gh_client_[0-9A-Za-z]+/.exec(html)?.[0] ?? '';
}

export function secretOn({ html }: ShownPage): string {
  return /gh_secret_[0-9A-Za-z]+/.exec(html)?.[0] ?? '';
}
