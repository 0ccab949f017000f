/** The link of the mail “please confirm”: a host answers by it without being signed in. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { changed, rows, sql } from '../../../src/database/sql.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { GRACE, type Host, hostOf, linksOf, mistakesOf, type Offered, see } from '../../support/booking-visitor.ts';
import { formsOf, textOf } from '../../support/html-form.ts';
import { idOfUid, uuidOf } from '../../support/ids.ts';
import { MailServer, type ReceivedMail } from '../../support/mail-server.ts';
import { mailsSettled } from '../../support/mails-settled.ts';
import { foreignTo } from '../../support/spoken-words.ts';
import { NAVIGATION, OWN_FORM, shownPage, TestBrowser } from '../../support/test-browser.ts';

const MANY = 'receiver=1000,receiverDay=1000,network=1000,host=1000';

let app: TestApp;
let mailServer: MailServer;
let ada: Host;
let dan: Host;
let bob: TestBrowser;
let alone: Offered;
/** An event type of a team: Ada and Bob host it together. */
let together: Offered;
/** An event type of the same team: one of them hosts it. */
let inTurn: Offered;
let taken = 0;
beforeAll(async () => {
  mailServer = await MailServer.open();
  app = await startTestApp({ SMTP_URL: mailServer.url, MAIL_LIMITS: MANY }, { runsJobs: true });
  [ada, dan, bob] = await Promise.all([
    hostOf(app, 'ada@acme.test', 'ada'),
    hostOf(app, 'dan@solo.test', 'dan'),
    TestBrowser.signedIn(app.url, 'bob@acme.test'),
  ]);
  const bookingFields = [{ type: 'TEXT', slug: 'topic', label: 'What about?' }];
  alone = await dan.offer({ title: 'Zzz', confirmation: { type: 'ALWAYS' }, bookingFields });
  const { teamId } = await ada.browser.mutate<{ teamId: string }>('teamCreate', { slug: 'duo', name: 'Duo' }, 'teamId');
  const userId = await idOf(bob);
  const { membershipId } = await ada.browser.mutate<{ membershipId: string }>(
    'teamMembershipCreate',
    { teamId, userId, role: 'MEMBER' },
    'membershipId',
  );
  await bob.mutate('teamMembershipUpdate', { teamId, membershipId, isAccepted: true }, 'membershipId');
  const hosts = [{ userId }, { userId: await idOf(ada.browser) }];
  const ofTeam = async (slug: string, schedulingType: string): Promise<Offered> => {
    const input = {
      teamId,
      slug,
      title: slug,
      durationInMinutes: 15,
      confirmation: { type: 'ALWAYS' },
      schedulingType,
      hosts,
    };
    const { eventTypeId } = await ada.browser.mutate<{ eventTypeId: string }>(
      'teamEventTypeCreate',
      input,
      'eventTypeId',
    );
    return { path: '', eventTypeId, starts: await startsOf(eventTypeId) };
  };
  together = await ofTeam('together', 'COLLECTIVE');
  inTurn = await ofTeam('in-turn', 'ROUND_ROBIN');
  await mails();
});
afterAll(async () => {
  await app.close();
  await mailServer.close();
});

const idOf = async (browser: TestBrowser) => (await browser.ask<{ me: { id: string } }>('{ me { id } }')).me.id;
const mails = () => mailsSettled(app, mailServer);
const store = (statement: ReturnType<typeof sql>) => changed(app.database.em.fork(), statement);
const phone = () => new TestBrowser(app.url);

async function startsOf(id: string): Promise<string[]> {
  const from = Temporal.Now.instant().add({ hours: 24 * 8 });
  const variables = { id, from: from.toString(), to: from.add({ hours: 24 * 20 }).toString() };
  const document =
    'query ($id: ID!, $from: DateTime!, $to: DateTime!) { slots(eventType: { id: $id }, start: $from, end: $to) { start } }';
  return (await ada.browser.ask<{ slots: { start: string }[] }>(document, variables)).slots.map(({ start }) => start);
}

interface Asked {
  readonly uid: string;
  readonly first: readonly ReceivedMail[];
  /** By the name of the mailbox. */
  readonly link: (name: string) => string;
}

async function ask({ eventTypeId, starts }: Offered, more: object = {}): Promise<Asked> {
  taken += 1;
  const attendee = { ...GRACE, timeZone: 'Europe/Berlin' };
  const input = { eventTypeId, start: starts[taken], attendee, ...more };
  const { booking } = await phone().mutate<{ booking: { uid: string } }>('bookingCreate', input, 'booking { uid }');
  const first = await mails();
  return { uid: booking.uid, first, link: (name) => linkIn(first, name) };
}

function linkIn(all: readonly ReceivedMail[], name: string): string {
  const text = all.find(({ mailbox }) => mailbox.startsWith(`${name}@`))?.text ?? '';
  return /\/bookings\/[\w-]+\/answer\/[\w-]+/.exec(text)?.[0] ?? '';
}

const headings = (all: readonly ReceivedMail[]) =>
  all.map(({ mailbox, email }) => `${mailbox.split('@')[0]}: ${email.subject?.split(':')[0]}`).toSorted();

async function statusOf(uid: string): Promise<string | undefined> {
  const found = await rows(
    app.database.em.fork(),
    sql<{ status: string }>`select status from bookings where id = ${uuidOf(uid)}`,
  );
  return found[0]?.status;
}

/** Opens the page and presses a button of it. */
async function press(
  link: string,
  action: 'confirm' | 'decline',
  values: Record<string, string> = {},
  browser = phone(),
) {
  return shownPage(await browser.submit(await see(browser, link), values, `${link}/${action}`));
}

/** Whether the page offers to answer, and whether a form of it that was shown before is taken. */
async function serves(link: string, form: { browser: TestBrowser; body: string }): Promise<readonly [number, number]> {
  const { status } = await see(phone(), link);
  const answer = await form.browser.request(`${link}/decline`, OWN_FORM, form.body);
  return [status, answer.status];
}

async function openForm(link: string) {
  const browser = phone();
  const { html } = await see(browser, link);
  const fields = formsOf(html).find(({ action }) => action === `${link}/decline`)?.fields ?? {};
  return { browser, body: new URLSearchParams(fields).toString() };
}

const ACCEPTED = [200, 303];

const token = (link: string) => link.split('/').at(-1) ?? '';

describe('the mail that asks a host', () => {
  test('leads to a page that shows the request to anybody who has the address, and changes nothing by being opened', async () => {
    const sent = { responses: { topic: 'A <b>plan</b>' }, notes: 'By the door', guests: ['friend@example.test'] };
    const { uid, first, link } = await ask(alone, sent);
    const path = link('dan');
    expect(path).toMatch(new RegExp(`^/bookings/${idOfUid(uid)}/answer/[\\w-]{43}$`));
    const toDan = first.find(({ mailbox }) => mailbox === 'dan@solo.test');
    expect(toDan?.text).toContain('Anyone who has this link can answer for you');
    expect(toDan?.email.html).toContain(path);
    // The booker would find the link in a reply.
    expect(toDan?.email.replyTo).toBeUndefined();
    expect(first.filter(({ everything }) => everything.includes('/answer/'))).toEqual([toDan]);

    for (const _ of [1, 2]) {
      const page = await see(phone(), path);
      for (const words of ['Zzz', 'Waiting for you', 'Grace Hopper', GRACE.email, 'A <b>plan</b>', 'By the door']) {
        expect(page.text).toContain(words);
      }
      expect(page.text).toContain('friend@example.test');
      const told = ['cache-control', 'referrer-policy', 'x-robots-tag'].map((name) => page.headers.get(name));
      expect(told).toEqual(['no-store', 'no-referrer', 'noindex, nofollow']);
      expect(formsOf(page.html).map(({ action }) => action)).toEqual([`${path}/confirm`, `${path}/decline`]);
    }
    for (const form of ['confirm', 'decline']) {
      const { status, headers } = await phone().request(`${path}/${form}`);
      expect([status, headers.get('location')]).toEqual([303, path]);
    }
    expect([await statusOf(uid), await mails()]).toEqual(['PENDING', []]);
  });

  test('is written, as its page is, in the language of the host', async () => {
    await store(sql`update users set locale = 'de' where username = 'dan'`);
    const { first, link } = await ask(alone);
    onTestFinished(async () => void (await store(sql`update users set locale = 'en-AU' where username = 'dan'`)));
    expect(first.find(({ mailbox }) => mailbox === 'dan@solo.test')?.text).toContain('Bitte leiten Sie weder ihn noch');
    const foreign = await foreignTo('de');
    const english = { ...NAVIGATION, 'accept-language': 'en' };
    for (const words of ['Termin bestätigen', 'Hier ist nichts mehr zu beantworten.']) {
      const { text } = await phone().request(link('dan'), english);
      expect(text).toContain('<html lang="de">');
      expect(textOf(text)).toContain(words);
      expect(
        foreign(textOf(text), [
          'Zzz',
          'Grace Hopper',
          GRACE.email,
          'Dan Whitlock',
          'Europe/Berlin',
          'Australia/Sydney',
        ]),
      ).toEqual([]);
      if (words === 'Termin bestätigen') await press(link('dan'), 'confirm');
    }
    await mails();
  });

  test('leads a host whose address is not verified to the page for signed-in users', async () => {
    await store(sql`update users set email_verified_at = null where username = 'dan'`);
    const { uid, first, link } = await ask(alone);
    await store(sql`update users set email_verified_at = now() where username = 'dan'`);
    expect(link('dan')).toBe('');
    expect(first.find(({ mailbox }) => mailbox === 'dan@solo.test')?.text).toContain(`/bookings/${idOfUid(uid)}/host`);
  });

  test('has a link for each booking of a series', async () => {
    const series = await dan.offer({
      confirmation: { type: 'ALWAYS' },
      recurrence: { frequency: 'WEEKLY', interval: 1, occurrences: 2 },
    });
    const { first } = await ask(series, { start: series.starts.at(-1) });
    const text = first.find(({ mailbox }) => mailbox === 'dan@solo.test')?.text ?? '';
    const links = [...text.matchAll(/\/bookings\/[\w-]+\/answer\/[\w-]+/g)].map(([link]) => link);
    expect(new Set(links).size).toBe(2);
    await press(links[0] ?? '', 'confirm');
    expect((await see(phone(), links[1] ?? '')).text).toContain('Waiting for you');
    await mails();
  });
});

describe('a host who follows the link', () => {
  test('confirms, as on the page of the booking, whoever is signed in', async () => {
    for (const browser of [phone(), bob, dan.browser]) {
      const { uid, link } = await ask(alone);
      const done = await press(link('dan'), 'confirm', {}, browser);
      expect(done.text).toContain('You confirmed the booking.');
      expect([done.address, await statusOf(uid)]).toEqual([`${link('dan')}?done=confirm`, 'ACCEPTED']);
      expect(headings(await mails())).toEqual(['dan: Confirmed', 'grace: Confirmed']);
    }
  });

  test('declines, and says why', async () => {
    const { uid, link } = await ask(alone);
    const page = await press(link('dan'), 'decline', { 'decline-reason': 'x'.repeat(20_000) });
    expect([page.status, Object.keys(mistakesOf(page))]).toEqual([422, ['decline-reason']]);
    expect(await statusOf(uid)).toBe('PENDING');
    expect((await press(link('dan'), 'decline', { 'decline-reason': 'Ill' })).text).toContain(
      'You declined the booking.',
    );
    expect(await statusOf(uid)).toBe('REJECTED');
    const told = await mails();
    expect(headings(told)).toEqual(['dan: Declined', 'grace: Declined']);
    expect(told.map(({ text }) => text.includes('Ill'))).toEqual([true, true]);
  });

  test('learns afterwards what became of it, without what its attendees have sent, and is led to the page of the booking', async () => {
    const { uid, link } = await ask(together);
    await press(link('ada'), 'confirm');
    for (const name of ['ada', 'bob']) {
      const page = await see(phone(), link(name));
      expect(page.text).toContain('Confirmed');
      expect(page.text).toContain('There’s nothing left to answer.');
      expect(page.text).not.toContain(GRACE.email);
      expect(formsOf(page.html)).toEqual([]);
      expect(linksOf(page)).toContain(`/bookings/${idOfUid(uid)}/host`);
    }
    await mails();
  });

  test('hears that the other host was faster, and that the same press again was not in vain', async () => {
    const { uid, link } = await ask(together);
    const [mine, other] = [phone(), phone()];
    const [first, second] = [await see(mine, link('ada')), await see(other, link('bob'))];
    const send = (browser: TestBrowser, page: typeof first, action: string) => browser.submit(page, {}, action);
    expect(shownPage(await send(mine, first, `${link('ada')}/confirm`)).text).toContain('You confirmed the booking.');
    expect(shownPage(await send(other, second, `${link('bob')}/confirm`)).status).toBe(200);
    const late = shownPage(await send(other, second, `${link('bob')}/decline`));
    expect([late.status, await statusOf(uid)]).toEqual([422, 'ACCEPTED']);
    expect(late.text).toContain('The booking is accepted');
    expect(headings(await mails())).toEqual(['ada: Confirmed', 'bob: Confirmed', 'grace: Confirmed']);
  });
});

describe('a link answers', () => {
  test('by its own token alone', async () => {
    const [one, other] = [await ask(together), await ask(together)];
    const form = await openForm(one.link('ada'));
    const mine = token(one.link('ada'));
    const forged = [
      `/bookings/${idOfUid(one.uid)}/answer/${mine.slice(0, -1)}`,
      `/bookings/${idOfUid(one.uid)}/answer/${'A'.repeat(43)}`,
      `/bookings/${idOfUid(one.uid)}/answer/${token(other.link('ada'))}`,
      `/bookings/${idOfUid(other.uid)}/answer/${mine}`,
      `/bookings/bkg_none/answer/${mine}`,
      // Which invites guests, and would, were it made for the same purpose.
      `/bookings/${one.uid}/guests/${mine}`,
    ];
    for (const link of forged) expect(await serves(link, form)).toEqual([404, 404]);
    expect([await statusOf(one.uid), await statusOf(other.uid)]).toEqual(['PENDING', 'PENDING']);
    expect(await serves(one.link('ada'), form)).toEqual(ACCEPTED);
    expect(await serves(other.link('bob'), await openForm(other.link('bob')))).toEqual(ACCEPTED);
    await mails();
  });

  test('for the host who has the request, and after handing over for the host who has taken over', async () => {
    const { uid, first } = await ask(inTurn, { start: together.starts.at(-1) });
    const [from, to] = linkIn(first, 'ada') === '' ? ['bob', 'ada'] : ['ada', 'bob'];
    const link = linkIn(first, from);
    const form = await openForm(link);
    const browser = from === 'ada' ? ada.browser : bob;
    await browser.submit(await see(browser, `/bookings/${idOfUid(uid)}/host`), { toHost: '' });
    const taken = (await mails()).find(({ mailbox }) => mailbox.startsWith(`${to}@`));
    expect(taken?.email.subject).toContain('Please confirm');
    expect(await serves(link, form)).toEqual([404, 404]);
    expect(await statusOf(uid)).toBe('PENDING');
    const theirs = linkIn(taken ? [taken] : [], to);
    expect(await serves(theirs, await openForm(theirs))).toEqual(ACCEPTED);
    await mails();
  });

  test('at the time that it was mailed for: a new time has a new link', async () => {
    const { uid, link } = await ask(alone);
    const form = await openForm(link('dan'));
    taken += 1;
    const moved = { uid, start: alone.starts[taken] };
    await phone().mutate('bookingReschedule', moved, 'booking { uid }');
    const next = linkIn(await mails(), 'dan');
    const page = await see(phone(), link('dan'));
    expect(page.text).toContain('This booking was rescheduled.');
    expect(await serves(link('dan'), form)).toEqual([200, 422]);
    expect(await serves(next, await openForm(next))).toEqual(ACCEPTED);
    await mails();
  });

  test('unless the booking is cancelled, or over', async () => {
    const [cancelled, over, standing] = [await ask(alone), await ask(alone), await ask(alone)];
    const forms = await Promise.all([cancelled, over, standing].map(({ link }) => openForm(link('dan'))));
    await phone().mutate('bookingCancel', { uid: cancelled.uid, reason: 'Ill' }, 'booking { uid }');
    await store(
      sql`update bookings set starts_at = now() - interval '1 hour', ends_at = now() - interval '1 second'
          where id = ${uuidOf(over.uid)}`,
    );
    expect((await see(phone(), cancelled.link('dan'))).text).toMatch(/Cancelled.*There’s nothing left to answer.*Ill/);
    expect((await see(phone(), over.link('dan'))).text).toContain('This booking is over');
    const served = [];
    for (const [index, { link }] of [cancelled, over, standing].entries()) {
      const form = forms[index];
      if (form) served.push(await serves(link('dan'), form));
    }
    expect(served).toEqual([[200, 422], [200, 422], ACCEPTED]);
    expect([await statusOf(cancelled.uid), await statusOf(over.uid)]).toEqual(['CANCELLED', 'PENDING']);
    await mails();
  });

  test.each([
    ['is suspended', sql`suspended_at = now()`, sql`suspended_at = null`],
    ['has another address', sql`email = 'dan@new.test'`, sql`email = 'dan@solo.test'`],
    ['is not known by the address', sql`email_verified_at = null`, sql`email_verified_at = now()`],
  ])('and not for a host who %s', async (_, change, back) => {
    const { uid, link } = await ask(alone);
    const form = await openForm(link('dan'));
    await store(sql`update users set ${change} where username = 'dan'`);
    const refused = await serves(link('dan'), form);
    await store(sql`update users set ${back} where username = 'dan'`);
    expect([refused, await statusOf(uid)]).toEqual([[404, 404], 'PENDING']);
    expect(await serves(link('dan'), form)).toEqual(ACCEPTED);
    await mails();
  });

  test('and takes the form of its own page alone', async () => {
    const { uid, link } = await ask(alone);
    const { browser, body } = await openForm(link('dan'));
    const action = `${link('dan')}/decline`;
    const foreign = { ...OWN_FORM, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect((await browser.request(action, foreign, body)).status).toBe(403);
    // The token of the other form, one of another browser, and none.
    const { fields } = formsOf((await see(browser, link('dan'))).html)[0] ?? { fields: {} };
    const others = [new URLSearchParams(fields).toString(), (await openForm(link('dan'))).body, ''];
    for (const other of others) {
      const sent = `${other.replace('decline-reason=', '')}&decline-reason=Ill`;
      const { status, text } = await browser.request(action, OWN_FORM, sent);
      expect([status, textOf(text).includes('Nothing was done')]).toEqual([403, true]);
      expect(text).toMatch(/>\n?Ill<.textarea>/);
    }
    expect([await statusOf(uid), await mails()]).toEqual(['PENDING', []]);
    expect((await browser.request(action, OWN_FORM, body)).status).toBe(303);
    await mails();
  });
});
