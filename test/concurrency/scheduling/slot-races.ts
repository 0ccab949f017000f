import { expect } from 'vitest';
import { rows, sql } from '../../../src/database/sql.ts';
import { uuidOf } from '../../support/ids.ts';
import { atTheSameMoment, counted, doneOf, ofKind } from './at-the-same-moment.ts';
import { halfHour, NINE, type Races, TEN } from './scene.ts';

/** Races for slots. */
export const SLOT_RACES: Races = {
  'of 200 who book one slot, one has it': async (scene) => {
    const talk = await scene.eventType(await scene.person());
    const answers = await atTheSameMoment(200, (n) => scene.book(n, talk, NINE));
    expect(counted(answers)).toEqual({ done: 1, SLOT_TAKEN: 199 });
  },

  'of 60 who book one host through event types that overlap only there, one has the time': async (scene) => {
    const host = await scene.person();
    const [half, whole] = [await scene.eventType(host), await scene.eventType(host, { durationInMinutes: 60 })];
    const early = await scene.eventType(host, { durationInMinutes: 90 });
    const answers = await atTheSameMoment(
      60,
      (n) => scene.book(n, half, halfHour(2)),
      (n) => scene.book(n, whole, TEN),
      (n) => scene.book(n, early, NINE),
    );
    expect(counted(answers)).toEqual({ done: 1, SLOT_TAKEN: 59 });
  },

  'of 100 who book and reserve one slot, one has it': async (scene) => {
    const talk = await scene.eventType(await scene.person());
    const answers = await atTheSameMoment(
      100,
      (n) => scene.book(n, talk, NINE),
      (n) => scene.reserve(n, talk, NINE),
    );
    const { done, SLOT_TAKEN = 0, SLOT_RESERVED = 0 } = counted(answers);
    expect([done, SLOT_TAKEN + SLOT_RESERVED]).toEqual([1, 99]);
  },

  'of 50 who reserve different slots from one network, three have one, and all others are free': async (scene) => {
    const talk = await scene.eventType(await scene.person());
    const answers = await atTheSameMoment(50, (n) => scene.reserve(n, talk, halfHour(n)));
    expect(counted(answers)).toEqual({ done: 3, RESERVATION_LIMIT_REACHED: 47 });
    const kept = new Set(doneOf(answers).map(({ payload }) => Date.parse(payload.reservation.start)));
    const free = Array.from({ length: 50 }, (_, n) => halfHour(n)).filter((start) => !kept.has(Date.parse(start)));
    expect(counted(await atTheSameMoment(47, (n) => scene.book(n, talk, free[n] ?? NINE)))).toEqual({ done: 47 });
  },

  'of 50 who reserve the slots of one network through many event types of one host, six have one': async (scene) => {
    const host = await scene.person();
    const talks: string[] = [];
    for (let n = 0; n < 10; n += 1) talks.push(await scene.eventType(host));
    const answers = await atTheSameMoment(50, (n) => scene.reserve(n, talks[n % 10] ?? '', halfHour(n)));
    expect(counted(answers)).toEqual({ done: 6, RESERVATION_LIMIT_REACHED: 44 });
  },

  'of 50 who reserve the slots of a day from as many networks, half have one': async (scene) => {
    const talk = await scene.eventType(await scene.person());
    const answers = await atTheSameMoment(50, (n) => scene.reserve(n, talk, halfHour(n % 16), n));
    const { done, SLOT_RESERVED = 0, SLOT_TAKEN = 0, RESERVATION_LIMIT_REACHED = 0 } = counted(answers);
    expect([done, SLOT_RESERVED + SLOT_TAKEN + RESERVATION_LIMIT_REACHED]).toEqual([8, 42]);
  },

  'a reservation that 50 renew at the same moment stays one': async (scene) => {
    const talk = await scene.eventType(await scene.person());
    const { payload } = await scene.reserve(0, talk, NINE);
    const { uid: reservationUid } = payload.reservation;
    const answers = await atTheSameMoment(50, (n) => scene.change(n, 'slotReservationUpdate', { reservationUid }));
    const { done, NOT_FOUND = 0, SLOT_RESERVED = 0 } = counted(answers);
    expect([done, NOT_FOUND + SLOT_RESERVED]).toEqual([1, 49]);
  },

  'a reserved slot is for its holder, once, however many try': async (scene) => {
    const talk = await scene.eventType(await scene.person());
    const { payload } = await scene.reserve(0, talk, NINE);
    const reservationUid = payload.reservation.uid;
    const answers = await atTheSameMoment(
      100,
      (n) => scene.book(n, talk, NINE),
      (n) => scene.book(n, talk, NINE, { reservationUid }),
    );
    expect(doneOf(ofKind(answers, 0, 2))).toEqual([]);
    expect(counted(ofKind(answers, 1, 2))).toEqual({ done: 1, SLOT_TAKEN: 49 });
  },

  'of 100 who book a slot while its reservation expires, its holder among them, one has it, or the next who comes':
    async (scene) => {
      const talk = await scene.eventType(await scene.person());
      const { payload } = await scene.reserve(0, talk, NINE);
      const reservationUid = payload.reservation.uid;
      for (const table of ['slot_reservations', 'occupied_times']) {
        const id = sql.ref(table === 'occupied_times' ? 'holder_id' : 'id');
        await rows(
          scene.em,
          sql`update ${sql.table(table)} set expires_at = now() + interval '150 ms' where ${id} = ${uuidOf(reservationUid)}`,
        );
      }
      const answers = await atTheSameMoment(
        100,
        (n) => scene.book(n, talk, NINE),
        (n) => scene.book(n, talk, NINE, { reservationUid }),
      );
      const { done = 0, SLOT_TAKEN = 0, SLOT_RESERVED = 0 } = counted(ofKind(answers, 0, 2));
      const held = counted(ofKind(answers, 1, 2));
      expect(done + SLOT_TAKEN + SLOT_RESERVED).toBe(50);
      // A reservation that is over is none; the slot may have been free then.
      expect((held['done'] ?? 0) + (held['SLOT_TAKEN'] ?? 0) + (held['NOT_FOUND'] ?? 0)).toBe(50);
      let last = await scene.book(0, talk, NINE);
      while (last.code === 'SLOT_RESERVED') last = await scene.book(0, talk, NINE);
      expect(doneOf([...answers, last])).toHaveLength(1);
      expect(['done', 'SLOT_TAKEN']).toContain(last.code);
    },

  'of 50 who book the slots of a week with a limit of two a day, two a day have one': async (scene) => {
    const talk = await scene.eventType(await scene.person(), { bookingLimits: { day: { maxBookings: 2 } } });
    const answers = await atTheSameMoment(50, (n) => scene.book(n, talk, halfHour(n)));
    expect(counted(answers)).toEqual({ done: 8, LIMIT_REACHED: 42 });
  },

  'of 50 who book and reserve the slots of a day with a limit, as many as it takes have one, and reservations are honoured':
    async (scene) => {
      const talk = await scene.eventType(await scene.person(), { bookingLimits: { day: { maxBookings: 5 } } });
      const kept = doneOf(await atTheSameMoment(2, (n) => scene.reserve(n, talk, halfHour(n))));
      const held = kept.map(({ payload }, n) => ({
        start: halfHour(n),
        reservationUid: payload.reservation.uid as string,
      }));
      const answers = await atTheSameMoment(
        50,
        (n) => scene.book(n, talk, halfHour(2 + (n % 14))),
        (n) => scene.reserve(n, talk, halfHour(2 + (n % 14))),
      );
      const {
        done,
        LIMIT_REACHED = 0,
        SLOT_RESERVED = 0,
        SLOT_TAKEN = 0,
        RESERVATION_LIMIT_REACHED = 0,
      } = counted(answers);
      expect(done).toBe(3);
      expect(LIMIT_REACHED + SLOT_RESERVED + SLOT_TAKEN + RESERVATION_LIMIT_REACHED).toBe(47);
      for (const { payload } of doneOf(ofKind(answers, 1, 2))) {
        held.push({ start: payload.reservation.start, reservationUid: payload.reservation.uid });
      }
      const honoured = await atTheSameMoment(50, (n) => {
        const { start, reservationUid } = held[n % held.length] ?? { start: NINE, reservationUid: '' };
        return scene.book(n, talk, start, { reservationUid });
      });
      expect(counted(honoured).done).toBe(held.length);
      const stored = await rows(scene.em, sql`select 1 from bookings where event_type_id = ${uuidOf(talk)}`);
      expect(stored).toHaveLength(5);
    },

  'of 50 who book different slots by a link for five uses, five do': async (scene) => {
    const host = await scene.person();
    const talk = await scene.eventType(host, { isHidden: true });
    const limits = { eventTypeId: talk, maxUsageCount: 5 };
    const { privateLink } = await scene.do('privateLinkCreate', limits, 'privateLink { url }', host);
    const privateLinkToken = privateLink.url.split('/').at(-1);
    const answers = await atTheSameMoment(50, (n) => scene.book(n, talk, halfHour(n), { privateLinkToken }));
    expect(counted(answers)).toEqual({ done: 5, NOT_FOUND: 45 });
  },

  'one request that is sent 50 times books once, and all hear the same uid, however many others want the slot': async (
    scene,
  ) => {
    const talk = await scene.eventType(await scene.person());
    const attendee = { name: 'Grace', email: 'grace@example.test', timeZone: 'UTC' };
    const same = { attendee, idempotencyKey: 'the-same-request' };
    const alone = await atTheSameMoment(50, (n) => scene.book(n, talk, TEN, same));
    expect(counted(alone)).toEqual({ done: 50 });
    expect(new Set(alone.map(({ payload }) => payload.booking.uid)).size).toBe(1);

    const answers = await atTheSameMoment(
      100,
      (n) => scene.book(n, talk, NINE, same),
      (n) => scene.book(n, talk, NINE),
    );
    const [ofSame, ofOthers] = [doneOf(ofKind(answers, 0, 2)), doneOf(ofKind(answers, 1, 2))];
    expect([ofSame.length, ofOthers.length]).toEqual(ofSame.length > 0 ? [50, 0] : [0, 1]);
    expect(new Set(ofSame.map(({ payload }) => payload.booking.uid)).size).toBe(ofSame.length > 0 ? 1 : 0);
  },

  'of 50 who book a round robin of five, five do, each with another host': async (scene) => {
    const members = [await scene.person(), ...(await scene.people(4))] as const;
    const { id } = await scene.teamEventType(members, { schedulingType: 'ROUND_ROBIN' });
    const answers = await atTheSameMoment(50, (n) => scene.book(n, id, NINE));
    expect(counted(answers)).toEqual({ done: 5, SLOT_TAKEN: 45 });
    const hosts = await rows(
      scene.em,
      sql`select distinct host_id from occupied_times where host_id = any(${members.map((one) => uuidOf(one.id))}::uuid[])`,
    );
    expect(hosts).toHaveLength(5);
  },

  'each slot of a round robin with weights and priorities takes as many bookings as hosts are free': async (scene) => {
    const members = [await scene.person(), ...(await scene.people(5))] as const;
    const [first, second, third, fourth, fifth] = members.slice(1);
    if (!first || !second || !third || !fourth || !fifth) throw new Error('Somebody is missing.');
    const parts = [{ weight: 300 }, { weight: 50 }, { priority: 4 }, { priority: 0, weight: 1 }, {}];
    const hosts = [first, second, third, fourth, fifth].map(({ id }, index) => ({ userId: id, ...parts[index] }));
    const { id } = await scene.teamEventType(members, { schedulingType: 'ROUND_ROBIN', hosts });
    // Five are free at nine, three at half past, and one at ten.
    const busy: readonly (readonly [number, number])[] = [
      [0, 1],
      [3, 1],
      [0, 2],
      [1, 2],
      [2, 2],
      [4, 2],
    ];
    for (const [host, slot] of busy) {
      const one = members[host + 1];
      if (one) await scene.booked(await scene.eventType(one), halfHour(slot));
    }
    const answers = await atTheSameMoment(
      60,
      (n) => scene.book(n, id, halfHour(0)),
      (n) => scene.book(n, id, halfHour(1)),
      (n) => scene.book(n, id, halfHour(2)),
    );
    const done = [0, 1, 2].map((kind) => counted(ofKind(answers, kind, 3)));
    expect(done).toEqual([
      { done: 5, SLOT_TAKEN: 15 },
      { done: 3, SLOT_TAKEN: 17 },
      { done: 1, SLOT_TAKEN: 19 },
    ]);
  },

  'of 90 who book two teams and a member of both at one time, one has it': async (scene) => {
    const [ada, bob, cyd] = [await scene.person(), await scene.person(), await scene.person()];
    const first = await scene.teamEventType([ada, bob], { schedulingType: 'COLLECTIVE' });
    const second = await scene.teamEventType([bob, cyd, ada], { schedulingType: 'COLLECTIVE' });
    const own = await scene.eventType(bob);
    const answers = await atTheSameMoment(
      90,
      (n) => scene.book(n, first.id, NINE),
      (n) => scene.book(n, second.id, NINE),
      (n) => scene.book(n, own, NINE),
    );
    expect(counted(answers)).toEqual({ done: 1, SLOT_TAKEN: 89 });
  },

  'a series is booked whole or not at all, while others book single dates of it': async (scene) => {
    const host = await scene.person();
    const recurrence = { frequency: 'WEEKLY', interval: 1, occurrences: 4 };
    const [weekly, once] = [await scene.eventType(host, { recurrence }), await scene.eventType(host)];
    const weeks = [0, 1, 2, 3].map((week) => Temporal.Instant.from(NINE).add({ hours: 7 * 24 * week }));
    const answers = await atTheSameMoment(
      80,
      (n) => scene.book(n, weekly, NINE),
      (n) => scene.book(n, once, String(weeks[n % 4])),
    );
    const [series, single] = [doneOf(ofKind(answers, 0, 2)), doneOf(ofKind(answers, 1, 2))];
    expect(series.length > 0 ? [series.length, single.length] : [0, single.length]).toEqual(
      series.length > 0 ? [1, 0] : [0, 4],
    );
    const stored = await rows(scene.em, sql`select 1 from bookings where event_type_id = ${uuidOf(weekly)}`);
    expect(stored).toHaveLength(series.length * 4);
  },
};
