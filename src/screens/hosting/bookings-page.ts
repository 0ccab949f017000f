import { html } from 'hono/html';
import type { OwnedId } from '../../core/id.ts';
import { instantOf } from '../../core/instant.ts';
import type { Page } from '../../core/page.ts';
import type { BookingStatus } from '../../modules/bookings/booking-transitions.rules.ts';
import { hiddenField } from '../kit/form-parts.ts';
import { type Html, layout, type Viewer } from '../kit/layout.ts';
import { pager } from '../kit/page-parts.ts';
import { type Clock, longDate, timeOfDay, zoneName } from '../kit/when.ts';
import { HOSTED_BOOKINGS_PATH, hostedBookingPath, SHOWN_BOOKINGS, type ShownBookings } from './hosting-paths.ts';

/** A booking in a list of its host's. */
export interface HostedRow extends OwnedId {
  readonly title: string;
  readonly status: BookingStatus;
  /** RFC 3339, as the database writes it; so is the end. */
  readonly startsAt: string;
  readonly endsAt: string;
  readonly rescheduledToId: string | null;
  /** Who booked; nobody of a booking with seats. */
  readonly booker: readonly { readonly name: string; readonly email: string }[];
  readonly sortTime: string;
}

export interface BookingsPage {
  readonly viewer: Viewer;
  readonly shown: ShownBookings;
  readonly bookings: Page<HostedRow>;
  /** The e-mail address of an attendee, as it was typed; empty for all. */
  readonly attendee: string;
  readonly clock: Clock;
  /** Where these bookings come from, for a host who has none yet. */
  readonly bookingUrl: string;
}

const TABS: Readonly<Record<ShownBookings, { readonly name: string; readonly empty: string }>> = {
  upcoming: { name: 'Upcoming', empty: 'You have no upcoming bookings.' },
  waiting: { name: 'Waiting for you', empty: 'No booking is waiting for your answer.' },
  past: { name: 'Past', empty: 'You have no past bookings.' },
  cancelled: { name: 'Cancelled', empty: 'No booking was cancelled or declined.' },
};

/** A host's bookings: one of four lists, day by day. */
export function bookingsPage(page: BookingsPage): Html {
  const { viewer, shown, bookings, attendee, clock, bookingUrl } = page;
  const content = html`<h1>Your bookings</h1>
    <nav class="tabs" aria-label="Bookings">
      <ul>${SHOWN_BOOKINGS.map((one) => tab(one, one === shown, attendee))}</ul>
    </nav>
    ${searchForm(shown, attendee)}
    ${bookings.rows.length === 0 ? nothing(page) : days(bookings.rows, clock)}
    ${pager(bookings, ({ sortTime, id }) => [sortTime, id], { path: listPath(shown, attendee) })}
    <p class="aside">Times in ${zoneName(clock.timeZone)} (<a href="/settings/account#timeZone">change</a>).
      Your booking page: <a href="${bookingUrl}">${bookingUrl}</a></p>`;
  return layout({ title: `${TABS[shown].name} – Your bookings`, content, corner: viewer, shape: 'sheet' });
}

/** The address of a list. */
function listPath(shown: ShownBookings, attendee = ''): string {
  const query = new URLSearchParams({
    ...(shown === 'upcoming' ? {} : { show: shown }),
    ...(attendee && { attendee }),
  });
  return query.size > 0 ? `${HOSTED_BOOKINGS_PATH}?${query}` : HOSTED_BOOKINGS_PATH;
}

function tab(one: ShownBookings, isCurrent: boolean, attendee: string): Html {
  return html`<li><a href="${listPath(one, attendee)}" ${isCurrent ? html`aria-current="page"` : ''}>${TABS[one].name}</a></li>`;
}

function searchForm(shown: ShownBookings, attendee: string): Html {
  return html`<form method="get" action="${HOSTED_BOOKINGS_PATH}" class="search" role="search">
      ${shown === 'upcoming' ? '' : hiddenField('show', shown)}
      <label for="attendee">Attendee’s e-mail</label>
      <input id="attendee" name="attendee" type="search" inputmode="email" value="${attendee}" autocomplete="off"
        autocapitalize="none" spellcheck="false">
      <button type="submit" class="quiet">Search</button>
      ${attendee === '' ? '' : html`<a href="${listPath(shown)}">Show all</a>`}
    </form>`;
}

function nothing({ shown, attendee, bookingUrl }: BookingsPage): Html {
  if (attendee !== '') return html`<p class="empty">No booking here is with <bdi>${attendee}</bdi>.</p>`;
  const invitation = html` Share <a href="${bookingUrl}">your booking page</a> to get one.`;
  return html`<p class="empty">${TABS[shown].empty}${shown === 'upcoming' ? invitation : ''}</p>`;
}

function days(rows: readonly HostedRow[], clock: Clock): Html[] {
  const byDay = Map.groupBy(rows, ({ startsAt }) =>
    longDate(instantOf(startsAt).toZonedDateTimeISO(clock.timeZone).toPlainDate()),
  );
  return [...byDay].map(
    ([day, bookings]) => html`<section class="day">
        <h2>${day}</h2>
        <ul class="rows">${bookings.map((one) => bookingRow(one, clock))}</ul>
      </section>`,
  );
}

function bookingRow(booking: HostedRow, clock: Clock): Html {
  const { title, startsAt, endsAt, booker } = booking;
  const [who] = booker;
  return html`<li>
          <span class="when">${timeOfDay(instantOf(startsAt), clock)} – ${timeOfDay(instantOf(endsAt), clock)}</span>
          <span><a href="${hostedBookingPath(booking)}"><bdi>${title}</bdi></a>
            ${who ? html`<small>with <bdi>${who.name}</bdi></small>` : ''}</span>
          ${mark(booking)}
        </li>`;
}

function mark({ status, rescheduledToId }: HostedRow): Html | '' {
  if (status === 'PENDING') return html`<mark class="pending">Waiting for you</mark>`;
  if (rescheduledToId !== null) return html`<mark class="pending">Rescheduled</mark>`;
  return status === 'REJECTED' ? html`<mark class="rejected">Declined</mark>` : '';
}
