import { newId } from '../../src/core/id.ts';
import { type Em, rows, sql } from '../../src/database/sql.ts';

/** Stores bookings of an event type, hosted by this user, that have a value in every field between them. */
export async function storeFullBooking(em: Em, ownerId: string, eventTypeId: string, hostId: string): Promise<void> {
  const [id, other, third] = [newId(), newId(), newId()];
  const [inAnApp, atAnAddress, byPhone] = [
    { type: 'CONFERENCING', value: 'zoom', url: 'https://meet.example/1' },
    { type: 'ADDRESS', value: 'Main Street 1' },
    { type: 'PHONE', value: '+4930123456' },
  ].map((location) => JSON.stringify(location));
  const owner = sql`(get_byte(uuid_send(${ownerId}::uuid), 15) % 2 = 1)`;
  const [userId, teamId] = [
    sql`case when not ${owner} then ${ownerId}::uuid end`,
    sql`case when ${owner} then ${ownerId}::uuid end`,
  ];
  const times = sql`timestamptz '2031-01-06 09:00Z', timestamptz '2031-01-06 09:30Z'`;
  const media = sql`select ${ownerId}::uuid, ${id}::uuid, 'one'`;
  const url = 'https://meet.example/1';
  for (const statement of [
    sql`insert into bookings (owner_id, id, user_id, team_id, organization_id, event_type_id, title, description, status, starts_at, ends_at, location,
          host_ids, guest_emails, seats, metadata, cancellation_reason, rejection_reason, rescheduling_reason, reassignment_reason, rescheduled_from_id,
          rescheduled_to_id, recurring_id, ics_id, created_at, updated_at)
        select ${ownerId}::uuid, ${id}::uuid, ${userId}, ${teamId},
          (select organization_id from teams where id = ${teamId}), ${eventTypeId}::uuid, 'Talk', 'Words.', 'ACCEPTED', ${times},
          ${inAnApp}::jsonb, array[${hostId}::uuid], '{guest@example.test}', null, '{"key": "value"}',
          'Ill', 'Busy', 'Late', 'Away', ${other}::uuid, ${other}::uuid, ${id}::uuid, ${id}::uuid, now(), now()`,
    sql`insert into bookings (owner_id, id, user_id, team_id, organization_id, event_type_id, title, status, starts_at, ends_at, location, host_ids, seats,
          rescheduling_reason, reschedule_requested, ics_id, created_at, updated_at)
        select owner_id, more.id, user_id, team_id, organization_id, event_type_id, title, status, starts_at, ends_at, more.location, host_ids,
          '{"perSlot": 2, "showsAttendees": true}', 'Late', more.id = ${third}::uuid, more.id, now(), now()
        from bookings, (values (${other}::uuid, ${atAnAddress}::jsonb), (${third}, ${byPhone})) more (id, location) where bookings.id = ${id}`,
    sql`insert into booking_hosts (user_id, booking_id, owner_id, team_id, event_type_id, status, starts_at, ends_at, updated_at, absent)
        select ${hostId}::uuid, id, owner_id, team_id, event_type_id, status, starts_at, ends_at, updated_at, false
        from bookings where owner_id = ${ownerId} and id = any(${[id, other, third]}::uuid[])`,
    sql`insert into booking_attendees (owner_id, booking_id, id, starts_at, name, email, time_zone, locale, phone, notes, responses, absent,
          seat_id)
        select owner_id, id, id, starts_at, 'Grace', 'grace@example.test', 'UTC', 'en', '+4930123456', 'Hello', '{"topic": "a"}', false,
          case when seats is not null then id end
        from bookings where owner_id = ${ownerId} and id = any(${[id, other, third]}::uuid[])`,
    sql`insert into booking_mails (owner_id, booking_id, act, mailbox, role, lane, line, outcome, due_at, created_at)
        values (${ownerId}, ${id}, ${id}, 'grace@example.test', 'ATTENDEE', 'STRANGER', 'network 1', 'SUMMARY',
          timestamptz '2031-01-06 08:00Z', now())`,
    sql`insert into booking_recordings (owner_id, booking_id, id, url, duration_in_seconds, created_at) ${media}, ${url}, 60, now()`,
    sql`insert into booking_transcripts (owner_id, booking_id, id, url, language, created_at) ${media}, ${url}, 'en', now()`,
    sql`insert into booking_references (owner_id, booking_id, id, app, url, created_at) ${media}, 'room', ${url}, now()`,
    sql`insert into conferencing_sessions (owner_id, booking_id, id, started_at, ended_at, created_at) ${media}, ${times}, now()`,
  ]) {
    await rows(em, statement);
  }
}
