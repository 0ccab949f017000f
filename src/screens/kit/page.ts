import { type Context, Hono } from 'hono';
import { type Mistake, Problem } from '../../core/problem.ts';
import type { ProblemCode } from '../../core/problem-code.ts';
import type { Em } from '../../database/sql.ts';
import type { FoundSession } from '../../modules/accounts/sign-in/session.queries.ts';
import { type ConfirmPage, confirmPage } from './confirm-page.ts';
import type { Html, Viewer } from './layout.ts';
import { type FormWords, mistakesIn } from './mistakes.ts';
import { localeOf } from './page-locale.ts';
import { seeOther, sendPage } from './page-response.ts';
import { answerNotFound, outcomeOf, sendForm } from './problem-response.ts';
import type { FormLimits } from './request.ts';
import { type FormBack, keptText, newFormKey, type SentForm } from './sent-form.ts';
import { asViewer, type Visitors } from './visitors.ts';

/** The pages of every journey stand on these. */
export interface PageSettings {
  /** The global EntityManager; each piece of work is done on a fork. */
  readonly em: Em;
  readonly visitors: Visitors;
}

type Answer = Response | Promise<Response>;

/** A signed-in user's request to a page. */
export interface Visit {
  readonly c: Context;
  readonly session: FoundSession;
  readonly viewer: Viewer;
  /** BCP 47, the reader's. */
  readonly locale: string;
  /** The path of the page, in which parameters have their values. */
  readonly path: string;
  /** A fork of the global EntityManager, a new one each time. */
  readonly em: Em;
  /** Leads on, as after a form that was carried out. */
  readonly lead: (onward: Onward) => Response;
  /** The value of a parameter of the path; empty where the path has none of this name. */
  readonly param: (name: string) => string;
}

/** A page that is about to be shown. */
export interface Showing<Name extends string = string> extends Visit {
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

/** Where a form leads that was carried out, and what is said there. */
export interface Onward {
  readonly to: string;
  /** Left out: nothing is said. */
  readonly done?: string;
  /** Further query, from its `&` on. */
  readonly more?: string;
}

export type Run<Found> = (visit: Visit, found: Found, form: URLSearchParams) => Promise<Onward | Response | undefined>;

export interface PageForm<Found> {
  /** The end of its address, behind that of its page: `/<name>` unless it is said, and empty for the address of the page itself. */
  readonly at?: string;
  /** Limits the form where it may hold more than most. */
  readonly limits?: FormLimits;
  /**
   * Carries it out. It leads where this says, or back to its page, which says that the form of this name was done; a page of
   * its own may be the answer. Left out: another page takes the form. @throws Problem, with which the page comes back
   */
  readonly run?: Run<Found>;
}

/** A page for signed-in users, and what its forms do. */
export interface Page<Found, Name extends string> {
  /** Its address, or one for each level at which it exists. */
  readonly path: string | readonly string[];
  /** One more address, at which the page is shown: its forms are sent to the other. */
  readonly alsoShownAt?: string;
  /** The language of a page that exists in one alone. */
  readonly language?: 'en';
  /** Finds the thing that the page is about, as it is now; undefined where the reader may see none. @throws Problem */
  readonly find: (visit: Visit) => Found | undefined | Promise<Found | undefined>;
  /** Answers in place of the page where nothing is found, also to a form that was `sent` there from a page of ours. */
  readonly none?: (visit: Visit, sent?: SentForm) => Answer;
  /** The page; undefined where there is nothing to see; an answer of another kind, such as a way to another page. */
  readonly show: (showing: Showing<Name>, found: Found) => Shown | Promise<Shown>;
  /** Left out: the page runs no script. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly forms?: Readonly<Record<Name, PageForm<Found>>>;
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

/** Declares a page. The routes are made by `routesOf`. */
export function page<Found, Name extends string = never>(declared: Page<Found, Name>): DeclaredPage {
  const paths = typeof declared.path === 'string' ? [declared.path] : declared.path;
  return { paths, mount: (routes, settings, hasPage) => mount(routes, settings, declared, paths, hasPage) };
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

function mount<Found, Name extends string>(
  routes: Hono,
  settings: PageSettings,
  declared: Page<Found, Name>,
  paths: readonly string[],
  hasPage: (path: string) => boolean,
): void {
  const { visitors } = settings;
  const { find, none = ({ c }) => answerNotFound(c), language } = declared;
  const named = Object.entries(declared.forms ?? {}) as [Name, PageForm<Found>][];
  const purposes = named.map(([name, form]) => [name, `${paths[0]}${endOf(name, form)}`] as const);

  const guarded = (path: string, handle: (visit: Visit) => Promise<Response>, limits?: FormLimits) =>
    signedIn(visitors, (c, session) => handle(visitOf(settings, c, session, path, language)), limits);

  for (const path of [...paths, ...(declared.alsoShownAt === undefined ? [] : [declared.alsoShownAt])]) {
    routes.get(
      path,
      guarded(path, (visit) => show(visit)),
    );
  }
  for (const path of paths) {
    for (const [name, form] of named) {
      const { run, limits } = form;
      const address = `${path}${endOf(name, form)}`;
      if (!run) continue;
      routes.post(
        address,
        guarded(path, (visit) => take(visit, name, run), limits),
      );
      // A visitor who had to sign in before the form was taken comes back here.
      if (!hasPage(address)) routes.get(address, (c) => seeOther(c, pathOf(c, path)));
    }
  }

  async function show(visit: Visit, back?: FormBack<Name>): Promise<Response> {
    const { c, locale } = visit;
    const found = await find(visit);
    if (found === undefined) return none(visit);
    const said = visitors.doneBefore(c);
    const tokens = purposes.map(([name, purpose]) => [name, visitors.formToken(c, purpose)]);
    const showing = Object.assign(visit, {
      csrf: Object.fromEntries(tokens) as Record<Name, string>,
      idempotencyKey: newFormKey(),
      back,
      done: back ? '' : said,
      mistakes: (words?: FormWords) => mistakesIn(locale, back?.problem, words),
    });
    const shown = await declared.show(showing, found);
    if (shown === undefined) return none(visit);
    return shown instanceof Response ? shown : sendForm(c, shown, back?.problem, declared.headers);
  }

  /** The form is read first: another site is told nothing, not even whether the thing of the address exists. */
  async function take(visit: Visit, name: Name, run: Run<Found>): Promise<Response> {
    const purpose = new Map(purposes).get(name) ?? '';
    const { form, forgery } = await visitors.readForm(visit.c, purpose);
    const found = await find(visit);
    if (found === undefined) return none(visit, forgery ? undefined : { name, form });
    const { problem, result } = await outcomeOf(forgery, () => run(visit, found, form));
    // Found once more: what comes back is about what is there now.
    if (problem) return show(visit, { name, form, problem });
    if (result instanceof Response) return result;
    return visit.lead(result ?? { to: visit.path, done: name });
  }
}

function endOf(name: string, { at = `/${name}` }: Pick<PageForm<never>, 'at'>): string {
  return at;
}

function visitOf(
  { em, visitors }: PageSettings,
  c: Context,
  session: FoundSession,
  pattern: string,
  language?: string,
): Visit {
  return {
    c,
    session,
    viewer: asViewer(session),
    locale: language ?? localeOf(c),
    path: pathOf(c, pattern),
    get em() {
      return em.fork();
    },
    lead: ({ to, done, more }) => (done === undefined ? seeOther(c, to) : visitors.leadTo(c, to, done, more)),
    param: (name) => c.req.param(name) ?? '',
  };
}

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
export function signedIn(
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
    if (kept === '') return seeOther(c, withReturn('/auth/login', returnTo));
    return sendPage(c, visitors.askToSignIn(c, { csrf: visitors.formToken(c, 'sign-in'), returnTo, kept }), 401);
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

/** The address of a page that goes on to `returnTo` in the end. */
export function withReturn(path: string, returnTo: string): string {
  return returnTo === '/' ? path : `${path}?return_to=${encodeURIComponent(returnTo)}`;
}

/** Asks once more before something that cannot be taken back. */
export interface Question
  extends Pick<ConfirmPage, 'title' | 'explanation' | 'details' | 'button' | 'sent' | 'backPath'> {
  /** The words of its own for mistakes. */
  readonly words?: FormWords;
}

/** A page that is nothing but a question, and its answer. Without `run`, another page has the form at this address. */
export function question<Found>({
  ask,
  run,
  ...rest
}: Pick<Page<Found, 'answer'>, 'path' | 'find' | 'none' | 'language'> & {
  readonly ask: (showing: Showing<'answer'>, found: Found) => Asked | Promise<Asked>;
  readonly run?: Run<Found>;
}): DeclaredPage {
  return page<Found, 'answer'>({
    ...rest,
    forms: { answer: { at: '', ...(run && { run }) } },
    show: async (showing, found) => {
      const asked = await ask(showing, found);
      return asked === undefined || asked instanceof Response ? asked : questionPage(showing, asked);
    },
  });
}

type Asked = Question | Response | undefined;

function questionPage({ viewer, locale, path, csrf, mistakes }: Showing<'answer'>, asked: Question): Html {
  const { words, ...question } = asked;
  return confirmPage({ ...question, viewer, locale, action: path, csrf: csrf.answer, mistakes: mistakes(words) });
}
