import type { Context } from 'hono';
import { setCookie } from 'hono/cookie';
import { parse } from 'hono/utils/cookie';
import { randomBase62, sha256Base64url } from '../../core/secret.ts';
import { SESSION_DAYS } from '../../modules/accounts/sign-in/sessions.ts';

/** Our cookies hold 256 random bits in [0-9A-Za-z]. */
const RANDOM_TEXT = /^[0-9A-Za-z]{43}$/;
const SECONDS_A_DAY = 86_400;
/** Long enough for a slow answer, and to read again a page that says nothing else. */
const NOTICE_SECONDS = 120;

/**
 * Reads and sets our cookies: the session, the browser's id (before anybody is signed in, and across a change of user),
 * and for two minutes, what a form has done. On https their names start with `__Host-`, so that no other host,
 * subdomain or path can plant one.
 */
export class Cookies {
  readonly #isSecure: boolean;
  /** The tokens that answers give; undefined where one takes it away. */
  readonly #given = new WeakMap<Request, string | undefined>();
  /** The ids of new browsers, by the requests that are answered with them. */
  readonly #givenIds = new WeakMap<Request, string>();

  constructor(publicUrl: string) {
    this.#isSecure = publicUrl.startsWith('https:');
  }

  /** The session's token, if the browser shows one. */
  sessionToken(request: Request): string | undefined {
    return this.#read(request, 'session');
  }

  /** The session's token once the browser has the answer. */
  sessionTokenAfter(request: Request): string | undefined {
    return this.#given.has(request) ? this.#given.get(request) : this.sessionToken(request);
  }

  setSessionToken(c: Context, token: string): void {
    this.#given.set(c.req.raw, token);
    this.#write(c, 'session', token, SESSION_DAYS.inAll * SECONDS_A_DAY);
  }

  clearSessionToken(c: Context): void {
    this.#given.set(c.req.raw, undefined);
    this.#write(c, 'session', '', 0);
  }

  /** The browser's id, if it has one. */
  browserId(request: Request): string | undefined {
    return this.#read(request, 'browser');
  }

  /** The browser's id, which a new browser is given with this answer, for all forms of a page. It ends with the browser. */
  requireBrowserId(c: Context): string {
    const known = this.browserId(c.req.raw) ?? this.#givenIds.get(c.req.raw);
    if (known !== undefined) return known;
    const id = randomBase62(43);
    this.#givenIds.set(c.req.raw, id);
    this.#write(c, 'browser', id);
    return id;
  }

  /** A form has just led to this page, which may say what was done: an address that claims so anybody may write. */
  setNotice(c: Context, path: string, done: string): void {
    this.#write(c, 'notice', noticeOf(path, done), NOTICE_SECONDS);
  }

  clearNotice(c: Context): void {
    this.#write(c, 'notice', '', 0);
  }

  /** Whether a form has just led to the page of this request, and did this. */
  hasNotice(request: Request, done: string): boolean {
    const name = this.#name('notice');
    return parse(request.headers.get('cookie') ?? '', name)[name] === noticeOf(new URL(request.url).pathname, done);
  }

  #read(request: Request, purpose: CookiePurpose): string | undefined {
    const name = this.#name(purpose);
    const value = parse(request.headers.get('cookie') ?? '', name)[name];
    return value !== undefined && RANDOM_TEXT.test(value) ? value : undefined;
  }

  /** Lax: it comes along when another site links or redirects here (an app's authorization request), not with its forms. */
  #write(c: Context, purpose: CookiePurpose, value: string, maxAge?: number): void {
    const lifetime = maxAge === undefined ? {} : { maxAge };
    setCookie(c, this.#name(purpose), value, {
      path: '/',
      httpOnly: true,
      sameSite: 'Lax',
      secure: this.#isSecure,
      ...lifetime,
    });
  }

  #name(purpose: CookiePurpose): string {
    return `${this.#isSecure ? '__Host-' : ''}gatehouse_${purpose}`;
  }
}

type CookiePurpose = 'session' | 'browser' | 'notice';

/** The content of a notice's cookie: a digest of the page's path and of what was done, in base64url. */
export function noticeOf(path: string, done: string): string {
  return sha256Base64url(`${new URL(path, 'https://page.invalid').pathname}?${done}`);
}
