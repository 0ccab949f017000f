/** HTTP has names for these: statuses, tags, keys, pages, preferences, other sites' scripts. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changed, sql } from '../../../src/database/sql.ts';
import { MAX_REST_BODY_BYTES } from '../../../src/http/rest/rest.routes.ts';
import { unknownId } from '../../support/ids.ts';
import { RestWorld, ROUTES, scopesFor } from './rest-world.ts';

let world: RestWorld;
let token: string;
beforeAll(async () => {
  world = await RestWorld.open();
  token = await world.token('ada', SCOPES);
});
afterAll(() => world.close());

const SCOPES = [
  'EVENT_TYPE_READ',
  'EVENT_TYPE_WRITE',
  'SCHEDULE_READ',
  'SCHEDULE_WRITE',
  'PROFILE_READ',
  'BOOKING_READ',
];
const JSON_TYPE = { 'content-type': 'application/json' };

const made = async (title = 'Talk') => {
  const body = { title, slug: `talk-${randomUUID()}`, durationInMinutes: 30 };
  const { body: answer } = await world.send('POST', '/v2/event-types', { token, body });
  return answer.data.eventTypeId as string;
};

describe('a page', () => {
  test('is followed by its cursor until there is no more, and tells all once', async () => {
    await Promise.all([made(), made()]);
    const ids: string[] = [];
    let next = '/v2/event-types?limit=2';
    for (;;) {
      const { body } = await world.get(next, token);
      ids.push(...body.data.map(({ id }: { id: string }) => id));
      expect(body.data.length).toBeLessThanOrEqual(2);
      if (!body.pagination.hasMore) break;
      next = `/v2/event-types?limit=2&cursor=${body.pagination.cursor}`;
    }
    const { body } = await world.get('/v2/event-types', token);
    expect(ids).toEqual(body.data.map(({ id }: { id: string }) => id));
    expect(new Set(ids).size).toBeGreaterThan(4);
  });

  test('tells how many there are where that is asked for', async () => {
    await made();
    const { body: all } = await world.get('/v2/event-types', token);
    expect(all.pagination).not.toHaveProperty('totalCount');
    const { body } = await world.get('/v2/event-types?limit=1&count=true', token);
    expect(body.pagination).toMatchObject({ totalCount: all.data.length, isMoreThan: null });
    const { body: plain } = await world.get('/v2/event-types?limit=1&count=false', token);
    expect(plain.pagination).not.toHaveProperty('totalCount');
    const { status, body: refused } = await world.get('/v2/event-types?count=perhaps', token);
    expect([status, refused.error.path]).toEqual([400, ['count']]);
  });

  test('is of those that the filters name', async () => {
    const all = await world.get('/v2/bookings', token);
    const [first] = all.body.data;
    const filtered = await world.get(`/v2/bookings?statuses=ACCEPTED,PENDING&start.from=${first.start}`, token);
    const fit = all.body.data.filter(
      ({ status, start }: { status: string; start: string }) => status !== 'CANCELLED' && start >= first.start,
    );
    expect(filtered.body.data.map(({ id }: { id: string }) => id).toSorted()).toEqual(
      fit.map(({ id }: { id: string }) => id).toSorted(),
    );
    const sorted = await world.get('/v2/bookings?orderBy.field=START&orderBy.direction=DESC', token);
    const starts = sorted.body.data.map(({ start }: { start: string }) => start);
    expect(starts).toEqual(starts.toSorted().toReversed());
    expect(starts.length).toBeGreaterThan(1);
  });

  test.each([
    ['nonsense=1', 'nonsense', /There is no query parameter "nonsense": there are statuses, eventTypeIds, /],
    ['limit=2&limit=3', 'limit', /several times; give it once/],
    ['statuses=ACCEPTED&statuses=PENDING', 'statuses', /separate its values by commas/],
    ['limit=0', 'limit', /limit is 0; give a whole number from 1 to 25/],
    ['limit=26', 'limit', /whole number from 1 to 25/],
    ['limit=few', 'limit', /whole number from 1 to 25/],
    ['cursor=nonsense', 'cursor', /cursor is none of this list/],
    ['statuses=LOST', 'statuses', /"LOST"/],
    ['start.from=tomorrow', 'start.from', /RFC 3339/],
    ['orderBy.direction=down', 'orderBy.direction', /"down"/],
    ['orderBy.direction=DESC', 'orderBy', /"field" of required type/],
  ])('is refused by name: %s', async (search, name, message) => {
    const { status, body } = await world.get(`/v2/bookings?${search}`, token);
    expect([status, body.error.path?.[0]]).toEqual([400, name]);
    expect(body.error.message).toMatch(message);
  });

  test('of a list that needs a filter says which one is missing', async () => {
    const { status, body } = await world.get('/v2/slots?eventType.ofUser.username=ada&eventType.ofUser.slug=intro');
    expect([status, body.error.path, body.error.message]).toEqual([
      400,
      ['start'],
      expect.stringContaining('The query parameter start is missing'),
    ]);
  });

  test.each(['', '&eventType.id=evt_0&eventType.privateLinkToken=lnk_0', '&eventType.ofUser.username=ada'])(
    'names what it is of in one way, not otherwise: %s',
    async (search) => {
      const { status, body } = await world.get(
        `/v2/slots?start=2031-03-03T00:00:00Z&end=2031-03-04T00:00:00Z${search}`,
      );
      expect([status, body.error.code, body.error.path?.[0]]).toEqual([
        400,
        'BAD_USER_INPUT',
        expect.stringMatching(/^eventType/),
      ]);
    },
  );
});

const send = (body: unknown, headers = {}) => world.send('POST', '/v2/event-types', { token, body, headers });

describe('a body', () => {
  test.each([
    ['is not JSON', '{', 400, /not valid JSON/],
    ['is a list', '[]', 400, /no JSON object/],
    ['is null', 'null', 400, /no JSON object/],
    ['has a member that is not there', { nonsense: 1 }, 400, /"nonsense" is no member/],
    ['has a member twice', '{"title": "A", "durationInMinutes": 30, "title": "B"}', 400, /"title" stands .* twice/],
    ['has one twice in other letters', '{"slug": "a", "slu\\u0067": "b"}', 400, /"slug" stands .* twice/],
    ['has one twice further in', '{"seats": {"perSlot": 2, "perSlot": 3}}', 400, /"perSlot" stands .* twice/],
    ['has one by the name __proto__', '{"__proto__": {}}', 400, /"__proto__" is no member/],
  ])('that %s is refused', async (_what, body, status, message) => {
    const answer = await send(body);
    expect([answer.status, answer.body.error.message]).toEqual([status, expect.stringMatching(message)]);
  });

  test.each([
    [{ title: 1, slug: 'a', durationInMinutes: 30 }, ['title']],
    [
      { title: 'A', slug: 'a', durationInMinutes: 30, bookingLimits: { day: { maxBookings: 'x' } } },
      ['bookingLimits', 'day', 'maxBookings'],
    ],
    [{ title: 'A', slug: 'a', durationInMinutes: 30, seats: { perSlot: 2, showsAttendees: true, more: 1 } }, ['seats']],
    [{ title: 'A', slug: 'a', durationInMinutes: 30, locations: [{ kind: 1 }] }, ['locations', '0']],
  ])('with a wrong type is refused by its path', async (body, path) => {
    const { status, body: answer } = await send(body);
    expect([status, answer.error.code]).toEqual([400, 'BAD_USER_INPUT']);
    expect(answer.error.path.slice(0, path.length)).toEqual(path);
  });

  test('has the same name in several objects, and texts that look like names', async () => {
    const day = { maxBookings: 3, maxMinutes: 90 };
    const body = {
      title: '{"title": "\\',
      slug: 'same-names',
      durationInMinutes: 30,
      bookingLimits: { day, week: day },
    };
    const { body: answer, status } = await send(body);
    expect(status).toBe(201);
    const { data } = (await world.get(`/v2/event-types/${answer.data.eventTypeId}`, token)).body;
    expect(data).toMatchObject({ title: body.title, bookingLimits: { day, week: day } });
  });

  test('without a member that must be there is refused', async () => {
    const { status, body } = await send({ slug: 'a' });
    expect([status, body.error.message]).toEqual([400, expect.stringMatching(/"?(title|durationInMinutes)"?/)]);
  });

  test('of another type is 415, and one that is too large 413', async () => {
    const form = await send('title=A', { 'content-type': 'application/x-www-form-urlencoded' });
    expect([form.status, form.body.error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    const packed = await send('{}', { 'content-encoding': 'gzip' });
    expect([packed.status, packed.body.error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    for (const charset of ['iso-8859-1', '"utf-16"', 'utf-7']) {
      const foreign = await send('{}', { 'content-type': `application/json; charset=${charset}` });
      expect([charset, foreign.status, foreign.body.error.code]).toEqual([charset, 415, 'UNSUPPORTED_MEDIA_TYPE']);
    }
    for (const charset of ['utf-8', '"UTF-8"', 'utf8']) {
      expect((await send('{}', { 'content-type': `application/json; charset=${charset}` })).status).toBe(400);
    }
    const large = await send(`{"title": "${'x'.repeat(MAX_REST_BODY_BYTES)}"}`);
    expect([large.status, large.body.error.code]).toEqual([413, 'BODY_TOO_LARGE']);
  });

  test('that is not possible is 422, with all mistakes; what is taken already, 409', async () => {
    const wrong = await send({ title: '', slug: 'No Slug', durationInMinutes: 0 });
    expect(wrong.status).toBe(422);
    expect(wrong.body.error).toMatchObject({ code: expect.any(String), path: [expect.any(String)] });
    expect(wrong.body.error.details.length).toBeGreaterThan(1);
    const taken = await send({ title: 'Intro', slug: 'intro', durationInMinutes: 30 });
    expect([taken.status, taken.body.error]).toMatchObject([409, { code: 'SLUG_TAKEN', path: ['slug'] }]);
  });

  test('that names what is not there is 422; an address that does, 404', async () => {
    const inBody = await send({ title: 'A', slug: 'named', durationInMinutes: 30, scheduleId: 'sch_nothing' });
    expect([inBody.status, inBody.body.error.path]).toEqual([422, ['scheduleId']]);
    const inPath = await world.send('PATCH', '/v2/event-types/evt_nothing', { token, body: { title: 'A' } });
    expect([inPath.status, inPath.body.error.code]).toEqual([404, 'NOT_FOUND']);
  });
});

describe('one thing', () => {
  test('has a tag, and is not sent again to a client that has this version', async () => {
    const path = `/v2/event-types/${await made()}`;
    const first = await world.get(path, token);
    const tag = first.headers.get('etag') ?? '';
    expect(tag).toMatch(/^"[\d:.TZ-]+;[\w-]{16}"$/);
    const again = await world.send('GET', path, { token, headers: { 'if-none-match': tag } });
    expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, undefined, tag]);
    const other = await world.send('GET', path, { token, headers: { 'if-none-match': '"other"' } });
    expect(other.status).toBe(200);
  });

  test('is changed for a client that has seen its present version, and for nobody else', async () => {
    const path = `/v2/event-types/${await made()}`;
    const tag = (await world.get(path, token)).headers.get('etag') ?? '';
    const change = (title: string, match: string) =>
      world.send('PATCH', path, { token, body: { title }, headers: { 'if-match': match } });
    expect((await change('First', tag)).status).toBe(200);
    const late = await change('Second', tag);
    expect([late.status, late.body.error.code, late.body.error.path]).toEqual([412, 'CONFLICT', ['If-Match']]);
    expect(late.body.error.message).toMatch(/send it with the new ETag\.$/);
    for (const strange of ['"nonsense"', `W/${tag}`, `${tag}, ${tag}`, 'nonsense']) {
      expect((await change('Third', strange)).status).toBe(412);
    }
    expect((await world.get(path, token)).body.data.title).toBe('First');
    expect((await change('Any', '*')).status).toBe(200);
  });

  test('is changed for a client that sends its tag among several, weak ones aside', async () => {
    const path = `/v2/event-types/${await made()}`;
    const seen = async () => (await world.get(path, token)).headers.get('etag') ?? '';
    const change = (title: string, match: string) =>
      world.send('PATCH', path, { token, body: { title }, headers: { 'if-match': match } });
    const old = await seen();
    expect((await change('First', `${old}, "other"`)).status).toBe(200);
    const current = await seen();
    expect((await change('Second', `${old}, W/${current}, "other"`)).status).toBe(412);
    expect((await change('Third', `"other", ${old},${current}`)).status).toBe(200);
    expect((await world.get(path, token)).body.data.title).toBe('Third');
    const many = Array.from({ length: 6 }, (_, n) => `"2026-01-0${n + 1}T00:00:00Z"`).join(', ');
    const tooMany = await change('Fourth', many);
    expect([tooMany.status, tooMany.body.error.path]).toEqual([400, ['If-Match']]);
  });

  test('is not guarded by a tag where the path takes none', async () => {
    const path = `/v2/event-types/${await made()}`;
    for (const tag of ['"x"', '*']) {
      const refused = await world.send('DELETE', path, { token, headers: { 'if-match': tag } });
      expect([tag, refused.status, refused.body.error.path]).toEqual([tag, 400, ['If-Match']]);
    }
    expect((await world.get(path, token)).status).toBe(200);
    expect((await world.send('DELETE', path, { token })).status).toBe(204);
    expect((await world.get(path, token)).status).toBe(404);
  });
});

test('a value that takes a further scope is refused with all that it takes', async () => {
  const writer = await world.token('ada', ['TEAM_MEMBERSHIP_WRITE']);
  const path = `/v2/teams/${world.sales}/memberships/${unknownId('membership')}`;
  const remove = (body: object) => world.send('DELETE', path, { token: writer, body });
  const refused = await remove({ upcomingBookings: 'CANCEL', reason: 'Gone' });
  expect([refused.status, refused.body.error]).toMatchObject([
    403,
    {
      code: 'INSUFFICIENT_SCOPE',
      requiredScopes: ['TEAM_MEMBERSHIP_WRITE', 'TEAM_BOOKING_WRITE'],
      missingScopes: ['TEAM_BOOKING_WRITE'],
    },
  ]);
  expect((await remove({ upcomingBookings: 'KEEP' })).status).toBe(404);
});

describe('a request that makes something', () => {
  test('says where the new thing is, and shows all of it to a client that may read it', async () => {
    const body = { title: 'Shown', slug: 'shown', durationInMinutes: 30 };
    const { status, headers: told, body: answer } = await send(body);
    expect([status, told.get('preference-applied')]).toEqual([201, null]);
    expect(told.get('location')).toBe(`/v2/event-types/${answer.data.eventTypeId}`);
    expect(answer.data.eventType).toMatchObject(body);
    expect((await world.get(told.get('location') ?? '', token)).body.data).toEqual(answer.data.eventType);
  });

  test.each([
    ['POST', '/v2/event-types', 201],
    ['PATCH', '/v2/event-types/:id', 200],
  ])(
    'is never refused to a client that may not read: %s %s answers with the id alone',
    async (method, path, status) => {
      const writer = await world.token('ada', ['EVENT_TYPE_WRITE']);
      const at = path.replace(':id', await made());
      for (const headers of [{}, { prefer: 'return=representation' }] as Record<string, string>[]) {
        const body = {
          title: 'Written',
          slug: `written-${randomUUID()}`,
          ...(status === 201 && { durationInMinutes: 30 }),
        };
        const answer = await world.send(method, at, { token: writer, body, headers });
        expect([answer.status, answer.headers.get('preference-applied')]).toEqual([status, null]);
        expect(answer.body).toEqual({ data: { eventTypeId: expect.stringMatching(/^evt_/) } });
      }
    },
  );

  test.each([
    [{}, null, true],
    [{ prefer: 'return=representation' }, 'return=representation', true],
    [{ prefer: 'respond-async, Return="Minimal"; foo=1' }, 'return=minimal', false],
    [{ prefer: 'return=everything' }, null, true],
  ] as [Record<string, string>, string | null, boolean][])(
    'is answered as short as the client prefers: %j',
    async (headers, applied, isShown) => {
      const { headers: told, body } = await send(
        { title: 'A', slug: `a-${randomUUID()}`, durationInMinutes: 30 },
        headers,
      );
      expect([told.get('preference-applied'), 'eventType' in body.data]).toEqual([applied, isShown]);
      expect(body.data.eventTypeId).toMatch(/^evt_/);
    },
  );

  test('leads to an address that can be read, or to none', async () => {
    const readable = ROUTES.filter(({ method }) => method === 'GET').map(({ path }) => path);
    const located = ROUTES.flatMap(({ location }) => location?.path ?? []);
    expect(located.filter((path) => !readable.includes(path))).toEqual([]);
    expect(located).toEqual(expect.arrayContaining(['/v2/event-types/:eventTypeId', '/v2/public-bookings/:uid']));

    const eventTypeId = await made('Public');
    const from = new Date(Date.now() + 5 * 86_400_000).toISOString();
    const to = new Date(Date.now() + 12 * 86_400_000).toISOString();
    const { body: slots } = await world.get(`/v2/slots?eventType.id=${eventTypeId}&start=${from}&end=${to}`);
    const { start } = slots.data[0];
    const reserved = await world.send('POST', '/v2/slot-reservations', { body: { eventTypeId, start } });
    expect([reserved.status, reserved.headers.get('location')]).toEqual([201, null]);
    const attendee = { name: 'Grace', email: 'grace@example.test', timeZone: 'UTC' };
    const reservationUid = reserved.body.data.reservation.uid;
    const booked = await world.send('POST', '/v2/bookings', { body: { eventTypeId, start, attendee, reservationUid } });
    expect(booked.status).toBe(201);
    const found = await world.get(booked.headers.get('location') ?? '');
    expect([found.status, found.body.data.start]).toEqual([200, start]);
  });

  test('does it once for a key, and refuses the key of another request', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const sendOnce = (slug: string) => send({ title: 'Once', slug, durationInMinutes: 30 }, headers);
    const [first, again] = [await sendOnce('once'), await sendOnce('once')];
    expect([again.status, again.body, again.headers.get('location')]).toEqual([
      201,
      first.body,
      first.headers.get('location'),
    ]);
    const other = await sendOnce('twice');
    expect([other.status, other.body.error]).toMatchObject([
      422,
      { code: 'IDEMPOTENCY_KEY_REUSED', path: ['Idempotency-Key'] },
    ]);
    for (const [key, code] of [
      ['short', 'TOO_SHORT'],
      ['x'.repeat(1_000), 'TOO_LONG'],
    ] as const) {
      const strange = await send({ title: 'Key', slug: 'key', durationInMinutes: 30 }, { 'idempotency-key': key });
      expect([strange.status, strange.body.error]).toMatchObject([422, { code, path: ['Idempotency-Key'] }]);
      expect(strange.body.error.message).not.toContain('idempotencyKey');
    }
    const unkeyed = await world.send('DELETE', '/v2/event-types/evt_x', { token, headers });
    expect([unkeyed.status, unkeyed.body.error.path]).toEqual([400, ['Idempotency-Key']]);
  });
});

test.each(['teamBookingCreate', 'organizationBookingCreate'])(
  '%s is refused without a verified address of one’s own',
  async (name) => {
    const route = ROUTES.find(({ field }) => field.name === name);
    if (!route) throw new Error(`No path books by ${name}.`);
    const { username, path, body } = await world.given(route);
    const booker = await world.token(username, scopesFor(route));
    const verifiedAt = (at: string | null) =>
      changed(
        world.app.database.em.fork(),
        sql`update users set email_verified_at = ${at}::timestamptz where username = ${username}`,
      );
    const book = () => world.send(route.method, path, { token: booker, body });
    await verifiedAt(null);
    const refused = await book();
    await verifiedAt('2026-01-01T00:00:00Z');
    expect([refused.status, refused.body.error.code]).toEqual([422, 'EMAIL_NOT_VERIFIED']);
    expect((await book()).status).toBe(201);
  },
);

describe('a path', () => {
  test('answers JSON whatever is accepted', async () => {
    for (const accept of ['text/html', 'application/xml', 'application/json;q=0']) {
      const { status, headers } = await world.send('GET', '/v2/me', { token, headers: { accept } });
      expect([status, headers.get('content-type')]).toEqual([200, 'application/json']);
    }
  });

  test('answers HEAD without the content', async () => {
    const { status, headers, body } = await world.send('HEAD', '/v2/me', { token });
    expect([status, body, headers.get('etag')]).toEqual([200, undefined, expect.any(String)]);
  });

  test('says which methods it takes when another one is used', async () => {
    const { status, headers, body } = await world.send('POST', '/v2/me', { token });
    expect([status, headers.get('allow'), body.error.code]).toEqual([
      405,
      'GET, HEAD, PATCH, OPTIONS',
      'METHOD_NOT_ALLOWED',
    ]);
  });

  test('is open to scripts of other sites, on errors too, and takes no session', async () => {
    const preflight = await world.send('OPTIONS', '/v2/event-types', {
      headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([204, 'GET,HEAD,POST']);
    // Idempotency-Key and Prefer among them.
    expect(preflight.headers.get('access-control-allow-headers')).toBe('Authorization,Content-Type,*');
    expect(preflight.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
    const { status, headers } = await world.get('/v2/me');
    expect([status, headers.get('access-control-allow-origin')]).toEqual([401, '*']);
    expect(headers.get('access-control-expose-headers')).toContain('ETag');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    expect(headers.get('cache-control')).toBe('no-store');
    const ada = await world.app.signIn('ada@acme.test');
    expect((await ada.get('/v2/me')).status).toBe(401);
  });

  test('that is none is 404, for scripts of other sites too', async () => {
    for (const path of ['/v2/nothing', '/v2/event-types/a/b/c', '/v2/']) {
      const { status, headers, body } = await world.get(path, token);
      expect([status, body.error.code, headers.get('access-control-allow-origin')]).toEqual([404, 'NOT_FOUND', '*']);
    }
  });

  test('takes parameters as they are, whatever they hold', async () => {
    for (const id of ['%00', '%27', '%2F', '__proto__', '%F0%9F%98%80', 'x'.repeat(3000)]) {
      expect((await world.get(`/v2/event-types/${id}`, token)).status).toBe(404);
    }
    expect((await world.get('/v2/event-types/%E0%A4%A', token)).status).toBeLessThan(500);
  });

  test('takes no token in the address', async () => {
    expect((await world.get(`/v2/me?access_token=${token}`)).status).toBe(401);
  });
});

test('a body without its type, where none is needed, is taken; one of a type that is not there is not', async () => {
  const { status, body } = await world.send('POST', '/v2/bookings/bkg_nothing/cancel');
  expect([status, body.error.code]).toEqual([404, 'NOT_FOUND']);
  const typed = await world.send('POST', '/v2/bookings/bkg_nothing/cancel', { headers: JSON_TYPE, body: {} });
  expect(typed.status).toBe(404);
});
