/** Somebody keeps slots as fast as they can, and thirty others book behind the same address: by the page and by the API. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { row, sql } from '../../src/database/sql.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Host, hostOf, type Offered, see } from '../support/booking-visitor.ts';
import { ownedUuidOf } from '../support/ids.ts';
import { atOnce } from '../support/servers.ts';
import { shownPage, TestBrowser } from '../support/test-browser.ts';

const VISITORS = 30;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ TRUST_PROXY: '127.0.0.1/32' });
});
afterAll(() => app.close());

function hostNamed(email: string): Promise<Host> {
  return hostOf(app, email, email.split('@', 1)[0] ?? '');
}

async function change(name: string, input: object, selection = ''): Promise<Answer> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const query = `mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} userErrors { code } } }`;
  const { body } = await app.graphql(query, { variables: { input } });
  const payload = body.data[name];
  return { code: payload.userErrors[0]?.code ?? 'done', payload };
}

interface Answer {
  readonly code: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- payloads of several mutations
  readonly payload: any;
}

/** Keeps, renews, moves, gives back and keeps again, one thing after the other, until told to end. */
class Hoarder {
  readonly #offer: Offered;
  readonly #kept: string[] = [];
  #hasEnded = false;
  #turn = 0;
  /** How often a slot was kept, and the most at any time. */
  done = 0;
  most = 0;

  constructor(offer: Offered) {
    this.#offer = offer;
  }

  /** Keeps as much as they can, to begin with. */
  async begin(): Promise<void> {
    const { eventTypeId, starts } = this.#offer;
    for (const start of starts) await this.#keep('slotReservationCreate', { eventTypeId, start });
  }

  async run(): Promise<void> {
    while (!this.#hasEnded) {
      this.#turn += 1;
      const start = this.#offer.starts[(this.#turn * 7) % this.#offer.starts.length];
      const [oldest] = this.#kept;
      if (oldest !== undefined && this.#turn % 3 === 0) await this.#replace(oldest, { reservationUid: oldest });
      else if (oldest !== undefined && this.#turn % 5 === 0)
        await this.#replace(oldest, { reservationUid: oldest, start });
      else if (oldest !== undefined && this.#turn % 4 === 0) await this.#giveBack(oldest);
      else await this.#keep('slotReservationCreate', { eventTypeId: this.#offer.eventTypeId, start });
      await this.#count();
    }
  }

  end(): void {
    this.#hasEnded = true;
  }

  async #keep(name: string, input: object): Promise<boolean> {
    const { code, payload } = await change(name, input, 'reservation { uid }');
    if (code !== 'done') return false;
    this.#kept.push(payload.reservation.uid);
    this.done += 1;
    return true;
  }

  async #replace(id: string, input: object): Promise<void> {
    await this.#keep('slotReservationUpdate', input);
    this.#kept.splice(this.#kept.indexOf(id), 1);
  }

  async #giveBack(reservationUid: string): Promise<void> {
    await change('slotReservationDelete', { reservationUid });
    this.#kept.splice(this.#kept.indexOf(reservationUid), 1);
  }

  async #count(): Promise<void> {
    this.most = Math.max(this.most, await liveOf(this.#offer));
  }
}

async function liveOf({ eventTypeId }: Offered): Promise<number> {
  const { ownerId, id } = ownedUuidOf(eventTypeId);
  const found = await row(
    app.database.em.fork(),
    sql<{ count: number }>`select count(*)::int as count from slot_reservations
      where owner_id = ${ownerId} and event_type_id = ${id} and expires_at > now()`,
  );
  return found?.count ?? 0;
}

async function openSlots({ eventTypeId, starts }: Offered): Promise<string[]> {
  const end = Temporal.Instant.from(starts.at(-1) ?? '').add({ hours: 1 });
  const { body } = await app.graphql(
    'query ($id: ID!, $start: DateTime!, $end: DateTime!) { slots(eventType: { id: $id }, start: $start, end: $end) { start } }',
    { variables: { id: eventTypeId, start: starts[0], end: end.toString() } },
  );
  return body.data.slots.map(({ start }: { start: string }) => start);
}

/** As the documentation tells clients: without a reservation, where there is none to be had. */
async function bookByApi(offer: Offered, n: number): Promise<string> {
  const { eventTypeId } = offer;
  const attendee = { name: `Visitor ${n}`, email: `visitor-${n}@example.test`, timeZone: 'UTC' };
  for (let tries = 0; tries < 5; tries += 1) {
    const open = await openSlots(offer);
    const start = open[(n * 5 + tries) % open.length];
    const kept = await change('slotReservationCreate', { eventTypeId, start }, 'reservation { uid }');
    const reservationUid = kept.payload.reservation?.uid;
    const { code } = await change('bookingCreate', { eventTypeId, start, attendee, reservationUid });
    if (code === 'done') return code;
    if (!code.startsWith('SLOT_')) return code;
  }
  return 'gave up';
}

/** A visitor of the page, who chooses another time where somebody was faster. */
async function bookByPage(offer: Offered, n: number): Promise<string> {
  const browser = new TestBrowser(app.url);
  const who = { name: `Visitor ${n}`, email: `visitor-${n}@example.test` };
  for (let tries = 0; tries < 5; tries += 1) {
    const open = await openSlots(offer);
    const start = open[(n * 5 + tries) % open.length] ?? '';
    const form = await see(browser, `${offer.path}?start=${start}`);
    if (form.text.includes('That time is no longer free.')) continue;
    const answer = shownPage(await browser.submit(form, { ...who, step: 'book' }));
    if (answer.address.startsWith('/bookings/uid_')) return 'done';
    if (answer.status !== 409) return `${answer.status} ${answer.text}`;
  }
  return 'gave up';
}

describe.each([
  ['the API', 'ada@acme.test', bookByApi],
  ['the page', 'bob@acme.test', bookByPage],
])('thirty visitors and a hoarder behind one address: by %s', (_, email, book) => {
  test('all thirty book, and hardly anything is kept', async () => {
    const offer = await (await hostNamed(email)).offer();
    expect(offer.starts.length).toBeGreaterThanOrEqual(2 * VISITORS);
    const hoarder = new Hoarder(offer);
    await hoarder.begin();
    const hoarding = hoarder.run();
    const outcomes = await atOnce(VISITORS, (n) => book(offer, n));
    hoarder.end();
    await hoarding;
    expect(outcomes).toEqual(outcomes.map(() => 'done'));
    expect(hoarder.done).toBeGreaterThanOrEqual(3);
    expect(hoarder.most).toBeLessThanOrEqual(3);
  });
});

test('one address that wants every slot of two weeks keeps three, and the host sees and releases them', async () => {
  const host = await hostNamed('dan@solo.test');
  const offer = await host.offer();
  const kept = [];
  for (const start of offer.starts) {
    kept.push((await change('slotReservationCreate', { eventTypeId: offer.eventTypeId, start })).code);
  }
  expect(kept.filter((code) => code === 'done')).toHaveLength(3);
  expect((await openSlots(offer)).length).toBe(offer.starts.length - 3);

  const list = '{ me { reservedSlots { nodes { id title start expiresAt reservedAt } } } }';
  const { me } = await host.browser.ask<{ me: { reservedSlots: { nodes: { id: string }[] } } }>(list);
  expect(me.reservedSlots.nodes).toHaveLength(3);
  const [first, second] = me.reservedSlots.nodes;
  await host.browser.mutate('reservedSlotDelete', { reservedSlotId: first?.id }, 'reservedSlotId');
  const page = await see(host.browser, '/bookings');
  expect(page.html).toContain('On hold');
  const released = shownPage(await host.browser.submit(page, {}, `/bookings/held/${second?.id}/release`));
  expect(released.html).toContain('The time is free again.');
  expect((await openSlots(offer)).length).toBe(offer.starts.length - 1);
});
