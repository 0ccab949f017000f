import type { RecordedEvent } from '../../events/record-event.ts';
import { missedEntries } from '../../modules/bookings/calendar-entries/missed-entries.ts';
import type { CalendarAccounts } from '../../modules/calendars/connections/calendar-accounts.ts';
import {
  CALENDAR_NEWS,
  type CalendarMailSettings,
  type CalendarNews,
  calendarMail,
} from '../../modules/calendars/connections/calendar-mail.ts';
import {
  type AccountToRefresh,
  LISTED_EVERY_SECONDS,
  refreshAccount,
} from '../../modules/calendars/connections/refresh-account.ts';
import { DATABASE_PAUSES_IN_SECONDS, type JobKind } from '../job-kind.ts';
import { onceMore } from './calendar-entries.job.ts';
import { mailJob } from './mail.job.ts';
import { type AskedServers, readAgain } from './read-again.ts';

export interface CalendarAccountSettings extends CalendarMailSettings, AskedServers {
  readonly calendarAccounts: CalendarAccounts;
}

type Connected = Extract<RecordedEvent, { readonly type: 'CALENDAR_ACCOUNT_CONNECTED' }>;

/** The calendars of an account are listed again every hour, in turns of their users and providers; users are mailed what becomes of them. */
export function calendarAccountKinds(settings: CalendarAccountSettings): readonly JobKind[] {
  return [
    readAgain<AccountToRefresh>({
      servers: settings.servers,
      queue: 'calendar-accounts',
      hears: ['CALENDAR_ACCOUNT_CONNECTED'],
      sourceIn: (data) => {
        const { ownerId, calendarAccountId } = data as AccountToRefresh | Connected;
        return { ownerId, calendarAccountId };
      },
      // Just connected, its calendars are known.
      firstAfterSeconds: LISTED_EVERY_SECONDS,
      read: (em, account, hosts) => refreshAccount(em, account, settings.calendarAccounts, hosts),
      besides: async (em, account) => (await missedEntries(em, account)).map(onceMore),
    }),
    {
      queue: 'calendar-mails',
      hears: CALENDAR_NEWS,
      atOnce: 1,
      pausesInSeconds: DATABASE_PAUSES_IN_SECONDS,
      run: async (em, data) => {
        const written = await calendarMail(em, data as CalendarNews, settings);
        return written.map(({ mail, admission }) => mailJob(mail, admission));
      },
    },
  ];
}
