import { html } from 'hono/html';
import { instantOf } from '../../core/instant.ts';
import type { BookingConfirmation } from '../../modules/bookings/booking-confirmation.rules.ts';
import type { BookingStatus } from '../../modules/bookings/booking-transitions.rules.ts';
import type { CalendarLink, LinkedCalendar } from '../../modules/bookings/calendar-link.rules.ts';
import type { BookingForPage, SentByBooker } from '../../modules/bookings/change/booking-page.queries.ts';
import { answersPart } from '../kit/answers-part.ts';
import { formTitle, mistakeSummary } from '../kit/form-parts.ts';
import { type Html, isolated, type Viewer } from '../kit/layout.ts';
import { doneNotice } from '../kit/page-parts.ts';
import { placeOf } from '../kit/place-part.ts';
import { type Clock, counted, duration, inLanguage, longStart, longTime, zoneName } from '../kit/when.ts';
import { authorPart } from './author-part.ts';
import { bookingLayout } from './booking-layout.ts';
import { zoneMistakes, zonePart } from './calendar/zone-part.ts';

export interface BookingPage {
  readonly viewer: Viewer | undefined;
  readonly booking: BookingForPage;
  readonly clock: Clock;
  /** None for what does not take place, or is over. */
  readonly calendarLinks: readonly CalendarLink[];
  /** What was done just before. */
  readonly done: string | undefined;
  /** What was typed as a time zone and is none. */
  readonly unknownZone: string | undefined;
}

/** The path of a booking's own page. */
export function bookingPath(uid: string): string {
  return `/bookings/${uid}`;
}

/** A booking for anybody with its uid: what it is, and what can still be done with it. */
export function bookingPage({ viewer, booking, clock, calendarLinks, done, unknownZone }: BookingPage): Html {
  const { confirmation } = booking;
  const { title, uid } = confirmation;
  const state = stateOf(booking);
  const content = html`${doneNotice(done)}
    ${mistakeSummary(zoneMistakes(unknownZone))}
    <article class="one-booking">
      <p class="state"><mark class="${state.kind}">${state.mark}</mark></p>
      <h1><bdi>${title}</bdi></h1>
      ${authorPart(confirmation.managedBy)}
      <p>${state.sentence}${afterBooking(booking)}</p>
      ${reasons(confirmation)}
      ${facts(booking, clock)}
      ${guestsPart(confirmation)}
      ${hostPart(booking)}
      ${seriesPart(booking.series, clock)}
      ${calendarLinks.length > 0 ? calendarPart(calendarLinks) : ''}
      ${actions(booking)}
      ${zonePart({ path: bookingPath(uid), query: {}, timeZone: clock.timeZone, isGuessed: false, unknownZone })}
    </article>`;
  const { brand } = booking;
  const pageTitle = formTitle(`${state.mark}: ${isolated(title)}`, zoneMistakes(unknownZone));
  return bookingLayout({ title: pageTitle, content, viewer, brand, shape: 'card' });
}

interface State {
  /** Its class in the style sheet. */
  readonly kind: 'good' | 'pending' | 'rejected';
  readonly mark: string;
  readonly sentence: string | Html;
}

function stateOf({ confirmation, isOver, canReschedule }: BookingForPage): State {
  const { status, rescheduledToUid, rescheduleRequested } = confirmation;
  if (rescheduledToUid !== null) {
    const sentence = html`It was moved to another time. <a href="${bookingPath(rescheduledToUid)}">See the new booking</a>`;
    return { kind: 'pending', mark: 'Rescheduled', sentence };
  }
  if (status === 'CANCELLED' && rescheduleRequested) {
    return {
      kind: 'pending',
      mark: 'Please choose another time',
      sentence: canReschedule
        ? 'The host can’t make it at this time and asks you to choose another one.'
        : 'The host can’t make it at this time, and this event is no longer offered here. Ask the host for another time.',
    };
  }
  if (isOver && status === 'ACCEPTED') return { kind: 'good', mark: 'Over', sentence: 'This booking is over.' };
  return STATES[status];
}

const STATES: Readonly<Record<BookingStatus, State>> = {
  ACCEPTED: {
    kind: 'good',
    mark: 'Confirmed',
    sentence: 'You’re booked.',
  },
  PENDING: {
    kind: 'pending',
    mark: 'Not confirmed yet',
    sentence: 'You’ve requested this booking. The host still has to confirm it.',
  },
  REJECTED: { kind: 'rejected', mark: 'Declined', sentence: 'The host has declined this booking.' },
  CANCELLED: { kind: 'rejected', mark: 'Cancelled', sentence: 'This booking was cancelled.' },
};

/** What the mail has, for whom it was sent to. */
function afterBooking({ confirmation: { status, attendee }, isOver }: BookingForPage): Html | '' {
  if (isOver || !attendee) return '';
  if (status === 'ACCEPTED') {
    return html` We’ve e-mailed you the details, with the link to this page: it lets you change or cancel the booking.`;
  }
  return status === 'PENDING' ? html` You’ll get their answer by e-mail.` : '';
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

function facts({ confirmation, sent }: BookingForPage, clock: Clock): Html {
  const { description, location, hosts, attendee, otherAttendeeNames, seatsLeft, status } = confirmation;
  const [start, end] = [instantOf(confirmation.start), instantOf(confirmation.end)];
  const isOff = status === 'CANCELLED' || status === 'REJECTED';
  const when = inLanguage(longTime(start, end, clock), clock);
  return html`<dl>
        <dt>When</dt>
        <dd><time datetime="${start.toString()}">${isOff ? html`<del>${when}</del>` : when}</time><br>
          ${duration(end.since(start).total('minutes'))}, <a href="#timeZone">${zoneName(clock.timeZone)}</a></dd>
        <dt>Host</dt><dd><bdi>${hosts.map(({ name }) => name).join(', ')}</bdi></dd>
        ${location ? html`<dt>Where</dt><dd>${placeOf(location)}</dd>` : ''}
        ${attendee ? html`<dt>Booked by</dt><dd><bdi>${attendee.name}</bdi><br><bdi>${attendee.email}</bdi></dd>` : ''}
        ${sent ? sentParts(sent) : ''}
        ${otherAttendeeNames.length > 0 ? html`<dt>Also there</dt><dd><bdi>${otherAttendeeNames.join(', ')}</bdi></dd>` : ''}
        ${seatsLeft === null || isOff ? '' : html`<dt>Seats</dt><dd>${counted(seatsLeft, 'seat')} left</dd>`}
        ${description === null ? '' : html`<dt>About</dt><dd class="words"><bdi>${description}</bdi></dd>`}
      </dl>`;
}

/** What the booker has sent, to check. */
function sentParts({ answers, notes, guests }: SentByBooker): Html {
  const lines = guests.map(
    ({ email, isInvited }) =>
      html`<li><bdi>${email}</bdi>${isInvited ? '' : html` <small>(not invited yet)</small>`}</li>`,
  );
  return html`${guests.length > 0 ? html`<dt>Guests</dt><dd><ul class="plain">${lines}</ul></dd>` : ''}
        ${answersPart(answers)}
        ${notes === null ? '' : html`<dt>Notes</dt><dd class="words"><bdi>${notes}</bdi></dd>`}`;
}

/** Where the guests' invitation is: only a mail knows the way there. */
function guestsPart({ guestsWaiting, attendee, status }: BookingConfirmation<string>): Html | '' {
  const isOff = status === 'CANCELLED' || status === 'REJECTED';
  if (guestsWaiting === 0 || isOff || !attendee) return '';
  const who = guestsWaiting === 1 ? 'Your guest is' : `Your ${guestsWaiting} guests are`;
  return html`<p role="note">${who} not invited yet: open the link in the mail to <bdi>${attendee.email}</bdi>.</p>`;
}

/** For a host, who has a page of their own. */
function hostPart({ actor, confirmation }: BookingForPage): Html | '' {
  if (actor !== 'HOST') return '';
  return html`<p role="note">You host this booking. <a href="${bookingPath(confirmation.uid)}/host">See everything and answer it</a></p>`;
}

function seriesPart(series: BookingForPage['series'], clock: Clock): Html | '' {
  if (series.length === 0) return '';
  const items = series.map(({ uid, start, status }) => {
    const at = instantOf(start);
    const state = status === 'ACCEPTED' ? '' : html` <mark class="pending">${STATES[status].mark}</mark>`;
    return html`<li><a href="${bookingPath(uid)}">${inLanguage(longStart(at, clock), clock)}</a>${state}</li>`;
  });
  return html`<h2>The other bookings of this series</h2><ul class="series">${items}</ul>`;
}

const CALENDARS: Readonly<Record<LinkedCalendar, string>> = {
  GOOGLE: 'Google',
  OUTLOOK: 'Outlook.com',
  OFFICE_365: 'Office 365',
  ICS: 'Calendar file (.ics)',
};

function calendarPart(links: readonly CalendarLink[]): Html {
  return html`<nav class="calendars" aria-labelledby="add">
        <h2 id="add">Add it to your calendar</h2>
        <ul>${links.map(({ calendar, url }) => html`<li><a href="${url}" rel="noreferrer">${CALENDARS[calendar]}</a></li>`)}</ul>
      </nav>`;
}

function actions({ confirmation, canCancel, canReschedule }: BookingForPage): Html | '' {
  const path = bookingPath(confirmation.uid);
  if (!canCancel && !canReschedule) return '';
  return html`<p class="actions">
        ${canReschedule ? html`<a class="button quiet" href="${path}/reschedule">Choose another time</a>` : ''}
        ${canCancel ? html`<a class="button quiet danger" href="${path}/cancel">Cancel the booking</a>` : ''}
      </p>`;
}
