import { type Part, Selection } from '../../../database/columns.ts';
import { type RawBuilder, sql } from '../../../database/sql.ts';
import { User } from '../../accounts/user.entity.ts';
import { PERSON } from '../../accounts/user.queries.ts';
import { EventType } from '../../event-types/event-type.entity.ts';
import { Booking, BookingAttendee, BookingHost, hostIdsOf } from '../booking.entity.ts';
import { BookingMail } from '../mails/booking-mail.entity.ts';

/** The booked event type, as long as it is there. */
export const EVENT_TYPE: Part<'eventType', typeof EventType, 'ONE'> = {
  name: 'eventType',
  holds: 'ONE',
  entity: EventType,
  from: (alias, of) =>
    of.jsonObject(
      'e',
      sql`from event_types e
        where e.owner_id = ${sql.ref(`${alias}.owner_id`)} and e.id = ${sql.ref(`${alias}.event_type_id`)}`,
    ),
};

/** In the order in which they host it. */
export const HOSTS: Part<'hosts', typeof BookingHost, 'MANY'> = {
  name: 'hosts',
  holds: 'MANY',
  entity: BookingHost,
  from: (alias, of) =>
    of.jsonArray(
      'h',
      sql`from booking_hosts h
        where h.user_id = any(${hostIdsOf(alias)}) and h.booking_id = ${sql.ref(`${alias}.id`)}
        order by array_position(${hostIdsOf(alias)}, h.user_id)`,
    ),
};

/** In the order of booking. */
export const ATTENDEES: Part<'attendees', typeof BookingAttendee, 'MANY'> = attendeesAs(
  'attendees',
  (alias) => sql`${isOfBooking(alias)} order by a.id`,
);

/** The booker, in a list of one. It is empty for a booking with seats, which may have a thousand bookers with notes of their own. */
export const BOOKER: Part<'booker', typeof BookingAttendee, 'MANY'> = attendeesAs(
  'booker',
  (alias) => sql`${isOfBooking(alias)} and ${sql.ref(`${alias}.seats`)} is null order by a.id limit 1`,
);

/** The most mails of a booking that are shown. */
export const MAX_MAILS = 100;

/**
 * The last mail to each mailbox, those that have not been sent first; the mails of a series stand with its first
 * booking.
 */
export const MAILS: Part<'mails', typeof BookingMail, 'MANY'> = {
  name: 'mails',
  holds: 'MANY',
  entity: BookingMail,
  from: (alias, of) =>
    of.jsonArray(
      'm',
      sql`from (
          select * from (
            select distinct on (l.mailbox) l.* from booking_mails l
            where l.owner_id = ${sql.ref(`${alias}.owner_id`)}
              and l.booking_id in (${sql.ref(`${alias}.id`)}, ${sql.ref(`${alias}.recurring_id`)})
            order by l.mailbox, l.created_at desc
          ) as last
          order by last.outcome in ('SENT', 'SENT_LATER'), last.mailbox limit ${MAX_MAILS}::int
        ) as m`,
    ),
};

/** A booking with all that can be shown of it. */
export const WHOLE_BOOKING = new Selection(Booking, Selection.whole(Booking).columns, [
  { part: ATTENDEES, of: Selection.whole(BookingAttendee) },
  { part: BOOKER, of: Selection.whole(BookingAttendee) },
  { part: MAILS, of: new Selection(BookingMail, ['mailbox', 'role', 'outcome', 'dueAt']) },
  { part: EVENT_TYPE, of: new Selection(EventType, ['ownerId', 'id', 'slug', 'title']) },
  {
    part: HOSTS,
    of: new Selection(BookingHost, Selection.whole(BookingHost).columns, [{ part: PERSON, of: Selection.whole(User) }]),
  },
]);

function attendeesAs<Name extends string>(
  name: Name,
  which: (alias: string) => RawBuilder<unknown>,
): Part<Name, typeof BookingAttendee, 'MANY'> {
  return {
    name,
    holds: 'MANY',
    entity: BookingAttendee,
    from: (alias, of) => of.jsonArray('a', sql`from booking_attendees a where ${which(alias)}`),
  };
}

function isOfBooking(alias: string): RawBuilder<unknown> {
  return sql`a.owner_id = ${sql.ref(`${alias}.owner_id`)} and a.booking_id = ${sql.ref(`${alias}.id`)}`;
}
