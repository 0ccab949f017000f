import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ONE_AND_TWO, type Servers } from '../support/servers.ts';
import { CHANGE_RACES } from './scheduling/change-races.ts';
import { ENDING_RACES } from './scheduling/ending-races.ts';
import { deadlocks, keepEvents, offences } from './scheduling/invariants.ts';
import { Scene } from './scheduling/scene.ts';
import { SEAT_RACES } from './scheduling/seat-races.ts';
import { SLOT_RACES } from './scheduling/slot-races.ts';

const RACES = { ...SLOT_RACES, ...SEAT_RACES, ...CHANGE_RACES, ...ENDING_RACES };

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
});
