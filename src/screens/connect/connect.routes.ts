/** connect/ leads users to providers whose accounts they connect, and back. It may import account/ and kit/. */
import { type Context, Hono } from 'hono';
import { idOf, isTeam, publicId } from '../../core/id.ts';
import type { Report } from '../../database/failure.ts';
import type { Em } from '../../database/sql.ts';
import type { FoundSession } from '../../modules/accounts/sign-in/sessions.ts';
import { CALENDARS_PATH, TITLES } from '../../modules/calendars/connections/calendar-connection.rules.ts';
import { APPS } from '../../modules/conferencing/conferencing-app.rules.ts';
import {
  CALLBACK_PATH,
  CONNECT_PATH,
  type Connections,
  type NotConnected,
} from '../../modules/connections/connections.ts';
import { signedIn } from '../kit/page.ts';
import { localeOf } from '../kit/page-locale.ts';
import { seeOther, sendPage } from '../kit/page-response.ts';
import { answerErrors, sendError } from '../kit/problem-response.ts';
import { problemWords } from '../kit/problem-words.ts';
import { asViewer, type Visitors } from '../kit/visitors.ts';
import { connectedPage } from './connected-page.ts';
import { connectWords } from './words/connect-words.ts';

export interface ConnectSettings {
  /** The global EntityManager; each request works on a fork. */
  readonly em: Em;
  readonly visitors: Visitors;
  readonly connections: Connections;
  readonly report: Report;
}

const CALENDAR_TITLES: readonly string[] = Object.values(TITLES);
const APP_TITLES: readonly string[] = Object.values(APPS);
const DONE_PATH = '/connect/done';

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
      const { title: name, ownerId } = completed;
      const of = isTeam(ownerId) ? { team: publicId('team', ownerId) } : {};
      return seeOther(c, `${DONE_PATH}?${new URLSearchParams({ name, ...of })}`);
    }),
  );
  routes.get(
    DONE_PATH,
    signedIn(visitors, (c, session) => done(c, session)),
  );
  return routes;

  /** It names what is configured, and nothing else that somebody may have written into the address. */
  function done(c: Context, session: FoundSession): Response | Promise<Response> {
    const { done: words } = connectWords(localeOf(c));
    const name = connections.titles.find((title) => title === c.req.query('name'));
    const next = nextAfter(name ?? '', c.req.query('team') ?? '', words);
    return sendPage(c, connectedPage(asViewer(session), name, next, localeOf(c)));
  }
}

/** Where what was connected is used. */
function nextAfter(name: string, team: string, words: ReturnType<typeof connectWords>['done']) {
  if (CALENDAR_TITLES.includes(name)) return { path: CALENDARS_PATH, name: words.calendars };
  if (!APP_TITLES.includes(name)) return { path: '/', name: words.home };
  return idOf('team', team) === undefined
    ? { path: '/settings/conferencing', name: words.apps }
    : { path: `/settings/teams/${team}/conferencing`, name: words.appsOfTeam };
}

function refuse(c: Context, found: NotConnected): Response | Promise<Response> {
  const locale = localeOf(c);
  const { over, anotherUser, refused, failed, again: advice } = connectWords(locale);
  switch (found.kind) {
    case 'OVER':
      return sendError(c, { status: 410, ...over, advice });
    case 'ANOTHER_USER':
      return sendError(c, { status: 403, ...anotherUser });
    case 'REFUSED': {
      const message = refused.message(found.title);
      return sendError(c, { status: 403, title: refused.title, message, advice });
    }
    case 'FAILED': {
      const title = failed.title(found.title);
      const known = found.code && problemWords(locale).texts[found.code];
      const message = known ?? failed.message(found.message, found.title);
      return sendError(c, { status: 502, title, message, advice });
    }
  }
}
