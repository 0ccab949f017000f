import type { RecordedEvent } from '../../events/record-event.ts';
import type { CalendarAccounts } from '../../modules/calendars/connections/calendar-accounts.ts';
import {
  type CalendarMailSettings,
  type CalendarNews,
  calendarMail,
} from '../../modules/calendars/connections/calendar-mail.ts';
import {
  type AccountToRefresh,
  LISTED_EVERY_SECONDS,
  refreshAccount,
} from '../../modules/calendars/connections/refresh-account.ts';
import type { JobKind } from '../job-kind.ts';
import { mailJob } from './mail.job.ts';

const QUEUE = 'calendar-accounts';
/** What an account does wrong is noted with it; these are for a database that does not do what it should, and outlast it. */
const PAUSES_IN_SECONDS = [5, 30, 120, 600, 3_600, 6 * 3_600, 24 * 3_600, 24 * 3_600];

export interface CalendarAccountSettings extends CalendarMailSettings {
  readonly calendarAccounts: CalendarAccounts;
}

type Connected = Extract<RecordedEvent, { readonly type: 'CALENDAR_ACCOUNT_CONNECTED' }>;

/** The calendars of an account are listed again every hour, by one job that puts in the next one; users are mailed what becomes of them. */
export function calendarAccountKinds(settings: CalendarAccountSettings): readonly JobKind[] {
  return [
    {
      queue: QUEUE,
      hears: ['CALENDAR_ACCOUNT_CONNECTED'],
      atOnce: 4,
      pausesInSeconds: PAUSES_IN_SECONDS,
      run: async (em, data) => {
        const { ownerId, calendarAccountId } = data as AccountToRefresh | Connected;
        const account: AccountToRefresh = { ownerId, calendarAccountId };
        // Just connected, its calendars are known.
        const isThere = 'type' in (data as object) || (await refreshAccount(em, account, settings.calendarAccounts));
        return isThere ? [{ queue: QUEUE, data: account, delayInSeconds: LISTED_EVERY_SECONDS }] : [];
      },
    },
    {
      queue: 'calendar-mails',
      hears: ['CALENDAR_ACCOUNT_FAILING', 'CALENDAR_UNREADABLE', 'CALENDARS_GONE'],
      atOnce: 1,
      pausesInSeconds: [5, 30, 120],
      run: async (em, data) => {
        const written = await calendarMail(em, data as CalendarNews, settings);
        return written ? [mailJob(written.mail, written.admission)] : [];
      },
    },
  ];
}
