import type { Context, ErrorHandler, Hono, MiddlewareHandler, NotFoundHandler } from 'hono';
import { html } from 'hono/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { Problem } from '../../core/problem.ts';
import { type Failure, failureOf, type Report, retryHeaders, statusOf } from '../../database/failure.ts';
import { preferredType } from '../../graphql/request.ts';
import { type RequestVerdict, rateLimitHeaders } from '../../limits/request-limit.ts';
import { type Html, layout, type Viewer } from './layout.ts';
import { knownViewer, localeOf } from './page-locale.ts';
import { PAGE_HEADERS, sendPage } from './page-response.ts';
import { pageWords } from './page-words.ts';
import { mistakesIn, problemWords } from './problem-words.ts';
import { isJson } from './request.ts';

/** The page of a form: as it is, or come back with what was wrong, and the status of that. */
export function sendForm(
  c: Context,
  page: Html,
  problem: Problem | undefined,
  headers: Readonly<Record<string, string>> = {},
): Response | Promise<Response> {
  if (!problem) return sendPage(c, page, 200, headers);
  return sendPage(c, page, statusOf(problem), { ...headers, ...retryHeaders(problem) });
}

/** For `onError`: what went wrong, and what to do about it. */
export function answerErrors(report: Report): ErrorHandler {
  return (error, c) => {
    const failure = failureOf(error, report);
    const { kind, status, code, headers } = failure;
    const locale = localeOfAnswer(c);
    const { tryAgain, unknown, failed } = problemWords(locale);
    const title = kind === 'AWAY' ? tryAgain : kind === 'IN_DOUBT' ? unknown.title : failed;
    return answerProblem(c, { status, code, title, message: messageIn(locale, failure, error), locale }, headers);
  };
}

function messageIn(locale: string, { kind, message, id = '' }: Failure, error: unknown): string {
  if (error instanceof Problem) return mistakesIn(locale, error)[0]?.message ?? message;
  const { away, unknown, fault } = problemWords(locale);
  if (kind === 'IN_DOUBT') return unknown.message;
  return kind === 'AWAY' ? away(message) : fault(message, id);
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** For what does not exist, or what the caller may not see. */
export function answerNotFound(c: Context): Response | Promise<Response> {
  const locale = localeOfAnswer(c);
  return answerProblem(c, { status: 404, code: 'NOT_FOUND', ...pageWords(locale).nowhere, locale });
}

/**
 * Adds a challenge to a 401 that has none (RFC 9110 §15.5.2): that of pages, where signing in sets a cookie. Browsers know
 * no such scheme, so they show the page and ask for nothing themselves.
 */
export function challengeToSignIn(): MiddlewareHandler {
  return async (c, next) => {
    await next();
    if (c.res.status !== 401 || c.res.headers.has('WWW-Authenticate')) return;
    c.res.headers.set('WWW-Authenticate', 'Cookie realm="Gatehouse", form-action="/auth/login"');
  };
}

/** For `notFound`: 404, or 405 with the methods that the address takes (RFC 9110 §15.5.6). */
export function answerElsewhere(routes: Hono, recognize: (c: Context) => Promise<unknown>): NotFoundHandler {
  return async (c) => {
    // Without the database the page has no menu, and says the same.
    if (!wantsJson(c)) await recognize(c).catch(() => undefined);
    const { path } = c.req;
    // A handler for all methods, such as a limit on time, is no route of this address.
    const taken = METHODS.filter((one) =>
      routes.router.match(one, path)[0].some(([[, route]]) => route.method === one),
    );
    if (taken.length === 0) return answerNotFound(c);
    const allowed = taken.includes('GET') ? [...taken, 'HEAD'] : taken;
    return answerMethod(c, allowed.join(', '));
  };
}

/** 405 for an address that takes these methods. */
export function answerMethod(c: Context, allowed: string): Response | Promise<Response> {
  const locale = localeOfAnswer(c);
  const { title, message } = problemWords(locale).notThisWay;
  const said = message(allowed, c.req.method);
  const problem = { status: 405, code: 'METHOD_NOT_ALLOWED', title, message: said, locale } as const;
  return answerProblem(c, problem, { Allow: allowed });
}

interface ProblemResponse {
  readonly status: ContentfulStatusCode;
  readonly code: string;
  readonly title: string;
  readonly message: string;
  /** BCP 47, of title and message; English without one. */
  readonly locale?: string | undefined;
}

/** As JSON for a program, as a page for a person. */
export function answerProblem(c: Context, problem: ProblemResponse, headers: Readonly<Record<string, string>> = {}) {
  const { status, code, title, message, locale = 'en' } = problem;
  return wantsJson(c)
    ? c.json({ error: { code, message } }, status, { ...PAGE_HEADERS, ...headers })
    : sendError(c, { status, title, message, locale, isEmbedded: c.get('isEmbedded') }, headers);
}

/** Sends a page that says what went wrong, with the signed-in user's menu, to the person in front of the browser. */
export function sendError(
  c: Context,
  problem: Omit<ErrorPage, 'viewer'>,
  headers: Readonly<Record<string, string>> = {},
): Response | Promise<Response> {
  const page = errorPage({ locale: localeOf(c), ...problem, viewer: knownViewer(c) });
  return sendPage(c, page, problem.status as ContentfulStatusCode, headers);
}

/** Too many requests in a minute. */
export function answerTooMany(c: Context, verdict: RequestVerdict): Response | Promise<Response> {
  const locale = localeOfAnswer(c);
  const { title, message } = problemWords(locale).tooManyRequests;
  const said = message(verdict.limit, verdict.resetInSeconds);
  const problem = { status: 429, code: 'RATE_LIMITED', title, message: said, locale } as const;
  return answerProblem(c, problem, rateLimitHeaders(verdict));
}

/** Programs are told in English. */
function localeOfAnswer(c: Context): string {
  return wantsJson(c) ? 'en' : localeOf(c);
}

const PAGE_OR_JSON = ['text/html', 'application/json'] as const;

/** There are no pages below /v2: its callers are programs, whatever they accept. */
function wantsJson({ req }: Context): boolean {
  if (req.path.startsWith('/v2/') || isJson(req.raw)) return true;
  return preferredType(req.header('accept'), PAGE_OR_JSON) === 'application/json';
}

/** Runs and returns the problem that it throws; a form shows it. */
export async function problemOf(run: () => Promise<unknown>): Promise<Problem | undefined> {
  return (await outcomeOf(undefined, run)).problem;
}

type Outcome<Result> =
  | { readonly problem: Problem; readonly result?: never }
  | { readonly problem?: undefined; readonly result: Result };

/**
 * Runs and returns the result, or the problem that it throws. A form that is refused already, such as a forged one, is
 * not run.
 */
export async function outcomeOf<Result>(
  refusal: Problem | undefined,
  run: () => Promise<Result>,
): Promise<Outcome<Result>> {
  if (refusal) return { problem: refusal };
  try {
    return { result: await run() };
  } catch (error) {
    if (error instanceof Problem) return { problem: error.mistakes[0].path?.[0] === 'ifUpdatedAt' ? CHANGED : error };
    throw error;
  }
}

/** As a page says it, whose form sends along what it has seen. It comes back with what is typed and what is to be seen now. */
const CHANGED = new Problem(
  'CONFLICT',
  'This was changed elsewhere since you opened the page, so nothing was saved. What you typed is still here. Check the current version in another tab, then save again to keep yours.',
);

/** For the link of a mail that leads nowhere any more, whatever the reason. `advice` says how to get another one. */
export function answerLinkOver(c: Context, advice: string): Response | Promise<Response> {
  return sendError(c, { status: 410, ...problemWords(localeOf(c)).linkOver, advice });
}

interface ErrorPage {
  /** The HTTP status, shown small. */
  readonly status: number;
  readonly title: string;
  /** Says what is wrong: a full sentence. */
  readonly message: string;
  /** Says what the reader can do about it. */
  readonly advice?: string;
  /** Shows a way on, or details. */
  readonly more?: Html | undefined;
  /** Whether the page is in a frame of another website, out of which no link leads. */
  readonly isEmbedded?: boolean | undefined;
  /** The signed-in user, if that is known: then the page has their menu. */
  readonly viewer?: Viewer | undefined;
  /** BCP 47, the reader's. */
  readonly locale?: string;
}

/** A request that cannot be carried out, told to the person in front of the browser. */
export function errorPage(page: ErrorPage): Html {
  const { status, title, message, advice, more, isEmbedded = false, viewer, locale = 'en' } = page;
  const words = pageWords(locale);
  const content = html`<article>
      <p class="status">${words.errorStatus(status)}</p>
      <h1>${title}</h1>
      <p>${message}</p>
      ${advice === undefined ? '' : html`<p>${advice}</p>`}
      ${more ?? ''}
      ${isEmbedded ? '' : html`<p class="aside"><a href="/">${words.startPage}</a></p>`}
    </article>`;
  return layout({ title, content, corner: viewer, shape: 'card', isEmbedded, locale });
}
