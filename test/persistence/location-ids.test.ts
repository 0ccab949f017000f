import { afterAll, beforeAll, expect, test } from 'vitest';
import { isId } from '../../src/core/id.ts';
import { row, sql } from '../../src/database/sql.ts';
import { createEventType } from '../../src/modules/event-types/create-event-type.ts';
import { ownEventTypes } from '../../src/modules/event-types/event-type-owner.ts';
import type { OfferedLocation } from '../../src/modules/event-types/location.rules.ts';
import { LocationIds } from '../../src/persistence/migrations/2026-11-20-location-ids.ts';
import { aUser } from '../modules/schedules/support/a-user.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

async function migrate(): Promise<void> {
  const driver = database.orm.em.getDriver() as ConstructorParameters<typeof LocationIds>[0];
  const migration = new LocationIds(driver, database.orm.config);
  migration.up();
  for (const query of migration.getQueries()) await database.em.getConnection().execute(query);
}

/** An event type whose locations are stored as given, whatever they are. */
async function eventTypeWith(slug: string, locations: readonly object[]): Promise<() => Promise<OfferedLocation[]>> {
  const em = database.em.fork();
  const { id } = await createEventType(em, ownEventTypes(await aUser(em)), { slug, title: slug, lengthInMinutes: 30 });
  await row(em, sql`update event_types set locations = ${JSON.stringify(locations)}::jsonb where id = ${id}`);
  return async () =>
    (await row(em, sql<{ locations: OfferedLocation[] }>`select locations from event_types where id = ${id}`))
      ?.locations ?? [];
}

test('locations from before they had ids get one each, in their order; those that have one keep it', async () => {
  const old = [
    { type: 'LINK', value: 'https://meet.example/1' },
    { type: 'ATTENDEE_PHONE', value: null },
  ];
  const named = { id: 'loc_00000000000000000000', type: 'ADDRESS', value: 'Room 1', label: 'Office' };
  const [locations, none] = [await eventTypeWith('some', [...old, named]), await eventTypeWith('none', [])];
  await migrate();
  const migrated = await locations();
  expect(migrated).toEqual([
    { id: expect.any(String), label: null, ...old[0] },
    { id: expect.any(String), label: null, ...old[1] },
    named,
  ]);
  expect(migrated.every(({ id }) => isId('location', id))).toBe(true);
  expect(new Set(migrated.map(({ id }) => id)).size).toBe(3);
  expect(await none()).toEqual([]);
  await migrate();
  expect(await locations()).toEqual(migrated);
});
