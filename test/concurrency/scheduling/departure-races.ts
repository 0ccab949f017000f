import { expect } from 'vitest';
import { publicId } from '../../../src/core/id.ts';
import { row, rows, sql } from '../../../src/database/sql.ts';
import { uuidOf } from '../../support/ids.ts';
import { atTheSameMoment, counted, ofKind } from './at-the-same-moment.ts';
import { halfHour, type Person, type Races, type Scene } from './scene.ts';

/**
 * A host is removed while others book, move, confirm and hand over. Whichever was first: what was chosen holds for all that
 * the host has been booked for, and nobody is booked with them any more.
 */
export const DEPARTURE_RACES: Races = {
  'a host who is removed while 50 book a team in turns hosts nothing of it, and every booker gets somebody': async (
    scene,
  ) => {
    const [ada, bob, eve] = await threeOf(scene);
    const { id, teamId } = await scene.teamEventType([ada, bob, eve], { schedulingType: 'ROUND_ROBIN' });
    await Promise.all(Array.from({ length: 6 }, (_, n) => scene.booked(id, halfHour(60 + n))));
    const leave = { teamId, membershipId: await membershipOf(scene, teamId, bob), upcomingBookings: 'REASSIGN' };
    const answers = await atTheSameMoment(51, (n) =>
      n === 10 ? scene.change(n, 'teamMembershipDelete', leave, COUNTS, ada) : scene.book(n, id, halfHour(n)),
    );
    expect(counted(answers)).toEqual({ done: 51 });
    expect(await hostedBy(scene, teamId, bob)).toEqual([]);
  },

  'a host who is removed while 50 book all hosts together is in none of the bookings': async (scene) => {
    const [ada, bob, eve] = await threeOf(scene);
    const { id, teamId } = await scene.teamEventType([ada, bob, eve], { schedulingType: 'COLLECTIVE' });
    const leave = { teamId, membershipId: await membershipOf(scene, teamId, bob), ...CANCEL };
    const answers = await atTheSameMoment(51, (n) =>
      n === 10 ? scene.change(n, 'teamMembershipDelete', leave, COUNTS, ada) : scene.book(n, id, halfHour(n)),
    );
    expect(counted(answers)).toEqual({ done: 51 });
    expect(await hostedBy(scene, teamId, bob)).toEqual([]);
    expect(await statuses(scene, teamId)).toEqual({ ACCEPTED: 50 });
  },

  'the only host who is removed while 50 book leaves no booking that takes place': async (scene) => {
    const [ada, bob] = await threeOf(scene);
    const hosts = [{ userId: bob.id }];
    const settings = { schedulingType: 'COLLECTIVE', hosts };
    const { id, teamId } = await scene.teamEventType([ada, bob], settings);
    const leave = { teamId, membershipId: await membershipOf(scene, teamId, bob), ...CANCEL };
    const answers = await atTheSameMoment(51, (n) =>
      n === 10 ? scene.change(n, 'teamMembershipDelete', leave, COUNTS, ada) : scene.book(n, id, halfHour(n)),
    );
    const { done = 0, NOT_BOOKABLE = 0, SLOT_NOT_OFFERED = 0, SLOT_TAKEN = 0 } = counted(answers);
    expect(done + NOT_BOOKABLE + SLOT_NOT_OFFERED + SLOT_TAKEN).toBe(51);
    expect(await hostedBy(scene, teamId, bob)).toEqual([]);
    expect(Object.keys(await statuses(scene, teamId))).not.toContain('ACCEPTED');
  },

  'of two who remove a host at once in different ways, one decides for all bookings': async (scene) => {
    const [ada, bob, eve] = await threeOf(scene);
    const { id, teamId } = await scene.teamEventType([ada, bob, eve], OF_BOB(bob));
    await Promise.all(Array.from({ length: 10 }, (_, n) => scene.booked(id, halfHour(n))));
    await scene.do('teamEventTypeUpdate', { teamId, eventTypeId: id, assignsAllMembers: true }, 'eventTypeId', ada);
    const membershipId = await membershipOf(scene, teamId, bob);
    const leave = { teamId, membershipId };
    const answers = await atTheSameMoment(
      10,
      (n) => scene.change(n, 'teamMembershipDelete', { ...leave, ...CANCEL }, COUNTS, ada),
      (n) => scene.change(n, 'teamMembershipDelete', { ...leave, upcomingBookings: 'REASSIGN' }, COUNTS, ada),
    );
    expect(counted(answers)).toEqual({ done: 1, NOT_FOUND: 9 });
    const isCancelled = ofKind(answers, 0, 2).some(({ code }) => code === 'done');
    expect(await statuses(scene, teamId)).toEqual(isCancelled ? { CANCELLED: 10 } : { ACCEPTED: 10 });
    expect(await hostedBy(scene, teamId, bob)).toEqual([]);
  },

  'a host who is removed while bookings are handed to and from them, confirmed and cancelled hosts none': async (
    scene,
  ) => {
    const [ada, bob, eve] = await threeOf(scene);
    const settings = { schedulingType: 'ROUND_ROBIN', confirmation: { type: 'ALWAYS' } };
    const { id, teamId } = await scene.teamEventType([ada, bob, eve], settings);
    const uids = await Promise.all(Array.from({ length: 30 }, (_, n) => scene.booked(id, halfHour(n))));
    const uidOf = (n: number) => uids[n % 30] ?? '';
    const leave = { teamId, membershipId: await membershipOf(scene, teamId, bob), upcomingBookings: 'REASSIGN' };
    const answers = await atTheSameMoment(
      120,
      (n) => scene.reassign(n, uidOf(n), { from: bob, to: eve }),
      (n) => scene.reassign(n, uidOf(n), { from: ada, to: bob }),
      (n) =>
        n === 5
          ? scene.change(n, 'teamMembershipDelete', leave, COUNTS, ada)
          : scene.confirm(n, uidOf(n), n % 2 === 0 ? bob : eve),
      (n) => (n % 5 === 0 ? scene.cancel(n, uidOf(n)) : scene.move(n, uidOf(n), halfHour(40 + n))),
    );
    expect(ofKind(answers, 2, 4)[5]?.code).toBe('done');
    expect(await hostedBy(scene, teamId, bob)).toEqual([]);
  },

  'two hosts who are removed at once leave all they had to the others, each at a time of its own': async (scene) => {
    const [ada, bob, eve] = await threeOf(scene);
    const { id, teamId } = await scene.teamEventType([ada, bob, eve], { schedulingType: 'ROUND_ROBIN' });
    await Promise.all(Array.from({ length: 30 }, (_, n) => scene.booked(id, halfHour(n))));
    const [ofBob, ofEve] = [await membershipOf(scene, teamId, bob), await membershipOf(scene, teamId, eve)];
    const answers = await atTheSameMoment(
      52,
      (n) =>
        n > 0
          ? scene.book(n, id, halfHour(40 + n))
          : scene.change(n, 'teamMembershipDelete', REASSIGN(teamId, ofBob), COUNTS, ada),
      (n) =>
        n > 0
          ? scene.book(n, id, halfHour(70 + (n % 9)))
          : scene.change(n, 'teamMembershipDelete', REASSIGN(teamId, ofEve), COUNTS, ada),
    );
    expect([ofKind(answers, 0, 2)[0]?.code, ofKind(answers, 1, 2)[0]?.code]).toEqual(['done', 'done']);
    for (const gone of [bob, eve]) expect(await hostedBy(scene, teamId, gone)).toEqual([]);
    expect((await statuses(scene, teamId))['ACCEPTED']).toBeGreaterThanOrEqual(30);
  },

  'of two owners who remove each other at once, one stays': async (scene) => {
    const [ada, bob, eve] = await threeOf(scene);
    const { id, teamId } = await scene.teamEventType([ada, bob, eve], { schedulingType: 'ROUND_ROBIN' });
    const [ofAda, ofBob] = [await membershipOf(scene, teamId, ada), await membershipOf(scene, teamId, bob)];
    await scene.do('teamMembershipUpdate', { teamId, membershipId: ofBob, role: 'OWNER' }, 'membershipId', ada);
    await Promise.all(Array.from({ length: 6 }, (_, n) => scene.booked(id, halfHour(n))));
    const answers = await atTheSameMoment(
      50,
      (n) => scene.change(n, 'teamMembershipDelete', REASSIGN(teamId, ofBob), COUNTS, ada),
      (n) => scene.change(n, 'teamMembershipDelete', REASSIGN(teamId, ofAda), COUNTS, bob),
    );
    expect(counted(answers)['done']).toBe(1);
    const gone = ofKind(answers, 0, 2).some(({ code }) => code === 'done') ? bob : ada;
    expect(await hostedBy(scene, teamId, gone)).toEqual([]);
  },
};

const COUNTS = 'reassignedBookingCount releasedBookingCount cancelledBookingCount keptBookingCount';
const CANCEL = { upcomingBookings: 'CANCEL', reason: 'They have left.' };
const REASSIGN = (teamId: string, membershipId: string) => ({ teamId, membershipId, upcomingBookings: 'REASSIGN' });
const OF_BOB = ({ id }: Person) => ({
  schedulingType: 'ROUND_ROBIN',
  assignsAllMembers: false,
  hosts: [{ userId: id }],
});

async function threeOf(scene: Scene): Promise<[Person, Person, Person]> {
  const [ada, bob, eve] = await scene.people(3);
  if (!ada || !bob || !eve) throw new Error('Nobody was made.');
  return [ada, bob, eve];
}

async function membershipOf({ em }: Scene, teamId: string, { id }: Person): Promise<string> {
  const found = await row(
    em,
    sql<{ id: string }>`select id from team_memberships where team_id = ${uuidOf(teamId)} and user_id = ${uuidOf(id)}`,
  );
  return publicId('membership', found?.id ?? '');
}

/** The team's bookings with somebody that take place, or may. */
function hostedBy({ em }: Scene, teamId: string, { id }: Person): Promise<unknown[]> {
  return rows(
    em,
    sql`select booking_id from booking_hosts
        where team_id = ${uuidOf(teamId)} and user_id = ${uuidOf(id)} and status in ('PENDING', 'ACCEPTED')`,
  );
}

async function statuses({ em }: Scene, teamId: string): Promise<Record<string, number>> {
  const found = await rows(
    em,
    sql<{ status: string; count: number }>`
      select status, count(*)::int as count from bookings where team_id = ${uuidOf(teamId)} group by status`,
  );
  return Object.fromEntries(found.map(({ status, count }) => [status, count]));
}
