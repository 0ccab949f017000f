/** connect/ leads users to providers whose accounts they connect, and back. It may import account/, kit/ and http/. */
import { type Context, Hono } from 'hono';
import type { Report } from '../../database/failure.ts';
import type { Em } from '../../database/sql.ts';
import { seeOther, sendPage } from '../../http/page-response.ts';
import { answerErrors } from '../../http/problem-response.ts';
import { asViewer, type Visitors } from '../../http/visitors.ts';
import type { FoundSession } from '../../modules/accounts/sign-in/session.queries.ts';
import { CALENDARS_PATH, TITLES } from '../../modules/calendars/connections/calendar-connection.rules.ts';
import { CONNECT_PATH } from '../../modules/connections/begin-connection.ts';
import { CALLBACK_PATH, type Connections, type NotConnected } from '../../modules/connections/connections.ts';
import { signedIn } from '../account/signed-in.ts';
import { errorPage } from '../kit/error-page.ts';
import { connectedPage } from './connected-page.ts';

export interface ConnectSettings {
  /** The global EntityManager; each request works on a fork. */
  readonly em: Em;
  readonly visitors: Visitors;
  readonly connections: Connections;
  readonly report: Report;
}

const CALENDAR_TITLES: readonly string[] = Object.values(TITLES);
const DONE_PATH = '/connect/done';
const AGAIN = 'Begin once more where you began: in the app, or in your settings.';

/** The address that begins a connection, and the one to which providers send users back. */
export function connectRoutes({ em, visitors, connections, report }: ConnectSettings): Hono {
  const routes = new Hono();
  routes.onError(answerErrors(report));
  routes.get(
    CONNECT_PATH,
    signedIn(visitors, async (c, { userId }) => {
      const visit = { userId, browserId: visitors.cookies.requireBrowserId(c) };
      const followed = await connections.follow(em.fork(), c.req.query('link') ?? '', visit);
      return followed.kind === 'GO' ? seeOther(c, followed.url) : refuse(c, followed);
    }),
  );
  routes.get(
    CALLBACK_PATH,
    signedIn(visitors, async (c, { userId }) => {
      const visit = { userId, browserId: visitors.cookies.browserId(c.req.raw) ?? '' };
      const completed = await connections.complete(em.fork(), new URL(c.req.url).searchParams, visit);
      if (completed.kind !== 'CONNECTED') return refuse(c, completed);
      return seeOther(c, `${DONE_PATH}?${new URLSearchParams({ name: completed.title })}`);
    }),
  );
  routes.get(
    DONE_PATH,
    signedIn(visitors, (c, session) => done(c, session)),
  );
  return routes;

  /** It names what is configured, and nothing else that somebody may have written into the address. */
  function done(c: Context, session: FoundSession): Response | Promise<Response> {
    const name = c.req.query('name') ?? '';
    const title = connections.titles.includes(name) ? name : 'The account';
    const next = CALENDAR_TITLES.includes(name)
      ? { path: CALENDARS_PATH, name: 'Choose which calendars make you busy' }
      : { path: '/', name: 'Go to the start page' };
    return sendPage(c, connectedPage(asViewer(session), title, next));
  }
}

function refuse(c: Context, found: NotConnected): Response | Promise<Response> {
  switch (found.kind) {
    case 'OVER':
      return page(c, 410, 'This link does not work any more', 'It was used already, or its ten minutes are over.');
    case 'ANOTHER_USER':
      return sendPage(
        c,
        errorPage({
          status: 403,
          title: 'Somebody else has begun this',
          message:
            'The account was to be connected by another user than the one who is signed in here, so nothing was done.',
          advice: 'Sign in as the user who has begun it, and open the link again.',
        }),
        403,
      );
    case 'REFUSED':
      return page(c, 403, 'Nothing was connected', `${found.title} has given no access, as you or it decided.`);
    case 'FAILED':
      return page(c, 502, `${found.title} could not be connected`, found.message);
  }
}

function page(c: Context, status: 403 | 410 | 502, title: string, message: string): Response | Promise<Response> {
  return sendPage(c, errorPage({ status, title, message, advice: AGAIN }), status);
}
