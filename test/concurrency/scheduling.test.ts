import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/core/id.ts';
import { isOnPostgres } from '../support/database.ts';
import { uuidOf } from '../support/ids.ts';
import { ONE_AND_TWO, type Servers } from '../support/servers.ts';
import { atTheSameMoment, counted } from './scheduling/at-the-same-moment.ts';
import { CHANGE_RACES } from './scheduling/change-races.ts';
import { DEPARTURE_RACES } from './scheduling/departure-races.ts';
import { ENDING_RACES } from './scheduling/ending-races.ts';
import { deadlocks, keepEvents, offences } from './scheduling/invariants.ts';
import { halfHour, NINE, Scene } from './scheduling/scene.ts';
import { SEAT_RACES } from './scheduling/seat-races.ts';
import { SLOT_RACES } from './scheduling/slot-races.ts';

const RACES = { ...SLOT_RACES, ...SEAT_RACES, ...CHANGE_RACES, ...ENDING_RACES, ...DEPARTURE_RACES };

type Hold = (eventTypeId: string, hostId: string) => [statement: string, values: string[]];

const HOLD_LOCK: Hold = (eventTypeId) => ['select pg_advisory_xact_lock(hashtextextended($1, 0))', [eventTypeId]];
const HOLD_TIME: Hold = (_, hostId) => [
  `insert into occupied_times (host_id, holder_id, during) values ($1, $3, tstzrange($2, $2::timestamptz + '30 minutes'))`,
  [hostId, NINE, newId()],
];

describe.each(ONE_AND_TWO)('%s, at the same moment,', (_, start) => {
  let servers: Servers;
  let scene: Scene;
  beforeAll(async () => {
    servers = await start();
    scene = new Scene(servers);
    await keepEvents(scene.em);
  });
  afterAll(() => servers.close());

  test.each(Object.entries(RACES))('%s', async (__, race) => {
    await race(scene);
    // Whatever was raced for, the database is as it must be.
    expect(await offences(scene.em)).toEqual([]);
    expect(await deadlocks(scene.em)).toBe(0);
  });

  test.runIf(isOnPostgres).each([
    ['the lock', { bookingLimits: { day: { maxBookings: 20 } } }, HOLD_LOCK],
    ['the time', {}, HOLD_TIME],
  ])('those who wait for %s of one event type leave everybody else a connection', async (__, settings, hold) => {
    const host = await scene.person();
    const [wanted, other] = [await scene.eventType(host, settings), await scene.eventType(await scene.person())];
    const blocker = new Client(servers.database.url);
    await blocker.connect();
    try {
      await blocker.query('begin');
      await blocker.query(...hold(uuidOf(wanted), uuidOf(host.id)));
      let answered = 0;
      const waiting = atTheSameMoment(100, (n) => scene.book(n, wanted, NINE).finally(() => (answered += 1)));
      const served = await atTheSameMoment(8, (n) => scene.book(n, other, halfHour(n)));
      expect([counted(served), answered]).toEqual([{ done: 8 }, 0]);
      await blocker.query('rollback');
      expect(counted(await waiting)).toEqual({ done: 1, SLOT_TAKEN: 99 });
    } finally {
      await blocker.end();
    }
  });
});
