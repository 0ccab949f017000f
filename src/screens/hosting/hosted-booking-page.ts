import { html } from 'hono/html';
import { instantOf } from '../../core/instant.ts';
import type { Mistake } from '../../core/problem.ts';
import type { AttendeeRow, BookingRow } from '../../modules/bookings/booking.queries.ts';
import { uidOf } from '../../modules/bookings/booking-key.rules.ts';
import { answeredQuestions } from '../../modules/bookings/response.rules.ts';
import type { BookableEventType } from '../../modules/event-types/public/event-type-rules.queries.ts';
import { answersPart } from '../kit/answers-part.ts';
import { BOOKING_STYLE, hrefOf } from '../kit/assets.ts';
import { formTitle, mistakeSummary } from '../kit/form-parts.ts';
import { type Html, isolated, layout, type Viewer } from '../kit/layout.ts';
import { doneNotice } from '../kit/page-parts.ts';
import { placeOf } from '../kit/place-part.ts';
import { type Clock, duration, longDate, longTime, timeOfDay, zoneName } from '../kit/when.ts';
import { type DeedForms, deedsPart } from './deeds-part.ts';
import { HOSTED_BOOKINGS_PATH, hostedBookingPath } from './hosting-paths.ts';

export interface HostedBookingPage {
  readonly viewer: Viewer;
  readonly booking: BookingRow;
  /** Undefined when it is gone. */
  readonly eventType: BookableEventType | undefined;
  readonly clock: Clock;
  readonly forms: DeedForms;
  readonly mistakes: readonly Mistake[];
  readonly done: string | undefined;
}

/** A booking with all that its hosts may know of it, and what they can do with it. */
export function hostedBookingPage(page: HostedBookingPage): Html {
  const { viewer, booking, eventType, clock, forms, mistakes, done } = page;
  const { title, description } = booking;
  const state = stateOf(booking, forms);
  const content = html`${doneNotice(done)}
    ${mistakeSummary(mistakes)}
    <p class="crumbs"><a href="${HOSTED_BOOKINGS_PATH}">Your bookings</a></p>
    <article class="one-booking">
      <p class="state"><mark class="${state.kind}">${state.mark}</mark></p>
      <h1><bdi>${title}</bdi></h1>
      ${state.sentence}
      ${reasonsOf(booking)}
      ${factsOf(booking, clock)}
      ${description === null ? '' : html`<p class="words"><bdi>${description}</bdi></p>`}
      ${unsentPart(booking)}
    </article>
    <article>
      <h2>${booking.seats ? 'Attendees' : 'Attendee'}</h2>
      ${booking.attendees.length === 0 ? html`<p class="empty">Nobody any more.</p>` : ''}
      ${booking.attendees.map((attendee) => attendeePart(attendee, eventType))}
      ${guestsPart(booking)}
    </article>
    ${deedsPart(booking, forms, mistakes)}
    ${historyPart(booking, clock)}`;
  const head = html`<link rel="stylesheet" href="${hrefOf(BOOKING_STYLE)}">`;
  return layout({ title: formTitle(isolated(title), mistakes), content, corner: viewer, shape: 'sheet', head });
}

interface State {
  /** Its class in the style sheet. */
  readonly kind: 'good' | 'pending' | 'rejected';
  readonly mark: string;
  readonly sentence: Html | '';
}

function stateOf(booking: BookingRow, { isOver }: DeedForms): State {
  const { status, ownerId, rescheduledToId, rescheduleRequested } = booking;
  if (rescheduledToId !== null) {
    const path = hostedBookingPath({ ownerId, id: rescheduledToId });
    return {
      kind: 'pending',
      mark: 'Rescheduled',
      sentence: html`<p>It has a new time. <a href="${path}">See the new booking</a></p>`,
    };
  }
  switch (status) {
    case 'PENDING':
      return {
        kind: 'pending',
        mark: 'Waiting for you',
        sentence: html`<p>The time is kept for it until you confirm or decline.</p>`,
      };
    case 'REJECTED':
      return { kind: 'rejected', mark: 'Declined', sentence: '' };
    case 'CANCELLED':
      return rescheduleRequested
        ? {
            kind: 'pending',
            mark: 'Asked to reschedule',
            sentence: html`<p>You asked the attendee to choose another time.</p>`,
          }
        : { kind: 'rejected', mark: 'Cancelled', sentence: '' };
    default:
      return { kind: 'good', mark: isOver ? 'Over' : 'Confirmed', sentence: '' };
  }
}

function reasonsOf({ cancellationReason, rejectionReason, reschedulingReason }: BookingRow): Html[] {
  return [cancellationReason, rejectionReason, reschedulingReason]
    .filter((reason) => reason !== null)
    .map((reason) => html`<blockquote class="words"><bdi>${reason}</bdi></blockquote>`);
}

function factsOf({ start, end, location, hosts }: BookingRow, clock: Clock): Html {
  const [from, to] = [instantOf(start), instantOf(end)];
  return html`<dl>
        <dt>When</dt>
        <dd><time datetime="${from.toString()}">${longTime(from, to, clock)}</time><br>
          ${duration(to.since(from).total('minutes'))}, ${zoneName(clock.timeZone)}</dd>
        ${location ? html`<dt>Where</dt><dd>${placeOf(location)}</dd>` : ''}
        <dt>Host</dt>
        <dd><bdi>${hosts.map(({ name, absent }) => (absent ? `${name} (absent)` : name)).join(', ')}</bdi></dd>
      </dl>`;
}

function attendeePart(attendee: AttendeeRow, eventType: BookableEventType | undefined): Html {
  const { name, email, phone, timeZone, notes, absent, verified } = attendee;
  return html`<dl class="person">
        <dt>Name</dt><dd><bdi>${name}</bdi>${absent ? html` <mark class="rejected">Absent</mark>` : ''}</dd>
        <dt>E-mail</dt>
        <dd><a href="mailto:${email}"><bdi>${email}</bdi></a>${verified ? '' : html` <small>(not verified)</small>`}</dd>
        ${phone === null ? '' : html`<dt>Phone</dt><dd><a href="tel:${phone}">${phone}</a></dd>`}
        <dt>Time zone</dt><dd>${zoneName(timeZone)}</dd>
        ${answersPart(answeredQuestions(attendee.responses, eventType?.bookingFields ?? []))}
        ${notes === null ? '' : html`<dt>Notes</dt><dd class="words"><bdi>${notes}</bdi></dd>`}
      </dl>`;
}

function guestsPart({ guestEmails, heldGuestEmails }: BookingRow): Html | '' {
  if (guestEmails.length === 0) return '';
  const lines = guestEmails.map((email) => {
    const isHeld = heldGuestEmails.includes(email);
    return html`<li><bdi>${email}</bdi>${isHeld ? html` <small>(not invited yet)</small>` : ''}</li>`;
  });
  return html`<h3>Guests</h3><ul class="plain">${lines}</ul>`;
}

function unsentPart({ unsentMails }: BookingRow): Html | '' {
  if (unsentMails === 0) return '';
  const what = unsentMails === 1 ? 'A message' : `${unsentMails} messages`;
  return html`<p class="warning">${what} about this booking could not be sent, because there were too many at once. Tell
        the people who take part yourself.</p>`;
}

function atTime(text: string, clock: Clock): Html {
  const at = instantOf(text);
  const date = longDate(at.toZonedDateTimeISO(clock.timeZone).toPlainDate());
  return html`<time datetime="${at.toString()}">${date}, ${timeOfDay(at, clock)}</time>`;
}

function historyPart(booking: BookingRow, clock: Clock): Html {
  const { ownerId, createdAt, updatedAt, rescheduledFromId, recurringId, id } = booking;
  const before = rescheduledFromId === null ? undefined : hostedBookingPath({ ownerId, id: rescheduledFromId });
  const first =
    recurringId === null || recurringId === id ? undefined : hostedBookingPath({ ownerId, id: recurringId });
  return html`<p class="aside">Booked on ${atTime(createdAt, clock)}, last changed on ${atTime(updatedAt, clock)}.
      ${before ? html`It was moved here: <a href="${before}">see the booking before</a>.` : ''}
      ${first ? html`It is part of a series: <a href="${first}">see the first booking</a>.` : ''}
      <a href="/bookings/${uidOf(booking)}">See it as the attendee does</a></p>`;
}
