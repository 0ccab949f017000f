import { expect } from 'vitest';
import { atTheSameMoment, counted, doneOf, ofKind } from './at-the-same-moment.ts';
import { offences } from './invariants.ts';
import { NINE, type Races, TEN } from './scene.ts';

/** Races for seats. */
export const SEAT_RACES: Races = {
  'of 200 who book a slot with seven seats, seven sit': async (scene) => {
    const talk = await scene.eventType(await scene.person(), { seats: { perSlot: 7, showsAttendees: false } });
    const answers = await atTheSameMoment(200, (n) => scene.book(n, talk, NINE));
    expect(counted(answers)).toEqual({ done: 7, SLOT_TAKEN: 193 });
  },

  'of 100 who book and reserve the last of three seats, one has it': async (scene) => {
    const talk = await scene.eventType(await scene.person(), { seats: { perSlot: 3, showsAttendees: false } });
    await Promise.all([0, 1].map(() => scene.booked(talk, NINE)));
    const answers = await atTheSameMoment(
      100,
      (n) => scene.book(n, talk, NINE),
      (n) => scene.reserve(n, talk, NINE),
    );
    expect(counted(answers)).toEqual({ done: 1, SLOT_TAKEN: 99 });
  },

  'a seat that is given back is taken once, and nobody else loses theirs': async (scene) => {
    const talk = await scene.eventType(await scene.person(), { seats: { perSlot: 3, showsAttendees: false } });
    const [seat = ''] = await Promise.all([0, 1, 2].map(() => scene.booked(talk, NINE)));
    const answers = await atTheSameMoment(
      100,
      (n) => scene.cancel(n, seat),
      (n) => scene.book(n, talk, NINE),
    );
    expect(doneOf(ofKind(answers, 0, 2))).toHaveLength(1);
    expect(doneOf(ofKind(answers, 1, 2)).length).toBeLessThanOrEqual(1);
    const late = await atTheSameMoment(20, (n) => scene.book(n, talk, NINE));
    const both = doneOf([...ofKind(answers, 1, 2), ...late]);
    expect(both).toHaveLength(1);
  },

  'a caller who wants the seat of the only attendee, who leaves, is never told that the slot is taken': async (
    scene,
  ) => {
    for (let round = 0; round < 10; round += 1) {
      const talk = await scene.eventType(await scene.person(), { seats: { perSlot: 60, showsAttendees: false } });
      const seat = await scene.booked(talk, NINE);
      const answers = await atTheSameMoment(
        20,
        (n) => scene.cancel(n, seat),
        (n) => scene.book(n, talk, NINE),
      );
      expect(counted(ofKind(answers, 1, 2))).toEqual({ done: 10 });
    }
  },

  'a seat that is moved and given back at once is gone, and nobody sits alone in an empty booking': async (scene) => {
    for (let round = 0; round < 8; round += 1) {
      const talk = await scene.eventType(await scene.person(), { seats: { perSlot: 3, showsAttendees: false } });
      const moving = await scene.booked(talk, NINE);
      await scene.booked(talk, NINE);
      const waiting = await scene.booked(talk, TEN);
      const answers = await atTheSameMoment(
        30,
        (n) => scene.move(n, moving, TEN),
        (n) => scene.cancel(n, moving),
        (n) => scene.cancel(n, waiting),
      );
      expect(doneOf(ofKind(answers, 0, 3)).length).toBeLessThanOrEqual(1);
      expect([1, 2].map((kind) => doneOf(ofKind(answers, kind, 3)).length)).toEqual([1, 1]);
      expect(await offences(scene.em)).toEqual([]);
    }
  },
};
