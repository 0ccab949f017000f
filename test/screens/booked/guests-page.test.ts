import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rows, sql } from '../../../src/database/sql.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { formAt, GRACE, type Host, hostOf, linksOf, type Offered, see } from '../../support/booking-visitor.ts';
import { textOf } from '../../support/html-form.ts';
import { idOfUid, uuidOf } from '../../support/ids.ts';
import { MailServer, type ReceivedMail } from '../../support/mail-server.ts';
import { mailsSettled } from '../../support/mails-settled.ts';
import { foreignTo } from '../../support/spoken-words.ts';
import { NAVIGATION, shownPage, TestBrowser } from '../../support/test-browser.ts';

const GUESTS = 'max@example.test\nkim@example.test';
const MANY = 'receiver=1000,receiverDay=1000,network=1000,host=1000';

let app: TestApp;
let mailServer: MailServer;
let dan: Host;
let visitor: TestBrowser;
beforeAll(async () => {
  mailServer = await MailServer.open();
  app = await startTestApp({ SMTP_URL: mailServer.url, MAIL_LIMITS: MANY }, { runsJobs: true });
  dan = await hostOf(app, 'dan@solo.test', 'dan');
  visitor = new TestBrowser(app.url);
  await mailsSettled(app, mailServer);
});
afterAll(async () => {
  await app.close();
  await mailServer.close();
});

const mails = () => mailsSettled(app, mailServer);

interface BookedWithGuests {
  readonly talk: Offered;
  /** The path of the booking's page. */
  readonly path: string;
  readonly uid: string;
  /** Where the guests are invited; only the mail says it. */
  readonly link: string;
  readonly first: readonly ReceivedMail[];
}

async function booked(fields: Record<string, unknown> = {}, browser = visitor): Promise<BookedWithGuests> {
  const talk = await dan.offer(fields);
  const form = await formAt(browser, talk, 0);
  const { address: path } = shownPage(await browser.submit(form, { ...GRACE, guests: GUESTS, step: 'book' }));
  const first = await mails();
  return { talk, path, uid: path.split('/')[2] ?? '', link: linkIn(first), first };
}

function linkIn(all: readonly ReceivedMail[]): string {
  const text = all.find(({ mailbox }) => mailbox === GRACE.email)?.text ?? '';
  return /\/bookings\/[\w-]+\/guests\/[\w-]+/.exec(text)?.[0] ?? '';
}

const headings = (all: readonly ReceivedMail[]) =>
  all.map(({ mailbox, email }) => `${mailbox.split('@')[0]}: ${email.subject?.split(':')[0]}`).toSorted();

async function invite(link: string, browser = visitor): Promise<{ readonly status: number; readonly text: string }> {
  return shownPage(await browser.submit(await see(browser, link), {}));
}

describe('the guests of somebody unknown', () => {
  test('are mailed once who booked has opened the link of the mail and said so, and not by its being opened', async () => {
    const { path, link, first } = await booked({ title: 'Zzz' });
    expect(headings(first)).toEqual(['dan: New booking', 'grace: Booked']);
    expect(first.find(({ mailbox }) => mailbox === GRACE.email)?.text).toContain('Your 2 guests aren’t invited yet.');
    expect((await see(visitor, path)).text).toContain('Your 2 guests aren’t invited yet');

    const { text: inGerman } = await visitor.request(link, { ...NAVIGATION, 'accept-language': 'de' });
    expect(inGerman).toContain('<html lang="de">');
    const said = [GUESTS, 'Zzz'];
    expect((await foreignTo('de'))(textOf(inGerman), said)).toEqual([]);

    for (const _ of [1, 2]) expect((await see(new TestBrowser(app.url), link)).text).toContain('max@example.test');
    expect((await see(visitor, link)).headers.get('x-robots-tag')).toContain('noindex');
    expect(await mails()).toEqual([]);

    expect((await invite(link)).text).toContain('Your guests have been invited.');
    const told = await mails();
    expect(headings(told)).toEqual(['kim: Invitation', 'max: Invitation']);
    expect(told[0]?.text).toContain('Grace Hopper invites you to a meeting with Dan Whitlock.');
    expect(told[0]?.everything).not.toContain(path);
    expect((await see(visitor, path)).text).not.toContain('not invited yet');
  });

  test('are invited once, by however many at the same moment', async () => {
    const { link } = await booked();
    const page = await see(visitor, link);
    const answers = await Promise.all(Array.from({ length: 20 }, () => visitor.submit(page, {})));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(headings(await mails())).toEqual(['kim: Invitation', 'max: Invitation']);
    expect((await see(visitor, link)).text).toContain('No one left to invite');
  });

  test('hear of what happens from then on, and of nothing before', async () => {
    const { path, uid, link } = await booked({ confirmation: { type: 'ALWAYS' } });
    await dan.browser.mutate('bookingConfirm', { bookingId: idOfUid(uid) }, 'userErrors { code }');
    const confirmed = await mails();
    expect(headings(confirmed)).toEqual(['dan: Confirmed', 'grace: Confirmed']);
    expect(linkIn(confirmed)).toBe(link);
    await invite(link);
    expect(headings(await mails())).toEqual(['kim: Invitation', 'max: Invitation']);
    await visitor.submit(await see(visitor, `${path}/cancel`), { reason: '' });
    expect(headings(await mails())).toEqual(['dan: Cancelled', 'grace: Cancelled', 'kim: Cancelled', 'max: Cancelled']);
  });

  test('hear nothing of what was called off before', async () => {
    const { path, link } = await booked();
    await visitor.submit(await see(visitor, `${path}/cancel`), { reason: '' });
    expect(headings(await mails())).toEqual(['dan: Cancelled', 'grace: Cancelled']);
    const { text } = await see(visitor, link);
    expect(text).toContain('No one left to invite');
    expect(text).not.toContain('is booked for');
  });

  test('are no longer invited by the link of a mail whose uid a host has ended, which shows nothing of the booking', async () => {
    const { uid, link } = await booked();
    await dan.browser.mutate('bookingUidRotate', { bookingId: idOfUid(uid) }, 'userErrors { code }');
    const next = linkIn(await mails());
    expect(next).toMatch(/\/guests\//);
    expect(next).not.toBe(link);
    const old = await visitor.request(link, NAVIGATION);
    expect([old.status, /uid_/.test(old.text)]).toEqual([404, false]);
    expect((await invite(next)).text).toContain('Your guests have been invited.');
    expect(headings(await mails())).toEqual(['kim: Invitation', 'max: Invitation']);
  });

  test('hear of the time to which it was moved before, by the old link and by the new one', async () => {
    for (const isOld of [true, false]) {
      const { path, talk, link } = await booked();
      const question = await see(visitor, `${path}/reschedule?start=${talk.starts[5]}`);
      await visitor.submit(question, { reason: '' });
      const moved = await mails();
      expect(headings(moved)).toEqual(['dan: New time', 'grace: New time']);
      await invite(isOld ? link : linkIn(moved));
      const told = await mails();
      expect(headings(told)).toEqual(['kim: Invitation', 'max: Invitation']);
      const start = Temporal.Instant.from(talk.starts[5] ?? '').toString({ fractionalSecondDigits: 3 });
      expect(told.map(({ calendars }) => calendars[0]?.events[0]?.start)).toEqual([start, start]);
    }
  });

  test('are invited to all of a series with one mail, but not to what was called off', async () => {
    const { link, first, path } = await booked({ recurrence: { frequency: 'WEEKLY', interval: 1, occurrences: 3 } });
    expect(headings(first)).toEqual(['dan: New booking', 'grace: Booked']);
    const [second] = linksOf(await see(visitor, path)).filter((one) => /^\/bookings\/[\w-]+$/.test(one));
    await visitor.submit(await see(visitor, `${second}/cancel`), { reason: '' });
    await mails();
    await invite(link);
    const told = await mails();
    expect(headings(told)).toEqual(['kim: Invitation', 'max: Invitation']);
    expect(told[0]?.calendars[0]?.events).toHaveLength(2);
  });

  test('are not invited once the meeting is over', async () => {
    const { link, uid } = await booked();
    await rows(
      app.database.em.fork(),
      sql`update bookings set starts_at = now() - interval '2 hours', ends_at = now() - interval '1 second' where id = ${uuidOf(uid)}`,
    );
    expect((await see(visitor, link)).text).toContain('No one left to invite');
  });

  test('are seen by their hosts as not invited, and then as invited', async () => {
    const { link, uid } = await booked();
    const seen = async () => {
      const { me } = await dan.browser.ask<{ me: { booking: object } }>(
        'query ($uid: ID!) { me { booking(id: $uid) { unsentMessageCount guests { isInvited } attendees { isVerified } } } }',
        { uid: idOfUid(uid) },
      );
      return me.booking;
    };
    const waiting = {
      unsentMessageCount: 0,
      guests: [{ isInvited: false }, { isInvited: false }],
      attendees: [{ isVerified: false }],
    };
    expect(await seen()).toEqual(waiting);
    await invite(link);
    expect(await seen()).toEqual({
      unsentMessageCount: 0,
      guests: [{ isInvited: true }, { isInvited: true }],
      attendees: [{ isVerified: true }],
    });
    await mails();
  });
});

describe('a link to invite guests', () => {
  test('is one of its booking alone, and the uid is not enough to make it', async () => {
    const [one, other] = [await booked(), await booked()];
    const token = one.link.split('/').at(-1) ?? '';
    const wrong = [
      `${other.path}/guests/${token}`,
      `${one.path}/guests/${token.slice(0, -1)}`,
      `${one.path}/guests/${'A'.repeat(43)}`,
      `/bookings/bkg_none/guests/${token}`,
    ];
    const own = await see(visitor, one.link);
    for (const path of wrong) {
      expect((await see(visitor, path)).status).toBe(404);
      const html = own.html.replaceAll(one.link, path);
      expect((await visitor.submit({ ...own, html }, {})).status).toBe(404);
    }
    expect(await mails()).toEqual([]);
  });

  test('does nothing for a form that is not ours', async () => {
    const { link } = await booked();
    const page = await see(visitor, link);
    const refused = await visitor.submit(page, { csrf: 'forged' });
    expect(refused.status).toBe(403);
    expect(shownPage(refused).text).toContain('Nothing was done');
    expect(await mails()).toEqual([]);
  });
});

describe('guests are mailed at once', () => {
  test('when who books is signed in with a verified address; without, they wait', async () => {
    const ada = await TestBrowser.signedIn(app.url, 'ada@acme.test');
    const { first, link } = await booked({}, ada);
    expect(headings(first)).toEqual(['dan: New booking', 'grace: Booked', 'kim: Invitation', 'max: Invitation']);
    expect(link).toBe('');
    await rows(app.database.em.fork(), sql`update users set email_verified_at = null where username = 'ada'`);
    expect(headings((await booked({}, ada)).first)).toEqual(['dan: New booking', 'grace: Booked']);
    await rows(app.database.em.fork(), sql`update users set email_verified_at = now() where username = 'ada'`);
  });

  test('when who books has shown a code', async () => {
    const talk = await dan.offer({ requiresBookerEmailVerification: true });
    const form = await formAt(visitor, talk, 0);
    const typed = { ...GRACE, guests: GUESTS };
    const asked = shownPage(await visitor.submit(form, { ...typed, step: 'send-code' }));
    const code = /\d{6}/.exec((await mailServer.received(1))[0]?.text ?? '')?.[0] ?? '';
    await mails();
    await visitor.submit(asked, { ...typed, code, step: 'book' });
    expect(headings(await mails())).toEqual([
      'dan: New booking',
      'grace: Booked',
      'kim: Invitation',
      'max: Invitation',
    ]);
  });
});
