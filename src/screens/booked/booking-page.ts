import { html } from 'hono/html';
import { ownedIdOf } from '../../core/id.ts';
import { instantOf, zoneName } from '../../core/instant.ts';
import { inLanguages } from '../../core/language.ts';
import {
  type CalendarLink,
  calendarLinks,
  icsUrl,
  type LinkedCalendar,
} from '../../modules/bookings/add-to-calendar.rules.ts';
import type { BookingStatus } from '../../modules/bookings/booking-transitions.rules.ts';
import { isCutShort } from '../../modules/bookings/change/cancel-booking.ts';
import { isAuthorVerified } from '../../modules/bookings/mails/booking-mail.queries.ts';
import { findOutcome, type MailOutcome } from '../../modules/bookings/mails/mail-outcomes.ts';
import {
  type BookingForPage,
  findBookingForPage,
  type SentByBooker,
} from '../../modules/bookings/public/public-booking.queries.ts';
import { type BookingConfirmation, idOfKey, namedByUid } from '../../modules/bookings/public/public-booking.rules.ts';
import type { BookableEventType } from '../../modules/bookings/slots/bookable-event-type.queries.ts';
import { attributed } from '../../modules/event-types/managed-event-type.rules.ts';
import { bookingPath } from '../booking/booking-address.ts';
import { authorPart, bookingLayout, embeddingOf, LEAVING, mayBeFramed } from '../booking/booking-layout.ts';
import { type BookingPagesSettings, callerOf, readerOfBooking, UNLISTED } from '../booking/booking-visitor.ts';
import { zoneMistakes, zonePart } from '../booking/calendar-parts.ts';
import { formTitle, mistakeSummary } from '../kit/form-parts.ts';
import { type Html, isolated, layout, type Viewer } from '../kit/layout.ts';
import { type DeclaredPage, type OpenVisit, openPage } from '../kit/page.ts';
import { localeOf } from '../kit/page-locale.ts';
import { answersPart, doneNotice, placeOf } from '../kit/page-parts.ts';
import { sendPage } from '../kit/page-response.ts';
import { pageWords } from '../kit/page-words.ts';
import { sendError } from '../kit/problem-response.ts';
import { type Clock, duration, inLanguage, longStart, longTime } from '../kit/when.ts';
import { BOOKED_DE, BOOKING_PAGE_DE } from './booked-words.de.ts';
import { BOOKED_EN, BOOKING_PAGE_EN } from './booked-words.en.ts';

/** The words of the pages on which a booking is cancelled or moved, or its guests are invited, for a reader of this locale. */
export const bookedWords = inLanguages(BOOKED_EN, { de: BOOKED_DE });

/** The words of the page of a booking. */
const bookingPageWords = inLanguages(BOOKING_PAGE_EN, { de: BOOKING_PAGE_DE });
type BookingPageWords = ReturnType<typeof bookingPageWords>;

/** A uid or, for hosts, an id. */
export const BOOKED_PATH = '/bookings/:booking{[\\w-]+}';

/**
 * `/bookings/<uid>`: a booking, or a seat in one, for anybody with its uid. `/bookings/<id>`: the same as its attendee sees it, for a
 * signed-in host.
 */
export function bookingPage(settings: BookingPagesSettings): DeclaredPage {
  const { publicUrl, uids } = settings;
  return openPage({
    path: BOOKED_PATH,
    find: findBooked(settings),
    none: noBooking(settings),
    show: async (showing, booking) => {
      const { c, em } = showing;
      mayBeFramed(c, booking.eventType);
      const { viewer, clock, unknownZone } = await readerOfBooking(em, c, booking);
      const { ownerId, version } = booking.key;
      // A host's own calendar has the booking: the file is its attendee's.
      const file = version === undefined ? undefined : icsUrl(publicUrl, uids.ofFile({ ...booking.key, version }));
      const view = bookingView({
        viewer,
        booking,
        clock,
        isMailed: await isAuthorVerified(em, { ownerId, managedBy: booking.confirmation.managedBy }),
        mailOutcome: await findOutcome(em, booking.key, booking.confirmation.attendee?.email),
        url: `${publicUrl}${bookingPath(booking.confirmation.name)}`,
        calendarLinks: linksOf(booking, file, clock.locale),
        file,
        done: doneWords(doneIn(showing.done, booking), booking.rest.kept, clock),
        unknownZone,
        isEmbedded: c.get('isEmbedded') ?? false,
      });
      return sendPage(c, view, unknownZone === undefined ? 200 : 400, UNLISTED);
    },
  });
}

/** Finds the booking, or the seat in one, that the address names: by a uid for anybody, by an id for a host's session. */
export function findBooked({ uids }: BookingPagesSettings) {
  return async ({ c, em, param }: OpenVisit): Promise<BookingForPage | undefined> => {
    const name = param('booking');
    const key = uids.read(name);
    if (key) return findBookingForPage(em, key, { nameOf: namedByUid(uids, key), hostId: null });
    const hostId = callerOf(c);
    const hosted = hostId === null ? undefined : ownedIdOf('booking', name);
    return hosted && findBookingForPage(em, hosted, { nameOf: idOfKey, hostId });
  };
}

/** Gives the same answer for a text that is not a uid, for an unknown uid, and for a seat that was given back. */
export function noBooking({ visitors, uids }: BookingPagesSettings) {
  return ({ c, param }: OpenVisit): Response | Promise<Response> => {
    const locale = localeOf(c);
    const isGivenBack = visitors.ledHereBy(c) === 'cancelled' && uids.read(param('booking'))?.isSeat;
    if (isGivenBack) return sendPage(c, givenBackView(locale), 200, UNLISTED);
    return sendError(c, { status: 404, ...bookedWords(locale).nothing }, UNLISTED);
  };
}

/** Says what was done, as long as that is still how things stand. */
function doneIn(
  said: string,
  { rest, confirmation: { status, movedTo, invitedGuestCount, waitingGuestCount } }: BookingForPage,
) {
  if (said === 'rest' && isCutShort(rest)) return 'rest';
  if (said === 'cancelled' && status === 'CANCELLED' && movedTo === null) return 'cancelled';
  if (said === 'invited' && invitedGuestCount > 0 && waitingGuestCount === 0) return 'invited';
  if (said === 'moved' && status === 'ACCEPTED') return 'moved';
  if (said === 'moved' && status === 'PENDING') return 'asked';
  return undefined;
}

function linksOf(
  { confirmation, isOver }: BookingForPage,
  file: string | undefined,
  locale: string,
): readonly CalendarLink[] {
  const { title, location, status, managedBy } = confirmation;
  const description = attributed(confirmation.description, managedBy, locale);
  if (file === undefined || isOver || status === 'CANCELLED' || status === 'REJECTED') return [];
  const [start, end] = [instantOf(confirmation.start), instantOf(confirmation.end)];
  return calendarLinks({ title, description, location, start, end, icsUrl: file });
}

interface BookingView {
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
  /** The address of its calendar file. */
  readonly file: string | undefined;
  /** The words for what was done just before. */
  readonly done: string | undefined;
  /** The text that was typed as a time zone and is none. */
  readonly unknownZone: string | undefined;
  /** Whether it is in a frame of another website. */
  readonly isEmbedded: boolean;
}

/** More attributes of links that lead out of a frame. */
type Leaving = Html | '';

/** Says what was done just before, in the reader's words. `kept`: how many of a series still take place. */
function doneWords(
  done: keyof BookingPageWords['done'] | undefined,
  kept: number,
  { locale }: Pick<Clock, 'locale'>,
): string | undefined {
  return done && bookingPageWords(locale).done[done](kept);
}

/** A booking for anybody with its uid: what it is, and what can still be done with it. */
function bookingView(page: BookingView): Html {
  const { viewer, booking, clock, calendarLinks, done, unknownZone, isEmbedded } = page;
  const { confirmation, brand, eventType } = booking;
  const { title, name, managedBy } = confirmation;
  const { locale, timeZone } = clock;
  const words = bookingPageWords(locale);
  const mistakes = zoneMistakes(unknownZone, locale);
  const state = stateOf(booking, words, isEmbedded);
  const query = isEmbedded ? { embed: '1' } : {};
  const leaving = isEmbedded ? LEAVING : '';
  const embedding = embeddingOf(eventType, bookingPath(name), query);
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
      ${zonePart({ path: bookingPath(name), query, timeZone, isGuessed: false, unknownZone, locale })}
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
  { states, movedMark, moved }: BookingPageWords,
  isEmbedded: boolean,
): State {
  const { status, movedTo, rescheduleRequested } = confirmation;
  if (movedTo !== null) {
    return { kind: 'pending', mark: movedMark, sentence: moved(bookingPath(movedTo, isEmbedded)) };
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
function afterBooking({ booking, isMailed, mailOutcome }: BookingView, words: BookingPageWords): string {
  const { isOver, confirmation } = booking;
  const { status, attendee } = confirmation;
  if (isOver || !attendee) return '';
  const isWithout = !isMailed || mailOutcome === 'NOT_SENT';
  if (status === 'PENDING') return ` ${isWithout ? words.answerHere : words.answerByMail}`;
  if (status !== 'ACCEPTED') return '';
  if (!isMailed || mailOutcome === undefined) return ` ${words.notMailed}`;
  return mailOutcome === 'SENT' ? ` ${words.mailed}` : '';
}

/** Whether this page is all that the booker has for now. */
function isToKeep({ booking: { confirmation, isOver }, mailOutcome }: BookingView): boolean {
  const { status } = confirmation;
  const stands = status === 'ACCEPTED' || status === 'PENDING';
  return stands && !isOver && mailOutcome !== undefined && mailOutcome !== 'SENT';
}

function keepLinkPart(page: BookingView, { unmailed, keepLink }: BookingPageWords): Html | '' {
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
function onwardPart({ successRedirectUrl }: BookableEventType, words: BookingPageWords): Html | '' {
  if (successRedirectUrl === null) return '';
  const { href, host } = new URL(successRedirectUrl);
  return html`<p><a class="button" href="${href}" target="_top" rel="noreferrer">${words.goOn(host)}</a></p>`;
}

function facts({ confirmation, sent }: BookingForPage, clock: Clock, words: BookingPageWords, leaving: Leaving): Html {
  const { description, location, hosts, attendee, otherAttendeeNames, remainingSeatCount, status } = confirmation;
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
        ${remainingSeatCount === null || isOff ? '' : html`<dt>${words.seats}</dt><dd>${words.remainingSeatCount(remainingSeatCount)}</dd>`}
        ${description === null ? '' : html`<dt>${words.about}</dt><dd class="words"><bdi>${description}</bdi></dd>`}
      </dl>`;
}

/** The booker's input, to check. */
function sentParts({ answers, notes, guests }: SentByBooker, locale: string): Html {
  const words = bookingPageWords(locale);
  const lines = guests.map(
    ({ email, isInvited }) =>
      html`<li><bdi>${email}</bdi>${isInvited ? '' : html` <small>(${words.notInvited})</small>`}</li>`,
  );
  return html`${guests.length > 0 ? html`<dt>${words.guestsLabel}</dt><dd><ul class="plain">${lines}</ul></dd>` : ''}
        ${answersPart(answers, locale)}
        ${notes === null ? '' : html`<dt>${words.notes}</dt><dd class="words"><bdi>${notes}</bdi></dd>`}`;
}

/** Where the guests' invitation is: only a mail knows the way there. */
function guestsPart(
  { waitingGuestCount, attendee, status }: BookingConfirmation<string>,
  words: BookingPageWords,
): Html | '' {
  const isOff = status === 'CANCELLED' || status === 'REJECTED';
  if (waitingGuestCount === 0 || isOff || !attendee) return '';
  return html`<p role="note">${words.guests(waitingGuestCount, attendee.email)}</p>`;
}

/** For a host: the link to a page of their own. */
function hostPart({ actor, confirmation }: BookingForPage, words: BookingPageWords): Html | '' {
  return actor === 'HOST' ? html`<p role="note">${words.hosting(`${bookingPath(confirmation.name)}/host`)}</p>` : '';
}

function seriesPart(
  series: BookingForPage['series'],
  clock: Clock,
  words: BookingPageWords,
  isEmbedded: boolean,
): Html | '' {
  if (series.length === 0) return '';
  const items = series.map(({ name, start, status }) => {
    const at = instantOf(start);
    const state = status === 'ACCEPTED' ? '' : html` <mark class="pending">${words.states[status].mark}</mark>`;
    return html`<li><a href="${bookingPath(name, isEmbedded)}">${inLanguage(longStart(at, clock), clock)}</a>${state}</li>`;
  });
  return html`<h2>${words.series}</h2><ul class="series">${items}</ul>`;
}

const CALENDARS: Readonly<Record<Exclude<LinkedCalendar, 'ICS'>, string>> = {
  GOOGLE: 'Google',
  OUTLOOK: 'Outlook.com',
  OFFICE365: 'Office 365',
};

function calendarPart({ calendarLinks, file, booking }: BookingView, words: BookingPageWords, leaving: Leaving): Html {
  const { addToCalendar, calendarFile, seriesFile } = words;
  const out = leaving || html` rel="noreferrer"`;
  const links = calendarLinks.map(({ calendar, url }) => {
    const name = calendar === 'ICS' ? calendarFile : CALENDARS[calendar];
    return html`<li><a href="${url}"${out}>${name}</a></li>`;
  });
  const ofSeries = `${file}?series`;
  return html`<nav class="calendars" aria-labelledby="add">
        <h2 id="add">${addToCalendar}</h2>
        <ul>${links}${booking.series.length > 0 ? html`<li><a href="${ofSeries}"${out}>${seriesFile}</a></li>` : ''}</ul>
      </nav>`;
}

function actions(
  { confirmation, canCancel, canReschedule, rest }: BookingForPage,
  words: BookingPageWords,
  leaving: Leaving,
): Html | '' {
  const path = bookingPath(confirmation.name);
  const hasCancel = canCancel || rest.cancellable.length > 0;
  if (!hasCancel && !canReschedule) return '';
  return html`<p class="actions">
        ${canReschedule ? html`<a class="button quiet" href="${path}/reschedule"${leaving}>${words.chooseTime}</a>` : ''}
        ${hasCancel ? html`<a class="button quiet danger" href="${path}/cancel"${leaving}>${words.cancel}</a>` : ''}
      </p>`;
}

/** Where giving back a seat ends: nothing of it stays that could be shown. */
function givenBackView(locale: string): Html {
  const { title, message } = bookedWords(locale).givenBack;
  const content = html`<article>
      <h1>${title}</h1>
      <p>${message}</p>
      <p class="aside"><a href="/">${pageWords(locale).startPage}</a></p>
    </article>`;
  return layout({ title, content, shape: 'card', locale });
}
