import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { Problem } from '../core/problem.ts';
import { TooManyGuesses } from '../limits/guess-limit.ts';
import { errorPage } from '../pages/error-page.ts';
import { sendPage } from './page-response.ts';
import { isJson } from './request-body.ts';

const STATUS: Readonly<Record<string, ContentfulStatusCode>> = {
  BAD_REQUEST: 400,
  WRONG_CREDENTIALS: 401,
  ACCOUNT_SUSPENDED: 403,
  FORGED_FORM: 403,
  FOREIGN_REQUEST: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  BODY_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  TOO_MANY_GUESSES: 429,
  BUSY: 503,
};

/** The status of an answer that tells of a problem; 422 for a mistake in what was filled in. */
export function statusOf(problem: Problem): ContentfulStatusCode {
  return STATUS[problem.code] ?? 422;
}

/** When to come back, where that is known. */
export function retryHeaders(problem: Problem): Readonly<Record<string, string>> {
  if (problem instanceof TooManyGuesses) return { 'Retry-After': String(problem.secondsToWait) };
  return problem.code === 'BUSY' ? { 'Retry-After': '2' } : {};
}

/** For `onError`: a problem as JSON to who sent JSON, else as a page. Anything else is for who stands above. */
export async function answerProblem(error: unknown, c: Context): Promise<Response> {
  if (!(error instanceof Problem)) throw error;
  const { code, message } = error;
  const [status, headers] = [statusOf(error), retryHeaders(error)];
  if (isJson(c.req.raw))
    return c.json({ error: { code, message } }, status, { 'Cache-Control': 'no-store', ...headers });
  return sendPage(c, errorPage({ status, title: 'That did not work', message }), status, headers);
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
