import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Ending, statementsUntil } from '../../../../src/database/deadline.ts';
import { type Em, rows, sql } from '../../../../src/database/sql.ts';
import { deleteTeam } from '../../../../src/modules/bookings/departures/delete-team.ts';
import { GRACE, WorkflowWorld } from '../../../jobs/support/workflow-world.ts';
import { openTestApi, type TestApi } from '../../../support/api.ts';
import { isOnPostgres } from '../../../support/database.ts';
import { uuidOf } from '../../../support/ids.ts';
import { meanwhile } from '../../../support/meanwhile.ts';
import { outcomeOf } from '../../../support/outcome.ts';

let api: TestApi;
let world: WorkflowWorld;
let teamId: string;
let ids: readonly string[];
beforeAll(async () => {
  api = await openTestApi();
  world = new WorkflowWorld(api, {});
});
afterAll(() => api.close());

const em = (): Em => api.database.em.fork();

/** A team with seven bookings, the first of them first. */
beforeEach(async () => {
  await world.newTeam();
  teamId = uuidOf(world.team.teamId);
  const eventTypeId = await world.offer();
  const starts = await world.startsOf(eventTypeId);
  for (const index of [0, 1, 2, 3, 4, 5, 6]) {
    await world.book(eventTypeId, {
      start: starts[index],
      attendee: { ...GRACE, email: `grace-${index}@example.test` },
      idempotencyKey: `a-key-of-booking-${index}`,
    });
  }
  ids = await left();
});

/** The bookings whose idempotency keys are kept. */
async function keyed(): Promise<readonly string[]> {
  const keys = sql<{ id: string }>`select result_id as id from idempotency_keys where owner_id = ${teamId} order by 1`;
  return (await rows(em(), keys)).map(({ id }) => id);
}

async function left(): Promise<readonly string[]> {
  const found = await rows(em(), sql<{ id: string }>`select id from bookings where owner_id = ${teamId} order by id`);
  return found.map(({ id }) => id);
}

/** The bookings that are in the list of a host, and those whose time a host has given away. */
async function hosted(): Promise<readonly (readonly string[])[]> {
  const [listed, occupied] = [
    await rows(
      em(),
      sql<{ id: string }>`select booking_id as id from booking_hosts where team_id = ${teamId} order by 1`,
    ),
    await rows(
      em(),
      sql<{ id: string }>`select holder_id as id from occupied_times where team_id = ${teamId} order by 1`,
    ),
  ];
  return [listed, occupied].map((found) => found.map(({ id }) => id));
}

/** As if all but the last so many of the bookings were over. */
const areOver = (but = 0) =>
  rows(
    em(),
    sql`update bookings set starts_at = starts_at - interval '1 year', ends_at = ends_at - interval '1 year'
        where id = any(${ids.slice(0, ids.length - but)}::uuid[])`,
  );
const target = () => ({ teamId, actorId: uuidOf(world.team.owner.userId) });
const isThere = async () => (await rows(em(), sql`select 1 from teams where id = ${teamId}`)).length === 1;

test.each([1, 3, 6, 7, 8])('a team goes with its seven bookings, %i at once', async (atOnce) => {
  await areOver();
  expect(await keyed()).toEqual(ids);
  await deleteTeam(em(), target(), atOnce);
  expect([await isThere(), await left(), await keyed()]).toEqual([false, [], []]);
});

test('nothing is deleted, not even in parts, while one booking is upcoming, or for a member who does not own the team', async () => {
  await areOver(1);
  expect(await outcomeOf(deleteTeam(em(), target(), 2))).toBe('TEAM_IN_USE');
  await areOver();
  const host = { teamId, actorId: uuidOf(world.host.userId) };
  expect(await outcomeOf(deleteTeam(em(), host, 2))).toBe('FORBIDDEN');
  expect([await isThere(), await left()]).toEqual([true, ids]);
});

test.runIf(isOnPostgres)(
  'parts that are gone when the time is over stay so, and the next attempt goes on',
  async () => {
    await areOver();
    const ending = new Ending();
    let outcome: Promise<string> | undefined;
    const attempt = () =>
      statementsUntil(ending, () => deleteTeam(em(), target(), 3)).then(
        () => 'done',
        (error: Error) => error.message,
      );
    await meanwhile(
      api.database,
      (open) => rows(open, sql`select 1 from bookings where id = ${ids[4] ?? ''} for key share`),
      () => (outcome = attempt()),
      async () => {
        ending.end(new Error('It took too long.'));
        await outcome;
      },
    );
    expect(await outcome).toBe('It took too long.');
    expect([await isThere(), await left()]).toEqual([true, ids.slice(3)]);
    // Lists of hosts and their times name none that is gone.
    expect([...(await hosted()), await keyed()]).toEqual([ids.slice(3), ids.slice(3), ids.slice(3)]);
    await deleteTeam(em(), target(), 3);
    expect([await isThere(), await left()]).toEqual([false, []]);
  },
);
