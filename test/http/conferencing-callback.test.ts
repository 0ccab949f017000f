import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { newId, publicOwnedId } from '../../src/core/id.ts';
import { rows, sql } from '../../src/database/sql.ts';
import { book, eventTypeOf, newHosts, slotOn } from '../modules/bookings/support/booked-hosts.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { unknownId, uuidOf } from '../support/ids.ts';

const KEY = Buffer.alloc(32, 7);
const SECRET = `whsec_${KEY.toString('base64')}`;

let app: TestApp;
let bookingId: string;
let id: string;
beforeAll(async () => {
  app = await startTestApp({ CONFERENCING_CALLBACK_SECRET: SECRET });
  const em = app.database.em.fork();
  const { key } = await book(em, eventTypeOf(await newHosts(em, 1)), slotOn(0, '09:00'));
  bookingId = publicOwnedId('booking', key);
  ({ id } = key);
});
afterAll(() => app.close());

interface Sent {
  readonly id?: string;
  readonly secondsAgo?: number;
  readonly key?: Uint8Array;
}

async function send(message: unknown, { id = randomUUID(), secondsAgo = 0, key = KEY }: Sent = {}) {
  const body = typeof message === 'string' ? message : JSON.stringify(message);
  const timestamp = String(Math.floor(Date.now() / 1_000) - secondsAgo);
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  const response = await fetch(`${app.url}/callbacks/conferencing`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    },
    body,
  });
  const answer = (await response.json()) as { recorded?: boolean; error?: { code: string; message: string } };
  return {
    status: response.status,
    recorded: answer.recorded,
    code: answer.error?.code,
    message: answer.error?.message,
  };
}

const url = 'https://conference.example/1';
const recording = (changes: object = {}) => ({
  type: 'recording.ready',
  data: { bookingId, id: 'r1', url, ...changes },
});

/** The types of what was told after the booking was made. */
async function toldOf(bookingId: string): Promise<string[]> {
  const found = await rows(
    app.database.em.fork(),
    sql<{ type: string }>`select type from domain_events where data->'booking'->>'id' = ${uuidOf(bookingId)}
      and type <> 'BOOKING_CREATED' order by id`,
  );
  return found.map(({ type }) => type);
}

async function aBooking(): Promise<string> {
  const em = app.database.em.fork();
  return publicOwnedId('booking', (await book(em, eventTypeOf(await newHosts(em, 1)), slotOn(0, '09:00'))).key);
}

test('a provider’s report about a booking is recorded once, announced once, and seen by the host with BOOKING_READ', async () => {
  const browser = await app.signIn('ada@acme.test');
  const own = await aBooking();
  const data = { bookingId: own };
  const messages = [
    { type: 'session.started', data: { ...data, id: 's1', startedAt: '2026-12-01T10:00:00+01:00' } },
    { type: 'session.ended', data: { ...data, id: 's1', endedAt: '2026-12-01T09:30:00Z' } },
    { type: 'recording.ready', data: { ...data, id: 'r1', url, durationInSeconds: 1_800 } },
    { type: 'transcript.ready', data: { ...data, id: 't1', url, language: 'de-AT' } },
    { type: 'reference.created', data: { ...data, id: 'm1', app: 'zoom' } },
  ];
  for (const message of messages) expect(await send(message)).toMatchObject({ status: 200, recorded: true });
  const id = randomUUID();
  for (const message of messages) {
    expect(await send(message, { id })).toMatchObject({ status: 200, recorded: false });
    expect(await send(message)).toMatchObject({ status: 200, recorded: false });
  }
  expect((await toldOf(own)).toSorted()).toEqual([
    'MEETING_ENDED',
    'MEETING_STARTED',
    'RECORDING_READY',
    'TRANSCRIPT_READY',
  ]);

  // The demo's ada becomes a host of it: only what a host sees is shown.
  await rows(
    app.database.em.fork(),
    sql`insert into booking_hosts (user_id, booking_id, owner_id, event_type_id, status, starts_at, ends_at, absent, updated_at)
        select u.id, b.id, b.owner_id, b.event_type_id, b.status, b.starts_at, b.ends_at, false, now()
        from bookings b, users u where b.id = ${uuidOf(own)} and u.username = 'ada'`,
  );
  const seen = await browser.graphql(
    `query($id: ID!) { me { booking(id: $id) { recordings { id url durationInSeconds createdAt }
      transcripts { id url language } references { id app url } conferencingSessions { id startedAt endedAt } } } }`,
    { id: own },
  );
  expect(seen).toEqual({
    me: {
      booking: {
        recordings: [{ id: 'r1', url, durationInSeconds: 1_800, createdAt: expect.any(String) }],
        transcripts: [{ id: 't1', url, language: 'de-AT' }],
        references: [{ id: 'm1', app: 'zoom', url: null }],
        conferencingSessions: [{ id: 's1', startedAt: '2026-12-01T09:00:00Z', endedAt: '2026-12-01T09:30:00Z' }],
      },
    },
  });
});

test('the end of a session may be told before its start, and each stays as it was told first', async () => {
  const own = await aBooking();
  const started = { type: 'session.started', data: { bookingId: own, id: 's1', startedAt: '2026-12-01T09:00:00Z' } };
  const ended = { type: 'session.ended', data: { bookingId: own, id: 's1', endedAt: '2026-12-01T09:30:00Z' } };
  expect((await send(ended)).recorded).toBe(true);
  expect((await send(started)).recorded).toBe(true);
  const other = { ...ended, data: { ...ended.data, endedAt: '2026-12-01T19:30:00Z' } };
  expect((await send(other)).recorded).toBe(false);
  expect(await toldOf(own)).toEqual(['MEETING_ENDED', 'MEETING_STARTED']);
  const [session] = await rows(
    app.database.em.fork(),
    sql<{ hours: number }>`select extract(epoch from ended_at - started_at)::int / 1800 as hours
      from conferencing_sessions where booking_id = ${uuidOf(own)}`,
  );
  expect(session).toEqual({ hours: 1 });
});

test('the same message, twenty times at once, is recorded and told once', async () => {
  const own = await aBooking();
  const message = recording({ bookingId: own });
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(message)));
  expect(answers.filter(({ recorded }) => recorded)).toHaveLength(1);
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect(await toldOf(own)).toEqual(['RECORDING_READY']);
});

describe('a message is refused, and nothing is recorded, with', () => {
  test.each<[string, number, string, unknown, Sent?]>([
    ['another key', 401, 'WRONG_CREDENTIALS', recording(), { key: Buffer.alloc(32, 8) }],
    ['a signature of ten minutes ago', 401, 'WRONG_CREDENTIALS', recording(), { secondsAgo: 600 }],
    ['a signature of the future', 401, 'WRONG_CREDENTIALS', recording(), { secondsAgo: -600 }],
    ['a type that is not known', 422, 'UNKNOWN_TYPE', { ...recording(), type: 'recording.lost' }],
    ['a type that is an object’s', 422, 'UNKNOWN_TYPE', { ...recording(), type: '__proto__' }],
    ['no type', 422, 'INVALID_MESSAGE', { data: {} }],
    ['no object', 422, 'INVALID_MESSAGE', [recording()]],
    ['null', 422, 'INVALID_MESSAGE', null],
    ['no JSON', 400, 'BAD_REQUEST', '{'],
    ['a body of 100 kB', 413, 'BODY_TOO_LARGE', 'x'.repeat(100_000)],
    ['a booking that is not there', 404, 'NOT_FOUND', recording({ bookingId: unknownId('booking') })],
    ['a booking by its UUID', 404, 'NOT_FOUND', recording({ bookingId: newId() })],
    ['a text that is no id', 404, 'NOT_FOUND', recording({ bookingId: 'bkg_nothing' })],
    ['a booking of NUL', 404, 'NOT_FOUND', recording({ bookingId: '\0' })],
    ['an id of NUL', 422, 'INVALID_MESSAGE', recording({ id: '\0' })],
    ['an id of half a character', 422, 'INVALID_MESSAGE', recording({ id: '\ud800' })],
    ['an address that runs a script', 422, 'INVALID_MESSAGE', recording({ url: 'javascript:alert(1)' })],
    ['half a second too little', 422, 'INVALID_MESSAGE', recording({ durationInSeconds: -0.5 })],
  ])('%s', async (_, status, code, message, sent) => {
    expect(await send(message, sent)).toMatchObject({ status, code, message: expect.stringMatching(/\.$/) });
    const found = await rows(app.database.em.fork(), sql`select from booking_recordings where booking_id = ${id}`);
    expect(found).toEqual([]);
    expect(await toldOf(bookingId)).toEqual([]);
  });

  test.each(['0000-01-01T00:00:00Z', '1969-12-31T23:59:59Z', '9999-12-31T23:59:60Z', 'now', ''])(
    'a start of %j',
    async (startedAt) => {
      const message = { type: 'session.started', data: { bookingId, id: 's', startedAt } };
      expect(await send(message)).toMatchObject({ status: 422, code: 'INVALID_MESSAGE' });
    },
  );

  test('nothing wrong, as a control, it is taken', async () => {
    const own = await aBooking();
    expect(await send(recording({ bookingId: own }))).toMatchObject({ status: 200, recorded: true });
    const last = { bookingId: own, id: 's', startedAt: '9999-12-31T23:59:59Z' };
    expect(await send({ type: 'session.started', data: last })).toMatchObject({ status: 200, recorded: true });
  });
});

test('without a secret there is nothing at the address; a weak secret is refused at the start', async () => {
  const without = await startTestApp();
  try {
    const answer = await fetch(`${without.url}/callbacks/conferencing`, { method: 'POST', body: '{}' });
    expect(answer.status).toBe(404);
  } finally {
    await without.close();
  }
  expect(() => readConfig({ CONFERENCING_CALLBACK_SECRET: 'whsec_c2hvcnQ=' })).toThrow(
    /^(?![^]*c2hvcnQ)[^]*CONFERENCING_CALLBACK_SECRET/,
  );
});

test('a booking keeps a hundred reports of each kind; one that it has is taken again, and one more is refused', async () => {
  const bookingId = await aBooking();
  await rows(
    app.database.em.fork(),
    sql`insert into booking_recordings (owner_id, booking_id, id, url, created_at)
        select b.owner_id, b.id, 'r' || n, ${url}, now() from bookings b, generate_series(1, 99) n where b.id = ${uuidOf(bookingId)}`,
  );
  expect(await send(recording({ bookingId, id: 'r100' }))).toMatchObject({ status: 200, recorded: true });
  expect(await send(recording({ bookingId, id: 'r1' }))).toMatchObject({ status: 200, recorded: false });
  expect(await send(recording({ bookingId, id: 'r101' }))).toMatchObject({ status: 422, code: 'TOO_MANY' });
  const transcript = { type: 'transcript.ready', data: { bookingId, id: 't1', url } };
  expect(await send(transcript)).toMatchObject({ status: 200, recorded: true });
});
