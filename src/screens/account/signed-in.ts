import type { Context } from 'hono';
import { seeOther, sendPage } from '../../http/page-response.ts';
import type { Visitors } from '../../http/visitors.ts';
import type { FoundSession } from '../../modules/accounts/sign-in/session.queries.ts';
import { keptText } from './kept-form.ts';
import { signInPage, withReturn } from './sign-in-page.ts';

type Answer = Response | Promise<Response>;

/**
 * Makes a handler for users who are signed in. Anybody else signs in first and then comes back by GET, so every address
 * that takes a form also shows a page. A form that was sent meanwhile is kept, and sent again after signing in.
 */
export function signedIn(
  visitors: Visitors,
  handle: (c: Context, session: FoundSession) => Answer,
): (c: Context) => Promise<Response> {
  return async (c) => {
    const session = await visitors.sessionOf(c.req.raw);
    if (session) {
      visitors.bindForms(c.req.raw, session.userId);
      return handle(c, session);
    }
    const { pathname, search } = new URL(c.req.url);
    const returnTo = pathname + search;
    const form = c.req.method === 'POST' ? await visitors.formToKeep(c) : undefined;
    const kept = form ? keptText(form) : '';
    if (kept === '') return seeOther(c, withReturn('/auth/login', returnTo));
    const csrf = visitors.formToken(c, 'sign-in');
    const page = {
      csrf,
      returnTo,
      kept,
      email: '',
      mistakes: [],
      viewer: undefined,
      hasDemoData: false,
      done: undefined,
    };
    return sendPage(c, signInPage(page), 401);
  };
}
