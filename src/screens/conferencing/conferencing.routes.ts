/**
 * conferencing/ is where users, and administrators for their teams, connect the apps in which bookings meet. It may import
 * account/, event-types/, teams/ and kit/.
 */
import type { Hono } from 'hono';
import { publicOwnedId } from '../../core/id.ts';
import { inTime } from '../../core/in-time.ts';
import { MAX_PAGE_SIZE, pageRequest } from '../../core/page.ts';
import { type RowOf, Selection } from '../../database/columns.ts';
import type { Report } from '../../database/failure.ts';
import type { Em } from '../../database/sql.ts';
import { findAppUse } from '../../modules/bookings/conferencing/app-use.queries.ts';
import { connectApp, disconnectApp, setDefaultApp } from '../../modules/conferencing/conferencing-app.commands.ts';
import { ConferencingApp } from '../../modules/conferencing/conferencing-app.entity.ts';
import {
  ACCOUNT,
  type AppSettings,
  CONFERENCING_APPS,
  stateOfApp,
} from '../../modules/conferencing/conferencing-app.queries.ts';
import { APPS, type AppSlug, isApp, isOAuthApp } from '../../modules/conferencing/conferencing-app.rules.ts';
import type { Connections } from '../../modules/connections/connections.ts';
import { requireOwnId } from '../../modules/levels/change-owned.ts';
import { ownedPage } from '../../modules/levels/owned.queries.ts';
import { orDone, type PageSettings, page, type Run, routesOf } from '../kit/page.ts';
import { seeOther } from '../kit/page-response.ts';
import { answerErrors } from '../kit/problem-response.ts';
import { question } from '../kit/question.ts';
import { levelOf, type PageLevel, pathsOfLevels } from '../teams/page-level.ts';
import { answerNone } from '../teams/place.ts';
import {
  CONFERENCING_FORMS,
  type ConferencingForm,
  conferencingPage,
  conferencingWords,
  nameOfApp,
  type ShownApp,
} from './conferencing-page.ts';
import { disconnectionPart } from './disconnect-page.ts';

export interface ConferencingSettings extends AppSettings, PageSettings {
  readonly connections: Connections;
  readonly report: Report;
}

const SHOWN = new Selection(ConferencingApp, [...ACCOUNT, 'id', 'isDefault']);
type StoredApp = Pick<RowOf<typeof ConferencingApp>, (typeof ACCOUNT)[number] | 'id' | 'isDefault'>;

/** A page waits no longer for servers of others. */
const STATUS_MILLISECONDS = 2_000;

const NAME = 'conferencing';
const PATHS = pathsOfLevels(NAME);

/** `/settings/conferencing`, and `/settings/teams/:id/conferencing` for administrators of a team. */
export function conferencingRoutes(settings: ConferencingSettings): Hono {
  const { em, connections, hasRooms, report } = settings;
  const offered = (Object.keys(APPS) as AppSlug[]).filter((app) => (app === 'video' ? hasRooms : connections.has(app)));
  const run =
    (name: ConferencingForm): Run<PageLevel> =>
    async (visit, level, form) => {
      const onward = await ACTIONS[name](visit.em, level, form.get('app') ?? '', settings);
      return onward === undefined ? undefined : { to: onward };
    };
  const apps = page({
    path: PATHS,
    find: (visit) => levelOf(visit, NAME, ['team']),
    none: answerNone,
    show: async (showing, level) => {
      const { locale, done } = showing;
      const stored = await findApps(level.owner.ownerId);
      return conferencingPage({
        ...showing,
        level,
        apps: await Promise.all(stored.map(shownApp)),
        offered,
        mistakes: showing.mistakes({ texts: conferencingWords(locale).mistakes }),
        done: CONFERENCING_FORMS.find((form) => form === done),
      });
    },
    forms: {
      connect: { run: run('connect') },
      default: { run: run('default') },
      disconnect: {
        run: (visit, level, form) =>
          orDone('NOT_FOUND', { to: visit.path, done: 'disconnect' }, () => run('disconnect')(visit, level, form)),
      },
    },
  });
  const disconnection = question({
    path: PATHS.map((path) => `${path}/disconnect`),
    find: (visit) => levelOf(visit, NAME, ['team']),
    none: answerNone,
    ask: async ({ c, locale }, { owner, place, path }) => {
      const stored = await findApps(owner.ownerId);
      const app = stored.find((one) => publicOwnedId('conferencingApp', one) === c.req.query('app'));
      if (!app) return seeOther(c, path);
      const others = stored.filter(({ id }) => id !== app.id);
      const { question: words } = conferencingWords(locale);
      const connected = stored.map((one) => one.app);
      const { ownerId, id, isDefault } = app;
      return {
        title: words.title(nameOfApp(app.app)),
        explanation: isOAuthApp(app.app) ? words.endsWithAccount(nameOfApp(app.app)) : words.ends,
        details: disconnectionPart({
          app: app.app,
          use: await findAppUse(em.fork(), { ownerId, id, app: app.app, isDefault, connected }),
          next: (others.find((one) => one.isDefault) ?? others[0])?.app,
          isOwn: place === undefined,
          locale,
        }),
        button: words.button,
        sent: { app: publicOwnedId('conferencingApp', app) },
        backPath: path,
      };
    },
  });
  const routes = routesOf(settings, [apps, disconnection]);
  routes.onError(answerErrors(report));
  return routes;

  /** Oldest first: after a default that goes, the first of them takes its place. */
  async function findApps(ownerId: string): Promise<readonly StoredApp[]> {
    return (await ownedPage(em.fork(), CONFERENCING_APPS, ownerId, pageRequest({ first: MAX_PAGE_SIZE }), SHOWN)).rows;
  }

  async function shownApp(stored: StoredApp): Promise<ShownApp> {
    const { app, isDefault } = stored;
    const isOffered = isApp(app) && offered.includes(app);
    const status = isOffered ? await statusOf(stored) : 'NOT_OFFERED';
    return { id: publicOwnedId('conferencingApp', stored), app, isDefault, status };
  }

  async function statusOf(stored: StoredApp): Promise<ShownApp['status']> {
    const state = stateOfApp(em.fork(), stored, settings).then(({ status }) => status);
    return inTime<ShownApp['status']>(state, STATUS_MILLISECONDS, () => new Error('late')).catch(() => 'PENDING');
  }
}

type Action = (em: Em, level: PageLevel, app: string, settings: ConferencingSettings) => Promise<string | undefined>;

/** The action of each form. @returns an address elsewhere that its sender is to go on to */
const ACTIONS: Readonly<Record<ConferencingForm, Action>> = {
  connect: async (em, { owner, session: { userId } }, app, settings) => {
    const connected = await connectApp(em, owner, { app, userId }, settings);
    return 'id' in connected ? undefined : connected.authorizationUrl;
  },
  default: async (em, { owner }, app) => {
    await setDefaultApp(em, owner, requireOwnId('conferencingApp', app, owner.ownerId));
    return undefined;
  },
  disconnect: async (em, { owner }, app) => {
    await disconnectApp(em, owner, requireOwnId('conferencingApp', app, owner.ownerId));
    return undefined;
  },
};
