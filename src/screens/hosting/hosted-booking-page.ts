import { html } from 'hono/html';
import { instantOf, zoneName } from '../../core/instant.ts';
import { listed } from '../../core/language.ts';
import type { Mistake } from '../../core/problem.ts';
import type { AttendeeRow, BookingRow } from '../../modules/bookings/booking.queries.ts';
import type { HistoryStage } from '../../modules/bookings/booking-history.rules.ts';
import { uidOf } from '../../modules/bookings/booking-key.rules.ts';
import type { UnsentMail } from '../../modules/bookings/mails/mail-outcomes.ts';
import { answeredQuestions } from '../../modules/bookings/response.rules.ts';
import type { BookableEventType } from '../../modules/event-types/public/event-type-rules.queries.ts';
import { BOOKING_STYLE, hrefOf } from '../kit/assets.ts';
import { answersPart, placeOf } from '../kit/booking-parts.ts';
import { formTitle, mistakeSummary } from '../kit/form-parts.ts';
import { type Html, isolated, layout, type Viewer } from '../kit/layout.ts';
import { doneNotice } from '../kit/page-parts.ts';
import { type Clock, duration, inLanguage, longTime } from '../kit/when.ts';
import { type ActionForms, actionsPart } from './actions-part.ts';
import { historyPart } from './history-part.ts';
import { type HostedInSeries, hostedSeriesPart, markOf } from './hosted-series-part.ts';
import { HOSTED_BOOKINGS_PATH, hostedBookingPath } from './hosting-paths.ts';
import { type BookingsWords, bookingsWords } from './words/hosting-words.ts';

export interface HostedBookingPage {
  readonly viewer: Viewer;
  readonly booking: BookingRow;
  /** Undefined when it is gone. */
  readonly eventType: BookableEventType | undefined;
  readonly clock: Clock;
  readonly isOver: boolean;
  /** The other bookings of its series that the viewer hosts; undefined where it stands alone. */
  readonly series: readonly HostedInSeries[] | undefined;
  /** The history since it was made, wherever it has moved. */
  readonly history: readonly HistoryStage[];
  /** The receivers who have had no mail about it yet, or get none. */
  readonly unsent: readonly UnsentMail[];
  /** How many messages of workflows about the booking wait for room. */
  readonly waitingMessages: number;
  readonly forms: ActionForms;
  readonly mistakes: readonly Mistake[];
  readonly done: string | undefined;
}

/** A booking with all that its hosts may know of it, and what they can do with it. */
export function hostedBookingPage(page: HostedBookingPage): Html {
  const { viewer, booking, eventType, clock, isOver, series, forms, mistakes, done } = page;
  const { title, description } = booking;
  const { locale } = viewer;
  const words = bookingsWords(locale);
  const state = stateOf(booking, isOver, words, locale);
  const content = html`${doneNotice(done)}
    ${mistakeSummary(mistakes, locale)}
    <p class="crumbs"><a href="${HOSTED_BOOKINGS_PATH}">${words.title}</a></p>
    <article class="one-booking">
      <p class="state"><mark class="${state.kind}">${state.mark}</mark></p>
      <h1><bdi>${title}</bdi></h1>
      ${state.sentence}
      ${reasonsOf(booking)}
      ${factsOf(booking, clock, words)}
      ${description === null ? '' : html`<p class="words"><bdi>${description}</bdi></p>`}
      ${unsentPart(page, words)}
    </article>
    ${attendeesPart(booking, eventType, locale, words)}
    ${hostedSeriesPart(series, clock, words)}
    ${actionsPart(booking, forms, mistakes, words)}
    ${historyPart(page.history, { booking, viewerId: forms.hostId, clock, words })}
    <p class="aside"><a href="/bookings/${uidOf(booking)}">${words.asAttendee}</a></p>`;
  const head = html`<link rel="stylesheet" href="${hrefOf(BOOKING_STYLE)}">`;
  return layout({
    title: formTitle(isolated(title), mistakes, locale),
    content,
    corner: viewer,
    shape: 'sheet',
    head,
    locale,
  });
}

/** Says what has become of it, for its host. */
export function stateOf(booking: BookingRow, isOver: boolean, words: BookingsWords, locale: string) {
  const { status, ownerId, rescheduledToId, rescheduleRequested, attendees, hosts } = booking;
  if (rescheduledToId !== null) {
    const path = hostedBookingPath({ ownerId, id: rescheduledToId });
    return { kind: 'pending', mark: words.marks.moved, sentence: html`<p>${words.moved(path)}</p>` };
  }
  const names = listed(
    attendees.map(({ name }) => name),
    locale,
  );
  const isAsked = status === 'CANCELLED' && rescheduleRequested && attendees.length > 0;
  const more = status === 'PENDING' ? words.waiting : isAsked ? words.timeWanted(names, hosts.length === 1) : '';
  return { ...markOf({ ...booking, isOver }, words), sentence: more && html`<p>${more}</p>` };
}

export function reasonsOf({ cancellationReason, rejectionReason, reschedulingReason }: BookingRow): Html[] {
  return [cancellationReason, rejectionReason, reschedulingReason]
    .filter((reason) => reason !== null)
    .map((reason) => html`<blockquote class="words"><bdi>${reason}</bdi></blockquote>`);
}

export function factsOf(booking: BookingRow, clock: Clock, words: BookingsWords): Html {
  const { location, hosts } = booking;
  return html`<dl>
        ${whenPart(booking, clock, words)}
        ${location ? html`<dt>${words.where}</dt><dd>${placeOf(location, clock.locale)}</dd>` : ''}
        <dt>${words.host}</dt>
        <dd><bdi>${hosts.map(({ name, absent }) => (absent ? words.absentHost(name) : name)).join(', ')}</bdi></dd>
      </dl>`;
}

/** When it is, within a `dl`. */
export function whenPart({ start, end }: BookingRow, clock: Clock, words: BookingsWords): Html {
  const [from, to] = [instantOf(start), instantOf(end)];
  return html`<dt>${words.when}</dt>
        <dd><time datetime="${from.toString()}">${inLanguage(longTime(from, to, clock), clock)}</time><br>
          ${duration(to.since(from).total('minutes'), clock.locale)}, ${zoneName(clock.timeZone)}</dd>`;
}

/** Everybody who comes, with all that they have sent. */
export function attendeesPart(
  booking: BookingRow,
  eventType: BookableEventType | undefined,
  locale: string,
  words: BookingsWords,
): Html {
  const { attendees, seats } = booking;
  return html`<article>
      <h2>${seats ? words.attendees : words.attendee}</h2>
      ${attendees.length === 0 ? html`<p class="empty">${words.nobody}</p>` : ''}
      ${attendees.map((attendee) => attendeePart(attendee, eventType, locale, words))}
      ${guestsPart(booking, words)}
    </article>`;
}

function attendeePart(
  attendee: AttendeeRow,
  eventType: BookableEventType | undefined,
  locale: string,
  words: BookingsWords,
): Html {
  const { name, email, phone, timeZone, notes, absent, verified } = attendee;
  return html`<dl class="person">
        <dt>${words.name}</dt><dd><bdi>${name}</bdi>${absent ? html` <mark class="rejected">${words.absent}</mark>` : ''}</dd>
        <dt>${words.email}</dt>
        <dd><a href="mailto:${email}"><bdi>${email}</bdi></a>${verified ? '' : html` <small>${words.notVerified}</small>`}</dd>
        ${phone === null ? '' : html`<dt>${words.phone}</dt><dd><a href="tel:${phone}">${phone}</a></dd>`}
        <dt>${words.timeZone}</dt><dd>${zoneName(timeZone)}</dd>
        ${answersPart(answeredQuestions(attendee.responses, eventType?.bookingFields ?? []), locale)}
        ${notes === null ? '' : html`<dt>${words.notes}</dt><dd class="words"><bdi>${notes}</bdi></dd>`}
      </dl>`;
}

function guestsPart({ guestEmails, heldGuestEmails }: BookingRow, words: BookingsWords): Html | '' {
  if (guestEmails.length === 0) return '';
  const lines = guestEmails.map((email) => {
    const isHeld = heldGuestEmails.includes(email);
    return html`<li><bdi>${email}</bdi>${isHeld ? html` <small>${words.notInvited}</small>` : ''}</li>`;
  });
  return html`<h3>${words.guests}</h3><ul class="plain">${lines}</ul>`;
}

function unsentPart(
  { booking: { unsentMails }, unsent, waitingMessages }: HostedBookingPage,
  words: BookingsWords,
): Html {
  const lines = unsent.map(({ mailbox, outcome }) => html`<li><bdi>${mailbox}</bdi>: ${words.outcomes[outcome]}</li>`);
  return html`${unsentMails === 0 ? '' : html`<p class="warning">${words.unsent(unsentMails)}</p>`}
      ${waitingMessages === 0 ? '' : html`<p class="hint">${words.waitingMessages(waitingMessages)}</p>`}
      ${lines.length === 0 ? '' : html`<h2>${words.notMailed}</h2><ul class="plain">${lines}</ul>`}`;
}
