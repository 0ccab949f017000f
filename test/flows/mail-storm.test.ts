import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OwnedId, publicOwnedId } from '../../src/core/id.ts';
import { rows, sql } from '../../src/database/sql.ts';
import { foldedAddress } from '../../src/limits/mail-receivers.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { formAt, type Host, hostOf, type Offered, see } from '../support/booking-visitor.ts';
import { idOfUid } from '../support/ids.ts';
import { MailServer, type ReceivedMail } from '../support/mail-server.ts';
import { jobsSettled, mailsSettled } from '../support/mails-settled.ts';
import { paced } from '../support/pace.ts';
import { send } from '../support/raw-http.ts';
import { type ShownPage, TestBrowser } from '../support/test-browser.ts';

const VICTIM = 'victim@example.test';
/** One mailbox, written in ever other ways. */
const victim = (index: number): string => `${index % 2 === 0 ? 'Victim' : 'victim'}+${index}@example.test`;
const ATTACKER = 'attacker@example.test';
const REQUESTS = 1_000;

let app: TestApp;
let mailServer: MailServer;
let hosts: readonly Booked[];
let visitor: TestBrowser;
beforeAll(async () => {
  mailServer = await MailServer.open();
  app = await startTestApp({ SMTP_URL: mailServer.url, TRUST_PROXY: '127.0.0.1/32' }, { runsJobs: true });
  visitor = new TestBrowser(app.url);
  hosts = await Promise.all(['ada@acme.test', 'bob@acme.test', 'dan@solo.test'].map(hostWithPages));
  await mailsSettled(app, mailServer);
});
afterAll(async () => {
  await app.close();
  await mailServer.close();
});

/** A host who is booked, with forms that are open since before the storm. */
interface Booked {
  readonly host: Host;
  readonly offer: Offered;
  readonly withCode: Offered;
  readonly form: ShownPage;
  readonly formWithCode: ShownPage;
}

async function hostWithPages(email: string): Promise<Booked> {
  const host = await hostOf(app, email, email.split('@', 1)[0] ?? '');
  const [offer, withCode] = [await host.offer(), await host.offer({ requiresBookerEmailVerification: true })];
  const [form, formWithCode] = [await formAt(visitor, offer), await formAt(visitor, withCode)];
  return { host, offer, withCode, form, formWithCode };
}

/** A request of somebody whom nobody knows. */
type Request = (index: number) => Promise<unknown>;

async function mutation(name: string, input: object, selection = '', from?: string) {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const query = `mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} userErrors { code message } } }`;
  const headers = { 'content-type': 'application/json', ...(from !== undefined && { 'x-forwarded-for': from }) };
  const body = JSON.stringify({ query, variables: { input } });
  const { status, text } = await send(app.url, { method: 'POST', path: '/graphql', headers, body });
  expect(status).toBe(200);
  return JSON.parse(text).data[name];
}

const booked: string[] = [];
const taken = new Map<string, number>();
/** The next free start of a host. */
function nextStart({ eventTypeId, starts }: Offered): string {
  const next = taken.get(eventTypeId) ?? 0;
  taken.set(eventTypeId, next + 1);
  return starts[next % starts.length] ?? '';
}
const hostFor = (index: number) => hosts[index % hosts.length] ?? expect.fail();

const attendee = (email: string) => ({ name: 'Eve', email, timeZone: 'UTC' });
const guests = (index: number) =>
  Array.from({ length: 9 }, (_, n) => victim(100 * index + n))
    .slice(0, 1)
    .concat(Array.from({ length: 9 }, (_, n) => `guest-${index}-${n}@example.test`));

const book =
  (email: (index: number) => string): Request =>
  async (index) => {
    const { offer } = hostFor(index);
    const input = {
      eventTypeId: offer.eventTypeId,
      start: nextStart(offer),
      attendee: attendee(email(index)),
      guests: guests(index),
    };
    const { booking } = await mutation('bookingCreate', input, 'booking { uid }');
    if (booking) booked.push(booking.uid);
  };

/** The requests that anybody can send, each as often as all the others. */
const SHAPES: Readonly<Record<string, Request>> = {
  'a booking for the victim, with guests': book(victim),
  'a booking for an address of the attacker, with the victim as a guest': book(() => ATTACKER),
  'a booking for whomever': book((index) => `somebody-${index}@example.test`),
  'two bookings under aliases': async (index) => {
    const { offer } = hostFor(index);
    const create = `bookingCreate(input: { eventTypeId: "${offer.eventTypeId}", start: "${offer.starts[0]}", attendee: { name: "Eve", email: "${VICTIM}", timeZone: "UTC" } }) { userErrors { code } }`;
    const { status } = await app.graphql(`mutation { a: ${create} b: ${create} }`);
    expect(status).toBe(400);
  },
  'a booking moved': async (index) => {
    const { offer } = hostFor(index);
    const uid = booked[index % Math.max(1, booked.length)] ?? 'none';
    const { booking } = await mutation(
      'bookingReschedule',
      { uid, start: nextStart(offer), reason: 'Buy now' },
      'booking { uid }',
    );
    if (booking) booked[index % booked.length] = booking.uid;
  },
  'a booking called off': (index) =>
    mutation('bookingCancel', {
      uid: booked.splice(index % Math.max(1, booked.length), 1)[0] ?? 'none',
      reason: 'Buy now',
    }),
  'a slot kept': (index) => {
    const { offer } = hostFor(index);
    return mutation('slotReservationCreate', { eventTypeId: offer.eventTypeId, start: nextStart(offer) });
  },
  'a code for the victim': (index) =>
    mutation('bookerEmailVerificationRequest', {
      eventTypeId: hostFor(index).withCode.eventTypeId,
      email: victim(index),
    }),
  'a code by the page, for whomever': (index) =>
    visitor.submit(hostFor(index).formWithCode, {
      name: 'Eve',
      email: `code-${index}@example.test`,
      step: 'send-code',
    }),
  'a booking by the page, with guests': (index) => {
    const { form, offer } = hostFor(index);
    const typed = { name: 'Eve', email: ATTACKER, guests: guests(index).join('\n'), step: 'book' };
    return visitor.submit(form, { ...typed, start: nextStart(offer) });
  },
  'a forgotten password': (index) =>
    formWithToken('/auth/forgotten-password', { email: index % 2 === 0 ? 'bob@acme.test' : victim(index) }),
  'a new account with the address of the victim': (index) =>
    formWithToken('/auth/signup', {
      name: 'Eve',
      username: `eve-${index}`,
      email: victim(index),
      password: 'long and unheard of 1',
    }),
};

/** By the form of a page, in a browser that was never here. */
async function formWithToken(path: string, fields: Record<string, string>): Promise<void> {
  const browser = new TestBrowser(app.url);
  await browser.submit(await browser.open(path), fields);
}

/** The attacker reads their own mail, and follows what is in it. */
async function followLinks(mails: readonly ReceivedMail[]): Promise<void> {
  const own = mails.filter(({ mailbox }) => mailbox === ATTACKER);
  const links = own.flatMap(({ text }) => text.match(/\/bookings\/[\w-]+\/guests\/[\w-]+/g) ?? []);
  const browser = new TestBrowser(app.url);
  for (const link of links) {
    const page = await see(browser, link);
    if (page.text.includes('Invite guests')) await browser.submit(page, {});
  }
}

function perReceiver(mails: readonly ReceivedMail[]): Record<string, number> {
  const byReceiver = Map.groupBy(mails, ({ mailbox }) => foldedAddress(mailbox));
  return Object.fromEntries([...byReceiver].map(([receiver, list]) => [receiver, list.length]));
}

function isHost(mailbox: string): boolean {
  return mailbox === 'dan@solo.test' || mailbox === 'ada@acme.test' || mailbox === 'bob@acme.test';
}

async function mailed(): Promise<string[]> {
  return Object.keys(perReceiver(await mailsSettled(app, mailServer))).toSorted();
}

describe(`${REQUESTS} requests of all shapes, from one address and by nobody who is known`, () => {
  const all: ReceivedMail[] = [];

  test(
    'mail nobody but the hosts more than five times in an hour, and two codes beyond; new people two hundred',
    async () => {
      const shapes = Object.values(SHAPES);
      for (let sent = 0; sent < REQUESTS; ) {
        const batch = Array.from({ length: Math.min(20, REQUESTS - sent) }, (_, n) => sent + n);
        await Promise.all(batch.map(async (index) => shapes[index % shapes.length]?.(index)));
        sent += batch.length;
        if (sent % 200 === 0) {
          await jobsSettled(app);
          const mails = mailServer.mails.splice(0);
          all.push(...mails);
          await followLinks(mails);
        }
      }
      all.push(...(await mailsSettled(app, mailServer)));
      const counts = perReceiver(all);
      const [toHosts, others] = [Object.keys(counts).filter(isHost), Object.keys(counts).filter((one) => !isHost(one))];
      expect(toHosts).toHaveLength(3);
      for (const one of toHosts) expect(counts[one]).toBeLessThanOrEqual(11 + (one === 'bob@acme.test' ? 5 : 0));
      expect(counts[VICTIM]).toBeGreaterThan(2);
      for (const one of others) expect([one, counts[one]]).toEqual([one, expect.toSatisfy((count) => count <= 7)]);
      const news = all.filter(({ mailbox, text }) => !isHost(mailbox) && text.includes('/bookings/'));
      expect(Math.max(...Object.values(perReceiver(news)))).toBeLessThanOrEqual(5);
      expect(Object.keys(perReceiver(news)).length).toBeGreaterThan(20);
      expect(Object.keys(perReceiver(news)).length).toBeLessThanOrEqual(200);
      // Hosts are told the reasons that their bookers give, and the attacker may read their own; nobody else is sent them.
      const toOthers = all.filter(({ mailbox }) => !isHost(mailbox) && mailbox !== ATTACKER);
      for (const { everything } of toOthers) expect(everything).not.toContain('Buy now');
    },
    paced(300_000),
  );

  test('did what they asked for, and hosts see what waits, and what is told in a summary', async () => {
    const found = await rows(
      app.database.em.fork(),
      sql<OwnedId & { outcome: string; mailbox: string }>`
        select distinct on (outcome) m.owner_id as "ownerId", m.booking_id as id, outcome, mailbox from booking_mails m
        join booking_hosts h on h.booking_id = m.booking_id join users u on u.id = h.user_id
        where u.username = 'ada' and m.role <> 'HOST' and m.outcome <> 'SENT' order by outcome`,
    );
    expect(found.map(({ outcome }) => outcome)).toContain('SUMMARY');
    for (const one of found) {
      const page = await see(hostFor(0).host.browser, `/bookings/${idOfUid(publicOwnedId('booking', one))}/host`);
      expect(page.text).toContain(`Not e-mailed`);
      expect(page.text).toContain(one.mailbox);
    }
  });

  test('keep nobody else from their mails: neither a stranger elsewhere, nor the victim when a host has a question for them', async () => {
    const { host, offer } = await hostWithPages('cyd@acme.test');
    const input = { eventTypeId: offer.eventTypeId, start: offer.starts[0], attendee: attendee('grace@example.test') };
    const { booking } = await mutation('bookingCreate', input, 'booking { uid }', '203.0.113.7');
    const uid: string = booking.uid;
    // Codes go out behind the answers: the last of the storm may still come.
    const news = (await mailed()).filter((mailbox) => !mailbox.startsWith('code-'));
    expect(news).toEqual(['cyd@acme.test', 'grace@example.test']);

    await host.browser.mutate('bookingGuestsAdd', { bookingId: idOfUid(uid), guests: [VICTIM] }, 'bookingId');
    expect(await mailed()).toEqual([VICTIM]);
  });
});
