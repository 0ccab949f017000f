import type { Context, ErrorHandler, Hono, MiddlewareHandler, NotFoundHandler } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { Problem } from '../core/problem.ts';
import { failureOf, type Report, retryHeaders, statusOf } from '../database/failure.ts';
import { errorPage } from '../screens/kit/error-page.ts';
import type { Html } from '../screens/kit/layout.ts';
import { pageWords } from '../screens/kit/words/page-words.ts';
import { preferredLanguage } from './accept-language.ts';
import { PAGE_HEADERS, sendPage } from './page-response.ts';
import { isJson } from './request-body.ts';

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
    const { kind, status, code, message, headers } = failureOf(error, report);
    const title = kind === 'AWAY' ? 'Please try again' : 'That did not work';
    return answerProblem(c, { status, code, title, message }, headers);
  };
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** For what does not exist, or what the caller may not see. */
export function answerNotFound(c: Context): Response | Promise<Response> {
  const locale = wantsJson(c) ? 'en' : preferredLanguage(c.req.header('accept-language'));
  return answerProblem(c, { status: 404, code: 'NOT_FOUND', ...pageWords(locale ?? 'en').nowhere, locale });
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
export function answerElsewhere(routes: Hono): NotFoundHandler {
  return (c) => {
    const { path, method } = c.req;
    // What is used for all methods, such as limits on time, is no route of this address.
    const taken = METHODS.filter((one) =>
      routes.router.match(one, path)[0].some(([[, route]]) => route.method === one),
    );
    if (taken.length === 0) return answerNotFound(c);
    const allowed = taken.includes('GET') ? [...taken, 'HEAD'] : taken;
    const message = `This address takes ${allowed.join(', ')}; ${method} is not possible here.`;
    const told = { status: 405, code: 'METHOD_NOT_ALLOWED', title: 'Not this way', message } as const;
    return answerProblem(c, told, { Allow: allowed.join(', ') });
  };
}

interface Told {
  readonly status: ContentfulStatusCode;
  readonly code: string;
  readonly title: string;
  readonly message: string;
  /** BCP 47, of title and message; English without one. */
  readonly locale?: string | undefined;
}

/** As JSON for a program, as a page for a person. */
export function answerProblem(c: Context, told: Told, headers: Readonly<Record<string, string>> = {}) {
  const { status, code, title, message, locale = 'en' } = told;
  return wantsJson(c)
    ? c.json({ error: { code, message } }, status, { ...PAGE_HEADERS, ...headers })
    : sendPage(c, errorPage({ status, title, message, locale }), status, headers);
}

/** There are no pages below /v2: its callers are programs, whatever they accept. */
function wantsJson({ req }: Context): boolean {
  const accepted = req.header('accept') ?? '';
  return (
    req.path.startsWith('/v2/') ||
    isJson(req.raw) ||
    (accepted.includes('application/json') && !accepted.includes('text/html'))
  );
}

/** What `run` throws as a problem; a form shows it. */
export async function problemOf(run: () => Promise<unknown>): Promise<Problem | undefined> {
  try {
    await run();
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}
