/**
 * calendars/ is where users connect calendars elsewhere, and choose which of them make them busy and which their bookings
 * are written to. It may import account/ and kit/.
 */
import { type Context, Hono } from 'hono';
import { publicOwnedId } from '../../core/id.ts';
import { inTime } from '../../core/in-time.ts';
import type { Mistake, Problem } from '../../core/problem.ts';
import { type Report, retryHeaders, statusOf } from '../../database/failure.ts';
import type { Em } from '../../database/sql.ts';
import type { FoundSession } from '../../modules/accounts/sign-in/session.queries.ts';
import { findUser } from '../../modules/accounts/user.queries.ts';
import {
  CALENDARS_PATH,
  MAX_ACCEPTED_HOSTS,
  MAX_CALENDARS,
  MAX_CONNECTIONS,
  OAUTH_CALENDAR_PROVIDERS,
  TITLES,
} from '../../modules/calendars/connections/calendar-connection.rules.ts';
import { HostNotAccepted } from '../../modules/calendars/connections/connect-caldav.ts';
import type { StoredAccount } from '../../modules/calendars/connections/stored-account.ts';
import { rowOf, unreadableOf } from '../../modules/calendars/feeds/feed-store.ts';
import { isolated } from '../kit/layout.ts';
import { signedIn } from '../kit/page.ts';
import { seeOther, sendPage } from '../kit/page-response.ts';
import { answerErrors, outcomeOf } from '../kit/problem-response.ts';
import { mistakesIn } from '../kit/problem-words.ts';
import { confirmPage } from '../kit/question.ts';
import { largeForm } from '../kit/request.ts';
import { asViewer, type Visitors } from '../kit/visitors.ts';
import { clockOf } from '../kit/when.ts';
import { CALENDAR_ACTIONS, type CalendarActionsSettings } from './calendar-actions.ts';
import {
  CALENDAR_FORMS,
  type CalendarForm,
  calendarFormPath,
  type ShownAccount,
  type ShownFeed,
  type ShownStatus,
  type TypedAccount,
} from './calendar-forms.ts';
import { calendarsPage } from './calendars-page.ts';
import { findAccounts, findCalendars, findFeeds } from './shown-calendars.queries.ts';
import { calendarWords } from './words/calendar-words.ts';

export interface CalendarsSettings extends CalendarActionsSettings {
  /** The global EntityManager; each request works on a fork. */
  readonly em: Em;
  readonly visitors: Visitors;
  readonly report: Report;
}

/** Two fields for each calendar that somebody can have. */
const LIMITS = largeForm(2 * MAX_CONNECTIONS * MAX_CALENDARS);
/** A page waits no longer for servers of others. */
const STATUS_MILLISECONDS = 2_000;

/** `/settings/calendars`: accounts elsewhere, calendars by their address, and what is done with them. */
export function calendarsRoutes(settings: CalendarsSettings): Hono {
  const { em, visitors, calendarAccounts, connections, report } = settings;
  const routes = new Hono();
  routes.onError(answerErrors(report));
  routes.get(
    CALENDARS_PATH,
    signedIn(visitors, (c, session) => show(c, session)),
  );
  routes.get(calendarFormPath('disconnect'), signedIn(visitors, askToDisconnect));
  for (const form of CALENDAR_FORMS) {
    routes.post(
      calendarFormPath(form),
      signedIn(visitors, (c, session) => take(c, session, form), LIMITS),
    );
    // For users who had to sign in before the form was taken, and come back.
    if (form !== 'disconnect') routes.get(calendarFormPath(form), (c) => seeOther(c, CALENDARS_PATH));
  }
  return routes;

  async function take(c: Context, session: FoundSession, name: CalendarForm): Promise<Response> {
    const { userId } = session;
    const { form, forgery } = await visitors.readForm(c, purposeOf(name));
    const act = () => CALENDAR_ACTIONS[name].act(em.fork(), settings, { userId, form });
    const { problem, result: onward } = await outcomeOf(forgery, act);
    if (problem) return show(c, session, { problem, form, name });
    return onward === undefined ? visitors.leadTo(c, CALENDARS_PATH, name) : seeOther(c, onward);
  }

  async function askToDisconnect(c: Context, session: FoundSession): Promise<Response> {
    const accounts = await shownAccounts(session.userId, async () => 'PENDING');
    const account = accounts.find(({ id }) => id === c.req.query('account'));
    if (!account) return seeOther(c, CALENDARS_PATH);
    const { question } = calendarWords(session.userLocale);
    return sendPage(
      c,
      confirmPage({
        viewer: asViewer(session),
        title: question.title(isolated(account.account)),
        explanation: question.explanation,
        button: question.button,
        action: calendarFormPath('disconnect'),
        csrf: visitors.formToken(c, purposeOf('disconnect')),
        sent: { account: account.id },
        backPath: CALENDARS_PATH,
        mistakes: [],
        locale: session.userLocale,
      }),
    );
  }

  async function show(c: Context, session: FoundSession, refused?: Refused): Promise<Response> {
    const { userId, userLocale: locale } = session;
    const words = calendarWords(locale);
    const said = visitors.doneBefore(c);
    const done = CALENDAR_FORMS.find((name) => name === said);
    const page = calendarsPage({
      viewer: asViewer(session),
      clock: { ...clockOf(await findUser(em.fork(), userId)), locale },
      accounts: await shownAccounts(userId, liveStatusOf),
      feeds: await shownFeeds(userId),
      offered: OAUTH_CALENDAR_PROVIDERS.filter((provider) => connections.has(provider)).map((provider) => ({
        provider,
        title: TITLES[provider],
      })),
      csrf: visitors.formTokens(c, CALENDAR_FORMS, purposeOf),
      typed: typedIn(refused),
      mistakes: mistakesOf(refused, locale),
      done: done && !refused ? words.done[done] : undefined,
    });
    if (!refused) return sendPage(c, page);
    // A password that is wrong elsewhere is no reason to sign in here.
    const status = refused.problem.code === 'WRONG_CREDENTIALS' ? 422 : statusOf(refused.problem);
    return sendPage(c, page, status, retryHeaders(refused.problem));
  }

  async function shownAccounts(
    userId: string,
    statusOfAccount: (account: StoredAccount) => Promise<ShownStatus>,
  ): Promise<ShownAccount[]> {
    const [accounts, calendars] = [await findAccounts(em.fork(), userId), await findCalendars(em.fork(), userId)];
    return Promise.all(
      accounts.map(async (account) => ({
        id: publicOwnedId('calendarAccount', { ownerId: userId, id: account.id }),
        provider:
          account.server === null ? TITLES[account.provider] : `${TITLES[account.provider]} (${account.server})`,
        account: account.account,
        status: await statusOfAccount(account),
        isRefused: account.refusedAt !== null,
        calendars: await Promise.all(
          calendars
            .filter(({ connectionId }) => connectionId === account.id)
            .map(async ({ id, sealedUnreadable, ...one }) => ({
              ...one,
              id: publicOwnedId('calendar', { ownerId: userId, id }),
              unreadable: await unreadableOf(
                settings.credentials,
                ['connected_calendars', userId, id],
                sealedUnreadable,
              ),
            })),
        ),
      })),
    );
  }

  async function shownFeeds(userId: string): Promise<ShownFeed[]> {
    const feeds = await findFeeds(em.fork(), userId);
    return Promise.all(
      feeds.map(async ({ id, sealedUnreadable, ...feed }) => {
        const named = { ownerId: userId, id };
        const unreadable = await unreadableOf(settings.credentials, rowOf(named), sealedUnreadable);
        return { ...feed, id: publicOwnedId('icsFeed', named), unreadable };
      }),
    );
  }

  async function liveStatusOf(account: StoredAccount): Promise<ShownStatus> {
    const status = calendarAccounts.statusOf(em.fork(), account);
    return inTime<ShownStatus>(status, STATUS_MILLISECONDS, () => new Error('late')).catch(() => 'PENDING');
  }
}

interface Refused {
  readonly problem: Problem;
  readonly form: URLSearchParams;
  readonly name: CalendarForm;
}

function typedIn(refused: Refused | undefined): TypedAccount {
  const { form, name, problem } = refused ?? {};
  const accepted = form?.getAll('acceptedHosts').slice(0, MAX_ACCEPTED_HOSTS) ?? [];
  const found = problem instanceof HostNotAccepted ? [problem.host] : [];
  const isAccepted = (host: string) => ({ host, isAccepted: accepted.includes(host) });
  return {
    form: name,
    username: form?.get('username') ?? '',
    server: form?.get('server') ?? '',
    caldavUsername: form?.get('caldavUsername') ?? '',
    hosts: [...new Set([...accepted, ...found])].map(isAccepted),
  };
}

/** Where the page calls its fields otherwise than the commands do: it has one address of a feed, and two forms with a user. */
const CALDAV_FIELDS: Readonly<Record<string, string>> = { username: 'caldavUsername', appPassword: 'caldavPassword' };

function mistakesOf(refused: Refused | undefined, locale: string): readonly Mistake[] {
  const { fields, mistakes: texts } = calendarWords(locale);
  const labels = {
    ...fields,
    urls: fields.url,
    ...(refused?.name === 'caldav' && { username: fields.caldavUsername, appPassword: fields.caldavPassword }),
  };
  return mistakesIn(locale, refused?.problem, { labels, texts }).map((mistake) => {
    const [field = ''] = mistake.path ?? [];
    const control = refused?.name === 'caldav' ? CALDAV_FIELDS[field] : undefined;
    if (control !== undefined) return { ...mistake, path: [control] };
    if (field !== 'urls') return mistake;
    return { ...mistake, message: mistake.message.replace(/^Address 1\b/, 'The address'), path: ['url'] };
  });
}

function purposeOf(form: CalendarForm): string {
  return `calendars ${form}`;
}
