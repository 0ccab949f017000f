import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Em, rows, sql } from '../../../../src/database/sql.ts';
import type { BookableEventType } from '../../../../src/modules/bookings/slots/bookable-event-type.queries.ts';
import {
  findMonthOfSlots,
  findSlotAt,
  findSlotsOfDay,
} from '../../../../src/modules/bookings/slots/month-of-slots.queries.ts';
import { openTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { statementsOf } from '../../../support/plans.ts';
import { book, eventTypeOf, newHosts, slotOn } from '../support/booked-hosts.ts';

let database: TestDatabase;
let em: Em;
let talk: BookableEventType;
beforeAll(async () => {
  database = await openTestDatabase();
  em = database.em.fork();
  talk = eventTypeOf(await newHosts(em, 1));
});
afterAll(() => database.close());

const UTC = { timeZone: 'UTC', durationInMinutes: null, rescheduled: null };
const thisMonth = Temporal.Now.plainDateISO('UTC').toPlainYearMonth();

async function monthOf(month: Temporal.PlainYearMonth | null, timeZone = 'UTC', eventType = talk) {
  return findMonthOfSlots(em, eventType, { ...UTC, timeZone, month });
}

describe('a month of slots', () => {
  test('has the times of the host’s days, by their date', async () => {
    const { byDate } = await monthOf(thisMonth.add({ months: 1 }));
    const weekdays = Array.from({ length: thisMonth.add({ months: 1 }).daysInMonth }, (_, day) =>
      thisMonth.add({ months: 1 }).toPlainDate({ day: day + 1 }),
    ).filter(({ dayOfWeek }) => dayOfWeek <= 5);
    expect([...byDate.keys()]).toEqual(weekdays.map(String));
    expect([...byDate.values()].every((slots) => slots.length === 16)).toBe(true);
  });

  test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'America/New_York'])(
    'is that of the reader’s calendar, and none is lost between two: %s',
    async (timeZone) => {
      const months = [1, 2].map((ahead) => thisMonth.add({ months: ahead }));
      const found = await Promise.all(months.map((month) => monthOf(month, timeZone)));
      for (const { byDate, month } of found) {
        for (const [date, slots] of byDate) {
          const own = slots.map(({ start }) =>
            Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO(timeZone).toPlainDate(),
          );
          expect(own.map(String)).toEqual(own.map(() => date));
          expect(own[0]?.toPlainYearMonth().equals(month)).toBe(true);
        }
      }
      const starts = found.flatMap(({ byDate }) => [...byDate.values()].flat().map(({ start }) => start));
      const weekdays = new Set(starts.map((start) => new Date(start).toISOString().slice(0, 10)));
      // Sixteen slots for each day of the host, but for those that are cut by the outer edges.
      expect(starts.length).toBeGreaterThan((weekdays.size - 2) * 16);
      expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    },
  );

  test('leads to the months around it, and not before the current one', async () => {
    expect(await monthOf(thisMonth)).toMatchObject({ previous: null });
    const { previous, next } = await monthOf(thisMonth.add({ months: 2 }));
    expect([String(previous), String(next)]).toEqual([
      String(thisMonth.add({ months: 1 })),
      String(thisMonth.add({ months: 3 })),
    ]);
    const over = await monthOf(thisMonth.subtract({ years: 3 }));
    expect([String(over.month), over.previous]).toEqual([String(thisMonth), null]);
  });

  test('is the first one in which something is free, if none is asked for', async () => {
    const first = thisMonth.add({ months: 2 }).toPlainDate({ day: 3 }).toString();
    const last = thisMonth.add({ months: 2 }).toPlainDate({ day: 20 }).toString();
    const later = eventTypeOf(await newHosts(em, 1), {
      rules: { bookingWindow: { type: 'DATE_RANGE', firstDate: first, lastDate: last } },
    });
    expect(String((await monthOf(null, 'UTC', later)).month)).toBe(String(thisMonth.add({ months: 2 })));
    const asked = await monthOf(thisMonth, 'UTC', later);
    expect([String(asked.month), asked.byDate.size]).toEqual([String(thisMonth), 0]);
  });

  test('is the current one where nothing is free at all', async () => {
    const never = eventTypeOf(await newHosts(em, 1), {
      rules: { bookingWindow: { type: 'DATE_RANGE', firstDate: '2020-01-01', lastDate: '2020-01-02' } },
    });
    expect(String((await monthOf(null, 'UTC', never)).month)).toBe(String(thisMonth));
  });

  test.each(['2999-01', '9999-12'])('is none that nobody plans for: %s', async (month) => {
    await expect(monthOf(Temporal.PlainYearMonth.from(month))).rejects.toMatchObject({ code: 'TOO_FAR_AHEAD' });
  });
});

test('a time that was booked is free no more, but for the booking itself', async () => {
  const eventType = eventTypeOf(await newHosts(em, 1));
  const nine = slotOn(0, '09:00');
  expect(await findSlotAt(em, eventType, nine, UTC)).toMatchObject({ start: nine.epochMilliseconds });
  expect(await findSlotsOfDay(em, eventType, nine, UTC)).toHaveLength(16);
  const { key } = await book(em, eventType, nine);
  expect(await findSlotAt(em, eventType, nine, UTC)).toBeUndefined();
  expect(await findSlotsOfDay(em, eventType, nine, UTC)).toHaveLength(15);
  expect(await findSlotAt(em, eventType, nine, { ...UTC, rescheduled: { key, actor: 'UID_HOLDER' } })).toBeDefined();
});

test('absences cost one statement, however many there are, however many days they have, and over months that are skipped', async () => {
  const hosts = await newHosts(em, 1);
  const eventType = eventTypeOf(hosts);
  const month = thisMonth.add({ months: 3 });
  const asked = (which: typeof month | null) =>
    statementsOf(em, (fork) => findMonthOfSlots(fork, eventType, { ...UTC, month: which }));
  const [plain, first] = [await asked(month), await asked(null)];
  await rows(
    em,
    sql`insert into out_of_office (user_id, id, starts_at, ends_at, reason, created_at, updated_at)
        select ${hosts[0]}, gen_random_uuid(), day, day + interval '1 day', '', now(), now()
        from generate_series(date_trunc('day', now()), now() + interval '9 months', interval '1 day') day`,
  );
  expect(await asked(month)).toHaveLength(plain.length + 1);
  // On the last evening of a month nothing of it is left of which the host could be away.
  const isMonthOver = first.length > plain.length;
  expect(await asked(null)).toHaveLength(isMonthOver ? first.length : 2 * first.length + 1);
  const { away } = await monthOf(month, 'UTC', eventType);
  expect(away).toMatchObject([{ goesOn: true, standIn: undefined }]);
});
