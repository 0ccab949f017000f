import { inLanguages } from '../../../core/language.ts';
import { linkTo, type MailContent } from '../../../core/mail-content.ts';
import { type Em, row, sql } from '../../../database/sql.ts';
import type { RecordedEvent } from '../../../events/record-event.ts';
import { type AdmittedNotice, admitOrHold } from '../../../limits/held-notices.ts';
import { type MailLimit, ownAccount } from '../../../limits/mail-limit.ts';
import { CALENDARS_PATH, type CalendarProviderName, TITLES } from './calendar-connection.rules.ts';
import { CALENDAR_MAIL_DE } from './calendar-mail-words.de.rules.ts';
import { CALENDAR_MAIL_EN } from './calendar-mail-words.en.rules.ts';

export interface CalendarMailSettings {
  readonly publicUrl: string;
  readonly mailLimit: MailLimit;
}

export type CalendarNews = Extract<
  RecordedEvent,
  { readonly type: 'CALENDAR_ACCOUNT_FAILING' | 'CALENDAR_UNREADABLE' | 'CALENDAR_UNWRITTEN' | 'CALENDARS_GONE' }
>;

export interface Told {
  readonly name: string;
  readonly email: string;
  readonly locale: string;
  readonly provider: CalendarProviderName;
  readonly account: string;
  readonly isFailing: boolean;
  readonly destination: string | null;
  /** The one that cannot be read, and why. */
  readonly calendar: string | null;
  readonly error: string | null;
}

/**
 * What the user of an account is mailed about it, at a verified address: that it does not work, or which of its calendars are
 * gone. None where there is nothing to tell any more, and where it is held as one too many.
 */
export async function calendarMail(
  em: Em,
  news: CalendarNews,
  { publicUrl, mailLimit }: CalendarMailSettings,
): Promise<readonly AdmittedNotice[]> {
  const calendarId = 'calendarId' in news ? news.calendarId : null;
  const accountId = 'calendarId' in news ? null : news.calendarAccountId;
  const isTold = news.type === 'CALENDAR_UNWRITTEN' ? sql`f.write_failed_at` : sql`f.told_at`;
  const told = await row(
    em,
    sql<Told>`
      select u.name, u.email, u.locale, a.provider, a.account, a.told_at is not null as "isFailing",
        (select c.name from connected_calendars c where c.user_id = u.id and c.is_destination) as destination,
        f.name as calendar, f.error
      from calendar_connections a join users u on u.id = a.user_id
      left join connected_calendars f on f.user_id = a.user_id and f.connection_id = a.id and f.id = ${calendarId}::uuid
        and ${isTold} is not null
      where a.user_id = ${news.ownerId} and (a.id = ${accountId}::uuid or f.id is not null)
        and u.email_verified_at is not null and u.suspended_at is null`,
  );
  if (!told || (news.type === 'CALENDAR_ACCOUNT_FAILING' && !told.isFailing)) return [];
  const to = { name: told.name, address: told.email };
  const page = publicUrl + CALENDARS_PATH;
  const messageId = `<${news.id}@${new URL(publicUrl).hostname}>`;
  const mail = { to, ...calendarMailContent(news, told, page), messageId };
  return admitOrHold(em, mailLimit, [{ mail, counted: ownAccount(news.type) }]);
}

const wordsFor = inLanguages(CALENDAR_MAIL_EN, { de: CALENDAR_MAIL_DE });

/** What such a mail says; `page` is that of the calendars. */
export function calendarMailContent(news: CalendarNews, told: Told, page: string): MailContent {
  const { locale } = told;
  const words = wordsFor(locale);
  const { subject, paragraphs } = wordsOf(news, told, words);
  return { subject, locale, parts: [...paragraphs, linkTo(words.see, page)] };
}

function wordsOf(news: CalendarNews, told: Told, words: typeof CALENDAR_MAIL_EN) {
  const account = { provider: TITLES[told.provider], account: told.account };
  const calendar = { ...account, calendar: told.calendar ?? '', error: told.error ?? '' };
  switch (news.type) {
    case 'CALENDARS_GONE':
      return words.gone({
        ...account,
        names: news.calendars.map(({ name }) => name),
        wasDestination: news.calendars.some(({ isDestination }) => isDestination),
        destination: told.destination,
      });
    case 'CALENDAR_UNREADABLE':
      return words.unreadable(calendar);
    case 'CALENDAR_UNWRITTEN':
      return words.unwritten(calendar);
    case 'CALENDAR_ACCOUNT_FAILING':
      return news.isAway ? words.away(account) : words.refused(account);
  }
}
