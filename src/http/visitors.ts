/**
 * http/ is the edge: requests are read, callers told apart, answers and problems worded, REST addresses mapped onto
 * GraphQL. oauth/ has the token endpoints. It may import the kit of screens/, and no journey.
 */
import type { Context } from 'hono';
import { Problem } from '../core/problem.ts';
import { equalsInConstantTime, macOf } from '../core/secret.ts';
import type { Em } from '../database/sql.ts';
import { endSession } from '../modules/accounts/sign-in/end-session.ts';
import { type FoundSession, findSession } from '../modules/accounts/sign-in/session.queries.ts';
import type { SignedIn } from '../modules/accounts/sign-in/sign-in.ts';
import { startSession } from '../modules/accounts/sign-in/start-session.ts';
import type { Viewer } from '../screens/kit/layout.ts';
import { Cookies } from './cookies.ts';
import { type FormLimits, readForm } from './request-body.ts';
import { requestOrigin } from './request-origin.ts';

/** The network address that a request comes from (client-address.ts). */
export type AddressOf = (c: Context) => string;

export interface VisitorSettings {
  /** The global EntityManager; each request works on a fork. */
  readonly em: Em;
  readonly publicUrl: string;
  /** Derives the anti-forgery tokens; 32 bytes, for nothing else. */
  readonly formKey: Uint8Array;
  readonly addressOf: AddressOf;
}

/** A form, and what is wrong with its anti-forgery token: then nothing is done, but what was typed can be shown again. */
export interface ReceivedForm {
  readonly form: URLSearchParams;
  readonly forgery: Problem | undefined;
}

const FORGERY =
  'Nothing was done, because the form was too old or the browser keeps no cookies of this site. Send it once more.';
/** Of a form for one user. */
const OWNED_FORGERY =
  'Nothing was done, because the form was too old, was opened under another account, or the browser keeps no cookies of this site. Is it still right? Send it once more.';

/** Who visits our pages: sessions, the browser's id, and forms that only our own pages can send. */
export class Visitors {
  readonly cookies: Cookies;
  readonly #settings: VisitorSettings;
  /** Whose forms the page of a request shows or takes, where it is for one user. */
  readonly #owners = new WeakMap<Request, string>();

  constructor(settings: VisitorSettings) {
    this.#settings = settings;
    this.cookies = new Cookies(settings.publicUrl);
  }

  /** The session of a request, if somebody is signed in. */
  async sessionOf(request: Request): Promise<FoundSession | undefined> {
    const token = this.cookies.sessionToken(request);
    return token === undefined ? undefined : findSession(this.#settings.em.fork(), token);
  }

  /** Who is signed in, for the corner of a page. */
  async viewerOf(request: Request): Promise<Viewer | undefined> {
    const session = await this.sessionOf(request);
    return session && asViewer(session);
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
  }

  async signOut(c: Context): Promise<void> {
    const token = this.cookies.sessionToken(c.req.raw);
    if (token !== undefined) await endSession(this.#settings.em.fork(), token, this.#settings.addressOf(c));
    this.cookies.clearSessionToken(c);
  }

  /**
   * From here on, forms of this request are one user's: those that were opened by another one are refused. So what somebody
   * typed before another account was signed in, in another tab say, does not happen to that account.
   */
  bindForms(request: Request, userId: string): void {
    this.#owners.set(request, userId);
  }

  /**
   * The hidden field `csrf` of a form. It hangs on the browser, and on the user where the form is for one, but not on the
   * session: signing in again breaks no open form. It is the same each time, so that reloads, tabs and double clicks work.
   */
  formToken(c: Context, purpose: string): string {
    return this.#tokenOf(c.req.raw, this.cookies.requireBrowserId(c), purpose);
  }

  /**
   * What a form holds whose sender has to sign in first, to be sent again afterwards. Undefined for what is none, or was
   * sent by another site. Nothing is believed of it: its token is looked at when it is sent again.
   */
  async formToKeep(c: Context): Promise<URLSearchParams | undefined> {
    if (requestOrigin(c.req.raw.headers, this.#settings.publicUrl) === 'foreign') return undefined;
    return readForm(c.req.raw).catch((error: unknown) => {
      if (error instanceof Problem) return undefined;
      throw error;
    });
  }

  /** Reads a form of this purpose. @throws Problem FOREIGN_REQUEST, and those of readForm */
  async readForm(c: Context, purpose: string, limits?: FormLimits): Promise<ReceivedForm> {
    // Our own pages hide their origin in old browsers; there the form's token decides alone.
    if (requestOrigin(c.req.raw.headers, this.#settings.publicUrl) === 'foreign') throw foreignRequest();
    const form = await readForm(c.req.raw, limits);
    const browserId = this.cookies.browserId(c.req.raw);
    const sent = form.get('csrf') ?? '';
    const isGenuine =
      browserId !== undefined && equalsInConstantTime(sent, this.#tokenOf(c.req.raw, browserId, purpose));
    const why = this.#owners.has(c.req.raw) ? OWNED_FORGERY : FORGERY;
    return { form, forgery: isGenuine ? undefined : new Problem('FORGED_FORM', why) };
  }

  /** For JSON with a cookie, which no form token protects: another site's page may not. @throws Problem FOREIGN_REQUEST */
  requireOwnScript(c: Context): void {
    const origin = requestOrigin(c.req.raw.headers, this.#settings.publicUrl);
    if (origin === 'foreign' || origin === 'opaque') throw foreignRequest();
  }

  #tokenOf(request: Request, browserId: string, purpose: string): string {
    const owner = this.#owners.get(request);
    const owned = owner === undefined ? [] : [owner];
    return macOf(this.#settings.formKey, 'form', purpose, browserId, ...owned).toString('base64url');
  }
}

/** Who is signed in, as pages name them. */
export function asViewer({ userName, userEmail, isEmailVerified, isAdministrator }: FoundSession): Viewer {
  return { name: userName, email: userEmail, isUnconfirmed: !isEmailVerified, isAdministrator };
}

function foreignRequest(): Problem {
  return new Problem('FOREIGN_REQUEST', 'This was sent by a page of another site, so nothing was done.');
}
