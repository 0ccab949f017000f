import { newId, publicOwnedId } from '../../src/core/id.ts';
import { changed, sql } from '../../src/database/sql.ts';
import { listAppointments } from '../../src/modules/bookings/lists/appointments.queries.ts';
import { BOOKING_ORDER_FIELDS, type BookingOrder } from '../../src/modules/bookings/lists/booking-list.rules.ts';
import { WHOLE_BOOKING } from '../../src/modules/bookings/lists/booking-parts.queries.ts';
import { bookingPages } from '../../src/modules/bookings/lists/list-bookings.queries.ts';
import type { GroupView } from '../../src/modules/bookings/lists/listed-owners.queries.ts';
import { listReservedSlots, reservedSlotPages } from '../../src/modules/bookings/slots/holds/reserved-slot.queries.ts';
import { type BookingPage, FROM, openBookingPage, TO } from '../api/booking-pages.ts';
import { idOfUid, ownedUuidOf, uuidNumbered, uuidOf } from '../support/ids.ts';
import { storeFullBooking } from './a-full-booking.ts';
import { teamEventType } from './event-types.fixture.ts';
import {
  ago,
  by,
  did,
  type Filling,
  type Fixture,
  groupOf,
  type List,
  type Make,
  type Maker,
  numbered,
} from './fixture.ts';

const PERSON = { name: 'Grace', email: 'grace@example.test', timeZone: 'UTC' };

/** Keeps pages of the demo data as long as they have free slots. */
class Bookable {
  readonly #maker: Maker;
  #own: { readonly page: BookingPage; readonly starts: string[] } | undefined;
  #ofTeam: { readonly eventTypeId: string; readonly starts: string[] } | undefined;
  #byAll: string | undefined;

  constructor(maker: Maker) {
    this.#maker = maker;
  }

  /** A page with two slots that are free, the same page as long as it has some. */
  async free(): Promise<{ page: BookingPage; start: string; later: string }> {
    await this.#releaseAll();
    if (!this.#own || this.#own.starts.length < 2) {
      const page = await openBookingPage(this.#maker.api);
      this.#own = { page, starts: await page.slots() };
    }
    const { page, starts } = this.#own;
    const [start = '', later = ''] = starts.splice(0, 2);
    return { page, start, later };
  }

  /**
   * A slot of an event type of Ada's team that nobody else can be booked by: the same one as long as it has some, since each
   * member more is one more host of whatever all of the team host.
   */
  async freeOfTeam(): Promise<{ eventTypeId: string; start: string }> {
    await this.#releaseAll();
    if (!this.#ofTeam || this.#ofTeam.starts.length === 0) {
      const teamId = await this.#maker.id('teams', 'sales');
      const userId = await this.#maker.newUser('acme');
      await this.#maker.made('teamMembershipCreate', { teamId, userId, role: 'MEMBER' }, 'membershipId');
      const { eventTypeId } = await teamEventType(this.#maker, { hosts: [{ userId }] });
      this.#ofTeam = { eventTypeId, starts: await this.#slotsOf(eventTypeId) };
    }
    const { eventTypeId, starts } = this.#ofTeam;
    const [start = ''] = starts.splice(0, 1);
    return { eventTypeId, start };
  }

  /** An event type that all of Ada's team host; always the same one. */
  async hostedByAll(): Promise<string> {
    this.#byAll ??= (await teamEventType(this.#maker, { minimumBookingNoticeInMinutes: 0 })).eventTypeId;
    return this.#byAll;
  }

  /** The times at which an event type can be booked. */
  async #slotsOf(eventTypeId: string): Promise<string[]> {
    const document =
      'query($id: ID!, $from: DateTime!, $to: DateTime!) { slots(eventType: { id: $id }, start: $from, end: $to) { start } }';
    const { data } = await this.#maker.api.nobody.ask(document, { id: eventTypeId, from: FROM, to: TO });
    return data.slots.map(({ start }: { start: string }) => start);
  }

  /** Releases what earlier inputs have kept, which would count for it. */
  async #releaseAll(): Promise<void> {
    await this.#maker.rows(sql`delete from occupied_times where expires_at is not null returning holder_id as id`);
    await this.#maker.rows(sql`delete from slot_reservations returning id`);
  }
}

const BOOKABLE = new WeakMap<Maker, Bookable>();

function bookableOf(maker: Maker): Bookable {
  return BOOKABLE.getOrInsertComputed(maker, () => new Bookable(maker));
}

/** A mutation of a host about a booking of this status; `begun` an hour ago, if so. */
function hosted(input: object, status = 'ACCEPTED', begun = false): Make {
  return async (maker) => {
    const { page, start } = await bookableOf(maker).free();
    const uid = await page.book(start);
    const id = uuidOf(uid);
    await maker.rows(sql`update bookings set status = ${status} where id = ${id} returning id`);
    await maker.rows(
      sql`update booking_hosts set status = ${status} where booking_id = ${id} returning booking_id as id`,
    );
    if (begun) {
      await maker.rows(sql`update bookings set starts_at = now() - interval '1 hour', ends_at = now() + interval '1 hour'
        where id = ${id} returning id`);
    }
    return { username: page.username, input: { bookingId: idOfUid(uid), ...input }, names: ['bookingId'] };
  };
}

/** A public mutation about slots that are free. */
function slotted(
  input: (page: BookingPage, start: string, later: string, maker: Maker) => Promise<object> | object,
): Make {
  return async (maker) => {
    const { page, start, later } = await bookableOf(maker).free();
    return { username: page.username, input: { ...(await input(page, start, later, maker)) }, names: [] };
  };
}

async function reserved(page: BookingPage, start: string): Promise<string> {
  const input = { eventTypeId: page.eventTypeId, start };
  return (await page.host.change('slotReservationCreate', input, 'reservation { uid }')).data.reservation.uid;
}

/** The same as hosts see it. */
function reservedSlot(reservationUid: string): string {
  return publicOwnedId('reservedSlot', ownedUuidOf(reservationUid));
}

/** A change of a booking of Ada's team, by her as its administrator, or as her organization's. */
function ofTeamBooking(group: 'team' | 'organization', status: string, input: object, isSeries = false): Make {
  return async (maker) => {
    const ofGroup = await groupOf(maker, group);
    const names = [...Object.keys(ofGroup), 'bookingId'];
    const booked = await teamBooking(status)(maker);
    const bookingId = isSeries ? await inSeries(maker, booked) : booked;
    return { username: 'ada', input: { ...ofGroup, bookingId, ...input }, names };
  };
}

/** Its host did not come. */
function begunOfTeam(group: 'team' | 'organization'): Make {
  return async (maker) => {
    const made = await ofTeamBooking(group, 'ACCEPTED', { hosts: [{ userId: maker.userId('bob'), isAbsent: true }] })(
      maker,
    );
    const { id } = ownedUuidOf((made.input as { readonly bookingId: string }).bookingId);
    await maker.rows(sql`update bookings set starts_at = now() - interval '1 hour', ends_at = now() + interval '1 hour'
      where id = ${id} returning id`);
    return made;
  };
}

function newTeamBooking(group: 'team' | 'organization'): Make {
  return async (maker) => {
    const ofGroup = await groupOf(maker, group);
    const input = { ...ofGroup, ...(await bookableOf(maker).freeOfTeam()), attendee: PERSON };
    return { username: 'ada', input, names: [...Object.keys(ofGroup), 'eventTypeId'] };
  };
}

/** Makes a booking the first of a series. */
async function inSeries(maker: Maker, named: string): Promise<string> {
  await maker.rows(sql`update bookings set recurring_id = id where id = ${ownedUuidOf(named).id} returning id`);
  return named;
}

/** The id of a booking of Ada's team, which Bob hosts, and which another one could take over. */
function teamBooking(status: string) {
  return async (maker: Maker): Promise<string> => {
    const eventType = ownedUuidOf(await bookableOf(maker).hostedByAll());
    const booking = { ownerId: eventType.ownerId, id: newId() };
    const host = uuidOf(maker.userId('bob'));
    // A time at which the other host, in whatever zone, works as well: their schedules say nothing of it.
    await maker.rows(sql`update schedules set availability =
      '[{"days":["MONDAY","TUESDAY","WEDNESDAY","THURSDAY","FRIDAY","SATURDAY","SUNDAY"],"start":"00:00","end":"24:00"}]'
      where user_id in (select id from users where username in ('ada', 'bob', 'cyd')) returning id`);
    // Nor anything that was handed to them before.
    await maker.rows(
      sql`delete from occupied_times where lower(during) = '2031-03-03T12:00:00Z' returning holder_id as id`,
    );
    await maker.rows(sql`insert into bookings (owner_id, id, team_id, organization_id, event_type_id, title, status, starts_at, ends_at,
        host_ids, guest_emails, metadata, ics_id, created_at, updated_at)
      select t.id, ${booking.id}, t.id, t.organization_id, ${eventType.id}, 'Talk', ${status},
        '2031-03-03T12:00:00Z', '2031-03-03T12:30:00Z', ${[host]}::uuid[], '{}', '{}', ${booking.id}, now(), now()
      from teams t where t.id = ${booking.ownerId}
      returning id`);
    await maker.rows(sql`insert into booking_hosts (user_id, booking_id, owner_id, team_id, event_type_id, status,
        starts_at, ends_at, absent, updated_at)
      select ${host}::uuid, id, owner_id, team_id, event_type_id, status, starts_at, ends_at, false, now()
      from bookings where id = ${booking.id} returning booking_id as id`);
    return publicOwnedId('booking', booking);
  };
}

/** A page of the bookings of a group, with all that they show, in each order. */
function bookings(level: GroupView['level']): readonly List[] {
  return BOOKING_ORDER_FIELDS.map(
    (by): List =>
      (em, { userId, organizationId, teamId }, page) => {
        const groupId = level === 'team' ? teamId : organizationId;
        const order: BookingOrder = { by, isDescending: false };
        return bookingPages(em, { level, actorId: userId }, [groupId], {}, order, page, WHOLE_BOOKING);
      },
  );
}

async function fillInBooking({ world }: Filling, eventTypeId: string, hostId: string): Promise<void> {
  const { ownerId, id } = ownedUuidOf(eventTypeId);
  await changed(
    world.api.database.em.fork(),
    // One host has no more than hold-limits.ts lets strangers and the host keep at once.
    sql`insert into slot_reservations (owner_id, id, user_id, team_id, event_type_id, starts_at, ends_at, host_ids, callers,
          held_since, expires_at, created_at)
        select owner_id, ${newId()}::uuid, user_id, team_id, id, now(), now() + interval '1 hour', array[${uuidOf(hostId)}::uuid],
          '{}', now(), now() + interval '1 hour', now()
        from event_types where owner_id = ${ownerId} and id = ${id}`,
  );
  await storeFullBooking(world.api.database.em.fork(), ownerId, id, uuidOf(hostId));
}

export const fixture: Fixture = {
  after: ['event-types'],
  inputs: {
    bookerEmailVerificationRequest: slotted(({ eventTypeId }) => ({ eventTypeId, email: PERSON.email })),
    bookingCancel: slotted(async (page, start) => ({ uid: await page.book(start) })),
    bookingSeriesCancel: slotted(async (page, start, _later, maker) => ({
      uid: await inSeries(maker, await page.book(start)),
    })),
    bookingCreate: slotted(({ eventTypeId }, start) => ({ eventTypeId, start, attendee: PERSON })),
    bookingReschedule: slotted(async (page, start, later) => ({ uid: await page.book(start), start: later })),
    bookingAbsenceMark: hosted({ isHostAbsent: true }, 'ACCEPTED', true),
    bookingAttendeeAdd: hosted({ attendee: { ...PERSON, email: 'lin@example.test' } }),
    bookingConfirm: hosted({}, 'PENDING'),
    bookingDecline: hosted({}, 'PENDING'),
    bookingGuestsAdd: hosted({ guests: ['guest@example.test'] }),
    bookingLocationUpdate: hosted({ location: { type: 'LINK', url: 'https://meet.example/1' } }),
    bookingRescheduleRequest: hosted({}),
    bookingUidRotate: hosted({}),
    userBookingCancel: hosted({ reason: 'Ill' }),
    userBookingSeriesCancel: async (maker) => {
      const made = await hosted({ reason: 'Ill' })(maker);
      await inSeries(maker, (made.input as { readonly bookingId: string }).bookingId);
      return made;
    },
    userBookingReschedule: async (maker) => {
      const { page, start, later } = await bookableOf(maker).free();
      const bookingId = idOfUid(await page.book(start));
      return { username: page.username, input: { bookingId, start: later }, names: ['bookingId'] };
    },
    bookingReassign: async (maker) => ({
      username: 'bob',
      input: { bookingId: await teamBooking('ACCEPTED')(maker) },
      names: ['bookingId'],
    }),
    slotReservationCreate: slotted(({ eventTypeId }, start) => ({ eventTypeId, start })),
    slotReservationDelete: slotted(async (page, start) => ({ reservationUid: await reserved(page, start) })),
    slotReservationUpdate: slotted(async (page, start) => ({ reservationUid: await reserved(page, start) })),
    reservedSlotDelete: async (maker) => {
      const { page, start } = await bookableOf(maker).free();
      const reservedSlotId = reservedSlot(await reserved(page, start));
      return { username: page.username, input: { reservedSlotId }, names: ['reservedSlotId'] };
    },
    teamReservedSlotDelete: by('team', async (maker) => {
      const { data } = await maker
        .signedIn('ada')
        .change('slotReservationCreate', await bookableOf(maker).freeOfTeam(), 'reservation { uid }');
      return { reservedSlotId: reservedSlot(data.reservation.uid) };
    }),
    ...Object.fromEntries(
      (['team', 'organization'] as const).flatMap((group) => [
        [`${group}BookingCreate`, newTeamBooking(group)],
        [`${group}BookingCancel`, ofTeamBooking(group, 'ACCEPTED', { reason: 'Ill' })],
        [`${group}BookingSeriesCancel`, ofTeamBooking(group, 'ACCEPTED', { reason: 'Ill' }, true)],
        [
          `${group}BookingReschedule`,
          async (maker: Maker) => {
            const made = await ofTeamBooking(group, 'ACCEPTED', {})(maker);
            const { start } = await bookableOf(maker).freeOfTeam();
            return { ...made, input: { ...made.input, start } };
          },
        ],
        [`${group}BookingConfirm`, ofTeamBooking(group, 'PENDING', {})],
        [`${group}BookingDecline`, ofTeamBooking(group, 'PENDING', {})],
        [`${group}BookingReassign`, ofTeamBooking(group, 'ACCEPTED', {})],
        [`${group}BookingUidRotate`, ofTeamBooking(group, 'ACCEPTED', {})],
        [`${group}BookingRescheduleRequest`, ofTeamBooking(group, 'ACCEPTED', {})],
        [`${group}BookingGuestsAdd`, ofTeamBooking(group, 'ACCEPTED', { guests: ['guest@example.test'] })],
        [
          `${group}BookingAttendeeAdd`,
          ofTeamBooking(group, 'ACCEPTED', { attendee: { ...PERSON, email: 'lin@example.test' } }),
        ],
        [
          `${group}BookingLocationUpdate`,
          ofTeamBooking(group, 'ACCEPTED', { location: { type: 'LINK', url: 'https://meet.example/1' } }),
        ],
        [`${group}BookingAbsenceMark`, begunOfTeam(group)],
      ]),
    ),
  },
  fields: {
    Query: { ANYBODY: 'slots publicBooking expectedMailStatus' },
    Appointment: { AS_ABOVE: 'location hosts' },
    Viewer: { AS_ABOVE: 'appointments bookings booking bookingsById reservedSlots reservedSlot' },
    Team: { GROUP_ADMINISTRATORS: 'bookings booking bookingsById reservedSlots reservedSlot' },
    Organization: { GROUP_ADMINISTRATORS: 'bookings booking bookingsById' },
    Slot: { AS_ABOVE: 'start end date remainingSeatCount' },
    SlotReservation: { AS_ABOVE: 'uid start end expiresAt' },
    PublicBooking: {
      AS_ABOVE:
        'id uid title description managedBy status start end location hosts attendee otherAttendeeNames remainingSeatCount invitedGuestCount waitingGuestCount cancellationReason rejectionReason isRescheduleRequested rescheduleRequestReason rescheduledToUid',
    },
    BookingLocation: { AS_ABOVE: 'type text address url phone app' },
    PublicBookingHost: { AS_ABOVE: 'user' },
    PublicUser: { AS_ABOVE: 'name avatarUrl' },
    PublicBookingMail: { AS_ABOVE: 'email status' },
    PublicBookingAttendee: { AS_ABOVE: 'name email timeZone' },
    Booking: {
      AS_ABOVE:
        'location eventType hosts attendees guests calendarLinks seats mails recordings transcripts references conferencingSessions slotsToMoveTo',
    },
    BookingHost: { AS_ABOVE: 'user' },
  },
  lists: {
    'Organization.bookings': { lists: bookings('organization') },
    'Team.bookings': { lists: bookings('team') },
    'Team.reservedSlots': { lists: [(em, { teamId }, page) => reservedSlotPages(em, 'TEAM', [teamId], page)] },
    'Viewer.appointments': { lists: [(em, { userId }, page) => listAppointments(em, userId, page, WHOLE_BOOKING)] },
    'Viewer.reservedSlots': { lists: [(em, { userId }, page) => listReservedSlots(em, userId, page)] },
  },
  many: ({ userId, organizationId, teamId, eventTypeId }, count) => {
    const teamIs = sql`case when n % 2 = 0 then ${teamId}::uuid end`;
    const startsAt = sql`now() + n * interval '1 hour'`;
    return [
      sql`insert into bookings (owner_id, id, user_id, team_id, organization_id, event_type_id, title, status, starts_at, ends_at, host_ids, ics_id,
          created_at, updated_at)
        select case when n % 2 = 0 then ${teamId}::uuid else ${userId}::uuid end, ${uuidNumbered('0')},
          case when n % 2 = 1 then ${userId}::uuid end, ${teamIs}, ${organizationId}::uuid, ${eventTypeId}::uuid, '', 'ACCEPTED', ${startsAt},
          ${startsAt} + interval '30 minutes', array[${userId}::uuid], ${uuidNumbered('0')}, now(), ${ago}
        from ${numbered(count)}`,
      sql`insert into booking_hosts (user_id, booking_id, owner_id, team_id, event_type_id, status, starts_at, ends_at, updated_at,
          absent)
        select ${userId}::uuid, id, owner_id, team_id, event_type_id, status, starts_at, ends_at, updated_at, false from bookings`,
      sql`insert into slot_reservations (owner_id, id, user_id, team_id, event_type_id, starts_at, ends_at, host_ids, callers, held_since,
          expires_at, created_at)
        select owner_id, id, user_id, team_id, event_type_id, starts_at, ends_at,
          case when row_number() over (order by id) <= 80 then host_ids else array[gen_random_uuid()] end, array['network ' || id],
          now(), now() + interval '1 hour', now() from bookings`,
    ];
  },
  fillPerson: async (filling, who) => {
    const input = { slug: 'booked', title: 'Talk', durationInMinutes: 30, isHidden: true };
    await fillInBooking(filling, await did(who, 'eventTypeCreate', input, 'eventTypeId'), who.userId);
  },
  fillGroups: async (filling) => {
    const { owner, teamId } = filling;
    const input = { teamId, slug: 'booked', title: 'Talk', durationInMinutes: 30, hosts: [{ userId: owner.userId }] };
    await fillInBooking(filling, await did(owner, 'teamEventTypeCreate', input, 'eventTypeId'), owner.userId);
  },
};
