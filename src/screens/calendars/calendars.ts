/**
 * calendars/ is where users connect calendars elsewhere, and choose which of them make them busy and which their bookings
 * are written to. It may import account/ and kit/.
 */

import type { Hono } from 'hono';
import { publicOwnedId } from '../../core/id.ts';
import { inTime } from '../../core/in-time.ts';
import { type Mistake, Problem } from '../../core/problem.ts';
import type { RowOf } from '../../database/columns.ts';
import { type Report, retryHeaders } from '../../database/failure.ts';
import { type Em, rows } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
import type { GuessLimit } from '../../limits/guess-limit.ts';
import { findUser } from '../../modules/accounts/user.queries.ts';
import { beginCalendarAccess } from '../../modules/calendars/connections/calendar-access.ts';
import type { CalendarAccounts } from '../../modules/calendars/connections/calendar-accounts.ts';
import {
  disconnectCalendars,
  selectCalendar,
  setDestinationCalendar,
} from '../../modules/calendars/connections/calendar-connection.commands.ts';
import {
  CalendarConnection,
  ConnectedCalendar,
} from '../../modules/calendars/connections/calendar-connection.entity.ts';
import {
  ACCOUNT_COLUMNS,
  type StoredAccount,
} from '../../modules/calendars/connections/calendar-connection.queries.ts';
import {
  CALENDARS_PATH,
  MAX_ACCEPTED_HOSTS,
  MAX_CALENDARS,
  MAX_CONNECTIONS,
  OAUTH_CALENDAR_PROVIDERS,
  TITLES,
} from '../../modules/calendars/connections/calendar-connection.rules.ts';
import {
  connectAppleCalendar,
  connectCaldav,
  HostNotAccepted,
  reconnectCalendars,
} from '../../modules/calendars/connections/connect-caldav.ts';
import { rowOf, unreadableOf } from '../../modules/calendars/feeds/feed-reader.ts';
import { IcsFeed } from '../../modules/calendars/feeds/ics-feed.entity.ts';
import { addFeed, removeFeed } from '../../modules/calendars/feeds/save-feeds.ts';
import { FreshCalendars } from '../../modules/calendars/fresh-calendars.ts';
import type { Connections } from '../../modules/connections/connections.ts';
import { requireOwnId } from '../../modules/levels/change-owned.ts';
import { own } from '../../modules/levels/reach.ts';
import { lockOwnerAlone } from '../../modules/teams/lock-owner.ts';
import type { Credentials } from '../../outbound/credentials.ts';
import type { Outbound } from '../../outbound/outbound.ts';
import { type Html, isolated } from '../kit/layout.ts';
import {
  always,
  type DeclaredPage,
  type PageForm,
  type PageSettings,
  page,
  type Run,
  routesOf,
  type Showing,
} from '../kit/page.ts';
import { seeOther, sendPage } from '../kit/page-response.ts';
import { answerErrors } from '../kit/problem-response.ts';
import { mistakesIn } from '../kit/problem-words.ts';
import { question } from '../kit/question.ts';
import { type FormBack, largeForm } from '../kit/request.ts';
import { clockOf } from '../kit/when.ts';
import {
  CALENDAR_FORMS,
  type CalendarForm,
  calendarFormPath,
  calendarsView,
  calendarWords,
  type ShownAccount,
  type ShownFeed,
  type ShownStatus,
  type TypedAccount,
} from './calendars-page.ts';

interface CalendarsSettings extends PageSettings {
  readonly calendarAccounts: CalendarAccounts;
  /** Counts passwords of accounts elsewhere. */
  readonly calendarAccountTries: GuessLimit;
  readonly connections: Connections;
  readonly outbound: Outbound;
  readonly credentials: Credentials;
  /** Counts new addresses that are asked for. */
  readonly feedTries: GuessLimit;
  readonly allowPrivateNetwork: boolean;
  readonly report: Report;
}

/** Two fields for each calendar that somebody can have. */
const LIMITS = largeForm(2 * MAX_CONNECTIONS * MAX_CALENDARS);
/** A page waits no longer for servers of others. */
const STATUS_MILLISECONDS = 2_000;

/** `/settings/calendars`: accounts elsewhere, calendars by their address, and what is done with them. */
export function calendarsRoutes(settings: CalendarsSettings): Hono {
  const routes = routesOf(settings, [calendarsPage(settings), disconnectPage(settings)]);
  routes.onError(answerErrors(settings.report));
  return routes;
}

function calendarsPage(settings: CalendarsSettings): DeclaredPage {
  return page({
    path: CALENDARS_PATH,
    find: always,
    show: (showing) => show(showing, settings),
    forms: formsOf(settings),
  });
}

/** Asks before an account is disconnected; its form is one of the page of calendars. */
function disconnectPage(settings: CalendarsSettings): DeclaredPage {
  return question({
    path: calendarFormPath('disconnect'),
    find: async ({ c, em, session }) => {
      const accounts = await shownAccounts(em, settings, session.userId, async () => 'PENDING');
      return accounts.find(({ id }) => id === c.req.query('account'));
    },
    none: ({ c }) => seeOther(c, CALENDARS_PATH),
    ask: ({ locale }, { id, account }) => {
      const { title, explanation, button } = calendarWords(locale).question;
      return { title: title(isolated(account)), explanation, button, sent: { account: id }, backPath: CALENDARS_PATH };
    },
  });
}

/** Each calendar that somebody has may stand in any form of the page. */
const form = (run: Run<true>): PageForm<true> => ({ limits: LIMITS, run });

/** Each form leads back to the page, which says that the one of this name was done. */
function formsOf(settings: CalendarsSettings): Readonly<Record<CalendarForm, PageForm<true>>> {
  const { calendarAccounts: accounts, calendarAccountTries: tries, connections } = settings;
  const { outbound, credentials, feedTries, allowPrivateNetwork: allowsPrivate } = settings;
  return {
    choose: form(async ({ em, session }, _, sent) => {
      await choose(em, session.userId, sent);
    }),
    connect: form(async ({ em, session: { userId } }, _, sent) => {
      const provider = OAUTH_CALENDAR_PROVIDERS.find((name) => name === sent.get('provider'));
      if (!provider) throw new Problem('NOT_POSSIBLE', 'Choose one of the providers that are offered.');
      return { to: await beginCalendarAccess(em, { userId, provider }, connections) };
    }),
    apple: form(async ({ em, session }, _, sent) => {
      const account = { username: textOf(sent, 'username').trim(), appPassword: textOf(sent, 'appPassword').trim() };
      await connectAppleCalendar(em, session.userId, account, { accounts, tries });
    }),
    caldav: form(async ({ em, session }, _, sent) => {
      const server = textOf(sent, 'server').trim();
      const account = {
        server,
        username: textOf(sent, 'caldavUsername').trim() || (server.includes('/') ? '' : server),
        appPassword: textOf(sent, 'caldavPassword').trim(),
        acceptedHosts: sent.getAll('acceptedHosts'),
      };
      await connectCaldav(em, session.userId, account, { accounts, tries });
    }),
    reconnect: form(async ({ em, session: { userId } }, _, sent) => {
      const id = requireOwnId('calendarAccount', textOf(sent, 'account'), userId);
      await reconnectCalendars(em, { ownerId: userId, id }, { accounts, tries });
    }),
    disconnect: form(async ({ em, session: { userId } }, _, sent) => {
      await disconnectCalendars(em, userId, requireOwnId('calendarAccount', textOf(sent, 'account'), userId));
    }),
    'add-feed': form(async ({ em, session }, _, sent) => {
      const reading = { outbound, credentials, tries: feedTries, allowsPrivate };
      await addFeed(em, session.userId, textOf(sent, 'url'), reading);
    }),
    'remove-feed': form(async ({ em, session: { userId } }, _, sent) => {
      await removeFeed(em, { ownerId: userId, id: requireOwnId('icsFeed', textOf(sent, 'feed'), userId) });
    }),
    'read-now': form(async ({ em, session }) => {
      await FreshCalendars.of(em)?.readNow(session.userId);
    }),
  };
}

function textOf(form: URLSearchParams, name: string): string {
  return form.get(name) ?? '';
}

/** All of it or nothing. A calendar that the form did not show stays as it is. */
async function choose(em: Em, userId: string, form: URLSearchParams): Promise<void> {
  const idOf = (text: string): string => requireOwnId('calendar', text, userId);
  // A look into the form itself goes through all of its fields, of which there may be ten thousand.
  const names = new Set(form.keys());
  const shown = new Map(
    [...names]
      .filter((name) => name.startsWith('shown-'))
      .map((name) => name.slice('shown-'.length))
      .map((id) => [idOf(id), names.has(`busy-${id}`)]),
  );
  const sent = form.get('destination');
  await em.transactional(async (inner) => {
    // As everything that changes calendars does, before their rows.
    await lockOwnerAlone(inner, own(userId));
    const calendars = await findCalendars(inner, userId);
    for (const { id, selected } of calendars) {
      const isBusy = shown.get(id) ?? selected;
      if (selected !== isBusy) await selectCalendar(inner, userId, id, isBusy);
    }
    if (sent === null) return;
    const [before, after] = [calendars.find(({ isDestination }) => isDestination)?.id, sent === '' ? null : idOf(sent)];
    if ((before ?? null) !== after) await setDestinationCalendar(inner, userId, after);
  });
}

async function show(showing: Showing<CalendarForm>, settings: CalendarsSettings): Promise<Html | Response> {
  const { c, session, locale, back } = showing;
  const { userId } = session;
  const done = CALENDAR_FORMS.find((name) => name === showing.done);
  const liveStatusOf = (account: StoredAccount): Promise<ShownStatus> => {
    const status = settings.calendarAccounts.statusOf(showing.em, account);
    return inTime<ShownStatus>(status, STATUS_MILLISECONDS, () => new Error('late')).catch(() => 'PENDING');
  };
  const view = calendarsView({
    ...showing,
    clock: { ...clockOf(await findUser(showing.em, userId)), locale },
    accounts: await shownAccounts(showing.em, settings, userId, liveStatusOf),
    feeds: await shownFeeds(showing.em, settings, userId),
    offered: OAUTH_CALENDAR_PROVIDERS.filter((provider) => settings.connections.has(provider)).map((provider) => ({
      provider,
      title: TITLES[provider],
    })),
    typed: typedIn(back),
    mistakes: mistakesOf(back, locale),
    done: done && calendarWords(locale).done[done],
  });
  // A password that is wrong elsewhere is no reason to sign in here.
  return back?.problem?.code === 'WRONG_CREDENTIALS' ? sendPage(c, view, 422, retryHeaders(back.problem)) : view;
}

async function shownAccounts(
  em: Em,
  { credentials }: CalendarsSettings,
  userId: string,
  statusOfAccount: (account: StoredAccount) => Promise<ShownStatus>,
): Promise<ShownAccount[]> {
  const [accounts, calendars] = [await findAccounts(em, userId), await findCalendars(em, userId)];
  return Promise.all(
    accounts.map(async (account) => ({
      id: publicOwnedId('calendarAccount', { ownerId: userId, id: account.id }),
      provider: account.server === null ? TITLES[account.provider] : `${TITLES[account.provider]} (${account.server})`,
      account: account.account,
      status: await statusOfAccount(account),
      isRefused: account.refusedAt !== null,
      calendars: await Promise.all(
        calendars
          .filter(({ connectionId }) => connectionId === account.id)
          .map(async ({ id, sealedUnreadable, ...one }) => ({
            ...one,
            id: publicOwnedId('calendar', { ownerId: userId, id }),
            unreadable: await unreadableOf(credentials, ['connected_calendars', userId, id], sealedUnreadable),
          })),
      ),
    })),
  );
}

async function shownFeeds(em: Em, { credentials }: CalendarsSettings, userId: string): Promise<ShownFeed[]> {
  const feeds = await findFeeds(em, userId);
  return Promise.all(
    feeds.map(async ({ id, sealedUnreadable, ...feed }) => {
      const named = { ownerId: userId, id };
      const unreadable = await unreadableOf(credentials, rowOf(named), sealedUnreadable);
      return { ...feed, id: publicOwnedId('icsFeed', named), unreadable };
    }),
  );
}

function typedIn(back: FormBack<CalendarForm> | undefined): TypedAccount {
  const { form, name, problem } = back ?? {};
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

function mistakesOf(back: FormBack<CalendarForm> | undefined, locale: string): readonly Mistake[] {
  const { fields, mistakes: texts } = calendarWords(locale);
  const labels = {
    ...fields,
    urls: fields.url,
    ...(back?.name === 'caldav' && { username: fields.caldavUsername, appPassword: fields.caldavPassword }),
  };
  return mistakesIn(locale, back?.problem, { labels, texts }).map((mistake) => {
    const [field = ''] = mistake.path ?? [];
    const control = back?.name === 'caldav' ? CALDAV_FIELDS[field] : undefined;
    if (control !== undefined) return { ...mistake, path: [control] };
    if (field !== 'urls') return mistake;
    return { ...mistake, message: mistake.message.replace(/^Address 1\b/, 'The address'), path: ['url'] };
  });
}

const CALENDAR = [
  'id',
  'connectionId',
  'name',
  'isPrimary',
  'isReadOnly',
  'selected',
  'isDestination',
  'error',
  'readAt',
  'writeFailedAt',
  'unreadableEventCount',
  'sealedUnreadable',
] as const;
const FEED = [
  'id',
  'host',
  'ending',
  'error',
  'readAt',
  'eventCount',
  'unreadableEventCount',
  'sealedUnreadable',
] as const;

type FoundCalendar = Pick<RowOf<typeof ConnectedCalendar>, (typeof CALENDAR)[number]>;
type FoundFeed = Pick<RowOf<typeof IcsFeed>, (typeof FEED)[number]>;

/** A user's accounts, in the order in which they were connected. */
function findAccounts(em: Em, userId: string): Promise<(StoredAccount & { readonly account: string })[]> {
  return rows(
    em,
    selectFrom(CalendarConnection, { userId })
      .select([...ACCOUNT_COLUMNS, 'account'])
      .orderBy('id'),
  );
}

/** The calendars of all of them, the primary one of each first. */
function findCalendars(em: Em, userId: string): Promise<FoundCalendar[]> {
  const found = selectFrom(ConnectedCalendar, { userId }).select(CALENDAR);
  return rows(em, found.orderBy('connectionId').orderBy('isPrimary', 'desc').orderBy('id'));
}

function findFeeds(em: Em, userId: string): Promise<FoundFeed[]> {
  return rows(em, selectFrom(IcsFeed, { userId }).select(FEED).orderBy('id'));
}
