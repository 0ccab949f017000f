import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi, type TestCaller } from '../support/api.ts';
import { FROM, TO } from './booking-pages.ts';

let api: TestApi;
let host: TestCaller;
let hidden: string;

beforeAll(async () => {
  api = await openTestApi();
  host = await api.newUser('linked-host');
  hidden = await newType('secret', true);
});
afterAll(() => api.close());

async function newType(slug: string, isHidden: boolean): Promise<string> {
  const input = { slug, title: 'Talk', durationInMinutes: 30, isHidden };
  return (await host.change('eventTypeCreate', input, 'eventTypeId')).data.eventTypeId;
}

async function newToken(limits: object = {}, eventTypeId = hidden): Promise<string> {
  const { data } = await host.change('privateLinkCreate', { eventTypeId, ...limits }, 'privateLink { url }');
  return data.privateLink.url.split('/').at(-1);
}

/** How often each of the host's links was used, the newest last. */
async function uses(eventTypeId = hidden): Promise<number[]> {
  const document =
    'query($id: ID!) { me { eventType(id: $id) { privateLinks(first: 100) { nodes { usageCount } } } } }';
  const { data } = await host.ask(document, { id: eventTypeId });
  return data.me.eventType.privateLinks.nodes.map(({ usageCount }: { usageCount: number }) => usageCount);
}

async function slotsWith(privateLinkToken?: string, eventTypeId = hidden): Promise<string[] | null> {
  const document = `query($by: EventTypeIdentifierInput!, $from: DateTime!, $to: DateTime!) {
    slots(eventType: $by, start: $from, end: $to) { start } }`;
  const by = privateLinkToken === undefined ? { id: eventTypeId } : { privateLinkToken };
  const { data } = await api.nobody.ask(document, { by, from: FROM, to: TO });
  return data.slots?.map(({ start }: { start: string }) => start) ?? null;
}

async function aSlot(token: string, index = 0): Promise<string> {
  return (await slotsWith(token))?.[index] ?? '';
}

function book(start: string, more: object = {}) {
  const attendee = { name: 'Grace', email: 'grace@example.test', timeZone: 'UTC' };
  return api.nobody.change(
    'bookingCreate',
    { eventTypeId: hidden, start, attendee, ...more },
    'booking { uid status }',
  );
}

async function reserved(maxUsageCount = 9) {
  const token = await newToken({ maxUsageCount });
  const starts = (await slotsWith(token)) ?? [];
  const input = { eventTypeId: hidden, start: starts[0], privateLinkToken: token };
  const { data } = await api.nobody.change('slotReservationCreate', input, 'reservation { uid }');
  return { token, starts, reservationUid: data.reservation.uid as string };
}

describe('a reservation of a hidden event type', () => {
  test('is changed with the private link only, as it is made', async () => {
    const { token, starts, reservationUid } = await reserved();
    const elsewhere = await newToken({}, await newType(`elsewhere-${Date.now()}`, true));
    const update = (more: object) =>
      api.nobody.change('slotReservationUpdate', { reservationUid, ...more }, 'reservation { uid start }');
    expect((await update({})).mistakes).toEqual(['NOT_FOUND reservationUid']);
    expect((await update({ start: starts[2] })).mistakes).toEqual(['NOT_FOUND reservationUid']);
    expect((await update({ privateLinkToken: elsewhere })).mistakes).toEqual(['NOT_FOUND privateLinkToken']);
    const moved = await update({ start: starts[2], privateLinkToken: token });
    expect(moved).toMatchObject({ mistakes: [], data: { reservation: { start: starts[2] } } });
    await api.nobody.change('slotReservationDelete', { reservationUid: moved.data.reservation.uid });
  });

  test('is not changed with a link that has served its time, but given back by its id alone', async () => {
    const { token, starts, reservationUid } = await reserved(1);
    expect((await book(starts[4] ?? '', { privateLinkToken: token })).mistakes).toEqual([]);
    const update = { reservationUid, start: starts[2], privateLinkToken: token };
    expect((await api.nobody.change('slotReservationUpdate', update)).mistakes).toEqual(['NOT_FOUND privateLinkToken']);
    expect((await api.nobody.change('slotReservationDelete', { reservationUid })).mistakes).toEqual([]);
  });
});

describe('a hidden event type', () => {
  test('shows its slots to the holder of a booking of it, who may reschedule it', async () => {
    const token = await newToken();
    const [start, , , later] = (await slotsWith(token)) ?? [];
    const { data } = await book(start ?? '', { privateLinkToken: token });
    const document = `query($id: ID!, $from: DateTime!, $to: DateTime!, $uid: String!) {
      slots(eventType: { id: $id }, start: $from, end: $to, bookingUidToReschedule: $uid) { start } }`;
    const ask = (id: string, uid: string) => api.nobody.ask(document, { id, from: FROM, to: TO, uid });
    const { uid } = data.booking;
    const open = (await ask(hidden, uid)).data.slots.map((slot: { start: string }) => slot.start);
    expect(open).toContain(start);
    expect(open).toContain(later);
    const other = await newType('secret-too', true);
    for (const [id, shown] of [
      [other, uid],
      [hidden, `${uid.slice(0, -1)}~`],
      [hidden, 'bkg_0'],
    ]) {
      expect((await ask(id, shown)).data.slots).toBeNull();
    }
    const moved = await api.nobody.change('bookingReschedule', { uid, start: later }, 'booking { uid status }');
    expect(moved).toMatchObject({ mistakes: [], data: { booking: { status: 'ACCEPTED' } } });
    // A moved booking is history; the one that it became may be moved again.
    expect((await ask(hidden, uid)).data.slots).toBeNull();
    expect((await ask(hidden, moved.data.booking.uid)).data.slots.length).toBeGreaterThan(0);
  });

  test('shows slots, reserves and books to anybody with its private link, and to nobody else', async () => {
    const token = await newToken({ maxUsageCount: 1 });
    expect(await slotsWith()).toBeNull();
    const start = await aSlot(token);
    const reserve = { eventTypeId: hidden, start };
    const refused = await api.nobody.change('slotReservationCreate', reserve);
    expect(refused.mistakes).toEqual(['NOT_FOUND eventTypeId']);
    expect((await book(start)).mistakes).toEqual(['NOT_FOUND eventTypeId']);

    const reserved = await api.nobody.change(
      'slotReservationCreate',
      { ...reserve, privateLinkToken: token },
      'reservation { uid }',
    );
    expect(reserved.mistakes).toEqual([]);
    expect((await uses()).at(-1)).toBe(0);
    const { data, mistakes } = await book(start, {
      privateLinkToken: token,
      reservationUid: reserved.data.reservation.uid,
    });
    expect(mistakes).toEqual([]);
    expect(data.booking.status).toBe('ACCEPTED');
    expect((await uses()).at(-1)).toBe(1);
  });

  test('is closed again once its link has served its time', async () => {
    const token = await newToken();
    expect((await book(await aSlot(token), { privateLinkToken: token })).mistakes).toEqual([]);
    expect(await slotsWith(token)).toBeNull();
    const start = await aSlot(await newToken());
    expect((await book(start, { privateLinkToken: token })).mistakes).toEqual(['NOT_FOUND privateLinkToken']);
    const reserved = await api.nobody.change('slotReservationCreate', {
      eventTypeId: hidden,
      start,
      privateLinkToken: token,
    });
    expect(reserved.mistakes).toEqual(['NOT_FOUND privateLinkToken']);
  });

  test.each(['', 'lnk_', '\0', '__proto__', '\ud800', 'x'.repeat(100_000)])(
    'is not opened by what is no token: %#',
    async (token) => {
      expect(await slotsWith(token)).toBeNull();
      const start = await aSlot(await newToken());
      expect((await book(start, { privateLinkToken: token })).mistakes).toEqual(['NOT_FOUND privateLinkToken']);
    },
  );
});

describe('a private link', () => {
  test('opens the event type that it leads to and no other, and has lost nothing by the attempt', async () => {
    const other = await newType('other-secret', true);
    const [token, mine] = [await newToken({}, other), await newToken()];
    expect((await book(await aSlot(mine), { privateLinkToken: token })).mistakes).toEqual([
      'NOT_FOUND privateLinkToken',
    ]);
    expect(await uses(other)).toEqual([0]);
    expect((await slotsWith(token))?.length).toBeGreaterThan(0);
  });

  test('is not used up by a booking that fails', async () => {
    const token = await newToken();
    const start = await aSlot(token);
    await book(start, { privateLinkToken: await newToken() });
    const failed = await book(start, { privateLinkToken: token });
    expect(failed.mistakes).toEqual(['SLOT_TAKEN start']);
    expect((await book(await aSlot(token), { privateLinkToken: token })).mistakes).toEqual([]);
  });

  test('is used once by one request, however often it is sent', async () => {
    const token = await newToken();
    const more = { privateLinkToken: token, idempotencyKey: 'the-same-key-each-time' };
    const start = await aSlot(token);
    const first = await book(start, more);
    expect(first.mistakes).toEqual([]);
    const again = await book(start, more);
    expect(again.mistakes).toEqual([]);
    expect(again.data.booking.uid).toBe(first.data.booking.uid);
    expect((await uses()).at(-1)).toBe(1);
    const another = await book(await aSlot(await newToken()), { ...more, idempotencyKey: 'another-key-this-time' });
    expect(another.mistakes).toEqual(['NOT_FOUND privateLinkToken']);
  });

  test('that is over tells nothing of what it led to, whatever else is wrong with the request', async () => {
    const [used, live] = [await newToken(), await newToken()];
    expect((await book(await aSlot(used), { privateLinkToken: used })).mistakes).toEqual([]);
    const wrong = { attendee: { name: '', email: 'x', timeZone: 'UTC' }, guests: ['x'], idempotencyKey: 'x' };
    const start = await aSlot(live);
    const told = (await book(start, { ...wrong, privateLinkToken: live })).mistakes;
    expect(told).toEqual(expect.arrayContaining(['REQUIRED attendee name']));
    expect((await book(start, { ...wrong, privateLinkToken: used })).mistakes).toEqual(['NOT_FOUND privateLinkToken']);
    for (const more of [{ requiresAuthentication: true }, { requiresBookerEmailVerification: true }]) {
      const changed = await host.change('eventTypeUpdate', { eventTypeId: hidden, ...more });
      expect(changed.mistakes).toEqual([]);
      const [code] = (await book(start, { privateLinkToken: live })).mistakes;
      expect(code).toMatch(/REQUIRED/);
      expect((await book(start, { privateLinkToken: used })).mistakes).toEqual(['NOT_FOUND privateLinkToken']);
      const back = { requiresAuthentication: false, requiresBookerEmailVerification: false };
      await host.change('eventTypeUpdate', { eventTypeId: hidden, ...back });
    }
  });

  test('counts by its own rule for an event type that everybody sees', async () => {
    const open = await newType('open', false);
    const token = await newToken({}, open);
    const start = (await slotsWith(undefined, open))?.at(-1) ?? '';
    const more = { eventTypeId: open, privateLinkToken: token };
    expect((await book(start, more)).mistakes).toEqual([]);
    expect(await slotsWith(token)).toBeNull();
    expect(await uses(open)).toEqual([1]);
  });

  test('for one use gives one booking to 50 who book different slots at the same moment', async () => {
    const token = await newToken();
    const slots = (await slotsWith(token))?.slice(0, 50) ?? [];
    expect(slots).toHaveLength(50);
    const answers = await Promise.all(slots.map((start) => book(start, { privateLinkToken: token })));
    expect(answers.filter(({ mistakes }) => mistakes.length === 0)).toHaveLength(1);
    expect(answers.filter(({ mistakes }) => mistakes[0] === 'NOT_FOUND privateLinkToken')).toHaveLength(49);
    expect((await uses()).at(-1)).toBe(1);
  });
});
