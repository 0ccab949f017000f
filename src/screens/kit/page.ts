import { type Context, Hono } from 'hono';
import { lazily } from '../../core/lazily.ts';
import { type Mistake, Problem } from '../../core/problem.ts';
import type { ProblemCode } from '../../core/problem-code.ts';
import type { Em } from '../../database/sql.ts';
import type { FoundSession } from '../../modules/accounts/sign-in/sessions.ts';
import { keptText } from './form-through-sign-in.ts';
import type { Html, Viewer } from './layout.ts';
import { localeOf } from './page-locale.ts';
import { seeOther, sendPage } from './page-response.ts';
import { SIGN_IN_PATH, withReturn } from './paths.ts';
import { answerNotFound, outcomeOf, sendForm } from './problem-response.ts';
import { type FormWords, mistakesIn } from './problem-words.ts';
import { type FormBack, type FormLimits, newFormKey, type SentForm } from './request.ts';
import { asViewer, type Visitors } from './visitors.ts';

/** The pages of every journey stand on these. */
export interface PageSettings {
  /** The global EntityManager; each piece of work is done on a fork. */
  readonly em: Em;
  readonly visitors: Visitors;
}

type Answer = Response | Promise<Response>;

/** A request to a page. */
interface AnyVisit {
  readonly c: Context;
  /** The path of the page, in which parameters have their values. */
  readonly path: string;
  /** A fork of the global EntityManager, a new one each time. */
  readonly em: Em;
  /** Leads on, as after a form that was carried out. */
  readonly lead: (onward: Onward) => Response;
  /** The value of a parameter of the path; empty where the path has none of this name. */
  readonly param: (name: string) => string;
  /** A new anti-forgery token for the page's form of this name. */
  readonly token: (form: string) => string;
}

/** A signed-in user's request to a page. */
export interface Visit extends AnyVisit {
  readonly session: FoundSession;
  readonly viewer: Viewer;
  /** BCP 47, the reader's. */
  readonly locale: string;
}

/** Anybody's request to a page that is open to all. */
export interface OpenVisit extends AnyVisit {
  /** Finds out who is there; from then on, whatever answers the request is in the language of a signed-in user. */
  readonly reader: () => Promise<Reader>;
}

export interface Reader {
  readonly session: FoundSession | undefined;
  readonly viewer: Viewer | undefined;
  /** BCP 47. */
  readonly locale: string;
}

/** The forms of a page that is about to be shown, and what has become of the one that was sent. */
interface ShownForms<Name extends string> {
  /** The anti-forgery token of each form. */
  readonly csrf: Readonly<Record<Name, string>>;
  /** A new key for forms that do something which is done once. */
  readonly idempotencyKey: string;
  /** Undefined when the page is opened. */
  readonly back: FormBack<Name> | undefined;
  /** Names the form that has just led here; empty where none has. */
  readonly done: string;
  /** The mistakes of the form that comes back, in words for the reader. */
  readonly mistakes: (words?: FormWords) => readonly Mistake[];
}

/** A page that is about to be shown. */
export interface Showing<Name extends string = string> extends Visit, ShownForms<Name> {}

/** The same of a page that is open to all. */
export interface OpenShowing<Name extends string = string> extends OpenVisit, ShownForms<Name> {}

/** Where a form leads that was carried out, and what is said there. */
export interface Onward {
  readonly to: string;
  /** Left out: nothing is said. */
  readonly done?: string;
  /** Further query, from its `&` on. */
  readonly more?: string;
}

/** The page comes back with a form in which something was filled in for its reader. */
export interface FilledIn {
  readonly filledIn: URLSearchParams;
  /** Says what was. */
  readonly note?: string;
}

export type Run<Found, V extends AnyVisit = Visit> = (
  visit: V,
  found: Found,
  form: URLSearchParams,
) => Promise<Onward | FilledIn | Response | undefined>;

export interface PageForm<Found, V extends AnyVisit = Visit> {
  /** The end of its address, behind that of its page: `/<name>` unless it is said, and empty for the address of the page itself. */
  readonly at?: string;
  /** Limits the form where it may hold more than most. */
  readonly limits?: FormLimits;
  /** Whether its token is good for the thing of this address alone, and not for the same form about another one. */
  readonly isBound?: boolean;
  /** Recognizes what a program sends that has no token: what it does must harm nobody. Left out: each form needs its token. */
  readonly isOfProgram?: (form: URLSearchParams) => boolean;
  /**
   * Carries it out. It leads where this says, or back to its page, which says that the form of this name was done; a page of
   * its own may be the answer. Left out: another page takes the form. @throws Problem, with which the page comes back
   */
  readonly run?: Run<Found, V>;
}

/** A page, and what its forms do. */
export interface Page<Found, Name extends string, V extends AnyVisit = Visit> {
  /** Its address, or one for each level at which it exists. */
  readonly path: string | readonly string[];
  /** One more address, at which the page is shown: its forms are sent to the other. */
  readonly alsoShownAt?: string;
  /** The language of a page that exists in one alone. */
  readonly language?: 'en';
  /** Says whether the page is there for this reader: of others, not even a form is read. Left out: it is there for all. */
  readonly isFor?: (visit: V) => boolean;
  /** Finds the thing that the page is about, as it is now; undefined where the reader may see none. @throws Problem */
  readonly find: (visit: V) => Found | undefined | Promise<Found | undefined>;
  /** Answers in place of the page where nothing is found, also to a form that was `sent` there from a page of ours. */
  readonly none?: (visit: V, sent?: SentForm) => Answer;
  /** The page; undefined where there is nothing to see; an answer of another kind, such as a way to another page. */
  readonly show: (showing: V & ShownForms<Name>, found: Found) => Shown | Promise<Shown>;
  /** Left out: the page runs no script. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether it is nothing but the notice after its form, which is there again for some minutes when it is read again. */
  readonly isNotice?: boolean;
  /** Whether a page for anybody says who reads it: then its forms are good for that user alone. */
  readonly isForReader?: boolean;
  readonly forms?: Readonly<Record<Name, PageForm<Found, V>>>;
}

type Shown = Html | Response | undefined;

/** Runs a command. Where it is refused with this code, it was carried out before: the same form was sent twice. */
export async function orDone<Result>(
  code: ProblemCode,
  onward: Onward,
  run: () => Promise<Result>,
): Promise<Result | Onward> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof Problem && error.code === code) return onward;
    throw error;
  }
}

/** Finds nothing in particular: a page that is always there. */
export const always = (): true => true;

/** Declares a page for signed-in users: anybody else signs in first. The routes are made by `routesOf`. */
export function page<Found, Name extends string = never>(declared: Page<Found, Name>): DeclaredPage {
  return declare(declared, toUsers);
}

/** Declares a page for anybody. Nobody is looked up until the page asks who reads it. */
export function openPage<Found, Name extends string = never>(declared: Page<Found, Name, OpenVisit>): DeclaredPage {
  return declare(declared, toAnybody);
}

export interface DeclaredPage {
  readonly paths: readonly string[];
  readonly mount: (routes: Hono, settings: PageSettings, hasPage: (path: string) => boolean) => void;
}

/** The routes of pages, in this order. */
export function routesOf(settings: PageSettings, pages: readonly DeclaredPage[]): Hono {
  const routes = new Hono();
  const paths = new Set(pages.flatMap((one) => one.paths));
  for (const one of pages) one.mount(routes, settings, (path) => paths.has(path));
  return routes;
}

function declare<Found, Name extends string, V extends AnyVisit>(
  declared: Page<Found, Name, V>,
  admit: Admit<V>,
): DeclaredPage {
  const paths = typeof declared.path === 'string' ? [declared.path] : declared.path;
  return { paths, mount: (routes, settings, hasPage) => mount(routes, settings, { declared, paths, admit, hasPage }) };
}

/** Makes the handler of a request, by those whom the page is for. */
type Admit<V extends AnyVisit> = (
  settings: PageSettings,
  at: {
    readonly language: string | undefined;
    readonly isForReader: boolean;
    readonly visitOf: (c: Context) => AnyVisit;
  },
  handle: (visit: V) => Promise<Response>,
  limits?: FormLimits,
) => (c: Context) => Promise<Response>;

interface Mounting<Found, Name extends string, V extends AnyVisit> {
  readonly declared: Page<Found, Name, V>;
  readonly paths: readonly string[];
  readonly admit: Admit<V>;
  readonly hasPage: (path: string) => boolean;
}

function mount<Found, Name extends string, V extends AnyVisit>(
  routes: Hono,
  settings: PageSettings,
  { declared, paths, admit, hasPage }: Mounting<Found, Name, V>,
): void {
  const { visitors } = settings;
  const { isFor = always, find, none = ({ c }) => answerNotFound(c) } = declared;
  const { language, isNotice = false, isForReader = false } = declared;
  const forms = Object.entries(declared.forms ?? {}) as [Name, PageForm<Found, V>][];
  const shownAt = declared.alsoShownAt === undefined ? paths : [...paths, declared.alsoShownAt];
  const admitAt = (path: string, handle: (visit: V) => Promise<Response>, limits?: FormLimits) =>
    admit(settings, { language, isForReader, visitOf: (c) => visitOf(c, path) }, handle, limits);

  for (const path of shownAt)
    routes.get(
      path,
      admitAt(path, (visit) => show(visit)),
    );
  for (const path of paths) {
    for (const [name, form] of forms) {
      const { run, limits } = form;
      const address = `${path}${endOf(name, form)}`;
      if (!run) continue;
      routes.post(
        address,
        admitAt(path, (visit) => take(visit, name, form, run), limits),
      );
      // A visitor who had to sign in before the form was taken comes back here.
      if (!hasPage(address)) routes.get(address, (c) => seeOther(c, pathOf(c, path)));
    }
  }

  async function show(visit: V, back?: FormBack<Name>): Promise<Response> {
    const { c } = visit;
    const found = isFor(visit) ? await find(visit) : undefined;
    if (found === undefined) return none(visit);
    const said = isNotice ? visitors.ledHereBy(c) : visitors.doneBefore(c);
    const showing = Object.assign(visit, {
      csrf: tokensOf(visit),
      idempotencyKey: newFormKey(),
      back,
      done: back ? '' : said,
      mistakes: (words?: FormWords) => mistakesIn(language ?? localeOf(c), back?.problem, words),
    });
    const shown = await declared.show(showing, found);
    if (shown === undefined) return none(visit);
    return shown instanceof Response ? shown : sendForm(c, shown, back?.problem, declared.headers);
  }

  /** The form is read first: another site is told nothing, not even whether the thing of the address exists. */
  async function take(visit: V, name: Name, declaredForm: PageForm<Found, V>, run: Run<Found, V>): Promise<Response> {
    if (!isFor(visit)) return none(visit);
    const received = await visitors.readForm(visit.c, purposeOf(visit.path, name, declaredForm));
    const { form } = received;
    const forgery = declaredForm.isOfProgram?.(form) ? undefined : received.forgery;
    const found = await find(visit);
    if (found === undefined) return none(visit, forgery ? undefined : { name, form });
    const { problem, result } = await outcomeOf(forgery, () => run(visit, found, form));
    // Found once more: what comes back is about what is there now.
    if (problem) return show(visit, { name, form, problem });
    if (result instanceof Response) return result;
    if (result && 'filledIn' in result) {
      const { filledIn, ...said } = result;
      return show(visit, { name, form: filledIn, ...said });
    }
    return visit.lead(result ?? { to: visit.path, done: name });
  }

  function purposeOf(path: string, name: string, form: PageForm<Found, V>): string {
    return `${form.isBound ? path : paths[0]}${endOf(name, form)}`;
  }

  /** A token is made when a page asks for it, since it gives a new browser its id. */
  function tokensOf({ token }: V): Readonly<Record<Name, string>> {
    const made = forms.map(([name]) => [name, { enumerable: true, get: () => token(name) }]);
    return Object.defineProperties({}, Object.fromEntries(made) as PropertyDescriptorMap) as Record<Name, string>;
  }

  function visitOf(c: Context, pattern: string): AnyVisit {
    const path = pathOf(c, pattern);
    return {
      c,
      path,
      get em() {
        return settings.em.fork();
      },
      lead: ({ to, done, more }) => (done === undefined ? seeOther(c, to) : visitors.leadTo(c, to, done, more)),
      param: (name) => c.req.param(name) ?? '',
      token: (name) => visitors.formToken(c, purposeOf(path, name, declared.forms?.[name as Name] ?? {})),
    };
  }
}

function endOf(name: string, { at = `/${name}` }: Pick<PageForm<never>, 'at'>): string {
  return at;
}

const toUsers: Admit<Visit> = ({ visitors }, { language, visitOf }, handle, limits) =>
  signedIn(
    visitors,
    (c, session) => {
      const reader = { session, viewer: asViewer(session), locale: language ?? localeOf(c) };
      return handle(Object.assign(visitOf(c), reader));
    },
    limits,
  );

const toAnybody: Admit<OpenVisit> =
  ({ visitors }, { language, isForReader, visitOf }, handle, limits) =>
  async (c) => {
    if (limits) visitors.limitForm(c.req.raw, limits);
    const reader = lazily(async () => {
      const session = await visitors.sessionOf(c.req.raw);
      return { session, viewer: session && asViewer(session), locale: language ?? localeOf(c) };
    });
    const { session } = isForReader ? await reader() : {};
    if (session) visitors.bindForms(c.req.raw, session.userId);
    return handle(Object.assign(visitOf(c), { reader }));
  };

/** The path of a route, with the parameters of a request in it. */
function pathOf({ req }: Context, pattern: string): string {
  return pattern.replaceAll(/:(\w+)(?:\{[^/]*\})?/g, (_, name: string) => encodeURIComponent(req.param(name) ?? ''));
}

/**
 * Makes a handler for users who are signed in. Anybody else signs in first and then comes back by GET, so every address
 * that takes a form also shows a page. A form that was sent meanwhile is kept, and sent again after signing in.
 * `limits`: what the form may hold, where it may be more than most. Each request counts for its session or its address, as
 * those to the API do, before a form is read.
 */
function signedIn(
  visitors: Visitors,
  handle: (c: Context, session: FoundSession) => Answer,
  limits?: FormLimits,
): (c: Context) => Promise<Response> {
  return async (c) => {
    if (limits) visitors.limitForm(c.req.raw, limits);
    const session = await visitors.sessionOf(c.req.raw);
    if (session) visitors.bindForms(c.req.raw, session.userId);
    const tooMany = await visitors.countRequest(c, session);
    if (tooMany) return tooMany;
    if (session) return handle(c, session);
    const { pathname, search } = new URL(c.req.url);
    const returnTo = pathname + search;
    const kept = c.req.method === 'POST' ? await keptOf(visitors, c) : '';
    if (kept === '') return seeOther(c, withReturn(SIGN_IN_PATH, returnTo));
    return sendPage(c, visitors.askToSignIn(c, { csrf: visitors.formToken(c, SIGN_IN_PATH), returnTo, kept }), 401);
  };
}

/** Keeps the form that was sent: empty where there is nothing in it, undefined where it is too much. */
async function keptOf(visitors: Visitors, c: Context): Promise<string | undefined> {
  try {
    const form = await visitors.formToKeep(c);
    return form ? keptText(form) : '';
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}
