import { dateTimeFormat, instantOf } from '../../../core/instant.ts';
import { inLanguages } from '../../../core/language.ts';
import { linkTo, type MailContent } from '../../../core/mail-content.ts';
import { selectColumns } from '../../../database/columns.ts';
import { type Em, type RawBuilder, row, sql } from '../../../database/sql.ts';
import type { RecordedEvent } from '../../../events/record-event.ts';
import { type AdmittedNotice, admitOrHold } from '../../../limits/held-notices.ts';
import { type MailLimit, ownAccount } from '../../../limits/mail-limit.ts';
import { User } from '../../accounts/user.entity.ts';
import { CALENDARS_PATH, type CalendarProviderName, TITLES } from './calendar-connection.rules.ts';
import { CALENDAR_MAIL_DE } from './calendar-mail-words.de.rules.ts';
import { CALENDAR_MAIL_EN } from './calendar-mail-words.en.rules.ts';

export interface CalendarMailSettings {
  readonly publicUrl: string;
  readonly mailLimit: MailLimit;
}

/** Users are mailed about these. */
export const CALENDAR_NEWS = [
  'CALENDAR_ACCOUNT_FAILING',
  'CALENDAR_UNREADABLE',
  'CALENDAR_UNWRITTEN',
  'CALENDAR_SILENT',
  'ICS_FEED_SILENT',
  'CALENDARS_GONE',
] as const;

export type CalendarNews = Extract<RecordedEvent, { readonly type: (typeof CALENDAR_NEWS)[number] }>;

/** The facts that a mail is written from: its recipient, the account and the calendar. */
interface CalendarMailFacts {
  readonly name: string;
  readonly email: string;
  readonly locale: string;
  readonly timeZone: string;
  /** Null for a feed, as is the account. */
  readonly provider: CalendarProviderName | null;
  readonly account: string | null;
  readonly isFailing: boolean;
  readonly destination: string | null;
  /** The calendar that the mail is about, why it cannot be read, and when it last was. */
  readonly calendar: string | null;
  readonly error: string | null;
  readonly readAt: string | null;
}

/** SQL, by the type of the news: since when it has held for the calendar `f`; null where it holds no more. */
const STILL_SINCE: Readonly<Partial<Record<CalendarNews['type'], RawBuilder<unknown>>>> = {
  CALENDAR_UNWRITTEN: sql`f.write_failed_at`,
  CALENDAR_SILENT: sql`f.silence_notified_at`,
};

/**
 * Mails the user of an account, at a verified address, that it does not work, or which of its calendars are gone. There is no
 * mail where there is nothing to say any more, and where it is held as one too many.
 */
export async function calendarMail(
  em: Em,
  news: CalendarNews,
  { publicUrl, mailLimit }: CalendarMailSettings,
): Promise<readonly AdmittedNotice[]> {
  const calendarId = 'calendarId' in news ? news.calendarId : null;
  const feedId = 'feedId' in news ? news.feedId : null;
  const accountId = 'calendarAccountId' in news ? news.calendarAccountId : null;
  const stillSince = STILL_SINCE[news.type] ?? sql`f.notified_at`;
  const facts = await row(
    em,
    sql<CalendarMailFacts>`
      select ${selectColumns(User, ['name', 'email', 'locale', 'timeZone'], 'u')}, a.provider, a.account, a.notified_at is not null as "isFailing",
        (select c.name from connected_calendars c where c.user_id = u.id and c.is_destination) as destination,
        coalesce(f.name, e.host || ' … ' || e.ending) as calendar, f.error, coalesce(f.read_at, e.read_at) as "readAt"
      from users u
      left join connected_calendars f on f.user_id = u.id and f.id = ${calendarId}::uuid and ${stillSince} is not null
      left join ics_feeds e on e.user_id = u.id and e.id = ${feedId}::uuid
      left join calendar_connections a on a.user_id = u.id and a.id = coalesce(f.connection_id, ${accountId}::uuid)
      where u.id = ${news.ownerId} and (a.id is not null or e.id is not null) and u.email_verified_at is not null and u.suspended_at is null`,
  );
  if (!facts || (news.type === 'CALENDAR_ACCOUNT_FAILING' && !facts.isFailing)) return [];
  const to = { name: facts.name, address: facts.email };
  const page = publicUrl + CALENDARS_PATH;
  const messageId = `<${news.id}@${new URL(publicUrl).hostname}>`;
  const mail = { to, ...calendarMailContent(news, facts, page), messageId };
  return admitOrHold(em, mailLimit, [{ mail, counted: ownAccount(news.type) }]);
}

/** When it was read, as its user reads times; null: never. */
function momentIn({ readAt, locale, timeZone }: CalendarMailFacts): string | null {
  const format = dateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone });
  return readAt === null ? null : format.format(instantOf(readAt).epochMilliseconds);
}

const wordsFor = inLanguages(CALENDAR_MAIL_EN, { de: CALENDAR_MAIL_DE });

/** The content of such a mail; `page` is that of the calendars. */
export function calendarMailContent(news: CalendarNews, facts: CalendarMailFacts, page: string): MailContent {
  const { locale } = facts;
  const words = wordsFor(locale);
  const { subject, paragraphs } = wordsOf(news, facts, words);
  return { subject, locale, parts: [...paragraphs, linkTo(words.see, page)] };
}

function wordsOf(news: CalendarNews, facts: CalendarMailFacts, words: typeof CALENDAR_MAIL_EN) {
  const account = { provider: facts.provider === null ? '' : TITLES[facts.provider], account: facts.account ?? '' };
  const calendar = { ...account, calendar: facts.calendar ?? '', error: facts.error ?? '' };
  switch (news.type) {
    case 'CALENDARS_GONE':
      return words.gone({
        ...account,
        names: news.calendars.map(({ name }) => name),
        wasDestination: news.calendars.some(({ isDestination }) => isDestination),
        destination: facts.destination,
      });
    case 'CALENDAR_UNREADABLE':
      return words.unreadable(calendar);
    case 'CALENDAR_UNWRITTEN':
      return words.unwritten(calendar);
    case 'CALENDAR_SILENT':
    case 'ICS_FEED_SILENT':
      return words.silent({ ...calendar, readAt: momentIn(facts) });
    case 'CALENDAR_ACCOUNT_FAILING':
      return news.isAway ? words.away(account) : words.refused(account);
  }
}
