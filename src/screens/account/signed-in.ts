import type { Context } from 'hono';
import { seeOther } from '../../http/page-response.ts';
import type { Visitors } from '../../http/visitors.ts';
import type { FoundSession } from '../../modules/accounts/sign-in/session.queries.ts';
import { withReturn } from './sign-in-page.ts';

type Answer = Response | Promise<Response>;

/**
 * Makes a handler for users who are signed in. Anybody else signs in first and then comes back by GET, so every address
 * that takes a form also shows a page.
 */
export function signedIn(
  visitors: Visitors,
  handle: (c: Context, session: FoundSession) => Answer,
): (c: Context) => Promise<Response> {
  return async (c) => {
    const session = await visitors.sessionOf(c.req.raw);
    if (session) return handle(c, session);
    const { pathname, search } = new URL(c.req.url);
    return seeOther(c, withReturn('/auth/login', pathname + search));
  };
}
