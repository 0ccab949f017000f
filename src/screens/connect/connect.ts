/** connect/ leads users to providers whose accounts they connect, and back. It may import account/ and kit/. */
import type { Context, Hono } from 'hono';
import { html } from 'hono/html';
import { idOf, isTeam, publicId } from '../../core/id.ts';
import { inLanguages } from '../../core/language.ts';
import type { Report } from '../../database/failure.ts';
import { CALENDARS_PATH, TITLES } from '../../modules/calendars/connections/calendar-connection.rules.ts';
import { APPS } from '../../modules/conferencing/conferencing-app.rules.ts';
import {
  CALLBACK_PATH,
  CONNECT_PATH,
  type Connections,
  type NotConnected,
} from '../../modules/connections/connections.ts';
import { type Html, layout, type Viewer } from '../kit/layout.ts';
import { always, type PageSettings, page, routesOf } from '../kit/page.ts';
import { localeOf } from '../kit/page-locale.ts';
import { seeOther } from '../kit/page-response.ts';
import { answerErrors, sendError } from '../kit/problem-response.ts';
import { problemWords } from '../kit/problem-words.ts';
import { CONNECT_DE } from './connect-words.de.ts';
import { CONNECT_EN } from './connect-words.en.ts';

interface ConnectSettings extends PageSettings {
  readonly connections: Connections;
  readonly report: Report;
}

const CALENDAR_TITLES: readonly string[] = Object.values(TITLES);
const APP_TITLES: readonly string[] = Object.values(APPS);
const DONE_PATH = '/connect/done';

/** The words of these pages, for a reader of this locale. */
const connectWords = inLanguages(CONNECT_EN, { de: CONNECT_DE });

/** The address that begins a connection, the one to which providers send users back, and the page that says it is done. */
export function connectRoutes(settings: ConnectSettings): Hono {
  const { visitors, connections, report } = settings;
  const beginning = page({
    path: CONNECT_PATH,
    find: always,
    show: async ({ c, em, session: { userId } }) => {
      const visit = { userId, browserId: visitors.cookies.requireBrowserId(c) };
      const followed = await connections.follow(em, c.req.query('link') ?? '', visit);
      return followed.kind === 'GO' ? seeOther(c, followed.url) : refuse(c, followed);
    },
  });
  const callback = page({
    path: CALLBACK_PATH,
    find: always,
    show: async ({ c, em, session: { userId } }) => {
      const visit = { userId, browserId: visitors.cookies.browserId(c.req.raw) ?? '' };
      const completed = await connections.complete(em, new URL(c.req.url).searchParams, visit);
      if (completed.kind !== 'CONNECTED') return refuse(c, completed);
      const { title: name, ownerId } = completed;
      const of = isTeam(ownerId) ? { team: publicId('team', ownerId) } : {};
      return seeOther(c, `${DONE_PATH}?${new URLSearchParams({ name, ...of })}`);
    },
  });
  // It names what is configured, and nothing else that somebody may have written into the address.
  const done = page({
    path: DONE_PATH,
    find: always,
    show: ({ c, viewer, locale }) => {
      const name = connections.titles.find((title) => title === c.req.query('name'));
      const next = nextAfter(name ?? '', c.req.query('team') ?? '', connectWords(locale).done);
      return connectedView(viewer, name, next, locale);
    },
  });
  const routes = routesOf(settings, [beginning, callback, done]);
  routes.onError(answerErrors(report));
  return routes;
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

/** The page that a user sees once an account is connected. */
function connectedView(
  viewer: Viewer,
  provider: string | undefined,
  next: { readonly path: string; readonly name: string },
  locale: string,
): Html {
  const { done: words } = connectWords(locale);
  const content = html`<article>
      <h1>${words.heading(provider)}</h1>
      <p>${words.what}</p>
      <p class="aside"><a href="${next.path}">${next.name}</a></p>
    </article>`;
  return layout({ title: words.title, content, corner: viewer, shape: 'card', locale });
}
