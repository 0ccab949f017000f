/** A calendar that has changed is read by what has changed of it, and says the same as if all of it had been read. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../../../src/core/id.ts';
import { row, rows, sql } from '../../../../src/database/sql.ts';
import { OwnerTurns } from '../../../../src/limits/owner-turns.ts';
import { connectCalendars } from '../../../../src/modules/calendars/connections/calendar-connection.commands.ts';
import { differs } from '../../../../src/modules/calendars/connections/kept-objects.ts';
import { readCalendar } from '../../../../src/modules/calendars/connections/read-calendar.ts';
import { CALDAV_LIMITS, CalDav } from '../../../../src/modules/calendars/connections/servers/caldav.ts';
import { unreadableOf } from '../../../../src/modules/calendars/feeds/feed-reader.ts';
import { testDoor } from '../../../jobs/support/webhooks.ts';
import { TEST_CREDENTIALS, testCalendarAccounts } from '../../../support/calendar-accounts.ts';
import { ChangingCalendar } from '../../../support/changing-calendar.ts';
import { openTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { hasRadicale, PASSWORD, Radicale } from '../../../support/radicale.ts';
import { randomFrom } from '../../../support/random-documents.ts';
import { hasXandikos, Xandikos } from '../../../support/xandikos.ts';
import { newHosts, slotOn } from '../../bookings/support/booked-hosts.ts';

const HOSTS = new OwnerTurns({ share: 1, waiting: 0, waitInMs: 0, awayInSeconds: 1 });

let database: TestDatabase;
let server: ChangingCalendar;
let reads: () => Promise<void>;
let userId: string;
const em = () => database.em.fork();
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  server = new ChangingCalendar();
  reads = await connected(server.url, new CalDav(server.url, server.fetch));
});

/** A user whose calendar it is. @returns what reads it, as after a quarter of an hour */
async function connected(externalId: string, provider: CalDav): Promise<() => Promise<void>> {
  const accounts = testCalendarAccounts(provider);
  [userId = ''] = await newHosts(em(), 1);
  await connectCalendars(em(), {
    userId,
    provider: 'APPLE',
    account: 'ada',
    listed: [{ externalId, name: 'Work', isPrimary: true, isReadOnly: false }],
    opened: async (id) => ({
      credentials: await accounts.seal({ username: 'ada', appPassword: PASSWORD }, { userId, id }),
      accessId: null,
    }),
  });
  return async () => {
    const [due] = await rows(
      em(),
      sql<{ id: string; readingId: string }>`update connected_calendars set next_read_at = now() - interval '1 second'
        where user_id = ${userId} returning id, reading_id as "readingId"`,
    );
    if (!due) throw new Error('There is no calendar.');
    const calendar = { ownerId: userId, calendarId: due.id, readingId: due.readingId };
    expect(await readCalendar(em(), calendar, accounts, HOSTS)).toBeGreaterThan(0);
  };
}

interface State {
  readonly error: string | null;
  readonly unreadable: number;
  readonly names: readonly string[];
  readonly kept: number | null;
}
async function state(): Promise<State> {
  const found = await row(
    em(),
    sql<{ id: string; error: string | null; unreadable: number; sealed: string | null; kept: number | null }>`
      select id, error, unreadable_event_count as unreadable, sealed_unreadable as sealed, length(kept_objects) as kept
      from connected_calendars where user_id = ${userId}`,
  );
  if (!found) throw new Error('There is no calendar.');
  const { id, sealed, ...shown } = found;
  const events = await unreadableOf(TEST_CREDENTIALS, ['connected_calendars', userId, id], sealed);
  return { ...shown, names: events.map(({ title }) => title).toSorted() };
}
const busy = async () => {
  const found = await rows(
    em(),
    sql<{ start: string }>`select lower(during) as start from busy_periods where user_id = ${userId} order by during`,
  );
  return found.map(({ start }) => Temporal.Instant.from(start).toString());
};
/** As after a day. */
const aDayLater = () =>
  rows(em(), sql`update connected_calendars set expanded_at = now() - interval '1 day' where user_id = ${userId}`);
const at = (day: number, time: string) => slotOn(day, time).toString();
const stamp = (instant: string) => instant.replace(/[-:]/g, '');
const event = (start: string, more: readonly string[] = []) => [
  `DTSTART:${stamp(start)}`,
  'DURATION:PT30M',
  'SUMMARY:A meeting',
  ...more,
];

describe('a calendar of 5,000 objects of which one changes', () => {
  beforeEach(async () => {
    for (let n = 0; n < 5_000; n += 1)
      server.put(
        `${n}`,
        event(
          Temporal.Instant.from(at(0, '09:00'))
            .add({ hours: n % 200, minutes: n % 7 })
            .toString(),
        ),
      );
    await reads();
    server.asked.length = 0;
  }, 60_000);

  test('is read by that one alone, where the server tells changes', async () => {
    server.put('7', event(at(300, '07:00')));
    await reads();
    expect(server.asked).toEqual(['properties', 'changes', '1 object']);
    expect(await busy()).toContain(at(300, '07:00'));
    server.remove('7');
    await reads();
    expect(await busy()).not.toContain(at(300, '07:00'));
    expect(server.asked.slice(3)).toEqual(['properties', 'changes']);
    expect((await state()).kept).toBeLessThan(700_000);
  });

  test('is read by that one alone where the server tells none, by the etags of all; unchanged, by its ctag', async () => {
    server.tells = { ...server.tells, syncToken: () => '' };
    await reads();
    server.asked.length = 0;
    server.put('7', event(at(300, '07:00')));
    await reads();
    expect(server.asked).toEqual(['properties', 'etags', '1 object']);
    expect(await busy()).toContain(at(300, '07:00'));
    await reads();
    expect(server.asked.slice(3)).toEqual(['properties']);
  });
});

const refused = (status: number, why: string) =>
  new Response(`<d:error xmlns:d="DAV:">${why}</d:error>`, {
    status,
    headers: { 'content-type': 'application/xml' },
  });

describe('all of a calendar is read', () => {
  const WHY: readonly [what: string, answer: () => Response][] = [
    ['the token is not valid any more (403)', () => refused(403, '<d:valid-sync-token/>')],
    ['the token is not valid any more (409)', () => refused(409, '<d:valid-sync-token/>')],
    ['the token is not valid any more (412)', () => refused(412, '<d:valid-sync-token/>')],
    ['too much has changed (507)', () => refused(507, '<d:number-of-matches-within-limits/>')],
    ['its server knows no such question (501)', () => new Response('', { status: 501 })],
    ['its server stumbles over it (500)', () => new Response('', { status: 500 })],
    ['its server takes it for a bad one (400)', () => refused(400, '')],
    ['the answer names no token', () => ChangingCalendar.multistatus('')],
    ['the answer is a page', () => new Response('<html></html>', { status: 200 })],
    [
      'the answer is cut, and leads nowhere',
      () => ChangingCalendar.multistatus(`${ChangingCalendar.cut}<d:sync-token>${server.token}</d:sync-token>`),
    ],
    [
      'something is not told of an object',
      () =>
        ChangingCalendar.multistatus(
          '<d:response><d:href>/agenda/two.ics</d:href><d:status>HTTP/1.1 500 Oops</d:status></d:response><d:sync-token>x</d:sync-token>',
        ),
    ],
  ];

  test.each(WHY)('where %s', async (_what, answer) => {
    server.put('one', event(at(0, '09:00')));
    await reads();
    server.remove('one');
    server.put('two', event(at(1, '09:00')));
    server.tells = { ...server.tells, changes: answer };
    server.asked.length = 0;
    await reads();
    expect(await busy()).toEqual([at(1, '09:00')]);
    expect(server.asked).toEqual(expect.arrayContaining(['properties', 'changes', 'all']));
    expect((await state()).error).toBeNull();
  });

  test.each([429, 503])('not where the server wants to be left alone (%i)', async (status) => {
    server.put('one', event(at(0, '09:00')));
    await reads();
    server.put('two', event(at(1, '09:00')));
    server.tells = {
      ...server.tells,
      changes: () => new Response('', { status, headers: { 'retry-after': '600' } }),
    };
    server.asked.length = 0;
    await reads();
    expect(server.asked).toEqual(['properties', 'changes']);
    expect(await busy()).toEqual([at(0, '09:00')]);
    expect((await state()).error).toContain(String(status));
  });

  test('where more has changed than may be asked for', async () => {
    await reads();
    for (let n = 0; n < 201; n += 1) server.put(`${n}`, event(at(n, '09:00')));
    server.asked.length = 0;
    await reads();
    expect(server.asked).toEqual(['properties', 'changes', 'all']);
    expect(await busy()).toHaveLength(201);
  });

  test('where an object of a list has no data', async () => {
    await reads();
    server.put('one', event(at(0, '09:00')));
    server.hides.add('one');
    server.asked.length = 0;
    await reads();
    expect(server.asked).toEqual(['properties', 'changes', '1 object', 'all']);
  });

  test('some times a day, as the time that is read moves on', async () => {
    server.put('one', event(at(0, '09:00')));
    await reads();
    server.asked.length = 0;
    await reads();
    expect(server.asked).toEqual(['properties']);
    await aDayLater();
    await reads();
    expect(server.asked.slice(1)).toEqual(['properties', 'all']);
  });

  test('where events of one UID come to be in two objects: of two revisions the higher one counts', async () => {
    server.put('one', [...event(at(0, '09:00')), 'SEQUENCE:1']);
    server.put('other', event(at(3, '09:00')));
    await reads();
    server.put('two', [...event(at(1, '09:00')), 'SEQUENCE:2'], 'one');
    await reads();
    expect(await busy()).toEqual([at(1, '09:00'), at(3, '09:00')]);
    server.remove('two');
    await reads();
    expect(await busy()).toEqual([at(0, '09:00'), at(3, '09:00')]);
  });

  test('whenever it changes, where more would have to be kept of it than is', async () => {
    const daily = ['RRULE:FREQ=DAILY'];
    for (let n = 0; n < 150; n += 1) server.put(`${n}`, event(at(0, '09:00'), daily));
    await reads();
    expect((await state()).kept).toBeNull();
    server.asked.length = 0;
    server.put('x', event(at(0, '11:00')));
    await reads();
    expect(server.asked).toEqual(['properties', 'all']);
    expect(await busy()).toContain(at(0, '11:00'));
  });
});

test('a list of changes that is too long for one answer leads on', async () => {
  for (let n = 0; n < 5; n += 1) server.put(`${n}`, event(at(n, '09:00')));
  await reads();
  for (let n = 0; n < 5; n += 1) server.put(`${n}`, event(at(n, '11:00')));
  server.remove('4');
  server.most = 2;
  server.asked.length = 0;
  await reads();
  expect(server.asked).toEqual(['properties', 'changes', 'changes', 'changes', '4 object']);
  expect(await busy()).toEqual([0, 1, 2, 3].map((n) => at(n, '11:00')));
});

test('events that a server names without telling them are asked for by their names', async () => {
  for (let n = 0; n < 120; n += 1) server.put(`${n}`, event(at(n, '09:00')));
  server.namesAlone = true;
  await reads();
  expect(server.asked).toEqual(['properties', 'all', '100 object', '20 object']);
  expect(await busy()).toHaveLength(120);
  expect((await state()).error).toBeNull();
  // One that is not told even then is not taken for free.
  server.hides.add('7');
  await aDayLater();
  await reads();
  expect(await busy()).toHaveLength(120);
  expect((await state()).error).not.toBeNull();
});

test('an object that goes while it is asked for frees its time', async () => {
  server.put('one', event(at(0, '09:00')));
  await reads();
  server.put('one', event(at(1, '09:00')));
  server.before = (question) => {
    if (question.endsWith('object')) server.remove('one');
  };
  await reads();
  expect(await busy()).toEqual([]);
  expect((await state()).error).toBeNull();
});

const anObject = (start: number) => ({
  etag: 'e',
  uids: [],
  times: [{ start, end: start + 1, icsUid: null }],
  unreadable: 0,
});

const knownAt = (start: number, ...objects: readonly (readonly [string, number])[]) => ({
  timeZone: 'UTC',
  range: { start, end: start + 10 },
  isDoubted: false,
  objects: new Map(objects.map(([name, at]) => [name, anObject(at)])),
});

describe('a server that calls a calendar unchanged when it is not', () => {
  test.each([
    ['another event', () => server.put('two', event(at(1, '09:00'))), [0, 1]],
    ['an event that has moved', () => server.put('one', event(at(2, '09:00'))), [2]],
    ['an event that is gone', () => server.remove('one'), []],
  ])('is found out within the day (%s), and believed no more: etags decide', async (_what, change, days) => {
    server.put('one', event(at(0, '09:00')));
    server.tells = { ...server.tells, syncToken: () => 'forever', ctag: () => 'forever' };
    await reads();
    change();
    await reads();
    expect(await busy()).toEqual([at(0, '09:00')]);
    await aDayLater();
    await reads();
    expect(await busy()).toEqual(days.map((day) => at(day, '09:00')));
    server.asked.length = 0;
    server.put('three', event(at(5, '09:00')));
    await reads();
    expect(server.asked).toEqual(['properties', 'etags', '1 object']);
    expect(await busy()).toContain(at(5, '09:00'));
    await aDayLater();
    await reads();
    server.put('four', event(at(6, '09:00')));
    await reads();
    expect(await busy()).toContain(at(6, '09:00'));
  });

  test('by its token alone is not asked by it', async () => {
    server.put('one', event(at(0, '09:00')));
    server.tells = { ...server.tells, syncToken: () => 'forever' };
    await reads();
    server.put('one', event(at(2, '09:00')));
    server.asked.length = 0;
    await reads();
    expect(server.asked).toEqual(['properties', 'etags', '1 object']);
    expect(await busy()).toEqual([at(2, '09:00')]);
  });

  test('is believed where events only come into the time that is read, or leave it', () => {
    const before = knownAt(0, ['leaves', 1], ['stays', 5]);
    expect(differs(before, knownAt(3, ['stays', 5], ['comes', 11]))).toBe(false);
    expect(differs(before, knownAt(3, ['stays', 5], ['new', 9]))).toBe(true);
    expect(differs(before, knownAt(3, ['comes', 11]))).toBe(true);
  });
});

test('events that cannot be read are counted and named, and no more once they are mended or gone', async () => {
  server.put('good', event(at(0, '09:00')));
  server.put('bad', ['SUMMARY:Bad', 'DTSTART:tomorrow', 'DURATION:PT1H']);
  server.put('worse', ['SUMMARY:Worse', `DTSTART:${stamp(at(3, '09:00'))}`, 'RRULE:FREQ=NEVER']);
  await reads();
  expect(await state()).toMatchObject({ unreadable: 2, names: ['Bad', 'Worse'], error: null });
  server.put('late', ['SUMMARY:Late', 'DTSTART:later']);
  server.put('bad', event(at(1, '09:00')));
  await reads();
  expect(await state()).toMatchObject({ unreadable: 2, names: ['Late', 'Worse'] });
  expect(await busy()).toEqual([at(0, '09:00'), at(1, '09:00')]);
  server.remove('worse');
  server.remove('late');
  await reads();
  expect(await state()).toMatchObject({ unreadable: 0, names: [] });
  // An object that is no calendar at all takes none of the others with it.
  server.putText('page', '<html>Not here</html>');
  server.put('more', event(at(2, '09:00')));
  await reads();
  expect(await state()).toMatchObject({ unreadable: 1, names: [''], error: null });
  expect(await busy()).toEqual([0, 1, 2].map((day) => at(day, '09:00')));
});

test('stored facts about events hold nothing that anybody has written', async () => {
  server.put('a-secret-name', event(at(0, '09:00'), ['DESCRIPTION:secret', 'LOCATION:secret']), 'secret-uid');
  await reads();
  const found = await row(
    em(),
    sql<{ kept: string }>`select kept_objects as kept from connected_calendars where user_id = ${userId}`,
  );
  expect(found?.kept).toContain('"objects":[["');
  expect(found?.kept).not.toMatch(/secret|meeting/i);
});

/** One step of a history: something is put, moved, made to recur, or removed. */
async function play(
  random: () => number,
  { put, remove }: { put: (name: string, lines: readonly string[]) => unknown; remove: (name: string) => unknown },
): Promise<void> {
  const name = `event-${Math.floor(random() * 12)}`;
  const start = at(Math.floor(random() * 30), `${10 + Math.floor(random() * 8)}:00`);
  if (random() < 0.25) await remove(name);
  else if (random() < 0.3) await put(name, event(start, [`RRULE:FREQ=WEEKLY;COUNT=${1 + Math.floor(random() * 9)}`]));
  else if (random() < 0.1) await put(name, event(start, ['TRANSP:TRANSPARENT']));
  else await put(name, event(start));
}

describe('after any history it says what it would if all of it were read', () => {
  test.each(Array.from({ length: 12 }, (_, seed) => seed))('history %i', async (seed) => {
    const random = randomFrom(seed);
    const [tellsToken, tellsCtag] = [seed % 2 === 0, seed % 3 === 0];
    server.tells = {
      ...server.tells,
      ...(!tellsToken && { syncToken: () => '' }),
      ...(!tellsCtag && { ctag: () => '' }),
    };
    if (seed % 4 === 0) server.most = 2;
    for (let step = 0; step < 8; step += 1) {
      const changes = Math.floor(random() * 4);
      for (let n = 0; n < changes; n += 1)
        await play(random, { put: (...given) => server.put(...given), remove: (name) => server.remove(name) });
      await reads();
      const said = await busy();
      await aDayLater();
      await reads();
      expect({ seed, step, busy: said }).toEqual({ seed, step, busy: await busy() });
    }
    expect(server.asked.filter((one) => one.endsWith('object')).length).toBeGreaterThan(0);
  });
});

const REAL = [
  ['Radicale', hasRadicale, () => Radicale.start(['ada'])],
  ['Xandikos', hasXandikos, () => Xandikos.start()],
] as const;

describe.each(REAL)('%s (skipped where Debian’s package is not installed)', (_name, isHere, start) => {
  test.runIf(isHere)('is read by what has changed, and says the same', async () => {
    const [real, door] = [await start(), testDoor(5_000)];
    const asked: string[] = [];
    const ask = door.fetchOf('CALDAV', CALDAV_LIMITS);
    const noted: typeof fetch = (input, init) => {
      const body = typeof init?.body === 'string' ? init.body : '';
      asked.push(/<c:calendar-query|<c:calendar-multiget|<d:sync-collection/.exec(body)?.[0] ?? '');
      return ask(input, init);
    };
    try {
      const provider = new CalDav(real.url, noted);
      const made = 'makeCalendar' in real ? await real.makeCalendar('ada', `Work-${newId()}`) : undefined;
      const authorization = `Basic ${Buffer.from(`ada:${PASSWORD}`).toString('base64')}`;
      const url = made ?? (await provider.list(authorization)).calendars[0]?.externalId ?? '';
      reads = await connected(url, provider);
      const send = async (method: string, name: string, body?: string) => {
        const headers = { authorization, ...(body !== undefined && { 'content-type': 'text/calendar' }) };
        const answer = await fetch(`${url}${name}.ics`, { method, headers, ...(body !== undefined && { body }) });
        if (!answer.ok && answer.status !== 404) throw new Error(`${method}: ${answer.status}`);
        await answer.text();
      };
      const random = randomFrom(7);
      const all = () => asked.filter((one) => one.includes('calendar-query')).length;
      await reads();
      for (let step = 0; step < 8; step += 1) {
        for (let n = 0; n < 3; n += 1)
          await play(random, {
            put: (name, lines) => send('PUT', name, ChangingCalendar.object(name, lines)),
            remove: (name) => send('DELETE', name),
          });
        const before = all();
        await reads();
        expect(all()).toBe(before);
        const said = await busy();
        await aDayLater();
        await reads();
        expect(said).toEqual(await busy());
      }
      expect(asked).toContain('<d:sync-collection');
      expect(asked).toContain('<c:calendar-multiget');
    } finally {
      await Promise.all([real.close(), door.close()]);
    }
  });
});
