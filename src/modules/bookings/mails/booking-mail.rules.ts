/** The mails about bookings, as text. */
import { listed } from '../../../core/language.ts';
import type { BookingMailWords } from './booking-mail-words.en.rules.ts';
import { bookingMailWords } from './booking-mail-words.rules.ts';
import type { Actor, BookingNews, Doer, MailReader, NewsFacts, NewsKind } from './booking-news.rules.ts';
import { spanText, startText, type TimeSpan } from './mail-time.rules.ts';
import type { Said } from './said.rules.ts';

/** A meeting, with no more than its reader may know. */
export interface MailedMeeting {
  readonly title: Said;
  /** Who wrote the title and the other texts, where it was not the owner of the event type. */
  readonly author: Said | null;
  /** Several for a series. */
  readonly times: readonly [TimeSpan, ...TimeSpan[]];
  readonly place: Said | null;
  readonly hostNames: readonly Said[];
  /** Who booked; null when the reader is not to know. */
  readonly bookerName: Said | null;
  /** Everybody, a line each. */
  readonly people: readonly Said[];
  /** What the booker has answered and written to the hosts: for them, and for the booker to check; nothing for others. */
  readonly answers: readonly MailedAnswer[];
  readonly notes: Said | null;
  /** The booker has sent answers or notes that this mail leaves out. */
  readonly hasMoreOnPage: boolean;
  /** The page of each booking, in the order of the times; none for who may only look on. */
  readonly links: readonly string[];
  /** How many guests are not mailed before this link is followed, for the booker who has named them. */
  readonly guestsToInvite: { readonly count: number; readonly link: string } | null;
}

export interface MailedAnswer {
  readonly question: Said;
  readonly answer: Said;
}

export interface MailText {
  readonly subject: string;
  readonly text: string;
}

/** A mail in plain text, the times as its reader has them. */
export function bookingMailText(news: BookingNews, reader: MailReader, meeting: MailedMeeting): MailText {
  const { title, times, hostNames, bookerName } = meeting;
  const words = bookingMailWords(reader.locale);
  const { heading, opening } = words.news[news.kind](factsOf(news, reader, meeting))[reader.role];
  const others = reader.role === 'HOST' ? (bookerName ?? '') : namesOf(hostNames, reader);
  const called = others === '' ? title : words.titleWith(title, others);
  const parts = [
    reader.name === null ? words.hello : words.helloTo(oneLine(reader.name)),
    capitalized(opening),
    reasonPart(news, reader, words),
    factsPart(news, reader, meeting, words),
    ...sentParts(news, meeting, words),
    guestsPart(meeting, words),
    endOf(news, reader, meeting, words),
  ];
  return {
    subject: oneLine(words.subject(heading, called, startText(times[0], reader))),
    text: `${parts.filter((part) => part !== '').join('\n\n')}\n`,
  };
}

const NEWS_TO_PREPARE_FOR: readonly NewsKind[] = ['BOOKED', 'REQUESTED', 'CONFIRMED', 'TAKEN_OVER'];

function sentParts(
  { kind }: BookingNews,
  { answers, notes, hasMoreOnPage }: MailedMeeting,
  words: BookingMailWords,
): readonly string[] {
  if (!NEWS_TO_PREPARE_FOR.includes(kind)) return [];
  return [
    answers.map(({ question, answer }) => `${oneLine(question)}\n${quoted(answer)}`).join('\n\n'),
    notes === null ? '' : `${words.notes}\n${quoted(notes)}`,
    hasMoreOnPage ? words.moreOnPage : '',
  ];
}

/** Who has booked under an address of somebody else invites nobody: the link is in the mail alone. */
function guestsPart({ guestsToInvite }: MailedMeeting, words: BookingMailWords): string {
  return guestsToInvite ? `${words.guestsToInvite(guestsToInvite.count)}\n${guestsToInvite.link}` : '';
}

function factsOf(news: BookingNews, reader: MailReader, { hostNames, bookerName, times }: MailedMeeting): NewsFacts {
  return {
    booker: oneLine(bookerName ?? bookingMailWords(reader.locale).anAttendee),
    hosts: namesOf(hostNames, reader),
    by: 'by' in news ? doerOf(news.by) : null,
    from: 'from' in news ? oneLine(news.from) : '',
    to: 'to' in news && news.to !== null ? oneLine(news.to) : '',
    isSeries: times.length > 1,
    isToConfirm: isToConfirm(news),
  };
}

function doerOf(by: Actor): Doer | null {
  return by && { name: oneLine(by.name), isReader: by.isReader };
}

/** A guest hears what a host has to say; what attendees and hosts tell each other is not for them. */
function reasonPart(news: BookingNews, { role }: MailReader, words: BookingMailWords): string {
  if (!('reason' in news) || news.reason === null) return '';
  const isFromHost = !('by' in news) || news.by !== null;
  return role === 'GUEST' && !isFromHost ? '' : `${words.reason}\n${quoted(news.reason)}`;
}

const LABEL_WIDTH = 8;

function factsPart(
  news: BookingNews,
  reader: MailReader,
  { title, author, times, place, people }: MailedMeeting,
  { labels }: BookingMailWords,
): string {
  const before = news.kind === 'RESCHEDULED' ? news.before : null;
  const facts: readonly (readonly [label: string, lines: readonly string[]])[] = [
    [labels.what, [oneLine(title)]],
    [labels.author, author === null ? [] : [oneLine(author)]],
    [labels.when, times.map((time) => spanText(time, reader))],
    [labels.before, before ? [spanText(before, reader)] : []],
    [labels.where, place === null ? [] : linesOf(place)],
    [labels.who, people.map(oneLine)],
  ];
  return facts
    .flatMap(([label, lines]) =>
      lines.map((line, index) => `${(index === 0 ? `${label}:` : '').padEnd(LABEL_WIDTH)}${line}`),
    )
    .join('\n');
}

const NEWS_OF_AN_END: readonly NewsKind[] = ['CANCELLED', 'REJECTED', 'HANDED_OVER'];

function endOf(
  news: BookingNews,
  { role }: MailReader,
  { links, bookerName }: MailedMeeting,
  words: BookingMailWords,
): string {
  const { kind } = news;
  const isOff = NEWS_OF_AN_END.includes(kind);
  if (links.length === 0) {
    const isInvited = role === 'GUEST' && bookerName !== null && !isOff && kind !== 'TIME_WANTED';
    return isInvited ? words.cannotCome(oneLine(bookerName)) : '';
  }
  const addresses = links.join('\n');
  if (role === 'HOST' && isToConfirm(news)) return `${words.answer}\n${addresses}`;
  if (role === 'HOST' || isOff) return `${words.look}\n${addresses}`;
  const what = kind === 'TIME_WANTED' ? words.chooseTime : words.manage(links.length);
  return `${what}\n${addresses}\n\n${words.keepSecret}`;
}

/** Whether a host has still to answer it. */
function isToConfirm(news: BookingNews): boolean {
  return news.kind === 'REQUESTED' || ('isToConfirm' in news && news.isToConfirm);
}

/** What others have written stands out from our own words, and cannot pass for them. */
function quoted(text: string): string {
  return linesOf(text)
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}

function linesOf(text: string): string[] {
  return text.split(/\r\n|[\n\r\p{Zl}\p{Zp}]/u);
}

/** No name ends its line, or it could write further ones. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
}

function namesOf(names: readonly string[], { locale }: MailReader): string {
  return listed(names.map(oneLine), locale);
}

function capitalized(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
