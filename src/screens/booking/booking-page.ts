import { html } from 'hono/html';
import { instantOf, zoneName } from '../../core/instant.ts';
import { inLanguages } from '../../core/language.ts';
import type { CalendarLink, LinkedCalendar } from '../../modules/bookings/add-to-calendar.rules.ts';
import type { BookingConfirmation } from '../../modules/bookings/booking-confirmation.rules.ts';
import type { BookingStatus } from '../../modules/bookings/booking-transitions.rules.ts';
import type { MailOutcome } from '../../modules/bookings/mails/mail-outcomes.ts';
import type { BookingForPage, SentByBooker } from '../../modules/bookings/public/public-booking.queries.ts';
import type { BookableEventType } from '../../modules/event-types/public/event-type-rules.queries.ts';
import { formTitle, mistakeSummary } from '../kit/form-parts.ts';
import { type Html, isolated, type Viewer } from '../kit/layout.ts';
import { answersPart, doneNotice, placeOf } from '../kit/page-parts.ts';
import { type Clock, duration, inLanguage, longStart, longTime } from '../kit/when.ts';
import { authorPart } from './author-part.ts';
import { addressOf } from './booking-address.ts';
import { bookingLayout } from './booking-layout.ts';
import { BOOKING_PAGE_DE } from './booking-page-words.de.ts';
import { BOOKING_PAGE_EN } from './booking-page-words.en.ts';
import { zoneMistakes, zonePart } from './calendar/zone-part.ts';
import { embeddingOf, LEAVING } from './embedding/embedding.ts';

export interface BookingPage {
  readonly viewer: Viewer | undefined;
  readonly booking: BookingForPage;
  readonly clock: Clock;
  /** Whether the booker gets mails about it. */
  readonly isMailed: boolean;
  /** The outcome of the last mail to them; undefined where that is not decided yet, or was long ago. */
  readonly mailOutcome: MailOutcome | undefined;
  /** The address of this page, for readers who have no mail with it. */
  readonly url: string;
  /** None for what does not take place, or is over. */
  readonly calendarLinks: readonly CalendarLink[];
  /** The words for what was done just before. */
  readonly done: string | undefined;
  /** The text that was typed as a time zone and is none. */
  readonly unknownZone: string | undefined;
  /** Whether it is in a frame of another website. */
  readonly isEmbedded: boolean;
}

/** The path of a booking's own page; as it stands in a frame, if that is where it leads from. */
export function bookingPath(uid: string, isEmbedded = false): string {
  return addressOf(`/bookings/${uid}`, isEmbedded ? { embed: '1' } : {});
}

const wordsFor = inLanguages(BOOKING_PAGE_EN, { de: BOOKING_PAGE_DE });
type Words = ReturnType<typeof wordsFor>;
/** More attributes of links that lead out of a frame. */
type Leaving = Html | '';

/** Says what was done just before, in the reader's words. `kept`: how many of a series still take place. */
export function doneWords(
  done: keyof Words['done'] | undefined,
  kept: number,
  { locale }: Pick<Clock, 'locale'>,
): string | undefined {
  return done && wordsFor(locale).done[done](kept);
}

/** A booking for anybody with its uid: what it is, and what can still be done with it. */
export function bookingPage(page: BookingPage): Html {
  const { viewer, booking, clock, calendarLinks, done, unknownZone, isEmbedded } = page;
  const { confirmation, brand, eventType } = booking;
  const { title, uid, managedBy } = confirmation;
  const { locale, timeZone } = clock;
  const words = wordsFor(locale);
  const mistakes = zoneMistakes(unknownZone, locale);
  const state = stateOf(booking, words, isEmbedded);
  const query = isEmbedded ? { embed: '1' } : {};
  const leaving = isEmbedded ? LEAVING : '';
  const embedding = embeddingOf(eventType, bookingPath(uid), query);
  const content = html`${doneNotice(done)}
    ${mistakeSummary(mistakes, locale)}
    <article class="one-booking">
      <p class="state"><mark class="${state.kind}">${state.mark}</mark></p>
      <h1><bdi>${title}</bdi></h1>
      ${authorPart(managedBy, locale)}
      <p>${state.sentence}${afterBooking(page, words)}</p>
      ${keepLinkPart(page, words)}
      ${reasons(confirmation)}
      ${eventType && (embedding || isToKeep(page)) ? onwardPart(eventType, words) : ''}
      ${facts(booking, clock, words, leaving)}
      ${guestsPart(confirmation, words)}
      ${hostPart(booking, words)}
      ${seriesPart(booking.series, clock, words, isEmbedded)}
      ${calendarLinks.length > 0 ? calendarPart(page, words, leaving) : ''}
      ${actions(booking, words, leaving)}
      ${zonePart({ path: bookingPath(uid), query, timeZone, isGuessed: false, unknownZone, locale })}
    </article>`;
  const pageTitle = formTitle(`${state.mark}: ${isolated(title)}`, mistakes, locale);
  return bookingLayout({ title: pageTitle, content, viewer, brand, shape: 'card', embedding, locale });
}

interface State {
  /** Its class in the style sheet. */
  readonly kind: 'good' | 'pending' | 'rejected';
  readonly mark: string;
  readonly sentence: string | Html;
}

function stateOf(
  { confirmation, isOver, canReschedule }: BookingForPage,
  { states, movedMark, moved }: Words,
  isEmbedded: boolean,
): State {
  const { status, rescheduledToUid, rescheduleRequested } = confirmation;
  if (rescheduledToUid !== null) {
    return { kind: 'pending', mark: movedMark, sentence: moved(bookingPath(rescheduledToUid, isEmbedded)) };
  }
  if (status === 'CANCELLED' && rescheduleRequested) {
    return { kind: 'pending', ...(canReschedule ? states.TIME_WANTED : states.TIME_WANTED_ELSEWHERE) };
  }
  if (isOver && status === 'ACCEPTED') return { kind: 'good', ...states.OVER };
  return { kind: KINDS[status], ...states[status] };
}

const KINDS: Readonly<Record<BookingStatus, State['kind']>> = {
  ACCEPTED: 'good',
  PENDING: 'pending',
  REJECTED: 'rejected',
  CANCELLED: 'rejected',
};

/** Tells the booker where the booking's link and the answer to a request will be. */
function afterBooking({ booking, isMailed, mailOutcome }: BookingPage, words: Words): string {
  const { isOver, confirmation } = booking;
  const { status, attendee } = confirmation;
  if (isOver || !attendee) return '';
  const isWithout = !isMailed || mailOutcome === 'NONE';
  if (status === 'PENDING') return ` ${isWithout ? words.answerHere : words.answerByMail}`;
  if (status !== 'ACCEPTED') return '';
  if (!isMailed || mailOutcome === undefined) return ` ${words.notMailed}`;
  return mailOutcome === 'SENT' ? ` ${words.mailed}` : '';
}

/** Whether this page is all that the booker has for now. */
function isToKeep({ booking: { confirmation, isOver }, mailOutcome }: BookingPage): boolean {
  const { status } = confirmation;
  const stands = status === 'ACCEPTED' || status === 'PENDING';
  return stands && !isOver && mailOutcome !== undefined && mailOutcome !== 'SENT';
}

function keepLinkPart(page: BookingPage, { unmailed, keepLink }: Words): Html | '' {
  const { isMailed, mailOutcome, url } = page;
  if (!isMailed || !isToKeep(page) || mailOutcome === undefined || mailOutcome === 'SENT') return '';
  return html`<p class="warning">${unmailed[mailOutcome]} ${keepLink} <a href="${url}"><bdi>${url}</bdi></a></p>`;
}

function reasons({
  cancellationReason,
  rejectionReason,
  rescheduleRequestReason,
}: BookingConfirmation<string>): Html[] {
  return [cancellationReason, rejectionReason, rescheduleRequestReason]
    .filter((reason) => reason !== null)
    .map((reason) => html`<blockquote class="words"><bdi>${reason}</bdi></blockquote>`);
}

/** Where the host sends a booker afterwards; outside of the frame, since another site may not want to be in one. */
function onwardPart({ successRedirectUrl }: BookableEventType, words: Words): Html | '' {
  if (successRedirectUrl === null) return '';
  const { href, host } = new URL(successRedirectUrl);
  return html`<p><a class="button" href="${href}" target="_top" rel="noreferrer">${words.goOn(host)}</a></p>`;
}

function facts({ confirmation, sent }: BookingForPage, clock: Clock, words: Words, leaving: Leaving): Html {
  const { description, location, hosts, attendee, otherAttendeeNames, seatsLeft, status } = confirmation;
  const [start, end] = [instantOf(confirmation.start), instantOf(confirmation.end)];
  const isOff = status === 'CANCELLED' || status === 'REJECTED';
  const when = inLanguage(longTime(start, end, clock), clock);
  const { locale, timeZone } = clock;
  return html`<dl>
        <dt>${words.when}</dt>
        <dd><time datetime="${start.toString()}">${isOff ? html`<del>${when}</del>` : when}</time><br>
          ${duration(end.since(start).total('minutes'), locale)}, <a href="#timeZone">${zoneName(timeZone)}</a></dd>
        <dt>${words.host}</dt><dd><bdi>${hosts.map(({ name }) => name).join(', ')}</bdi></dd>
        ${location ? html`<dt>${words.where}</dt><dd>${placeOf(location, locale, leaving)}</dd>` : ''}
        ${attendee ? html`<dt>${words.bookedBy}</dt><dd><bdi>${attendee.name}</bdi><br><bdi>${attendee.email}</bdi></dd>` : ''}
        ${sent ? sentParts(sent, locale) : ''}
        ${otherAttendeeNames.length > 0 ? html`<dt>${words.alsoThere}</dt><dd><bdi>${otherAttendeeNames.join(', ')}</bdi></dd>` : ''}
        ${seatsLeft === null || isOff ? '' : html`<dt>${words.seats}</dt><dd>${words.seatsLeft(seatsLeft)}</dd>`}
        ${description === null ? '' : html`<dt>${words.about}</dt><dd class="words"><bdi>${description}</bdi></dd>`}
      </dl>`;
}

/** The booker's input, to check. */
function sentParts({ answers, notes, guests }: SentByBooker, locale: string): Html {
  const words = wordsFor(locale);
  const lines = guests.map(
    ({ email, isInvited }) =>
      html`<li><bdi>${email}</bdi>${isInvited ? '' : html` <small>(${words.notInvited})</small>`}</li>`,
  );
  return html`${guests.length > 0 ? html`<dt>${words.guestsLabel}</dt><dd><ul class="plain">${lines}</ul></dd>` : ''}
        ${answersPart(answers, locale)}
        ${notes === null ? '' : html`<dt>${words.notes}</dt><dd class="words"><bdi>${notes}</bdi></dd>`}`;
}

/** Where the guests' invitation is: only a mail knows the way there. */
function guestsPart({ guestsWaiting, attendee, status }: BookingConfirmation<string>, words: Words): Html | '' {
  const isOff = status === 'CANCELLED' || status === 'REJECTED';
  if (guestsWaiting === 0 || isOff || !attendee) return '';
  return html`<p role="note">${words.guests(guestsWaiting, attendee.email)}</p>`;
}

/** For a host: the link to a page of their own. */
function hostPart({ actor, confirmation }: BookingForPage, words: Words): Html | '' {
  return actor === 'HOST' ? html`<p role="note">${words.hosting(`${bookingPath(confirmation.uid)}/host`)}</p>` : '';
}

function seriesPart(series: BookingForPage['series'], clock: Clock, words: Words, isEmbedded: boolean): Html | '' {
  if (series.length === 0) return '';
  const items = series.map(({ uid, start, status }) => {
    const at = instantOf(start);
    const state = status === 'ACCEPTED' ? '' : html` <mark class="pending">${words.states[status].mark}</mark>`;
    return html`<li><a href="${bookingPath(uid, isEmbedded)}">${inLanguage(longStart(at, clock), clock)}</a>${state}</li>`;
  });
  return html`<h2>${words.series}</h2><ul class="series">${items}</ul>`;
}

const CALENDARS: Readonly<Record<Exclude<LinkedCalendar, 'ICS'>, string>> = {
  GOOGLE: 'Google',
  OUTLOOK: 'Outlook.com',
  OFFICE_365: 'Office 365',
};

function calendarPart({ calendarLinks, booking }: BookingPage, words: Words, leaving: Leaving): Html {
  const { addToCalendar, calendarFile, seriesFile } = words;
  const out = leaving || html` rel="noreferrer"`;
  const links = calendarLinks.map(({ calendar, url }) => {
    const name = calendar === 'ICS' ? calendarFile : CALENDARS[calendar];
    return html`<li><a href="${url}"${out}>${name}</a></li>`;
  });
  const ofSeries = `${bookingPath(booking.confirmation.uid)}.ics?series`;
  return html`<nav class="calendars" aria-labelledby="add">
        <h2 id="add">${addToCalendar}</h2>
        <ul>${links}${booking.series.length > 0 ? html`<li><a href="${ofSeries}"${out}>${seriesFile}</a></li>` : ''}</ul>
      </nav>`;
}

function actions(
  { confirmation, canCancel, canReschedule, rest }: BookingForPage,
  words: Words,
  leaving: Leaving,
): Html | '' {
  const path = bookingPath(confirmation.uid);
  const hasCancel = canCancel || rest.cancellable.length > 0;
  if (!hasCancel && !canReschedule) return '';
  return html`<p class="actions">
        ${canReschedule ? html`<a class="button quiet" href="${path}/reschedule"${leaving}>${words.chooseTime}</a>` : ''}
        ${hasCancel ? html`<a class="button quiet danger" href="${path}/cancel"${leaving}>${words.cancel}</a>` : ''}
      </p>`;
}
