import type { Context } from 'hono';
import { Problem } from '../../core/problem.ts';
import { equalsInConstantTime, macOf, randomBase62 } from '../../core/secret.ts';
import { takeStanding } from '../../database/on-behalf.ts';
import type { Em } from '../../database/sql.ts';
import { countedAs, type RateLimit, rateLimitHeaders } from '../../limits/request-limit.ts';
import { endSession, type FoundSession, findSession, startSession } from '../../modules/accounts/sign-in/sessions.ts';
import type { SignedIn } from '../../modules/accounts/sign-in/sign-in.ts';
import { stillLetIn } from '../../oauth/stopped/stop-things.ts';
import { Cookies } from './cookies.ts';
import type { Html, Viewer } from './layout.ts';
import { localeOf, setLocale, setViewer } from './page-locale.ts';
import { seeOther } from './page-response.ts';
import { answerTooMany } from './problem-response.ts';
import { FORM_LIMITS, type FormLimits, readForm } from './request.ts';

/** The network address that a request comes from (client-address.ts). */
export type AddressOf = (c: Context) => string;

interface VisitorSettings {
  /** The global EntityManager; each request works on a fork. */
  readonly em: Em;
  readonly publicUrl: string;
  /** Derives the anti-forgery tokens; 32 bytes, for nothing else. */
  readonly formKey: Uint8Array;
  readonly addressOf: AddressOf;
  /** The same as that of the API: a page costs what a query costs. Left out: nobody is limited. */
  readonly rateLimit?: RateLimit | undefined;
  readonly askToSignIn: AskToSignIn;
}

/**
 * The page on which somebody signs in who has sent a form without a session, and goes on to `returnTo`. `kept` is the form as
 * it is encoded, undefined for one that is too large to wait.
 */
export type AskToSignIn = (
  c: Context,
  asked: { readonly csrf: string; readonly returnTo: string; readonly kept: string | undefined },
) => Html;

/**
 * The users whose forms a request may send; undefined stands for a visitor without a session. Forms on the page are made for the
 * first one.
 */
type Owners = readonly [string | undefined, ...(string | undefined)[]];

/** A form, and what is wrong with its anti-forgery token: then nothing is done, but what was typed can be shown again. */
export interface ReceivedForm {
  readonly form: URLSearchParams;
  readonly forgery: Problem | undefined;
}

/** The random part of a form's token: 131 bits. */
const NONCE_LENGTH = 22;

const FORGERY =
  'Nothing was done, because the form was too old, you were signed out in the meantime, or your browser doesn’t keep cookies for this site. If everything is still right, send it again.';
/** The refusal of a form for one user. */
const OWNED_FORGERY =
  'Nothing was done, because the form was too old, was opened with another account, or your browser doesn’t keep cookies for this site. If everything is still right, send it again.';
/** The refusal of a form in a frame. */
const UNSTATED =
  'Nothing was done, because the browser does not say which page sent this. Open the page in a tab of its own and send it there.';

/** Knows the visitors of our pages: their sessions, the browser's id, and forms that only our own pages can send. */
export class Visitors {
  readonly cookies: Cookies;
  readonly #settings: VisitorSettings;
  /** The users whose forms the page of a request shows or takes, where it is for one user. */
  readonly #owners = new WeakMap<Request, Owners>();
  /** The limits of the form of a request, where they are not those of all forms. */
  readonly #limits = new WeakMap<Request, FormLimits>();
  /** Below `/bookings`, the pages of those who have booked count a request before those of hosts do. */
  readonly #counted = new WeakSet<Request>();

  constructor(settings: VisitorSettings) {
    this.#settings = settings;
    this.cookies = new Cookies(settings.publicUrl);
  }

  get askToSignIn(): AskToSignIn {
    return this.#settings.askToSignIn;
  }

  /** The session of a request, if somebody is signed in; pages are in the user's language then. */
  async sessionOf(request: Request): Promise<FoundSession | undefined> {
    const token = this.cookies.sessionToken(request);
    const session = token === undefined ? undefined : await findSession(this.#settings.em.fork(), token);
    if (!session) return undefined;
    setViewer(request, asViewer(session));
    // The rest of this request (routes.ts) acts with this standing.
    const { id: sessionId, userId, isEmailVerified } = session;
    takeStanding(isEmailVerified ? undefined : stillLetIn(userId, { sessionId }));
    return session;
  }

  /** Counts a request to a page as the API would, once however often it is asked. @returns the answer to one too many */
  async countRequest(c: Context, session: FoundSession | undefined): Promise<Response | undefined> {
    const { rateLimit, addressOf } = this.#settings;
    if (!rateLimit || this.#counted.has(c.req.raw)) return undefined;
    this.#counted.add(c.req.raw);
    const caller = session
      ? ({ ...session, kind: 'session', sessionId: session.id } as const)
      : ({ kind: 'anonymous' } as const);
    const verdict = await rateLimit.requests.take(countedAs({ caller, address: addressOf(c) }, rateLimit.rates));
    for (const [name, value] of Object.entries(rateLimitHeaders(verdict))) c.header(name, value);
    return verdict.isAllowed ? undefined : answerTooMany(c, verdict);
  }

  /** The signed-in user, for the corner of a page. */
  async viewerOf(request: Request): Promise<Viewer | undefined> {
    const session = await this.sessionOf(request);
    return session && asViewer(session);
  }

  /** The reader's locale (BCP 47), on a page on which nobody has to be signed in. */
  async localeOf(c: Context): Promise<string> {
    await this.sessionOf(c.req.raw);
    return localeOf(c);
  }

  /** Signs a user in under a new token; the browser's session before it ends. @throws Problem ACCOUNT_SUSPENDED, WRONG_CREDENTIALS */
  async signIn(c: Context, { user, passwordHash }: SignedIn): Promise<void> {
    const { token } = await startSession(this.#settings.em.fork(), {
      userId: user.id,
      passwordHash,
      userAgent: c.req.header('user-agent') ?? '',
      address: this.#settings.addressOf(c),
      previousToken: this.cookies.sessionToken(c.req.raw),
    });
    this.cookies.setSessionToken(c, token);
    setLocale(c.req.raw, user.locale);
  }

  async signOut(c: Context): Promise<void> {
    const token = this.cookies.sessionToken(c.req.raw);
    if (token !== undefined) await endSession(this.#settings.em.fork(), token, this.#settings.addressOf(c));
    this.cookies.clearSessionToken(c);
  }

  /** After a form: on to a page that says what was done, `done`. `more` is further query, from its `&` on. */
  leadTo(c: Context, path: string, done: string, more = ''): Response {
    this.cookies.setNotice(c, path, done);
    return seeOther(c, `${path}?done=${done}${more}`);
  }

  /**
   * Says what the form did that led here, for a notice: once, so that it is gone when the page is read again. Empty
   * where the address alone says so, which anybody may write; and in a frame, where there are no cookies.
   */
  doneBefore(c: Context): string {
    const done = this.ledHereBy(c);
    if (done !== '') this.cookies.clearNotice(c);
    return done;
  }

  /** The same for a page that is nothing but the notice: for some minutes it is there again when it is read again. */
  ledHereBy(c: Context): string {
    const done = c.req.query('done') ?? '';
    return !c.get('isEmbedded') && this.cookies.hasNotice(c.req.raw, done) ? done : '';
  }

  /**
   * From here on, forms of this request are one user's: those that were opened by another one are refused. So what somebody
   * typed before another account was signed in, in another tab say, does not happen to that account.
   */
  bindForms(request: Request, userId: string, { isSignInOptional = false } = {}): void {
    this.#owners.set(request, isSignInOptional ? [userId, undefined] : [userId]);
  }

  /** From here on, the form of this request may hold so much: when it is read, and when it is kept. */
  limitForm(request: Request, limits: FormLimits): void {
    this.#limits.set(request, limits);
  }

  /**
   * The hidden field `csrf` of a form: 22 random characters and a MAC of them, the purpose, the browser, and the user where
   * the form is for one; not of the session, so that signing in again breaks no open form. Each is as good as all before it:
   * reloads, tabs and double clicks work. And each is another one, so that the compressed lengths of many pages, with
   * guesses in them, tell of none (BREACH). Empty in a frame, where there are no cookies.
   */
  formToken(c: Context, purpose: string): string {
    if (c.get('isEmbedded')) return '';
    const [owner] = this.#ownersOf(c.req.raw);
    return this.#tokenOf(owner, this.cookies.requireBrowserId(c), purpose, randomBase62(NONCE_LENGTH));
  }

  /** A secret of the browser for a purpose, the same each time, so on no page: 43 characters that nobody else can make. */
  browserSecret(c: Context, purpose: string): string {
    const browserId = this.cookies.requireBrowserId(c);
    return macOf(this.#settings.formKey, 'browser', purpose, browserId).toString('base64url');
  }

  /**
   * Reads a form whose sender has to sign in first, to be sent again afterwards. Undefined for a body that is none, or
   * was sent by another site. Nothing is believed of it: its token is looked at when it is sent again.
   * @throws Problem for one with more fields than its page takes, or more bytes than all forms have room for: no more
   * is kept
   */
  async formToKeep(c: Context): Promise<URLSearchParams | undefined> {
    if (requestOrigin(c.req.raw.headers, this.#settings.publicUrl) === 'foreign') return undefined;
    return readForm(c.req.raw, { ...this.#limitsOf(c), bytes: FORM_LIMITS.bytes }).catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'UNSUPPORTED_MEDIA_TYPE') return undefined;
      throw error;
    });
  }

  /** Reads a form of this purpose. @throws Problem FOREIGN_REQUEST, and those of readForm */
  async readForm(c: Context, purpose: string): Promise<ReceivedForm> {
    if (c.get('isEmbedded')) return this.#readFramedForm(c);
    // Our own pages hide their origin in old browsers; there the form's token decides alone.
    if (requestOrigin(c.req.raw.headers, this.#settings.publicUrl) === 'foreign') throw foreignRequest();
    const form = await readForm(c.req.raw, this.#limitsOf(c));
    const browserId = this.cookies.browserId(c.req.raw);
    const sent = form.get('csrf') ?? '';
    const nonce = sent.slice(0, NONCE_LENGTH);
    const isGenuine =
      browserId !== undefined &&
      this.#ownersOf(c.req.raw).some((owner) =>
        equalsInConstantTime(sent, this.#tokenOf(owner, browserId, purpose, nonce)),
      );
    const why = this.#owners.has(c.req.raw) ? OWNED_FORGERY : FORGERY;
    return { form, forgery: isGenuine ? undefined : new Problem('FORGED_FORM', why) };
  }

  /**
   * The same for a form in a frame of another website, where browsers keep no cookie for a token to hang on. There only the
   * browser itself can say that a page of ours sent it; a request that says nothing or hides it is refused. Read no session
   * for it, so that nothing is done in anybody's name.
   */
  async #readFramedForm(c: Context): Promise<ReceivedForm> {
    const origin = requestOrigin(c.req.raw.headers, this.#settings.publicUrl);
    if (origin === 'foreign') throw foreignRequest();
    const form = await readForm(c.req.raw, this.#limitsOf(c));
    return { form, forgery: origin === 'own' ? undefined : new Problem('FOREIGN_REQUEST', UNSTATED) };
  }

  /** For JSON with a cookie, which no form token protects: another site's page may not. @throws Problem FOREIGN_REQUEST */
  requireOwnScript(c: Context): void {
    const origin = requestOrigin(c.req.raw.headers, this.#settings.publicUrl);
    if (origin === 'foreign' || origin === 'opaque') throw foreignRequest();
  }

  #limitsOf(c: Context): FormLimits {
    return this.#limits.get(c.req.raw) ?? FORM_LIMITS;
  }

  #ownersOf(request: Request): Owners {
    return this.#owners.get(request) ?? [undefined];
  }

  #tokenOf(owner: Owners[number], browserId: string, purpose: string, nonce: string): string {
    const owned = owner === undefined ? [] : [owner];
    return `${nonce}${macOf(this.#settings.formKey, 'form', purpose, browserId, nonce, ...owned).toString('base64url')}`;
  }
}

/** The signed-in user, as pages name them. */
export function asViewer(session: FoundSession): Viewer {
  const { userName: name, userEmail: email, userLocale: locale, isEmailVerified, isAdministrator } = session;
  return { name, email, locale, isUnconfirmed: !isEmailVerified, isAdministrator };
}

function foreignRequest(): Problem {
  return new Problem('FOREIGN_REQUEST', 'This was sent by a page of another website, so nothing was done.');
}

/**
 * The origin of the page that sent a request. `opaque`: a page that hides its origin, as our own do (their referrer
 * policy is `no-referrer`) in browsers without Sec-Fetch-Site. `unstated`: no browser, or one that says nothing.
 */
type RequestOrigin = 'own' | 'foreign' | 'opaque' | 'unstated';

/**
 * Reads where a request that changes something says it comes from. Forms take all but `foreign`, and besides need their
 * anti-forgery token; JSON with a cookie takes `own` and `unstated` only.
 */
export function requestOrigin(headers: Headers, publicUrl: string): RequestOrigin {
  const site = headers.get('sec-fetch-site');
  // `none`: the person typed the address, or reloaded.
  if (site === 'same-origin' || site === 'none') return 'own';
  if (site !== null) return 'foreign';
  const origin = headers.get('origin');
  if (origin === null) return 'unstated';
  if (origin === 'null') return 'opaque';
  return origin === new URL(publicUrl).origin ? 'own' : 'foreign';
}
