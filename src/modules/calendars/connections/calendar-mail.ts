import { type Em, row, sql } from '../../../database/sql.ts';
import type { RecordedEvent } from '../../../events/record-event.ts';
import { type MailLimit, ownAccount } from '../../../limits/mail-limit.ts';
import type { Admission, Mail } from '../../../mail/mailer.ts';
import { CALENDARS_PATH, type CalendarProviderName, TITLES } from './calendar-connection.rules.ts';

export interface CalendarMailSettings {
  readonly publicUrl: string;
  readonly mailLimit: MailLimit;
}

export type CalendarNews = Extract<
  RecordedEvent,
  { readonly type: 'CALENDAR_ACCOUNT_FAILING' | 'CALENDAR_UNREADABLE' | 'CALENDAR_UNWRITTEN' | 'CALENDARS_GONE' }
>;

interface Told {
  readonly name: string;
  readonly email: string;
  readonly provider: CalendarProviderName;
  readonly account: string;
  readonly isFailing: boolean;
  readonly destination: string | null;
  /** The one that cannot be read, and why. */
  readonly calendar: string | null;
  readonly error: string | null;
}

interface CalendarMail {
  readonly mail: Mail & { readonly messageId: string };
  readonly admission: Admission;
}

/**
 * What the user of an account is mailed about it, at a verified address: that it does not work, or which of its calendars are
 * gone. Undefined where there is nothing to tell any more.
 */
export async function calendarMail(
  em: Em,
  news: CalendarNews,
  { publicUrl, mailLimit }: CalendarMailSettings,
): Promise<CalendarMail | undefined> {
  const calendarId = 'calendarId' in news ? news.calendarId : null;
  const accountId = 'calendarId' in news ? null : news.calendarAccountId;
  const isTold = news.type === 'CALENDAR_UNWRITTEN' ? sql`f.write_failed_at` : sql`f.told_at`;
  const told = await row(
    em,
    sql<Told>`
      select u.name, u.email, a.provider, a.account, a.told_at is not null as "isFailing",
        (select c.name from connected_calendars c where c.user_id = u.id and c.is_destination) as destination,
        f.name as calendar, f.error
      from calendar_connections a join users u on u.id = a.user_id
      left join connected_calendars f on f.user_id = a.user_id and f.connection_id = a.id and f.id = ${calendarId}::uuid
        and ${isTold} is not null
      where a.user_id = ${news.ownerId} and (a.id = ${accountId}::uuid or f.id is not null)
        and u.email_verified_at is not null and u.suspended_at is null`,
  );
  if (!told || (news.type === 'CALENDAR_ACCOUNT_FAILING' && !told.isFailing)) return undefined;
  const admission = await mailLimit.admitOne(em, { to: told.email, ...ownAccount(news.type) });
  if (!admission) return undefined;
  const to = { name: told.name, address: told.email };
  const page = publicUrl + CALENDARS_PATH;
  const words = wordsOf(news, told, page);
  const messageId = `<${news.id}@${new URL(publicUrl).hostname}>`;
  return {
    mail: { to, ...words, messageId },
    admission,
  };
}

function wordsOf(news: CalendarNews, told: Told, page: string): Words {
  switch (news.type) {
    case 'CALENDARS_GONE':
      return wordsOfGone(news, told, page);
    case 'CALENDAR_UNREADABLE':
      return wordsOfUnreadable(told, page);
    case 'CALENDAR_UNWRITTEN':
      return wordsOfUnwritten(told, page);
    case 'CALENDAR_ACCOUNT_FAILING':
      return wordsOfFailing(news, told, page);
  }
}

function wordsOfUnreadable(told: Told, page: string): Words {
  return {
    subject: 'A connected calendar cannot be read',
    text: paragraphs(
      `“${told.calendar}” of ${nameOf(told)} makes you busy, but it cannot be read: ${told.error}`,
      'What it said last still keeps you from being booked then. Of newer events we know nothing.',
      `We keep trying, and write no more of it until it could be read. Your calendars:\n${page}`,
    ),
  };
}

function wordsOfUnwritten(told: Told, page: string): Words {
  return {
    subject: 'Bookings are missing in a connected calendar',
    text: paragraphs(
      `For two days, we could not write a booking of yours to “${told.calendar}” of ${nameOf(told)}. It is missing there, or stands as it was before. The booking itself is not touched.`,
      'If the calendar takes no new entries, make room there, or choose another one for your bookings.',
      `We try it again every hour while the account works, and write no more of it until it was done. Your calendars:\n${page}`,
    ),
  };
}

type Words = Pick<Mail, 'subject' | 'text'>;

function wordsOfFailing(
  { isAway }: Extract<CalendarNews, { readonly type: 'CALENDAR_ACCOUNT_FAILING' }>,
  told: Told,
  page: string,
): Words {
  const account = nameOf(told);
  const meanwhile =
    'What its calendars said last still keeps you from being booked then. Of newer events we know nothing, and your bookings are not written there.';
  return isAway
    ? {
        subject: 'Your connected calendars do not answer',
        text: paragraphs(
          `For two days, we could not reach the calendars of ${account}.`,
          meanwhile,
          `We keep trying. If the account is no longer in use, disconnect it:\n${page}`,
        ),
      }
    : {
        subject: 'Your calendars have to be connected again',
        text: paragraphs(
          `The calendars of ${account} do not let us in any more: the password has changed, or the access that you gave has ended.`,
          meanwhile,
          `Connect the account again; what you chose among its calendars is kept:\n${page}`,
        ),
      };
}

function wordsOfGone(
  { calendars }: Extract<CalendarNews, { readonly type: 'CALENDARS_GONE' }>,
  told: Told,
  page: string,
): Words {
  const names = calendars.map(({ name }) => `“${name}”`).join(', ');
  const wasDestination = calendars.some(({ isDestination }) => isDestination);
  const now =
    told.destination === null
      ? 'They are written nowhere from now on.'
      : `They are written to “${told.destination}” from now on.`;
  return {
    subject: 'A connected calendar is gone',
    text: paragraphs(
      `${nameOf(told)} does not list these calendars any more: ${names}.`,
      'Their events do not keep you from being booked any more.',
      ...(wasDestination ? [`Your bookings were written to one of them. ${now}`] : []),
      `Your calendars:\n${page}`,
    ),
  };
}

function nameOf({ provider, account }: Told): string {
  return `your ${TITLES[provider]} account ${account}`;
}

function paragraphs(...all: readonly string[]): string {
  return all.join('\n\n');
}
