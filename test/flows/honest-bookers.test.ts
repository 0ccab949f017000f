import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { changed, rows, sql } from '../../src/database/sql.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { formAt, hostOf, see } from '../support/booking-visitor.ts';
import { idOfUid } from '../support/ids.ts';
import { MailServer, type ReceivedMail } from '../support/mail-server.ts';
import { mailsSettled } from '../support/mails-settled.ts';
import { paced } from '../support/pace.ts';
import { type ShownPage, shownPage, TestBrowser } from '../support/test-browser.ts';

const HOST = 'dan@solo.test';
const PEOPLE = 30;

let app: TestApp;
let mailServer: MailServer;
beforeAll(async () => {
  mailServer = await MailServer.open();
  app = await startTestApp({ SMTP_URL: mailServer.url }, { runsJobs: true });
});
afterAll(async () => {
  await app.close();
  await mailServer.close();
});
beforeEach(async () => {
  await mailsSettled(app, mailServer);
  await changed(app.database.em.fork(), sql`truncate counters, mail_receivers, booking_mails`);
});

/** So much time passes, for what is counted and for what waits. */
async function pass(interval: string): Promise<readonly ReceivedMail[]> {
  const em = app.database.em.fork();
  await changed(em, sql`update counters set ends_at = ends_at - ${interval}::interval`);
  await changed(em, sql`update booking_mails set due_at = due_at - ${interval}::interval`);
  // The service looks every two seconds for what is due by the clock.
  const due = sql`select 1 from booking_mails where due_at <= now()`;
  const nothingIsDue = async () => expect(await rows(app.database.em.fork(), due)).toEqual([]);
  await vi.waitFor(nothingIsDue, { timeout: paced(20_000), interval: 100 });
  return mailsSettled(app, mailServer);
}

const sent = () => mailsSettled(app, mailServer);
const offered = async () => (await hostOf(app, HOST, 'dan')).offer({ seats: undefined });

const CREATE = `mutation ($input: BookingCreateInput!) { bookingCreate(input: $input) {
  booking { uid } mails { email status } userErrors { code } } }`;

async function book(eventTypeId: string, start: string | undefined, email: string) {
  const input = { eventTypeId, start, attendee: { name: 'Eve', email, timeZone: 'UTC' } };
  const { body } = await app.graphql(CREATE, { variables: { input } });
  return body.data.bookingCreate as { booking: { uid: string }; mails: { email: string; status: string }[] };
}

/** Each has the link of their own booking, at once, and the host has heard of all of them. */
async function expectAllMailed(booked: ReadonlyMap<string, string>): Promise<void> {
  const mails = await sent();
  for (const [email, uid] of booked) {
    const own = mails.filter(({ mailbox }) => mailbox === email);
    expect([email, own.length, own[0]?.text.includes(`/bookings/${uid}`)]).toEqual([email, 1, true]);
  }
  const later = await pass('10 minutes');
  const toHost = [...mails, ...later].filter(({ mailbox }) => mailbox === HOST);
  expect(toHost).toHaveLength(11);
  const told = toHost.map(({ text }) => text).join('\n');
  for (const uid of booked.values()) expect(told).toContain(`/bookings/${idOfUid(uid)}/host`);
}

describe(`${PEOPLE} people behind one address, none of them known, and their host`, () => {
  test(
    'are all mailed when they book by the page, which says so',
    async () => {
      const talk = await offered();
      const booked = new Map<string, string>();
      for (let index = 0; index < PEOPLE; index += 1) {
        const [visitor, email] = [new TestBrowser(app.url), `page-${index}@office.test`];
        const form = await formAt(visitor, talk, index);
        const page = shownPage(await visitor.submit(form, { name: 'Eve', email, step: 'book' }));
        expect(page.text).toContain('We’ve e-mailed you the details');
        booked.set(email, page.address.split('/')[2] ?? '');
      }
      await expectAllMailed(booked);
    },
    paced(120_000),
  );

  test(
    'are all mailed when an app books for them, and the answers say so',
    async () => {
      const { eventTypeId, starts } = await offered();
      const booked = new Map<string, string>();
      for (let index = 0; index < PEOPLE; index += 1) {
        const email = `api-${index}@office.test`;
        const { booking, mails } = await book(eventTypeId, starts[index], email);
        expect(mails).toEqual([{ email, status: 'SENT' }]);
        booked.set(email, booking.uid);
      }
      await expectAllMailed(booked);
    },
    paced(120_000),
  );
});

const OUTLOOK = '{ expectedMailStatus }';

/** Takes all receivers of this hour for the network of the tests, and lets so many wait. */
async function crowd(eventTypeId: string, start: string | undefined, waiting: number): Promise<void> {
  await book(eventTypeId, start, 'first@office.test');
  await changed(
    app.database.em.fork(),
    sql`update counters set counted = 200 where key in (select line from booking_mails)`,
  );
  await changed(
    app.database.em.fork(),
    sql`insert into booking_mails (owner_id, booking_id, act, mailbox, role, lane, line, outcome, due_at, created_at)
        select owner_id, booking_id, gen_random_uuid(), mailbox, role, lane, line, 'WAITING', now() + interval '1 hour', now()
        from booking_mails, generate_series(1, ${waiting}::int) where mailbox = 'first@office.test'`,
  );
  await sent();
}

async function bookByPage(form: ShownPage, visitor: TestBrowser, email: string): Promise<ShownPage> {
  return shownPage(await visitor.submit(form, { name: 'Eve', email, step: 'book' }));
}

describe('more bookings from a network than may be mailed', () => {
  test('the page of the booking says that the mail waits, with the link to keep, and does not lead on by itself', async () => {
    const talk = await (await hostOf(app, HOST, 'dan')).offer({ successRedirectUrl: 'https://dan.example/thanks' });
    await crowd(talk.eventTypeId, talk.starts[0], 0);
    expect((await app.graphql(OUTLOOK)).body.data).toEqual({ expectedMailStatus: 'WAITING' });
    const visitor = new TestBrowser(app.url);
    const page = await bookByPage(await formAt(visitor, talk, 1), visitor, 'late@office.test');
    expect(page.text).toContain('your e-mail has to wait');
    expect(page.text).toContain(`${app.config.publicUrl}${page.address}`);
    expect(page.html).toContain('href="https://dan.example/thanks"');
    expect((await sent()).map(({ mailbox }) => mailbox)).toEqual([HOST]);
    expect((await pass('1 hour')).map(({ mailbox }) => mailbox)).toContain('late@office.test');
    expect((await see(visitor, page.address)).text).toContain('We’ve e-mailed you the details');
  });

  test('past the end of the line, it is said before the booking that no mail comes; who agrees books, and the host sees it', async () => {
    const talk = await offered();
    await crowd(talk.eventTypeId, talk.starts[0], 1_998);
    expect((await app.graphql(OUTLOOK)).body.data).toEqual({ expectedMailStatus: 'WAITING' });
    const visitor = new TestBrowser(app.url);
    const early = await formAt(visitor, talk, 3);
    expect(early.text).not.toContain('you get no e-mail');
    await book(talk.eventTypeId, talk.starts[1], 'one@office.test');
    expect((await book(talk.eventTypeId, talk.starts[2], 'two@office.test')).mails[0]?.status).toBe('WAITING');
    expect((await app.graphql(OUTLOOK)).body.data).toEqual({ expectedMailStatus: 'NOT_SENT' });
    // The form was opened before.
    const told = await bookByPage(early, visitor, 'three@office.test');
    expect(told.address).not.toContain('/bookings/');
    expect(told.text).toContain('you won’t get an e-mail about this booking');
    const page = await bookByPage(told, visitor, 'three@office.test');
    expect(page.text).toContain('You won’t get an e-mail about this booking. Keep this link');
    expect((await formAt(visitor, talk, 5)).text).toContain('you won’t get an e-mail about this booking');
    expect((await book(talk.eventTypeId, talk.starts[6], 'four@office.test')).mails[0]?.status).toBe('NOT_SENT');
    const host = await hostOf(app, HOST, 'dan');
    const id = idOfUid(page.address.split('/')[2] ?? '');
    const hosted = await see(host.browser, `/bookings/${id}/host`);
    expect(hosted.text).toMatch(/Not e-mailed three@office\.test ?: gets no e-mail/);
    expect(hosted.text).toContain('couldn’t be sent');
    const seen = await host.browser.ask(
      `{ me { booking(id: "${id}") { unsentMessageCount mails { email role status } } } }`,
    );
    expect(seen).toEqual({
      me: {
        booking: {
          unsentMessageCount: 1,
          mails: expect.arrayContaining([{ email: 'three@office.test', role: 'ATTENDEE', status: 'NOT_SENT' }]),
        },
      },
    });
  });
});

/** The last mail to a mailbox, with the link of its button. */
async function mailTo(wanted: string): Promise<{ mail: ReceivedMail; link: string }> {
  const mail = (await sent()).find(({ mailbox }) => mailbox === wanted);
  if (!mail) throw new Error(`Nothing was mailed to ${wanted}.`);
  return { mail, link: /\/mails\/[0-9a-f]+\/[\w-]+\/[\w.-]+/.exec(mail.text)?.[0] ?? '' };
}

describe('“This was not me”', () => {
  const VICTIM = 'victim@example.test';
  const status = async (talk: Awaited<ReturnType<typeof offered>>, index: number, email = VICTIM) =>
    (await book(talk.eventTypeId, talk.starts[index], email)).mails[0]?.status;

  async function mailed() {
    const talk = await offered();
    expect(await status(talk, 0)).toBe('SENT');
    return { talk, ...(await mailTo(VICTIM)) };
  }

  test('is a button that opening the page does not press, and that the page undoes', async () => {
    const { talk, link } = await mailed();
    const visitor = new TestBrowser(app.url);
    for (const _ of [1, 2]) expect((await see(visitor, link)).text).toContain('This was not me');
    expect(await status(talk, 1)).toBe('SENT');
    const stopped = shownPage(await visitor.submit(await see(visitor, link), { answer: 'stop' }));
    expect(stopped.text).toContain('strangers can’t have us e-mail you by entering your address');
    expect(await status(talk, 2, 'Victim+x@example.test')).toBe('NOT_SENT');
    await sent();
    shownPage(await visitor.submit(await see(visitor, link), { answer: 'go-on' }));
    expect(await status(talk, 3)).toBe('SENT');
  });

  test('is pressed by the button of mail programs as well, which have no cookie', async () => {
    const { talk, mail, link } = await mailed();
    expect(mail.everything).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const post = (path: string, body: string) => fetch(new URL(path, app.url), { method: 'POST', headers, body });
    expect((await post(link, 'answer=stop')).status).not.toBe(200);
    expect(await status(talk, 1)).toBe('SENT');
    expect((await post(link.replace(/[\w-](?=\/[^/]*$)/, ''), 'List-Unsubscribe=One-Click')).status).toBe(404);
    expect((await post(link, 'List-Unsubscribe=One-Click')).status).toBe(200);
    expect(await status(talk, 2)).toBe('NOT_SENT');
  });

  test('is undone by signing in with that address, if it is known to be theirs', async () => {
    const talk = await offered();
    const CYD = 'cyd@acme.test';
    expect(await status(talk, 0, CYD)).toBe('SENT');
    const { link } = await mailTo(CYD);
    const visitor = new TestBrowser(app.url);
    shownPage(await visitor.submit(await see(visitor, link), { answer: 'stop' }));
    expect(await status(talk, 1, CYD)).toBe('NOT_SENT');
    await TestBrowser.signedIn(app.url, CYD);
    expect(await status(talk, 2, CYD)).toBe('SENT');
  });
});
