import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rows, sql } from '../../src/database/sql.ts';
import { isOnPostgres, openTestDatabase, type TestDatabase } from '../support/database.ts';
import { type RunningService, startService } from '../support/process.ts';

const BOOK = `mutation($input: BookingCreateInput!) {
  bookingCreate(input: $input) { booking { uid } userErrors { code } } }`;

describe.runIf(isOnPostgres)('two processes on one database', () => {
  let database: TestDatabase;
  const services: RunningService[] = [];

  beforeAll(async () => {
    database = await openTestDatabase();
    const secretKey = randomBytes(32).toString('base64url');
    const env = { DATABASE_URL: database.url ?? '', SECRET_KEY: secretKey, SEED_DEMO: 'on', DATA_DIR: 'memory:' };
    services.push(await startService(env), await startService(env));
  });
  afterAll(async () => {
    await Promise.all(services.map((service) => service.kill('SIGTERM')));
    await database.close();
  });

  test('give one slot to one of two hundred who want it', async () => {
    const found = await ask(services[0], '{ publicEventType(username: "ada", slug: "intro") { id } }', {});
    const eventTypeId = found.data.publicEventType.id;
    const range = { id: eventTypeId, from: inDays(3), to: inDays(10) };
    const listed = await ask(
      services[1],
      'query($id: ID!, $from: DateTime!, $to: DateTime!) { slots(eventTypeId: $id, start: $from, end: $to) { start } }',
      range,
    );
    const start = listed.data.slots[0]?.start;
    const attendee = { name: 'Grace', email: 'grace@example.test', timeZone: 'UTC' };
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        ask(services[index % 2], BOOK, { input: { eventTypeId, start, attendee } }),
      ),
    );
    const outcomes = answers.map(({ data }) => data.bookingCreate.userErrors[0]?.code ?? 'done');
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'SLOT_TAKEN')).toHaveLength(199);
    const stored = await rows(
      database.em.fork(),
      sql`select 1 from bookings where event_type_id = ${eventTypeId} and starts_at = ${start}`,
    );
    expect(stored).toHaveLength(1);
  });
});

function inDays(days: number): string {
  return Temporal.Now.instant()
    .add({ hours: 24 * days })
    .round('second')
    .toString();
}

async function ask(service: RunningService | undefined, query: string, variables: object) {
  const response = await fetch(`${service?.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  return (await response.json()) as {
    data: {
      publicEventType: { id: string };
      slots: { start: string }[];
      bookingCreate: { booking: { uid: string } | null; userErrors: { code: string }[] };
    };
  };
}
