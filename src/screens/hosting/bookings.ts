import { html } from 'hono/html';
import { type OwnedId, ownedIdOf, publicOwnedId } from '../../core/id.ts';
import { instantAt, instantOf, zoneName } from '../../core/instant.ts';
import { type Page, pageRequest } from '../../core/page.ts';
import { type RowOf, Selection, selectColumns, selectColumnsAs } from '../../database/columns.ts';
import { databaseNow } from '../../database/database-clock.ts';
import { type Em, rows, sql } from '../../database/sql.ts';
import { findUser } from '../../modules/accounts/user.queries.ts';
import { Booking, BookingAttendee } from '../../modules/bookings/booking.entity.ts';
import type { BookingStatus } from '../../modules/bookings/booking-transitions.rules.ts';
import type { BookingFilter } from '../../modules/bookings/lists/booking-list.rules.ts';
import { BOOKER } from '../../modules/bookings/lists/booking-parts.queries.ts';
import { bookingPages } from '../../modules/bookings/lists/list-bookings.queries.ts';
import { eventTypesOfHost, teamsOfHost } from '../../modules/bookings/lists/list-filter.queries.ts';
import {
  listReservedSlots,
  RESERVED_SLOT,
  type ReservedSlotRow,
  releaseReservedSlot,
} from '../../modules/bookings/slots/holds/reserved-slot.queries.ts';
import { placeUrl } from '../../modules/event-types/booking-url.rules.ts';
import { EventType } from '../../modules/event-types/event-type.entity.ts';
import { isPlaceOpen } from '../../modules/event-types/public/public-event-type.queries.ts';
import { Team } from '../../modules/teams/team.entity.ts';
import { hiddenField } from '../kit/form-parts.ts';
import { type Html, layout } from '../kit/layout.ts';
import { always, type DeclaredPage, orDone, page, type Showing } from '../kit/page.ts';
import { doneNotice, nothingYet, pager } from '../kit/page-parts.ts';
import { type Clock, clockOf, inLanguage, longDate, longTime, timeOfDay } from '../kit/when.ts';
import { type BookingsWords, bookingsWords } from './hosting-words.ts';

export const HOSTED_BOOKINGS_PATH = '/bookings';

/** The lists of a host's bookings, in the order of their tabs. */
export const SHOWN_BOOKINGS = ['upcoming', 'waiting', 'past', 'cancelled'] as const;
type ShownBookings = (typeof SHOWN_BOOKINGS)[number];

const NO_PAGE = { rows: [], hasNextPage: false, hasPreviousPage: false };

/** `/bookings`: a host's bookings, and the times of theirs that others hold. */
export function bookingsPage(publicUrl: string): DeclaredPage {
  return page({
    path: HOSTED_BOOKINGS_PATH,
    find: always,
    show: (showing) => show(showing, publicUrl),
    forms: {
      release: {
        at: '/held/:id/release',
        run: async ({ em, session, param, path: to }) => {
          const named = ownedIdOf(RESERVED_SLOT, param('id'));
          const released = { to, done: 'release' };
          // A hold that is over by now is as the host wants it: the same button, pressed twice.
          return orDone('NOT_FOUND', released, async () => {
            if (named) await releaseReservedSlot(em, named, { hostId: session.userId });
            return released;
          });
        },
      },
    },
  });
}

/** The path of a booking's page for its hosts. */
export function hostedBookingPath(booking: OwnedId): string {
  return `${HOSTED_BOOKINGS_PATH}/${publicOwnedId('booking', booking)}/host`;
}

async function show(showing: Showing<'release'>, publicUrl: string): Promise<Html> {
  const { c, em, session, viewer, locale, csrf, back, done } = showing;
  // The list has no place for a mistake: what cannot be released says so on a page of its own.
  if (back?.problem) throw back.problem;
  const shown = SHOWN_BOOKINGS.find((one) => one === c.req.query('show')) ?? 'upcoming';
  const attendee = (c.req.query('attendee') ?? '').trim();
  const named = ownedIdOf('eventType', c.req.query('eventType') ?? '');
  const eventTypes = await findHostedEventTypes(em, session.userId, named);
  // An event type that one has never hosted narrows nothing.
  const eventType = eventTypes.find(({ ownerId, id }) => ownerId === named?.ownerId && id === named.id);
  const user = await findUser(em, session.userId);
  const isAll = shown === 'upcoming' && attendee === '' && !eventType;
  const words = bookingsWords(locale);
  return bookingsView({
    viewer,
    csrf,
    shown,
    bookings: await findShown(em, session.userId, shown, { attendee, eventType, after: c.req.query('after') }),
    held: isAll ? await listReservedSlots(em, session.userId, pageRequest({}, ['TIME', 'UUID'])) : NO_PAGE,
    narrowed: { attendee, eventType: eventType ? publicOwnedId('eventType', eventType) : '' },
    eventTypes,
    clock: clockOf(user),
    bookingUrl: placeUrl(publicUrl, user?.username ?? ''),
    isPlaceOpen: await isPlaceOpen(em, user?.username ?? ''),
    // Whoever handed a booking over no longer sees it, and comes here.
    done: done === 'reassign' ? words.actions.reassign.done : done === 'release' ? words.held.done : undefined,
  });
}

interface Wanted {
  readonly attendee: string;
  readonly eventType: OwnedId | undefined;
  readonly after: string | undefined;
}

const ROW = new Selection(
  Booking,
  ['ownerId', 'id', 'title', 'status', 'startsAt', 'endsAt', 'rescheduledToId'],
  [{ part: BOOKER, of: new Selection(BookingAttendee, ['name', 'email']) }],
);

/** A page of one of the lists. @throws Problem BAD_INPUT for a cursor that is none */
async function findShown(em: Em, hostId: string, shown: ShownBookings, { attendee, eventType, after }: Wanted) {
  const now = instantAt(await databaseNow(em));
  const filters: Readonly<Record<ShownBookings, BookingFilter>> = {
    upcoming: { statuses: ['ACCEPTED', 'PENDING'], end: { from: now } },
    waiting: { statuses: ['PENDING'] },
    past: { statuses: ['ACCEPTED'], end: { to: now } },
    cancelled: { statuses: ['CANCELLED', 'REJECTED'] },
  };
  const filter = {
    ...filters[shown],
    attendeeEmail: attendee === '' ? null : attendee,
    eventTypeIds: eventType ? [eventType] : null,
  };
  const order = { by: 'START', isDescending: shown === 'past' || shown === 'cancelled' } as const;
  const request = pageRequest({ after }, ['TIME', 'UUID']);
  const page =
    (await bookingPages(em, { level: 'user' }, [hostId], filter, order, request, ROW)).get(hostId) ?? NO_PAGE;
  return page as unknown as Page<HostedRow>;
}

/** An event type through which somebody can be booked, or was; `teamName` is null for their own. */
interface HostedEventType extends Pick<RowOf<typeof EventType>, 'ownerId' | 'id' | 'title'> {
  readonly teamName: string | null;
}

const MAX_CHOICES = 100;

/**
 * A host's own event types, and those of teams through which they were booked, by their titles; of very many some, `chosen`
 * among them.
 */
export async function findHostedEventTypes(
  em: Em,
  hostId: string,
  chosen: OwnedId | undefined,
): Promise<readonly HostedEventType[]> {
  const ofTeams = eventTypesOfHost(hostId, teamsOfHost(hostId), null, sql`team.id as owner_id, type.id`);
  return rows(
    em,
    sql<HostedEventType>`
      select * from (
        select ${selectColumns(EventType, ['ownerId', 'id', 'title'], 'e')}, ${selectColumnsAs(Team, { teamName: 'name' }, 't')}
        from (
          select owner_id, id from event_types where user_id = ${hostId}
          union all ${ofTeams}
        ) hosted
        join event_types e on e.owner_id = hosted.owner_id and e.id = hosted.id
        left join teams t on t.id = e.team_id
        order by (e.id = ${chosen?.id ?? null}::uuid) is true desc, lower(e.title), e.id limit ${MAX_CHOICES}
      ) choice order by lower(title), "teamName" nulls first, id`,
  );
}

/** A booking in a list of its host's. */
interface HostedRow extends OwnedId {
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
interface Narrowed {
  /** The e-mail address of an attendee, as it was typed. */
  readonly attendee: string;
  /** The public id of an event type. */
  readonly eventType: string;
}

const ALL: Narrowed = { attendee: '', eventType: '' };

interface BookingsView extends Pick<Showing<'release'>, 'viewer' | 'csrf'> {
  readonly shown: ShownBookings;
  readonly bookings: Page<HostedRow>;
  /** The times of the host that others hold, in the list of what is to come. */
  readonly held: Page<ReservedSlotRow>;
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
function bookingsView(page: BookingsView): Html {
  const { viewer, shown, bookings, narrowed, clock, bookingUrl, isPlaceOpen, done } = page;
  const { locale } = viewer;
  const words = bookingsWords(locale);
  const content = html`${doneNotice(done)}
    <h1>${words.title}</h1>
    <nav class="tabs" aria-label="${words.lists}">
      <ul>${SHOWN_BOOKINGS.map((one) => tab(one, page, words))}</ul>
    </nav>
    ${searchForm(page, words)}
    ${page.held.rows.length === 0 ? '' : reservedSlots(page, words)}
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

function tab(one: ShownBookings, { shown, narrowed }: BookingsView, { tabs }: BookingsWords): Html {
  return html`<li><a href="${listPath(one, narrowed)}" ${one === shown ? html`aria-current="page"` : ''}>${tabs[one].name}</a></li>`;
}

function searchForm({ shown, narrowed, eventTypes }: BookingsView, words: BookingsWords): Html {
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

function nothing(page: BookingsView, words: BookingsWords): Html {
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
function reservedSlots({ held, csrf, clock }: BookingsView, { held: words }: BookingsWords): Html {
  return html`<details class="part" id="held">
        <summary><h2>${words.title}</h2> <span class="gist">${words.count(held.rows.length, held.hasNextPage)}</span></summary>
        <p>${words.explanation}</p>
        <ul class="rows">${held.rows.map((one) => reservedSlot(one, csrf.release, clock, words))}</ul>
      </details>`;
}

function reservedSlot(one: ReservedSlotRow, csrf: string, clock: Clock, words: BookingsWords['held']): Html {
  const [start, end] = [instantOf(one.start), instantOf(one.end)];
  const when = inLanguage(longTime(start, end, clock), clock);
  return html`<li>
          <span><bdi>${one.title}</bdi> <small>${when} · ${words.until(timeOfDay(instantOf(one.expiresAt), clock))}</small></span>
          <form method="post" action="${HOSTED_BOOKINGS_PATH}/held/${publicOwnedId(RESERVED_SLOT, one)}/release">
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
