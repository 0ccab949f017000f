/** One mail about many bookings, where each by itself would have been too many. */
import { instantOf } from '../../../core/instant.ts';
import { linesOf, type MailContent, type MailPart, note } from '../../../core/mail-content.ts';
import { oneLine } from '../../../core/text.ts';
import type { MailedMeeting } from './booking-mail.rules.ts';
import { bookingMailContent } from './booking-mail.rules.ts';
import { bookingMailWords } from './booking-mail-words.rules.ts';
import type { BookingNews, MailReader } from './booking-news.rules.ts';
import { spanText } from './mail-time.rules.ts';

/** The content that one of the mails would have had. */
export interface SummaryItem {
  readonly news: BookingNews;
  readonly reader: MailReader;
  readonly meeting: MailedMeeting;
}

/**
 * Writes of each booking, the soonest first, what has happened, when it is, and the page by which the reader can do
 * something about it.
 */
export function summaryMailContent(items: readonly [SummaryItem, ...SummaryItem[]]): MailContent {
  const [{ reader }] = items;
  const { locale, role, name } = reader;
  const { summary, hello, helloTo, keepAnswerSecret } = bookingMailWords(locale);
  const hasAnswerLink = items.some(({ meeting }) => meeting.hasAnswerLink);
  const hasLink = items.some(({ meeting }) => meeting.links.length > 0);
  return {
    subject: summary.subject(items.length),
    heading: summary.heading,
    locale,
    greeting: name === null ? hello : helloTo(oneLine(name)),
    parts: [
      role === 'HOST' ? summary.ofHost : summary.ofAttendee,
      ...items.toSorted((a, b) => startOf(a) - startOf(b)).map(factsOf),
      ...(hasAnswerLink ? [note(keepAnswerSecret)] : role !== 'HOST' && hasLink ? [note(summary.keepSecret)] : []),
    ],
  };
}

/** In milliseconds since 1970. */
function startOf({ meeting }: SummaryItem): number {
  return instantOf(meeting.times[0].start).epochMilliseconds;
}

function factsOf({ news, reader, meeting }: SummaryItem): MailPart {
  const { labels, page, inviteGuests } = bookingMailWords(reader.locale);
  const { heading } = bookingMailContent(news, reader, meeting);
  const { title, times, place, links, guestsToInvite, people } = meeting;
  return {
    kind: 'FACTS',
    facts: [
      { label: labels.what, lines: [`${heading}: ${oneLine(title)}`] },
      { label: labels.when, lines: times.map((time) => spanText(time, reader)) },
      { label: labels.where, lines: place === null ? [] : linesOf(place), leads: true },
      { label: labels.who, lines: people.map(oneLine) },
      { label: page, lines: links, leads: true },
      ...(guestsToInvite
        ? [{ label: inviteGuests(guestsToInvite.count), lines: [guestsToInvite.link], leads: true }]
        : []),
    ],
  };
}
