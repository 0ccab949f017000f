/** Refusals are noted for the developer of the app, the same both ways. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { changed, rows, sql } from '../../src/database/sql.ts';
import { paced } from '../support/pace.ts';
import { type Asked, type Callers, callersOf, openTwins, type Twins } from '../support/twin-apps.ts';

const OPERATIONS = [
  { query: '{ me { id eventTypes { nodes { id } } } }' },
  { query: '{ me { schedules { nodes { id } } bookings { nodes { id } } } }' },
  { query: '{ __schema { queryType { name } } me { schedules { nodes { id } } } }' },
  {
    query: 'mutation($input: EventTypeUpdateInput!) { eventTypeUpdate(input: $input) { userErrors { code } } }',
    variables: { input: { eventTypeId: 'none', title: 'New' } },
  },
];

let twins: Twins;
let callers: Callers;
beforeAll(async () => {
  twins = await openTwins();
  callers = await callersOf(twins, ['PROFILE_READ']);
});
afterAll(() => twins?.close());
const forget = () => changed(twins.ordinary.database.em.fork(), sql`truncate oauth_failed_requests`);
beforeEach(forget);

function asked(operation: object, caller: string): Asked {
  return { body: JSON.stringify(operation), headers: { 'content-type': 'application/json', ...callers[caller] } };
}

const found = () =>
  rows(
    twins.ordinary.database.em.fork(),
    sql`select client_id, endpoint, error, description from oauth_failed_requests order by id`,
  );

/** The notes, as soon as there are so many. */
async function noted(length: number): Promise<readonly unknown[]> {
  await expect.poll(async () => (await found()).length, { timeout: paced(5_000) }).toBe(length);
  return found();
}

test('each refusal is noted once, in the same words both ways', async () => {
  const sent = [...OPERATIONS, ...OPERATIONS, ...OPERATIONS].map((operation) => asked(operation, 'PROFILE_READ'));
  for (const one of sent) await twins.ask('ordinary', one);
  const ordinary = await noted(sent.length);
  await forget();
  const before = twins.handedOn();
  for (const one of sent) await twins.ask('fast', one);
  // Its token is looked up once.
  expect(twins.handedOn() - before).toBe(1);
  expect(await noted(sent.length)).toEqual(ordinary);
});

test('nothing is noted for a caller who uses no app', async () => {
  const [operation = {}] = OPERATIONS;
  for (const caller of ['nobody', 'a garbled token', 'PROFILE_READ']) await twins.ask('fast', asked(operation, caller));
  expect(await noted(1)).toMatchObject([{ error: 'INSUFFICIENT_SCOPE' }]);
});
