/** Rows that hold whatever a table may hold, through HTTP: by plans that copy them, and in the ordinary way. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changed, sql } from '../../src/database/sql.ts';
import { SCOPES } from '../../src/scopes/catalog.ts';
import { isOnPostgres } from '../support/database.ts';
import { APP, tokensFor } from '../support/oauth-requests.ts';
import { atOnce } from '../support/servers.ts';
import { TestBrowser } from '../support/test-browser.ts';
import { openTwins, type Twins } from '../support/twin-apps.ts';
import { NASTY_TEXTS } from '../support/wire-rows.ts';
import { type Difference, difference, told } from './compare.ts';

/** Named at the third time, and copied by what is known of it from the fourth on. */
const TIMES = 4;
const COUNT = 100;

let twins: Twins;
let tokens: Readonly<Record<'ada' | 'dan', string>>;

/** Each row another text, and null in every second row wherever null may be. */
async function fill(): Promise<void> {
  const em = twins.ordinary.database.em.fork();
  const texts = NASTY_TEXTS;
  const text = sql`(${texts}::text[])[1 + n % ${texts.length}::int]`;
  const id = sql`md5(u.username || n)::uuid`;
  const time = sql`'2026-01-01 00:00:00+00'::timestamptz + n * interval '7777.5 seconds'`;
  for (const [username, count] of [
    ['ada', COUNT],
    ['dan', 17],
  ] as const) {
    const from = sql`from users u, generate_series(1, ${count}::int) n where u.username = ${username}`;
    await changed(
      em,
      sql`insert into schedules (user_id, id, name, time_zone, is_default, availability, overrides, created_at, updated_at)
      select u.id, ${id}, ${text}, ${text}, false, '[]', '[]', ${time}, date_trunc('second', ${time}) ${from}`,
    );
    await changed(
      em,
      sql`insert into out_of_office (user_id, id, starts_at, ends_at, reason, notes, redirect_to_id, created_at, updated_at)
      select u.id, ${id}, ${time}, ${time} + interval '1 hour', ${text}, case when n % 2 = 0 then ${text} end,
        case when n % 3 = 0 then (select id from users where username = 'bob') end, '0001-01-01 00:00:00+00', '9999-12-31 23:59:59.999+00' ${from}`,
    );
    await changed(
      em,
      sql`insert into event_types (owner_id, id, user_id, slug, title, description, duration_in_minutes, is_hidden, color,
        metadata, slot_interval_in_minutes, success_redirect_url, schedule_id, created_at, updated_at)
      select u.id, ${id}, u.id, 'nasty-' || n, ${text}, case when n % 2 = 0 then ${text} end, n * 21474836, n % 3 = 0,
        case when n % 2 = 1 then ${text} end, json_build_object(${text}, ${text}), case when n % 5 = 0 then n end,
        case when n % 4 = 0 then ${text} end, case when n % 4 = 1 then ${id} end, ${time}, date_trunc('second', ${time}) ${from}`,
    );
  }
  const odd = sql`(${texts}::text[])[1 + (hashtext(id::text) & 65535) % ${texts.length}::int]`;
  await changed(
    em,
    sql`update bookings set title = ${odd}, description = case when random() < 0.5 then ${odd} end, cancellation_reason = ${odd},
    rejection_reason = null, created_at = created_at + interval '0.123 seconds'`,
  );
  await changed(
    em,
    sql`update booking_attendees set name = ${odd}, email = ${odd}, notes = ${odd}, locale = null, phone = case when random() < 0.5 then ${odd} end`,
  );
  await changed(em, sql`update event_types set title = ${odd} where slug = 'intro'`);
}

const EVENT_TYPE = `id ownerId slug title description isHidden color metadata createdAt updatedAt durationInMinutes scheduleId
  slotIntervalInMinutes successRedirectUrl embedOrigins schedulingType assignsAllMembers`;
const COPIED = 'id title description isHidden color createdAt updatedAt durationInMinutes';
const OUT_OF_OFFICE = 'id userId start end reason notes createdAt updatedAt';
const BOOKING = `id title description status start end createdAt updatedAt cancellationReason rejectionReason isRescheduleRequested unsentMessageCount
  eventType { id slug title } hosts { isAbsent user { id name username avatarUrl } } attendees { name email isVerified timeZone locale phone notes isAbsent responses seatId }`;
const BOOKING_COPIED =
  'title status start eventType { title id } hosts { user { id } isAbsent } attendees { email name locale phone notes }';

const BOOKING_SHORT =
  'title description status start end createdAt updatedAt cancellationReason rejectionReason unsentMessageCount eventType { id slug title }';

const nodes = (list: string, selection: string, first: number) =>
  `${list}(first: ${first}) { nodes { ${selection} } pageInfo { endCursor } }`;
const pages = [1, 17, 100].flatMap((first) => [
  nodes('eventTypes', COPIED, first),
  nodes('schedules', 'id name timeZone createdAt updatedAt', first),
  nodes('outOfOffice', OUT_OF_OFFICE, first),
]);
const long = 'a'.repeat(100);
const DOCUMENTS: readonly string[] = [
  ...pages,
  nodes('eventTypes', EVENT_TYPE, 100),
  nodes('eventTypes', 'title id', 100),
  nodes(
    'eventTypes',
    'owner { user { id name username } team { id name slug } } title schedule { id name user { username } timeZone updatedAt }',
    100,
  ),
  nodes('eventTypes', 'id title', 100),
  nodes('eventTypes', '__typename', 20),
  nodes(
    'eventTypes',
    `__typename a: title ${long}: title constructor: title __proto__: description toJSON: color b: __typename`,
    20,
  ),
  `${nodes('eventTypes', '...F ... { title } ...G', 20)} `,
  `eventTypes(first: 20) { edges { node { ${COPIED} bookingUrl } cursor } nodes { title } }`,
  nodes('outOfOffice', `${OUT_OF_OFFICE} redirectTo { id name username } user { id avatarUrl }`, 100),
  nodes('outOfOffice', 'redirectTo { __typename } start redirectTo { name } a: redirectTo { username }', 20),
  nodes('bookings', BOOKING, 1),
  nodes('bookings', BOOKING_COPIED, 1),
  nodes('bookings', BOOKING_SHORT, 100),
  nodes('bookings', 'hosts { user { id } isAbsent } title attendees { email locale }', 3),
  nodes(
    'bookings',
    'a: attendees { name } title b: attendees { email __typename } id c: eventType { slug } hosts { user { id id2: id } }',
    1,
  ),
  'eventTypes(first: 3, after: "none") { nodes { title } }',
].map(
  (selection) =>
    `{ me { ${selection} } }${selection.includes('...F') ? ' fragment F on EventType { description ...G } fragment G on EventType { id slug }' : ''}`,
);

const asked = (query: string, caller: 'ada' | 'dan') => ({
  body: JSON.stringify({ query }),
  headers: { 'content-type': 'application/json', authorization: `Bearer ${tokens[caller]}` },
});

/** The number by which a fault is found in the log is made for each. */
const INCIDENT = /quote [0-9a-f-]{36}/;
const nodesOf = (selection: string): string => `{ me { ${nodes('eventTypes', selection, 20)} } }`;

// The embedded database hands over objects.
describe.runIf(isOnPostgres)('rows of every kind are answered alike', () => {
  beforeAll(async () => {
    twins = await openTwins();
    const tokenOf = async (email: string) =>
      (await tokensFor(await TestBrowser.signedIn(twins.ordinary.url, email), APP, { scope: SCOPES.join(' ') }))
        .access_token;
    tokens = { ada: await tokenOf('ada@acme.test'), dan: await tokenOf('dan@solo.test') };
    await fill();
  });
  afterAll(() => twins?.close());

  test('in lists', async () => {
    const before = twins.byPlans();
    const found: (Difference | undefined)[] = [];
    for (const query of DOCUMENTS) found.push(await difference(twins, asked(query, 'ada'), TIMES));
    expect(told(found.filter((one) => one !== undefined))).toEqual([]);
    // All but the first of each, and what is refused, by plans.
    expect(twins.byPlans() - before).toBeGreaterThan((TIMES - 2) * DOCUMENTS.length - TIMES);
    const texts = await Promise.all(
      DOCUMENTS.map(async (query) => (await twins.ask('fast', asked(query, 'ada'))).text),
    );
    expect(texts.filter((text) => text.includes('"errors"'))).toEqual([expect.stringContaining('not a cursor')]);
    expect(texts.join()).toContain('"attendees":[{"name"');
  });

  test('one by one, and several by their ids', async () => {
    const { text } = await twins.ask('ordinary', asked(nodesOf('id'), 'ada'));
    const ids = (JSON.parse(text) as { data: { me: { eventTypes: { nodes: { id: string }[] } } } }).data.me.eventTypes
      .nodes;
    const found: (Difference | undefined)[] = [];
    for (const { id } of ids)
      found.push(await difference(twins, asked(`{ me { eventType(id: "${id}") { ${EVENT_TYPE} } } }`, 'ada'), 1));
    const named = JSON.stringify(ids.flatMap(({ id }) => [id, 'none']));
    for (const selection of [EVENT_TYPE, 'title id', '__typename', 'bookingUrl title'])
      found.push(
        await difference(twins, asked(`{ me { eventTypesById(ids: ${named}) { ${selection} } } }`, 'ada'), TIMES),
      );
    expect(told(found.filter((one) => one !== undefined))).toEqual([]);
    expect(ids.length).toBe(20);
  });

  test('50 callers at once with documents and tokens of their own see nothing of each other', async () => {
    const each = Array.from({ length: 50 }, (_, n) =>
      asked(DOCUMENTS[(n * 7) % DOCUMENTS.length] ?? '', n % 2 === 0 ? 'ada' : 'dan'),
    );
    const expected: string[] = [];
    for (const one of each) expected.push((await twins.ask('ordinary', one)).text);
    for (let round = 0; round < 2; round += 1) {
      const found = await atOnce(50, (n) => twins.ask('fast', each[(n + round) % 50] ?? asked('', 'dan')));
      expect(found.findIndex(({ text }, n) => text !== expected[(n + round) % 50])).toBe(-1);
    }
  });

  test('a value that no answer can hold, in the middle of a page, is told of in its place', async () => {
    const em = twins.ordinary.database.em.fork();
    await changed(em, sql`update event_types set created_at = 'infinity' where slug = 'nasty-50'`);
    for (const selection of ['title createdAt', 'bookingUrl createdAt title']) {
      const one = asked(`{ me { ${nodes('eventTypes', selection, 100)} } }`, 'ada');
      const texts = [await twins.ask('ordinary', one), await twins.ask('fast', one), await twins.ask('fast', one)];
      const [ordinary, ...fast] = texts.map(({ text }) => text.replace(INCIDENT, '').replace(/"id":"[^"]*"/, ''));
      expect(ordinary).toContain('"createdAt"]');
      expect(fast).toEqual([ordinary, ordinary]);
    }
  });
});
