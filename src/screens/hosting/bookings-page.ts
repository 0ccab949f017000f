import { html } from 'hono/html';
import { type OwnedId, publicOwnedId } from '../../core/id.ts';
import { instantOf, zoneName } from '../../core/instant.ts';
import type { Page } from '../../core/page.ts';
import type { BookingStatus } from '../../modules/bookings/booking-transitions.rules.ts';
import { HELD_SLOT, type HeldSlotRow } from '../../modules/bookings/slots/holds/held-slot.queries.ts';
import { hiddenField } from '../kit/form-parts.ts';
import { type Html, layout, type Viewer } from '../kit/layout.ts';
import { doneNotice, nothingYet, pager } from '../kit/page-parts.ts';
import { type Clock, inLanguage, longDate, longTime, timeOfDay } from '../kit/when.ts';
import type { HostedEventType } from './hosted-event-types.queries.ts';
import {
  HELD_SLOT_PATH,
  HOSTED_BOOKINGS_PATH,
  hostedBookingPath,
  SHOWN_BOOKINGS,
  type ShownBookings,
} from './hosting-paths.ts';
import { type BookingsWords, bookingsWords } from './words/hosting-words.ts';

/** A booking in a list of its host's. */
export interface HostedRow extends OwnedId {
  readonly title: string;
  readonly status: BookingStatus;
  /** RFC 3339, as the database writes it; so is the end. */
  readonly startsAt: string;
  readonly endsAt: string;
  readonly rescheduledToId: string | null;
  /** The booker; nobody where a booking has seats. */
  readonly booker: readonly { readonly name: string; readonly email: string }[];
  readonly sortTime: string;
}

/** The filters of a list; empty for all. */
export interface Narrowed {
  /** The e-mail address of an attendee, as it was typed. */
  readonly attendee: string;
  /** The public id of an event type. */
  readonly eventType: string;
}

const ALL: Narrowed = { attendee: '', eventType: '' };

export interface BookingsPage {
  readonly viewer: Viewer;
  readonly shown: ShownBookings;
  readonly bookings: Page<HostedRow>;
  /** The times of the host that others hold, in the list of what is to come. */
  readonly held: Page<HeldSlotRow>;
  /** The token of the forms that release them. */
  readonly csrf: string;
  readonly narrowed: Narrowed;
  /** The event types that the list can be narrowed to. */
  readonly eventTypes: readonly HostedEventType[];
  readonly clock: Clock;
  /** Where these bookings come from, for a host who has none yet. */
  readonly bookingUrl: string;
  /** Whether there is such a page: not as long as the host offers nothing. */
  readonly isPlaceOpen: boolean;
  /** The words for what was done just before. */
  readonly done: string | undefined;
}

/** A host's bookings: one of four lists, day by day. */
export function bookingsPage(page: BookingsPage): Html {
  const { viewer, shown, bookings, narrowed, clock, bookingUrl, isPlaceOpen, done } = page;
  const { locale } = viewer;
  const words = bookingsWords(locale);
  const content = html`${doneNotice(done)}
    <h1>${words.title}</h1>
    <nav class="tabs" aria-label="${words.lists}">
      <ul>${SHOWN_BOOKINGS.map((one) => tab(one, page, words))}</ul>
    </nav>
    ${searchForm(page, words)}
    ${page.held.rows.length === 0 ? '' : heldSlots(page, words)}
    ${bookings.rows.length === 0 ? nothing(page, words) : days(bookings.rows, clock, words)}
    ${pager(bookings, ({ sortTime, id }) => [sortTime, id], { path: listPath(shown, narrowed), locale })}
    <p class="aside">${words.zone(zoneName(clock.timeZone), '/settings/account#timeZone')}
      ${isPlaceOpen ? words.bookingPage(bookingUrl) : ''}</p>`;
  return layout({ title: words.listTitle(words.tabs[shown].name), content, corner: viewer, shape: 'sheet', locale });
}

/** The address of a list. */
function listPath(shown: ShownBookings, { attendee, eventType }: Narrowed = ALL): string {
  const query = new URLSearchParams({
    ...(shown === 'upcoming' ? {} : { show: shown }),
    ...(attendee && { attendee }),
    ...(eventType && { eventType }),
  });
  return query.size > 0 ? `${HOSTED_BOOKINGS_PATH}?${query}` : HOSTED_BOOKINGS_PATH;
}

function tab(one: ShownBookings, { shown, narrowed }: BookingsPage, { tabs }: BookingsWords): Html {
  return html`<li><a href="${listPath(one, narrowed)}" ${one === shown ? html`aria-current="page"` : ''}>${tabs[one].name}</a></li>`;
}

function searchForm({ shown, narrowed, eventTypes }: BookingsPage, words: BookingsWords): Html {
  const { attendee, eventType } = narrowed;
  return html`<form method="get" action="${HOSTED_BOOKINGS_PATH}" class="search" role="search">
      ${shown === 'upcoming' ? '' : hiddenField('show', shown)}
      <label for="attendee">${words.search}</label>
      <input id="attendee" name="attendee" type="search" inputmode="email" value="${attendee}" autocomplete="off"
        autocapitalize="none" spellcheck="false">
      ${eventTypes.length > 1 ? eventTypeField(eventTypes, eventType, words) : ''}
      <button type="submit" class="quiet">${words.searchButton}</button>
      ${attendee === '' && eventType === '' ? '' : html`<a href="${listPath(shown)}">${words.showAll}</a>`}
    </form>`;
}

function eventTypeField(eventTypes: readonly HostedEventType[], chosen: string, words: BookingsWords): Html {
  const options = eventTypes.map(({ ownerId, id, title, teamName }) => {
    const value = publicOwnedId('eventType', { ownerId, id });
    const text = teamName === null ? title : words.titleOfTeam(title, teamName);
    return html`<option value="${value}" ${value === chosen ? html`selected` : ''}>${text}</option>`;
  });
  return html`<label for="eventType">${words.eventType}</label>
      <select id="eventType" name="eventType"><option value="">${words.allEventTypes}</option>${options}</select>`;
}

function nothing(page: BookingsPage, words: BookingsWords): Html {
  const {
    shown,
    narrowed: { attendee, eventType },
    bookingUrl,
    isPlaceOpen,
  } = page;
  const invitation = isPlaceOpen ? words.invitation(bookingUrl) : words.offerSomething;
  if (attendee !== '') return nothingYet(html`<p>${words.nobodyFound(attendee)}</p>`);
  if (eventType !== '') return nothingYet(html`<p>${words.noneOfType}</p>`);
  return nothingYet(html`<p>${words.tabs[shown].empty} ${shown === 'upcoming' ? invitation : ''}</p>`);
}

/** The times that somebody holds and may book: the host sees them, and can release them. */
function heldSlots({ held, csrf, clock }: BookingsPage, { held: words }: BookingsWords): Html {
  return html`<details class="part" id="held">
        <summary><h2>${words.title}</h2> <span class="gist">${words.count(held.rows.length, held.hasNextPage)}</span></summary>
        <p>${words.explanation}</p>
        <ul class="rows">${held.rows.map((one) => heldSlot(one, csrf, clock, words))}</ul>
      </details>`;
}

function heldSlot(one: HeldSlotRow, csrf: string, clock: Clock, words: BookingsWords['held']): Html {
  const [start, end] = [instantOf(one.start), instantOf(one.end)];
  const when = inLanguage(longTime(start, end, clock), clock);
  return html`<li>
          <span><bdi>${one.title}</bdi> <small>${when} · ${words.until(timeOfDay(instantOf(one.expiresAt), clock))}</small></span>
          <form method="post" action="${HELD_SLOT_PATH}/${publicOwnedId(HELD_SLOT, one)}/release">
            ${hiddenField('csrf', csrf)}
            <button type="submit" class="quiet">${words.release}</button>
          </form>
        </li>`;
}

function days(rows: readonly HostedRow[], clock: Clock, words: BookingsWords): Html[] {
  const byDay = Map.groupBy(rows, ({ startsAt }) =>
    longDate(instantOf(startsAt).toZonedDateTimeISO(clock.timeZone).toPlainDate(), clock.locale),
  );
  return [...byDay].map(
    ([day, bookings]) => html`<section class="day">
        <h2>${inLanguage(day, clock)}</h2>
        <ul class="rows">${bookings.map((one) => bookingRow(one, clock, words))}</ul>
      </section>`,
  );
}

function bookingRow(booking: HostedRow, clock: Clock, words: BookingsWords): Html {
  const { title, startsAt, endsAt, booker } = booking;
  const [who] = booker;
  return html`<li>
          <span class="when">${timeOfDay(instantOf(startsAt), clock)} – ${timeOfDay(instantOf(endsAt), clock)}</span>
          <span><a href="${hostedBookingPath(booking)}"><bdi>${title}</bdi></a>
            ${who ? html`<small>${words.with(who.name)}</small>` : ''}</span>
          ${mark(booking, words)}
        </li>`;
}

function mark({ status, rescheduledToId }: HostedRow, { marks }: BookingsWords): Html | '' {
  if (status === 'PENDING') return html`<mark class="pending">${marks.waiting}</mark>`;
  if (rescheduledToId !== null) return html`<mark class="pending">${marks.moved}</mark>`;
  return status === 'REJECTED' ? html`<mark class="rejected">${marks.declined}</mark>` : '';
}
