import { afterAll, beforeAll, expect, test } from 'vitest';
import { rows, sql } from '../../src/database/sql.ts';
import { STOPPINGS } from '../../src/oauth/stopped/stopped-kinds.ts';
import { STOPPED_KIND_NAMES } from '../../src/oauth/stopped/stopped-thing.rules.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { STAYS_OF_THINGS } from '../world/every-fixture.ts';

/**
 * The tables that stay when an account is proven to be somebody's (stop-things.ts), and why. Every table is here or
 * among those that stop: an author who adds one that holds an address, a secret, or lets somebody in, decides where it
 * belongs.
 */
const STAYS: Readonly<Record<string, string>> = {
  users: 'the account itself; its picture stops',
  usernames: 'names lead to the account',
  sessions: 'end',
  failed_sign_ins: 'a record',
  account_links: 'are void',
  connection_requests: 'end',
  verification_codes: 'are over in minutes, and need a session',
  organizations: 'those made in the account stop with its membership; the logo by itself',
  teams: 'likewise',
  ...STAYS_OF_THINGS,
  event_type_hosts: 'hang on memberships, which stop',
  bookings: 'are of those who have booked',
  booking_attendees: 'likewise',
  booking_hosts: 'likewise',
  booking_recordings: 'are of a booking',
  booking_transcripts: 'are of a booking',
  booking_references: 'are of a booking',
  conferencing_sessions: 'are of a booking',
  occupied_times: 'follow bookings',
  slot_reservations: 'are of bookers, for minutes',
  workflow_reminders: 'are of workflows, which stop',
  workflow_sendings: 'are of workflows, which stop',
  webhook_deliveries: 'wait with their webhook, which pauses',
  oauth_failed_requests: 'a record',
  oauth_keys: 'the service’s own',
  oauth_revocations: 'of what has ended',
  stopped_things: 'what has stopped',
  audit_events: 'a record',
  domain_events: 'what has happened',
  booking_mails: 'are of bookings',
  counters: 'are of requests',
  mail_receivers: 'say what mailboxes want',
  held_notices: 'go to the mailbox that has proven the address, and to nobody else',
  migrations: 'the service’s own',
  idempotency_keys: 'name what was made',
};

/** Columns by whose names something may lead out or let in, in tables that stop as a whole or in part; each has its reason. */
const LEADS = /url|secret|redirect|credentials|origins|locations|receiver|accepted|set_by/;
const HARMLESS: Readonly<Record<string, string>> = {
  'webhooks.url': 'nothing goes there while nobody answers for it',
  'webhooks.secret_salt': 'is a new one once somebody does',
};

const from = STOPPINGS.flatMap((one) => one.from);
const whole = new Set(from.filter((one) => !one.includes('.')));

let database: TestDatabase;
let tables: readonly { readonly name: string; readonly columns: readonly string[] }[];
beforeAll(async () => {
  database = await openTestDatabase();
  tables = await rows(
    database.em.fork(),
    sql`select table_name as name, json_agg(column_name order by column_name) as columns from information_schema.columns
        where table_schema = 'public' group by 1 order by 1`,
  );
});
afterAll(() => database.close());

test('every table is decided on: its rows stop, or do not, when an account is taken over by the owner of its address', () => {
  const inPart = new Set(from.map((one) => one.split('.')[0] ?? ''));
  const undecided = tables.filter(({ name }) => !inPart.has(name) && !(name in STAYS));
  expect(undecided.map(({ name }) => name)).toEqual([]);
});

test('every column that may lead out or let somebody in is decided on, too', () => {
  const undecided = tables
    .filter(({ name }) => !whole.has(name) && !RECORDS.has(name))
    .flatMap(({ name, columns }) => columns.filter((one) => LEADS.test(one)).map((one) => `${name}.${one}`))
    .filter((one) => !from.includes(one.replace(/_id$/, '_id')) && !(one in HARMLESS));
  expect(undecided).toEqual([]);
});

test('each kind is stopped somewhere', () => {
  expect([...new Set(STOPPINGS.map(({ kind }) => kind))].toSorted()).toEqual([...STOPPED_KIND_NAMES].toSorted());
});

/** Their rows are of bookings, or a record of what has happened. */
const RECORDS = new Set(
  Object.keys(STAYS).filter(
    (name) => !['users', 'teams', 'organizations', ...Object.keys(STAYS_OF_THINGS)].includes(name),
  ),
);
