import { expect } from 'vitest';
import { row, rows, sql } from '../../../src/database/sql.ts';
import { hostIdsOf } from '../../../src/modules/bookings/booking.entity.ts';
import { idOfUid, uuidOf } from '../../support/ids.ts';
import { atTheSameMoment, counted, doneOf, ofKind } from './at-the-same-moment.ts';
import { halfHour, NINE, type Races, type Scene, TEN } from './scene.ts';

async function asking(scene: Scene): Promise<string> {
  return scene.eventType(await scene.person(), { confirmation: { type: 'ALWAYS' } });
}

async function answersTo({ em }: Scene, uid: string): Promise<string[]> {
  const answers = await rows(
    em,
    sql<{ type: string }>`select type from kept_events
      where data->'booking'->>'id' = ${uuidOf(uid)} and type in ('BOOKING_CONFIRMED', 'BOOKING_REJECTED')`,
  );
  return answers.map(({ type }) => type);
}

/** Races of changes of bookings. */
export const CHANGE_RACES: Races = {
  'of requests that would overlap, one is pending, and it is confirmed once': async (scene) => {
    const host = await scene.person();
    const confirmation = { type: 'ALWAYS' };
    const half = await scene.eventType(host, { confirmation });
    const whole = await scene.eventType(host, { confirmation, durationInMinutes: 60 });
    const requests = await atTheSameMoment(
      60,
      (n) => scene.book(n, half, NINE),
      (n) => scene.book(n, whole, NINE),
    );
    expect(counted(requests)).toEqual({ done: 1, SLOT_TAKEN: 59 });
    const { uid, status } = doneOf(requests)[0]?.payload.booking ?? {};
    expect(status).toBe('PENDING');
    const answers = await atTheSameMoment(50, (n) => scene.confirm(n, uid, host));
    expect(counted(answers)).toEqual({ done: 1, NOT_POSSIBLE: 49 });
  },

  'a request that its host confirms by the link of the mail, fifty times at once, is confirmed once, and each press is answered so':
    async (scene) => {
      const uid = await scene.booked(await asking(scene), NINE);
      const answers = await atTheSameMoment(50, await scene.answerForm(uid, 'confirm'));
      expect(counted(answers)).toEqual({ done: 50 });
      expect(await answersTo(scene, uid)).toEqual(['BOOKING_CONFIRMED']);
    },

  'a request that is confirmed and declined by that link at once is answered once, and who was too late is told':
    async (scene) => {
      const uid = await scene.booked(await asking(scene), NINE);
      const confirm = await scene.answerForm(uid, 'confirm');
      const decline = await scene.answerForm(uid, 'decline');
      expect(counted(await atTheSameMoment(50, confirm, decline))).toEqual({ done: 25, 422: 25 });
      expect(await answersTo(scene, uid)).toHaveLength(1);
    },

  'of those who have read the same, one changes it': async (scene) => {
    const host = await scene.person();
    const eventTypeId = await scene.eventType(host);
    const shown = 'eventType { updatedAt }';
    const { eventType } = await scene.do('eventTypeUpdate', { eventTypeId, title: 'Read' }, shown, host);
    const [simple, whole] = [{ title: 'Written' }, { durationInMinutes: 45 }].map(
      (patch) => (n: number) =>
        scene.change(n, 'eventTypeUpdate', { eventTypeId, ...patch, ifUpdatedAt: eventType.updatedAt }, shown, host),
    );
    if (!simple || !whole) throw new Error('There are two kinds of changes.');
    const answers = await atTheSameMoment(50, simple, whole);
    expect(counted(answers)).toEqual({ done: 1, CONFLICT: 49 });
    const [done] = doneOf(answers);
    expect(Date.parse(done?.payload.eventType.updatedAt)).toBeGreaterThan(Date.parse(eventType.updatedAt));
  },

  'bookings that are moved to each other’s place both stay where they are': async (scene) => {
    const host = await scene.person();
    const [one, other] = [await scene.eventType(host), await scene.eventType(host)];
    const [a, b] = [await scene.booked(one, NINE), await scene.booked(other, TEN)];
    const answers = await atTheSameMoment(
      60,
      (n) => scene.move(n, a, TEN),
      (n) => scene.move(n, b, NINE),
    );
    expect(counted(answers)).toEqual({ SLOT_TAKEN: 60 });
  },

  'of two bookings of one host that are moved to one free place, one is there': async (scene) => {
    const host = await scene.person();
    const [one, other] = [await scene.eventType(host), await scene.eventType(host)];
    const [a, b] = [await scene.booked(one, NINE), await scene.booked(other, TEN)];
    const answers = await atTheSameMoment(
      60,
      (n) => scene.move(n, a, halfHour(6)),
      (n) => scene.move(n, b, halfHour(6)),
    );
    const { done, SLOT_TAKEN = 0, NOT_POSSIBLE = 0 } = counted(answers);
    expect([done, SLOT_TAKEN + NOT_POSSIBLE]).toEqual([1, 59]);
  },

  'a booking that is moved to 50 places at once is in one of them': async (scene) => {
    const talk = await scene.eventType(await scene.person());
    const uid = await scene.booked(talk, NINE);
    const answers = await atTheSameMoment(50, (n) => scene.move(n, uid, halfHour(n + 1)));
    expect(counted(answers)).toEqual({ done: 1, NOT_POSSIBLE: 49 });
    const stored = await rows(scene.em, sql`select 1 from bookings where event_type_id = ${uuidOf(talk)}`);
    expect(stored).toHaveLength(2);
  },

  'of 50 bookings that are moved to one place, one is there': async (scene) => {
    const talk = await scene.eventType(await scene.person());
    const uids = await Promise.all(Array.from({ length: 50 }, (_, n) => scene.booked(talk, halfHour(n + 1))));
    const answers = await atTheSameMoment(50, (n) => scene.move(n, uids[n] ?? '', NINE));
    expect(counted(answers)).toEqual({ done: 1, SLOT_TAKEN: 49 });
  },

  'a request that is cancelled, confirmed, declined and moved at once ends once, and is agreed to once at most': async (
    scene,
  ) => {
    const host = await scene.person();
    const talk = await scene.eventType(host, { confirmation: { type: 'ALWAYS' } });
    const uid = await scene.booked(talk, NINE);
    const answers = await atTheSameMoment(
      60,
      (n) => scene.confirm(n, uid, host),
      (n) => scene.cancel(n, uid),
      (n) => scene.move(n, uid, halfHour(n + 1)),
      (n) => scene.change(n, 'bookingDecline', { bookingId: idOfUid(uid) }, '', host),
    );
    const done = [0, 1, 2, 3].map((kind) => doneOf(ofKind(answers, kind, 4)).length);
    const [confirmed = 0, ...ends] = done;
    expect(ends.reduce((sum, count) => sum + count)).toBe(1);
    expect(confirmed).toBeLessThanOrEqual(1);
    expect(counted(answers)).toEqual({ done: confirmed + 1, NOT_POSSIBLE: 59 - confirmed });
  },

  'of a booking that is handed to a host and bookings of that host, one gets the time': async (scene) => {
    const [ada, bob] = [await scene.person(), await scene.person()];
    const hosts = [{ userId: ada.id, priority: 4 }, { userId: bob.id }];
    const { id } = await scene.teamEventType([ada, bob], { schedulingType: 'ROUND_ROBIN', hosts });
    const own = await scene.eventType(bob, { durationInMinutes: 60 });
    const uid = await scene.booked(id, NINE);
    const answers = await atTheSameMoment(
      80,
      (n) => scene.reassign(n, uid, { from: ada, to: bob }),
      (n) => scene.book(n, own, NINE),
    );
    const [handed, made] = [doneOf(ofKind(answers, 0, 2)), doneOf(ofKind(answers, 1, 2))];
    expect(handed.length + made.length).toBe(1);
    const refused = counted(ofKind(answers, 0, 2));
    const { done = 0, HOST_NOT_AVAILABLE = 0, NOT_FOUND = 0 } = refused;
    expect(done + HOST_NOT_AVAILABLE + NOT_FOUND).toBe(40);
    const stored = await row(
      scene.em,
      sql<{ hosts: string[] }>`select ${hostIdsOf('bookings')} as hosts from bookings where id = ${uuidOf(uid)}`,
    );
    expect(stored?.hosts).toEqual([uuidOf(handed.length > 0 ? bob.id : ada.id)]);
  },

  'whatever is booked, moved and cancelled at random is done or taken': async (scene) => {
    const buffers = { bufferBeforeInMinutes: 5, bufferAfterInMinutes: 10, slotIntervalInMinutes: 15 };
    const talk = await scene.eventType(await scene.person(), buffers);
    const answers = await atTheSameMoment(100, async (n) => {
      const made = await scene.book(n, talk, anywhere());
      if (made.code !== 'done') return made;
      const moved = await scene.move(n + 1, made.payload.booking.uid, anywhere());
      return moved.code === 'done' && n % 2 === 0 ? scene.cancel(n, moved.payload.booking.uid) : moved;
    });
    const { done = 0, SLOT_TAKEN = 0 } = counted(answers);
    expect(done + SLOT_TAKEN).toBe(100);
  },
};

function anywhere(): string {
  return halfHour(Math.floor(Math.random() * 16));
}
