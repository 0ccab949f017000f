/** The mails about bookings, as text. */
import {
  type Actor,
  type BookingNews,
  type MailReader,
  NEWS_WORDS,
  type NewsFacts,
  type NewsKind,
} from './booking-mail-words.rules.ts';
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
  /** What the booker has written to the hosts; null for others. */
  readonly notes: Said | null;
  /** The page of each booking, in the order of the times; none for who may only look on. */
  readonly links: readonly string[];
  /** How many guests are not mailed before this link is followed, for the booker who has named them. */
  readonly guestsToInvite: { readonly count: number; readonly link: string } | null;
}

export interface MailText {
  readonly subject: string;
  readonly text: string;
}

/** A mail in plain text, the times as its reader has them. */
export function bookingMailText(news: BookingNews, reader: MailReader, meeting: MailedMeeting): MailText {
  const { title, times, hostNames, bookerName, notes } = meeting;
  const { heading, opening } = NEWS_WORDS[news.kind](factsOf(news, meeting))[reader.role];
  const other = reader.role === 'HOST' ? bookerName : listed(hostNames);
  const subject = `${heading}: ${title}${other === null || other === '' ? '' : ` with ${other}`}, ${startText(times[0], reader)}`;
  const parts = [
    reader.name === null ? 'Hello,' : `Hello ${oneLine(reader.name)},`,
    capitalized(opening),
    reasonPart(news, reader),
    factsPart(news, reader, meeting),
    notesPart(news, notes),
    guestsPart(meeting),
    endOf(news, reader, meeting),
  ];
  return { subject: oneLine(subject), text: `${parts.filter((part) => part !== '').join('\n\n')}\n` };
}

const NEWS_TO_PREPARE_FOR: readonly NewsKind[] = ['BOOKED', 'REQUESTED', 'CONFIRMED', 'TAKEN_OVER'];

function notesPart({ kind }: BookingNews, notes: string | null): string {
  return notes && NEWS_TO_PREPARE_FOR.includes(kind) ? `Notes:\n${quoted(notes)}` : '';
}

/** Who has booked under an address of somebody else invites nobody: the link is in the mail alone. */
function guestsPart({ guestsToInvite }: MailedMeeting): string {
  if (!guestsToInvite) return '';
  const { count, link } = guestsToInvite;
  const [guests, are] = count === 1 ? ['guest', 'is'] : [`${count} guests`, 'are'];
  return `Your ${guests} ${are} not invited yet. If you have made this booking, invite your ${count === 1 ? 'guest' : 'guests'} here:\n${link}`;
}

function factsOf(news: BookingNews, { hostNames, bookerName, times }: MailedMeeting): NewsFacts {
  return {
    booker: bookerName === null ? 'an attendee' : oneLine(bookerName),
    hosts: listed(hostNames),
    by: 'by' in news ? doerOf(news.by) : '',
    from: 'from' in news ? oneLine(news.from) : '',
    to: 'to' in news && news.to !== null ? oneLine(news.to) : '',
    isSeries: times.length > 1,
    isToConfirm: isToConfirm(news),
  };
}

function doerOf(by: Actor): string {
  if (by === null) return '';
  return by.isReader ? 'you' : oneLine(by.name);
}

/** A guest hears what a host has to say; what attendees and hosts tell each other is not for them. */
function reasonPart(news: BookingNews, { role }: MailReader): string {
  if (!('reason' in news) || news.reason === null) return '';
  const isFromHost = !('by' in news) || news.by !== null;
  return role === 'GUEST' && !isFromHost ? '' : `Reason given:\n${quoted(news.reason)}`;
}

const LABEL_WIDTH = 8;

function factsPart(
  news: BookingNews,
  reader: MailReader,
  { title, author, times, place, people }: MailedMeeting,
): string {
  const before = news.kind === 'RESCHEDULED' ? news.before : null;
  const facts: readonly (readonly [label: string, lines: readonly string[]])[] = [
    ['What', [oneLine(title)]],
    ['By', author === null ? [] : [oneLine(author)]],
    ['When', times.map((time) => spanText(time, reader))],
    ['Before', before ? [spanText(before, reader)] : []],
    ['Where', place === null ? [] : linesOf(place)],
    ['Who', people.map(oneLine)],
  ];
  return facts
    .flatMap(([label, lines]) =>
      lines.map((line, index) => `${(index === 0 ? `${label}:` : '').padEnd(LABEL_WIDTH)}${line}`),
    )
    .join('\n');
}

const NEWS_OF_AN_END: readonly NewsKind[] = ['CANCELLED', 'REJECTED', 'HANDED_OVER'];

function endOf(news: BookingNews, { role }: MailReader, { links, bookerName }: MailedMeeting): string {
  const { kind } = news;
  const isOff = NEWS_OF_AN_END.includes(kind);
  if (links.length === 0) {
    const isInvited = role === 'GUEST' && bookerName !== null && !isOff && kind !== 'TIME_WANTED';
    return isInvited ? `If you cannot come, please let ${oneLine(bookerName)} know.` : '';
  }
  const addresses = links.join('\n');
  if (role === 'HOST' && isToConfirm(news)) return `Confirm or decline it:\n${addresses}`;
  if (role === 'HOST' || isOff) return `The booking:\n${addresses}`;
  const secret = 'Anybody with this address can do the same, so please keep it to yourself.';
  if (kind === 'TIME_WANTED') return `Choose another time:\n${addresses}\n\n${secret}`;
  const what = links.length > 1 ? 'each of the bookings, in their order' : 'the booking';
  return `See, reschedule or cancel ${what}:\n${addresses}\n\n${secret}`;
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

function listed(names: readonly string[]): string {
  return new Intl.ListFormat('en').format(names.map(oneLine));
}

function capitalized(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
