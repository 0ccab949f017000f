import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId, newUserId, publicOwnedId } from '../../../../src/core/id.ts';
import { row, rows, sql } from '../../../../src/database/sql.ts';
import { findEventTypeRules } from '../../../../src/modules/bookings/slots/bookable-event-type.queries.ts';
import { createEventType } from '../../../../src/modules/event-types/event-type.commands.ts';
import { EVENT_TYPE_CODES } from '../../../../src/modules/event-types/event-type.rules.ts';
import { HOST_CODES, HOST_DEFAULTS } from '../../../../src/modules/event-types/event-type-host.rules.ts';
import { BOOKING_FIELD_CODES } from '../../../../src/modules/event-types/settings/booking-field.rules.ts';
import { LOCATION_CODES } from '../../../../src/modules/event-types/settings/location.rules.ts';
import {
  EVENT_TYPE_DEFAULTS,
  SCHEDULING_CODES,
} from '../../../../src/modules/event-types/settings/scheduling.rules.ts';
import { own } from '../../../../src/modules/levels/reach.ts';
import { createFirstSchedule, createSchedule } from '../../../../src/modules/schedules/schedule.commands.ts';
import { openTestDatabase, type TestDatabase } from '../../../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const em = () => database.em.fork();
const INPUT = { slug: 'talk', title: 'Talk', durationInMinutes: 30 };

async function newUser(timeZone = 'Europe/Berlin'): Promise<string> {
  const id = newUserId();
  await row(
    em(),
    sql`insert into users (id, email, username, name, password_hash, time_zone, week_start, time_format, locale,
          metadata, is_administrator, created_at, updated_at, email_verified_at)
        values (${id}, ${id}, ${id}, 'Uma', 'none', ${timeZone}, 'SUNDAY', 24, 'en', '{}', false, now(), now(), now())`,
  );
  await createFirstSchedule(em(), id);
  return id;
}

describe('the rules of an event type that a booking is judged by', () => {
  test('is what is stored', async () => {
    const userId = await newUser();
    const scheduleId = await createSchedule(em(), own(userId), {
      name: 'Far',
      timeZone: 'Asia/Tokyo',
    });
    const id = await createEventType(em(), own(userId), {
      ...INPUT,
      scheduleId: publicOwnedId('schedule', { ownerId: userId, id: scheduleId }),
      durationInMinutesOptions: [30, 45],
      slotIntervalInMinutes: 15,
      bookingWindow: { type: 'ROLLING_DAYS', days: 10 },
      bookingLimits: { week: { maxBookings: 4 } },
      confirmation: { type: 'SHORT_NOTICE', noticeInMinutes: 30 },
      seats: { perSlot: 3, showsAttendees: true },
      allowsGuests: false,
      cancellationPolicy: { type: 'WITH_NOTICE', noticeInMinutes: 5 },
      locations: [{ type: 'LINK', url: 'https://meet.example' }],
      bookingFields: [{ slug: 'topic', type: 'TEXT', label: 'Topic' }],
      requiresAuthentication: true,
      successRedirectUrl: 'https://thanks.example',
      embedOrigins: ['https://www.example.com'],
    });
    expect(await findEventTypeRules(em(), { ownerId: userId, id })).toEqual({
      id,
      ownerId: userId,
      slug: 'talk',
      title: 'Talk',
      description: null,
      isHidden: false,
      isClosed: false,
      managedBy: null,
      scheduleId,
      rules: {
        ...EVENT_TYPE_DEFAULTS,
        durationInMinutes: 30,
        durationInMinutesOptions: [30, 45],
        slotIntervalInMinutes: 15,
        bookingWindow: { type: 'ROLLING_DAYS', days: 10 },
        bookingLimits: { week: { maxBookings: 4 } },
        confirmation: { type: 'SHORT_NOTICE', noticeInMinutes: 30 },
        seats: { perSlot: 3, showsAttendees: true },
        allowsGuests: false,
        cancellationPolicy: { type: 'WITH_NOTICE', noticeInMinutes: 5 },
        timeZone: 'Asia/Tokyo',
        weekStart: 'SUNDAY',
      },
      locations: [{ id: expect.stringMatching(/^loc_/), type: 'LINK', value: 'https://meet.example', label: null }],
      bookingFields: [
        { slug: 'topic', type: 'TEXT', label: 'Topic', isRequired: false, options: [], placeholder: null },
      ],
      requiresAuthentication: true,
      requiresBookerEmailVerification: false,
      successRedirectUrl: 'https://thanks.example',
      embedOrigins: ['https://www.example.com'],
      hosts: [{ userId, ...HOST_DEFAULTS }],
    });
  });

  test('is the default of everything for a row from before there were settings', async () => {
    const userId = await newUser();
    const id = newId();
    await rows(
      em(),
      sql`insert into event_types (owner_id, id, user_id, slug, title, duration_in_minutes, is_hidden, metadata, created_at, updated_at)
          values (${userId}, ${id}, ${userId}, 'old', 'Old', 30, false, '{}', now(), now())`,
    );
    const found = await findEventTypeRules(em(), { ownerId: userId, id });
    const fresh = await createEventType(em(), own(userId), INPUT);
    const made = await findEventTypeRules(em(), { ownerId: userId, id: fresh });
    expect(found?.rules).toEqual({
      ...EVENT_TYPE_DEFAULTS,
      durationInMinutes: 30,
      timeZone: 'Europe/Berlin',
      weekStart: 'SUNDAY',
    });
    expect({ ...found, id: '', slug: '', title: '' }).toEqual({ ...made, id: '', slug: '', title: '' });
  });
});

test('every mistake of the settings has a code of the mutations that set them', () => {
  for (const code of [...SCHEDULING_CODES, ...LOCATION_CODES, ...BOOKING_FIELD_CODES, ...HOST_CODES]) {
    expect(EVENT_TYPE_CODES).toContain(code);
  }
});
