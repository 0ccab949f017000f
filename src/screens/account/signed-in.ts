import type { Context } from 'hono';
import { Problem } from '../../core/problem.ts';
import { localeOf } from '../../http/page-locale.ts';
import { seeOther, sendPage } from '../../http/page-response.ts';
import type { FormLimits } from '../../http/request-body.ts';
import type { Visitors } from '../../http/visitors.ts';
import type { FoundSession } from '../../modules/accounts/sign-in/session.queries.ts';
import { keptText } from './kept-form.ts';
import { signInPage, withReturn } from './sign-in-page.ts';

type Answer = Response | Promise<Response>;

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
    const csrf = visitors.formToken(c, 'sign-in');
    const page = {
      csrf,
      returnTo,
      kept: kept ?? '',
      isLost: kept === undefined,
      email: '',
      mistakes: [],
      viewer: undefined,
      hasDemoData: false,
      done: undefined,
      locale: localeOf(c),
    };
    return sendPage(c, signInPage(page), 401);
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
