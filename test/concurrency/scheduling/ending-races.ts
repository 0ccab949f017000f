import { expect } from 'vitest';
import { type OwnedId, publicId, publicOwnedId } from '../../../src/core/id.ts';
import { row, rows, sql } from '../../../src/database/sql.ts';
import { hostIdsOf } from '../../../src/modules/bookings/booking.entity.ts';
import { idOfUid, uuidOf } from '../../support/ids.ts';
import { type Answer, atTheSameMoment, type Call, counted, doneOf, ofKind } from './at-the-same-moment.ts';
import { halfHour, NINE, type Person, type Races, type Scene } from './scene.ts';

/** The thing to book goes away meanwhile: every answer is one that a booker understands, and nothing is left half. */
export const ENDING_RACES: Races = {
  'an event type that is deleted while 50 book it is booked or not found': async (scene) => {
    const host = await scene.person();
    const talk = await scene.eventType(host);
    const answers = await atTheSameMoment(50, (n) =>
      n === 10 ? scene.change(n, 'eventTypeDelete', { eventTypeId: talk }, '', host) : scene.book(n, talk, halfHour(n)),
    );
    expect(Object.keys(counted(answers)).toSorted()).toEqual(namesOf(answers, ['NOT_FOUND']));
    expect((await scene.book(0, talk, halfHour(60))).code).toBe('NOT_FOUND');
  },

  'of a booking that 49 move by its uid while its host ends it, no uid opens anything afterwards': async (scene) => {
    const host = await scene.person();
    const talk = await scene.eventType(host);
    for (const round of [0, 1, 2, 3]) {
      const uid = await scene.booked(talk, halfHour(20 * round));
      const [turn, bookingId] = [12 * round, idOfUid(uid)];
      const answers = await atTheSameMoment(50, (n) =>
        n === turn
          ? scene.change(n, 'bookingUidRotate', { bookingId }, '', host)
          : scene.move(n, uid, halfHour(20 * round + 1 + (n % 19))),
      );
      expect(answers[turn]?.code).toBe('done');
      const moved = doneOf(answers.filter((_, n) => n !== turn));
      expect(moved.length).toBeLessThanOrEqual(1);
      for (const [n, one] of [uid, ...moved.map(({ payload }) => payload.booking.uid)].entries()) {
        expect((await scene.move(n, one, halfHour(20 * round + 19))).code).toBe('NOT_FOUND');
        expect((await scene.cancel(n, one)).code).toBe('NOT_FOUND');
      }
    }
  },

  'a team that is deleted while 50 book it is gone or booked, never both': async (scene) => {
    const [ada, bob] = [await scene.person(), await scene.person()];
    for (const [hosts, settings, turn] of [
      [[ada], {}, 0],
      [[ada, bob], {}, 1],
      [[ada, bob], { bookingLimits: { year: { maxBookings: 80 } } }, 0],
    ] as const) {
      const { id, teamId } = await scene.teamEventType(hosts, { schedulingType: 'COLLECTIVE', ...settings });
      const answers = await atTheSameMoment(51, (n) =>
        n === turn ? scene.change(n, 'teamDelete', { teamId }, '', ada) : scene.book(n, id, halfHour(n)),
      );
      const isGone = answers[turn]?.code === 'done';
      expect(counted(answers)).toEqual(isGone ? { done: 1, NOT_FOUND: 50 } : { done: 50, TEAM_IN_USE: 1 });
      expect(await leftOf(scene, teamId, [ada, bob])).toEqual(
        isGone ? { bookings: 0, times: 0 } : { bookings: 50, times: 50 * hosts.length },
      );
      await cancelAllOf(scene, teamId, ada);
    }
  },

  'a team is not deleted while 90 book, move and cancel with it; once all is cancelled, it leaves nothing behind':
    async (scene) => {
      const [ada, bob] = [await scene.person(), await scene.person()];
      const { id, teamId } = await scene.teamEventType([ada, bob], { schedulingType: 'COLLECTIVE' });
      const remove: Call = (n) => scene.change(n, 'teamDelete', { teamId }, '', ada);
      const uids = await Promise.all(Array.from({ length: 20 }, (_, n) => scene.booked(id, halfHour(n))));
      const answers = await atTheSameMoment(
        90,
        (n) => (n === 5 ? remove(n) : scene.book(n, id, halfHour(25 + n))),
        (n) => scene.cancel(n, uids[n % 10] ?? ''),
        (n) => scene.move(n, uids[10 + (n % 10)] ?? '', halfHour(60 + (n % 20))),
      );
      const { done = 0, NOT_POSSIBLE = 0, SLOT_TAKEN = 0, ...others } = counted(answers);
      expect([done + NOT_POSSIBLE + SLOT_TAKEN, others]).toEqual([89, { TEAM_IN_USE: 1 }]);

      const [attempts, cancelled] = await Promise.all([atTheSameMoment(10, remove), cancelAllOf(scene, teamId, ada)]);
      expect(counted(cancelled)).toEqual({ done: cancelled.length });
      const last = await remove(0);
      const isGone = doneOf(attempts).length > 0;
      expect([doneOf([...attempts, last]).length, last.code]).toEqual([1, isGone ? 'NOT_FOUND' : 'done']);
      expect(await leftOf(scene, teamId, [ada, bob])).toEqual({ bookings: 0, times: 0 });
    },

  'a host who leaves the team while 50 book it is booked before, and not after': async (scene) => {
    const [ada, bob] = [await scene.person(), await scene.person()];
    const { id, teamId } = await scene.teamEventType([ada, bob], { schedulingType: 'COLLECTIVE' });
    const membership = await row(
      scene.em,
      sql<{
        id: string;
      }>`select id from team_memberships where team_id = ${uuidOf(teamId)} and user_id = ${uuidOf(bob.id)}`,
    );
    const leave = { teamId, membershipId: publicId('membership', membership?.id ?? '') };
    const answers = await atTheSameMoment(50, (n) =>
      n === 10 ? scene.change(n, 'teamMembershipDelete', leave, '', ada) : scene.book(n, id, halfHour(n)),
    );
    expect(counted(answers)).toEqual({ done: 50 });
    const uid = await scene.booked(id, halfHour(60));
    expect(await hostsOf(scene, uid)).toEqual([uuidOf(ada.id)]);
  },

  'a host who is suspended while 50 book them is booked before, and not after': async (scene) => {
    const host = await scene.person();
    const talk = await scene.eventType(host);
    const administrator = await scene.administrator();
    const answers = await atTheSameMoment(50, (n) =>
      n === 10
        ? scene.change(n, 'userSuspend', { userId: host.id }, '', administrator)
        : scene.book(n, talk, halfHour(n)),
    );
    expect(Object.keys(counted(answers)).toSorted()).toEqual(namesOf(answers, ['NOT_BOOKABLE', 'NOT_FOUND']));
    expect((await scene.book(0, talk, halfHour(60))).code).toBe('NOT_FOUND');
  },

  'a host who is suspended gets no booking by round robin, and the others keep theirs': async (scene) => {
    const [ada, bob] = [await scene.person(), await scene.person()];
    const { id } = await scene.teamEventType([ada, bob], { schedulingType: 'ROUND_ROBIN' });
    const administrator = await scene.administrator();
    const answers = await atTheSameMoment(
      60,
      (n) => scene.book(n, id, NINE),
      (n) =>
        n === 0 ? scene.change(n, 'userSuspend', { userId: bob.id }, '', administrator) : scene.book(n, id, NINE),
    );
    const made = doneOf(answers).length - 1;
    expect(made === 1 || made === 2).toBe(true);
    expect(doneOf(ofKind(answers, 1, 2).slice(0, 1))).toHaveLength(1);
    expect(await hostsOf(scene, await scene.booked(id, halfHour(8)))).toEqual([uuidOf(ada.id)]);
  },
};

/** Its administrator cancels what is upcoming of a team's, all at the same moment. */
async function cancelAllOf(scene: Scene, teamId: string, administrator: Person): Promise<Answer[]> {
  const upcoming = await rows(
    scene.em,
    sql<OwnedId>`select owner_id as "ownerId", id from bookings where owner_id = ${uuidOf(teamId)} and status = 'ACCEPTED'`,
  );
  const inputs = upcoming.map((one) => ({ teamId, bookingId: publicOwnedId('booking', one), reason: 'Ill' }));
  return Promise.all(inputs.map((input, n) => scene.change(n, 'teamBookingCancel', input, '', administrator)));
}

/** The bookings of a team, and the times that these hosts have given. */
function leftOf({ em }: Scene, teamId: string, hosts: readonly Person[]) {
  return row(
    em,
    sql<{ bookings: number; times: number }>`
      select (select count(*)::int from bookings where owner_id = ${uuidOf(teamId)}) as bookings,
        (select count(*)::int from occupied_times where host_id = any(${hosts.map(({ id }) => uuidOf(id))}::uuid[])) as times`,
  );
}

/** `done`, and those of the codes that were given. */
function namesOf(answers: readonly { readonly code: string }[], codes: readonly string[]): string[] {
  return ['done', ...codes].filter((one) => answers.some(({ code }) => code === one)).toSorted();
}

async function hostsOf({ em }: Scene, uid: string): Promise<readonly string[] | undefined> {
  const found = await row(
    em,
    sql<{ hosts: string[] }>`select ${hostIdsOf('bookings')} as hosts from bookings where id = ${uuidOf(uid)}`,
  );
  return found?.hosts;
}
