/**
 * conferencing/ is where users, and administrators for their teams, connect the apps in which bookings meet. It may import
 * account/, event-types/, teams/, kit/ and http/.
 */
import { type Context, Hono } from 'hono';
import { publicOwnedId } from '../../core/id.ts';
import { inTime } from '../../core/in-time.ts';
import { MAX_PAGE_SIZE, pageRequest } from '../../core/page.ts';
import type { Problem } from '../../core/problem.ts';
import type { RowOf } from '../../database/columns.ts';
import type { Report } from '../../database/failure.ts';
import { Selection } from '../../database/selection.ts';
import type { Em } from '../../database/sql.ts';
import { localeOf } from '../../http/page-locale.ts';
import { seeOther } from '../../http/page-response.ts';
import { answerErrors, outcomeOf, sendForm } from '../../http/problem-response.ts';
import { asViewer, type Visitors } from '../../http/visitors.ts';
import { findAppUse } from '../../modules/bookings/conferencing/app-use.queries.ts';
import { ACCOUNT, type AppSettings, stateOfApp } from '../../modules/conferencing/app-state.ts';
import { connectApp, disconnectApp, setDefaultApp } from '../../modules/conferencing/change-conferencing-apps.ts';
import { ConferencingApp } from '../../modules/conferencing/conferencing-app.entity.ts';
import { CONFERENCING_APPS } from '../../modules/conferencing/conferencing-app.queries.ts';
import { APPS, type AppSlug, isApp, isOAuthApp } from '../../modules/conferencing/conferencing-app.rules.ts';
import type { Connections } from '../../modules/connections/connections.ts';
import { requireOwnId } from '../../modules/levels/not-found-here.ts';
import { ownedPage } from '../../modules/levels/owned.queries.ts';
import { confirmPage } from '../kit/confirm-page.ts';
import { mistakesIn } from '../kit/mistakes.ts';
import { levelsOfPages, type PageLevel } from '../teams/page-level.ts';
import {
  CONFERENCING_FORMS,
  type ConferencingForm,
  conferencingPage,
  nameOfApp,
  type ShownApp,
} from './conferencing-page.ts';
import { conferencingWords } from './conferencing-words.ts';
import { disconnectionPart } from './disconnect-page.ts';

export interface ConferencingSettings extends AppSettings {
  /** The global EntityManager; each request works on a fork. */
  readonly em: Em;
  readonly visitors: Visitors;
  readonly connections: Connections;
  readonly report: Report;
}

const SHOWN = new Selection(ConferencingApp, [...ACCOUNT, 'id', 'isDefault']);
type StoredApp = Pick<RowOf<typeof ConferencingApp>, (typeof ACCOUNT)[number] | 'id' | 'isDefault'>;

/** A page waits no longer for servers of others. */
const STATUS_MILLISECONDS = 2_000;

/** `/settings/conferencing`, and `/settings/teams/:id/conferencing` for administrators of a team. */
export function conferencingRoutes(settings: ConferencingSettings): Hono {
  const { em, visitors, connections, hasRooms, report } = settings;
  const offered = (Object.keys(APPS) as AppSlug[]).filter((app) => (app === 'video' ? hasRooms : connections.has(app)));
  const routes = new Hono();
  routes.onError(answerErrors(report));
  for (const route of levelsOfPages(settings, 'conferencing', ['team'])) {
    routes.get(
      route.path,
      route.of((c, level) => show(c, level)),
    );
    routes.get(
      `${route.path}/disconnect`,
      route.of((c, level) => askToDisconnect(c, level)),
    );
    for (const form of CONFERENCING_FORMS) {
      routes.post(
        `${route.path}/${form}`,
        route.of((c, level) => take(c, level, form)),
      );
      // For users who had to sign in before the form was taken, and come back.
      if (form !== 'disconnect')
        routes.get(
          `${route.path}/${form}`,
          route.of((c, { path }) => seeOther(c, path)),
        );
    }
  }
  return routes;

  async function take(c: Context, level: PageLevel, name: ConferencingForm): Promise<Response> {
    const { form, forgery } = await visitors.readForm(c, purposeOf(name));
    const act = () => ACTIONS[name](em.fork(), level, form.get('app') ?? '', settings);
    const { problem, result: onward } = await outcomeOf(forgery, act);
    // A form that is sent twice was carried out the first time.
    const isDone = !problem || (name === 'disconnect' && problem.code === 'NOT_FOUND');
    if (isDone && onward) return seeOther(c, onward);
    if (isDone) return visitors.leadTo(c, level.path, name);
    return show(c, level, problem);
  }

  async function show(c: Context, level: PageLevel, problem?: Problem): Promise<Response> {
    const { session, owner } = level;
    const locale = localeOf(c);
    const stored = await findApps(owner.ownerId);
    const done = visitors.doneBefore(c);
    const page = conferencingPage({
      viewer: asViewer(session),
      level,
      apps: await Promise.all(stored.map(shownApp)),
      offered,
      csrf: visitors.formTokens(c, CONFERENCING_FORMS, purposeOf),
      mistakes: mistakesIn(locale, problem, { texts: conferencingWords(locale).mistakes }),
      done: problem ? undefined : CONFERENCING_FORMS.find((form) => form === done),
      locale,
    });
    return sendForm(c, page, problem);
  }

  async function askToDisconnect(c: Context, level: PageLevel): Promise<Response> {
    const { session, owner, place, path } = level;
    const locale = localeOf(c);
    const stored = await findApps(owner.ownerId);
    const app = stored.find((one) => publicOwnedId('conferencingApp', one) === c.req.query('app'));
    if (!app) return seeOther(c, path);
    const others = stored.filter(({ id }) => id !== app.id);
    const { question: words } = conferencingWords(locale);
    const connected = stored.map((one) => one.app);
    const page = confirmPage({
      viewer: asViewer(session),
      title: words.title(nameOfApp(app.app)),
      explanation: isOAuthApp(app.app) ? words.endsWithAccount(nameOfApp(app.app)) : words.ends,
      details: disconnectionPart({
        app: app.app,
        use: await findAppUse(em.fork(), {
          ownerId: app.ownerId,
          id: app.id,
          app: app.app,
          isDefault: app.isDefault,
          connected,
        }),
        next: (others.find(({ isDefault }) => isDefault) ?? others[0])?.app,
        isOwn: place === undefined,
        locale,
      }),
      button: words.button,
      action: `${path}/disconnect`,
      csrf: visitors.formToken(c, purposeOf('disconnect')),
      sent: { app: publicOwnedId('conferencingApp', app) },
      backPath: path,
      mistakes: [],
      locale,
    });
    return sendForm(c, page, undefined);
  }

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

function purposeOf(form: ConferencingForm): string {
  return `conferencing ${form}`;
}
