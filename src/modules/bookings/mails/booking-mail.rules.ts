/** Writes the mails about bookings. */

import { instantOf } from '../../../core/instant.ts';
import { inLanguages, listed } from '../../../core/language.ts';
import { type LinksPart, linesOf, linkTo, type MailContent, type MailPart, note } from '../../../core/mail-content.ts';
import { oneLine } from '../../../core/text.ts';
import { BOOKING_MAIL_DE } from './booking-mail-words.de.rules.ts';
import { BOOKING_MAIL_EN, type BookingMailWords } from './booking-mail-words.en.rules.ts';
import {
  type Actor,
  type BookingNews,
  isToConfirm,
  type MailReader,
  type NamedActor,
  type NewsFacts,
  type NewsKind,
} from './booking-news.rules.ts';
import { spanText, startText, type TimeSpan } from './mail-time.rules.ts';
import type { Said } from './mailed-texts.rules.ts';

/** A meeting, with no more than its reader may know. */
export interface MailedMeeting {
  readonly title: Said;
  /** The author of the title and the other texts, where it was not the owner of the event type. */
  readonly author: Said | null;
  /** The time of each booking; a series has several. */
  readonly times: readonly [TimeSpan, ...TimeSpan[]];
  readonly place: Said | null;
  readonly hostNames: readonly Said[];
  /** The booker's name; null when the reader is not to know. */
  readonly bookerName: Said | null;
  /** All attendees, on a line each. */
  readonly people: readonly Said[];
  /**
   * The answers and notes that the booker has sent to the hosts: for them, and for the booker to check; nothing for
   * others.
   */
  readonly answers: readonly MailedAnswer[];
  readonly notes: Said | null;
  /** Whether the booker has sent answers or notes that this mail leaves out. */
  readonly hasMoreOnPage: boolean;
  /** The page of each booking, in the order of the times; none for readers who may only look on. */
  readonly links: readonly string[];
  /** By one of them, whoever has it answers in the reader's name. */
  readonly hasAnswerLink: boolean;
  /** How many guests are not mailed before this link is followed, for the booker who has named them. */
  readonly guestsToInvite: { readonly count: number; readonly link: string } | null;
}

interface MailedAnswer {
  readonly question: Said;
  readonly answer: Said;
}

/** The times are as its reader has them. */
export function bookingMailContent(news: BookingNews, reader: MailReader, meeting: MailedMeeting): MailContent {
  const { title, times, hostNames, bookerName } = meeting;
  const words = bookingMailWords(reader.locale);
  const { heading, opening } = words.news[news.kind](factsOf(news, reader, meeting))[reader.role];
  const others = reader.role === 'HOST' ? (bookerName ?? '') : namesOf(hostNames, reader);
  const called = others === '' ? title : words.titleWith(title, others);
  return {
    subject: oneLine(words.subject(heading, called, startText(times[0], reader))),
    heading,
    locale: reader.locale,
    greeting: reader.name === null ? words.hello : words.helloTo(oneLine(reader.name)),
    parts: [
      capitalized(opening),
      ...reasonParts(news, reader, words),
      factsPart(news, reader, meeting, words),
      ...sentParts(news, meeting, words),
      ...guestsParts(meeting, words),
      ...endOf(news, reader, meeting, words),
    ],
  };
}

const NEWS_TO_PREPARE_FOR: readonly NewsKind[] = ['BOOKED', 'REQUESTED', 'CONFIRMED', 'TAKEN_OVER'];

function sentParts(
  { kind }: BookingNews,
  { answers, notes, hasMoreOnPage }: MailedMeeting,
  words: BookingMailWords,
): readonly MailPart[] {
  if (!NEWS_TO_PREPARE_FOR.includes(kind)) return [];
  return [
    ...answers.map(({ question, answer }) => quote(oneLine(question), answer)),
    ...(notes === null ? [] : [quote(words.notes, notes)]),
    ...(hasMoreOnPage ? [words.moreOnPage] : []),
  ];
}

/** A booker under an address of somebody else invites nobody: the link is in the mail alone. */
function guestsParts({ guestsToInvite }: MailedMeeting, words: BookingMailWords): readonly MailPart[] {
  if (!guestsToInvite) return [];
  const { count, link } = guestsToInvite;
  return [linkTo(words.guestsToInvite(count), link, words.inviteGuests(count))];
}

function factsOf(news: BookingNews, reader: MailReader, { hostNames, bookerName, times }: MailedMeeting): NewsFacts {
  return {
    booker: oneLine(bookerName ?? bookingMailWords(reader.locale).anAttendee),
    hosts: namesOf(hostNames, reader),
    by: 'by' in news ? actorOf(news.by) : null,
    from: 'from' in news ? oneLine(news.from) : '',
    to: 'to' in news && news.to !== null ? oneLine(news.to) : '',
    isSeries: times.length > 1,
    isToConfirm: isToConfirm(news),
  };
}

function actorOf(by: NamedActor): Actor | null {
  return by && { name: oneLine(by.name), isReader: by.isReader };
}

/** A guest hears what a host has to say; what attendees and hosts tell each other is not for them. */
function reasonParts(news: BookingNews, { role }: MailReader, words: BookingMailWords): readonly MailPart[] {
  if (!('reason' in news) || news.reason === null) return [];
  const isFromHost = !('by' in news) || news.by !== null;
  return role === 'GUEST' && !isFromHost ? [] : [quote(words.reason, news.reason)];
}

function factsPart(
  news: BookingNews,
  reader: MailReader,
  { title, author, times, place, people }: MailedMeeting,
  { labels }: BookingMailWords,
): MailPart {
  const before = news.kind === 'RESCHEDULED' ? news.before : null;
  return {
    kind: 'FACTS',
    facts: [
      { label: labels.what, lines: [oneLine(title)] },
      { label: labels.author, lines: author === null ? [] : [oneLine(author)] },
      { label: labels.when, lines: times.map((time) => spanText(time, reader)) },
      { label: labels.before, lines: before ? [spanText(before, reader)] : [] },
      { label: labels.where, lines: place === null ? [] : linesOf(place), leads: true },
      { label: labels.who, lines: people.map(oneLine) },
    ],
  };
}

const NEWS_OF_AN_END: readonly NewsKind[] = ['CANCELLED', 'REJECTED', 'HANDED_OVER'];

function endOf(
  news: BookingNews,
  reader: MailReader,
  { links, hasAnswerLink, bookerName, times }: MailedMeeting,
  words: BookingMailWords,
): readonly MailPart[] {
  const { kind } = news;
  const { role } = reader;
  const isOff = NEWS_OF_AN_END.includes(kind);
  if (links.length === 0) {
    const isInvited = role === 'GUEST' && bookerName !== null && !isOff && kind !== 'TIME_WANTED';
    return isInvited ? [words.cannotCome(oneLine(bookerName))] : [];
  }
  const pages = (lead: string): MailPart => ({ kind: 'LINKS', lead, links: labelled(links, times, reader) });
  if (hasAnswerLink) return [pages(words.answer), note(words.keepAnswerSecret)];
  if (role === 'HOST' && isToConfirm(news)) return [pages(words.answer)];
  const look = isOff && times.length > 1 ? words.lookAtSeries : words.look;
  if (role === 'HOST' || isOff) return [pages(look)];
  const what = kind === 'TIME_WANTED' ? words.chooseTime : words.manage(links.length);
  return [pages(what), note(words.keepSecret)];
}

/** Labels each of several links with the time of its booking, in the place of its address. */
function labelled(links: readonly string[], times: readonly TimeSpan[], reader: MailReader): LinksPart['links'] {
  return links.map((href, index) => {
    const time = times[index];
    return links.length > 1 && time ? { href, label: spanText(time, reader) } : { href };
  });
}

function quote(label: string, text: string): MailPart {
  return { kind: 'QUOTE', label, text };
}

function namesOf(names: readonly string[], { locale }: MailReader): string {
  return listed(names.map(oneLine), locale);
}

function capitalized(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** One mail about many bookings, sent where a mail about each would have been too many. */

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
      ...items.toSorted((a, b) => startOf(a) - startOf(b)).map(itemFacts),
      ...(hasAnswerLink ? [note(keepAnswerSecret)] : role !== 'HOST' && hasLink ? [note(summary.keepSecret)] : []),
    ],
  };
}

/** In milliseconds since 1970. */
function startOf({ meeting }: SummaryItem): number {
  return instantOf(meeting.times[0].start).epochMilliseconds;
}

function itemFacts({ news, reader, meeting }: SummaryItem): MailPart {
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

/** The words of the mails about bookings, for a reader of this locale. */
export const bookingMailWords = inLanguages(BOOKING_MAIL_EN, { de: BOOKING_MAIL_DE });
