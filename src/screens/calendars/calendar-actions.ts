import { Problem } from '../../core/problem.ts';
import type { Em } from '../../database/sql.ts';
import type { GuessLimit } from '../../limits/guess-limit.ts';
import { beginCalendarAccess } from '../../modules/calendars/connections/calendar-access.ts';
import type { CalendarAccounts } from '../../modules/calendars/connections/calendar-accounts.ts';
import { OAUTH_CALENDAR_PROVIDERS } from '../../modules/calendars/connections/calendar-connection.rules.ts';
import {
  connectAppleCalendar,
  connectCaldav,
  reconnectCalendars,
} from '../../modules/calendars/connections/connect-caldav.ts';
import { setDestinationCalendar } from '../../modules/calendars/connections/destination-calendar.ts';
import { disconnectCalendars } from '../../modules/calendars/connections/disconnect-calendars.ts';
import { lockCalendars } from '../../modules/calendars/connections/lock-calendars.ts';
import { selectCalendar } from '../../modules/calendars/connections/select-calendar.ts';
import { addFeed, removeFeed } from '../../modules/calendars/feeds/save-feeds.ts';
import { FreshCalendars } from '../../modules/calendars/fresh-calendars.ts';
import type { Connections } from '../../modules/connections/connections.ts';
import { requireOwnId } from '../../modules/levels/not-found-here.ts';
import type { Credentials } from '../../outbound/credentials.ts';
import type { Outbound } from '../../outbound/outbound.ts';
import type { CalendarForm } from './calendar-forms.ts';
import { findCalendars } from './shown-calendars.queries.ts';

export interface CalendarActionsSettings {
  readonly calendarAccounts: CalendarAccounts;
  /** Counts passwords of accounts elsewhere. */
  readonly calendarAccountTries: GuessLimit;
  readonly connections: Connections;
  readonly outbound: Outbound;
  readonly credentials: Credentials;
  /** Counts new addresses that are asked for. */
  readonly feedTries: GuessLimit;
  readonly allowPrivateNetwork: boolean;
}

interface SentForm {
  readonly userId: string;
  readonly form: URLSearchParams;
}

interface Action {
  /** @returns an address elsewhere that the user is to go on to. @throws Problem */
  readonly act: (em: Em, settings: CalendarActionsSettings, sent: SentForm) => Promise<string | undefined>;
}

/** The action of each form of the page. */
export const CALENDAR_ACTIONS: Readonly<Record<CalendarForm, Action>> = {
  choose: { act: (em, _settings, sent) => choose(em, sent) },
  connect: {
    act: (em, { connections }, { userId, form }) => {
      const provider = OAUTH_CALENDAR_PROVIDERS.find((name) => name === form.get('provider'));
      if (!provider) throw new Problem('NOT_POSSIBLE', 'Choose one of the providers that are offered.');
      return beginCalendarAccess(em, { userId, provider }, connections);
    },
  },
  apple: {
    act: async (em, { calendarAccounts: accounts, calendarAccountTries: tries }, { userId, form }) => {
      const account = { username: textOf(form, 'username').trim(), appPassword: textOf(form, 'appPassword').trim() };
      await connectAppleCalendar(em, userId, account, { accounts, tries });
      return undefined;
    },
  },
  caldav: {
    act: async (em, { calendarAccounts: accounts, calendarAccountTries: tries }, { userId, form }) => {
      const server = textOf(form, 'server').trim();
      const account = {
        server,
        username: textOf(form, 'caldavUsername').trim() || (server.includes('/') ? '' : server),
        appPassword: textOf(form, 'caldavPassword').trim(),
        acceptedHosts: form.getAll('acceptedHosts'),
      };
      await connectCaldav(em, userId, account, { accounts, tries });
      return undefined;
    },
  },
  reconnect: {
    act: async (em, { calendarAccounts: accounts, calendarAccountTries: tries }, { userId, form }) => {
      const id = requireOwnId('calendarAccount', textOf(form, 'account'), userId);
      await reconnectCalendars(em, { ownerId: userId, id }, { accounts, tries });
      return undefined;
    },
  },
  disconnect: {
    act: async (em, _settings, { userId, form }) => {
      await disconnectCalendars(em, userId, requireOwnId('calendarAccount', textOf(form, 'account'), userId));
      return undefined;
    },
  },
  'add-feed': {
    act: async (
      em,
      { outbound, credentials, feedTries: tries, allowPrivateNetwork: allowsPrivate },
      { userId, form },
    ) => {
      await addFeed(em, userId, textOf(form, 'url'), { outbound, credentials, tries, allowsPrivate });
      return undefined;
    },
  },
  'read-now': {
    act: async (em, _settings, { userId }) => {
      await FreshCalendars.of(em)?.readNow(userId);
      return undefined;
    },
  },
  'remove-feed': {
    act: async (em, _settings, { userId, form }) => {
      const id = requireOwnId('icsFeed', textOf(form, 'feed'), userId);
      await removeFeed(em, { ownerId: userId, id });
      return undefined;
    },
  },
};

function textOf(form: URLSearchParams, name: string): string {
  return form.get(name) ?? '';
}

/** All of it or nothing. A calendar that the form did not show stays as it is. */
async function choose(em: Em, { userId, form }: SentForm): Promise<undefined> {
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
    await lockCalendars(inner, userId);
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
