import { expect } from 'vitest';
import { publicId } from '../../../src/core/id.ts';
import { row, sql } from '../../../src/database/sql.ts';
import { hostIdsOf } from '../../../src/modules/bookings/host-ids.queries.ts';
import { uuidOf } from '../../support/ids.ts';
import { atTheSameMoment, counted, doneOf, ofKind } from './at-the-same-moment.ts';
import { halfHour, NINE, type Races, type Scene } from './scene.ts';

/** What is booked goes away meanwhile: every answer is one that a booker understands, and nothing is left half. */
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

  'a team that is deleted while 90 book, move and cancel with it leaves nothing behind': async (scene) => {
    const [ada, bob] = [await scene.person(), await scene.person()];
    const { id, teamId } = await scene.teamEventType([ada, bob], { schedulingType: 'COLLECTIVE' });
    const uids = await Promise.all(Array.from({ length: 20 }, (_, n) => scene.booked(id, halfHour(n))));
    const answers = await atTheSameMoment(
      90,
      (n) => (n === 5 ? scene.change(n, 'teamDelete', { teamId }, '', ada) : scene.book(n, id, halfHour(25 + n))),
      (n) => scene.cancel(n, uids[n % 10] ?? ''),
      (n) => scene.move(n, uids[10 + (n % 10)] ?? '', halfHour(60 + (n % 20))),
    );
    const { done = 0, NOT_FOUND = 0, NOT_POSSIBLE = 0, SLOT_TAKEN = 0 } = counted(answers);
    expect(done + NOT_FOUND + NOT_POSSIBLE + SLOT_TAKEN).toBe(90);
    const left = await row(
      scene.em,
      sql<{ bookings: number; times: number }>`
        select (select count(*)::int from bookings where owner_id = ${uuidOf(teamId)}) as bookings,
          (select count(*)::int from occupied_times where host_id = any(${[ada.id, bob.id].map(uuidOf)}::uuid[])) as times`,
    );
    expect(left).toEqual({ bookings: 0, times: 0 });
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
