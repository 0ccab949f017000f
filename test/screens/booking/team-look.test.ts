/** How the booking pages and mails of a team look: logo, words, accent, and whether they name the service. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { GRACE, see, timesOn } from '../../support/booking-visitor.ts';
import { MailServer } from '../../support/mail-server.ts';
import { mailsSettled } from '../../support/mails-settled.ts';
import { type ShownPage, shownPage, TestBrowser } from '../../support/test-browser.ts';

const PLACE = '/book/organization/acme/sales';
/** Nothing of the team's own. */
const NOTHING = { inherit: ['LOGO_URL', 'BRAND_COLOR', 'HIDES_BRANDING'], bio: null };

let app: TestApp;
let mailServer: MailServer;
let ada: TestBrowser;
let visitor: TestBrowser;
let teamId: string;
let organizationId: string;

beforeAll(async () => {
  mailServer = await MailServer.open();
  const limits = 'receiver=500,receiverDay=500,network=500,host=500';
  app = await startTestApp({ SMTP_URL: mailServer.url, MAIL_LIMITS: limits }, { runsJobs: true });
  ada = await TestBrowser.signedIn(app.url, 'ada@acme.test');
  visitor = new TestBrowser(app.url);
  const { me } = await ada.ask<{ me: Record<string, { nodes: { id: string; slug: string }[] }> }>(
    '{ me { teams { nodes { id slug } } organizations { nodes { id slug } } } }',
  );
  teamId = me['teams']?.nodes.find(({ slug }) => slug === 'sales')?.id ?? '';
  organizationId = me['organizations']?.nodes[0]?.id ?? '';
});
afterAll(async () => {
  await app.close();
  await mailServer.close();
});
beforeEach(async () => {
  await change(NOTHING);
  mailServer.mails.length = 0;
});

const change = (fields: object) => ada.mutate('teamUpdate', { teamId, ...fields }, 'teamId');
const ofOrganization = (fields: object) =>
  ada.mutate('organizationUpdate', { organizationId, ...fields }, 'organizationId');

/** The pages by which a stranger books: the last one is the booking’s own. */
async function booking(path = `${PLACE}/demo`) {
  const { month, day, times } = await timesOn(visitor, path);
  const form = await see(visitor, times.at(-1) ?? '');
  const booked = shownPage(await visitor.submit(form, { ...GRACE, step: 'book' }));
  expect(booked.address).toMatch(/^\/bookings\/uid_/);
  return { month, day, form, booked };
}

const policyOf = ({ headers }: ShownPage): string => headers.get('content-security-policy') ?? '';
const styleSheets = ({ html }: ShownPage): string[] =>
  [...html.matchAll(/<link rel="stylesheet" href="([^"]*)"/g)].map(([, href = '']) => href);
const accentOf = (page: ShownPage) => styleSheets(page).find((href) => href.startsWith('/assets/accents/'));
const logoOf = ({ html }: ShownPage) => /<img class="logo" src="([^"]*)"/.exec(html)?.[1];

describe('the accent', () => {
  test('is a style sheet of our own, on every page on the way to a booking, and only where there is one', async () => {
    expect(accentOf(await see(visitor, PLACE))).toBeUndefined();
    await change({ brandColor: '#AA0000' });
    const pages = Object.values(await booking());
    const cancel = await see(visitor, `${pages.at(-1)?.address}/cancel`);
    const move = await see(visitor, `${pages.at(-1)?.address}/reschedule`);
    for (const page of [await see(visitor, PLACE), ...pages, cancel, move]) {
      expect(accentOf(page)).toMatch(/^\/assets\/accents\/aa0000\.css\?v=/);
      expect(page.html).not.toMatch(/<style|\sstyle=/);
      expect(policyOf(page)).toContain("style-src 'self';");
    }
    const sheet = await visitor.request(accentOf(cancel) ?? '');
    expect(sheet.text).toContain('--pico-primary-background: #aa0000;');
    expect(accentOf(await see(visitor, '/book/ada'))).toBeUndefined();
  });

  test('is that of the organization as long as the team has none', async () => {
    await ofOrganization({ brandColor: '#00aa00' });
    expect(accentOf(await see(visitor, PLACE))).toContain('/00aa00.css');
    await change({ brandColor: '#0000aa' });
    expect(accentOf(await see(visitor, PLACE))).toContain('/0000aa.css');
    // None, whatever the organization has.
    await change({ brandColor: null });
    expect(accentOf(await see(visitor, PLACE))).toBeUndefined();
    await change(NOTHING);
    expect(accentOf(await see(visitor, PLACE))).toContain('/00aa00.css');
    await ofOrganization({ brandColor: null });
    expect(accentOf(await see(visitor, PLACE))).toBeUndefined();
  });
});

describe('the logo', () => {
  const LOGO = 'https://pictures.example:8443/a%20logo.png?size=1&x=2';

  test('is shown where the team is, from its server alone, which is not told where', async () => {
    await change({ logoUrl: LOGO });
    const { month, form } = await booking();
    for (const page of [await see(visitor, PLACE), month, form]) {
      expect(logoOf(page)).toBe(LOGO.replace('&', '&amp;'));
      expect(page.html).toContain('alt="" referrerpolicy="no-referrer">');
      expect(policyOf(page)).toContain("img-src 'self' data: https://pictures.example:8443; ");
      expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    }
  });

  test('is on no page whose address is a secret', async () => {
    await change({ logoUrl: LOGO });
    const { booked } = await booking();
    const { team } = await ada.ask<{ team: { eventTypes: { nodes: { id: string; slug: string }[] } } }>(
      'query($id: ID!) { team(id: $id) { eventTypes { nodes { id slug } } } }',
      { id: teamId },
    );
    const eventTypeId = team.eventTypes.nodes.find(({ slug }) => slug === 'demo')?.id;
    const { privateLink } = await ada.mutate<{ privateLink: { url: string } }>(
      'teamPrivateLinkCreate',
      { teamId, eventTypeId },
      'privateLink { url }',
    );
    const secret = [booked.address, `${booked.address}/reschedule`, new URL(privateLink.url).pathname];
    for (const path of secret) {
      const page = await see(visitor, path);
      expect([path, logoOf(page)]).toEqual([path, undefined]);
      expect(policyOf(page)).toContain("img-src 'self' data:; ");
      expect(policyOf(page)).not.toContain('pictures.example');
    }
  });

  test.each(['https://x;script-src/', "https://a,b.example/'", 'https://x;default-src/a.png', 'https://[::1]/a.png'])(
    'is left out with a host that would say more in a policy, or that is none: %s',
    async (logoUrl) => {
      await change({ logoUrl });
      const page = await see(visitor, PLACE);
      expect(logoOf(page)).toBeUndefined();
      expect(policyOf(page)).toBe(policyOf(await see(visitor, '/book/ada')));
    },
  );
});

describe('the team’s text about itself', () => {
  test('stands on its page as text, whatever it is', async () => {
    const bio = '<img src=x onerror=alert(1)>\n& "quoted"';
    const name = '<script>Sales</script>';
    await change({ bio, name });
    const page = await see(visitor, PLACE);
    expect(page.html).toContain('&lt;img src=x onerror=alert(1)&gt;\n&amp; &quot;quoted&quot;');
    expect(page.html).toContain('<bdi>&lt;script&gt;Sales&lt;/script&gt;</bdi>');
    expect(page.html).not.toMatch(/<img src=x|<script>/);
    await change({ name: 'Sales' });
  });

  test('cannot turn around what stands beside it', async () => {
    const bad = ada.mutate('teamUpdate', { teamId, name: 'evil\u202egnp.exe' }, 'teamId');
    await expect(bad).rejects.toThrow('INVALID_TEXT');
    await expect(change({ bio: 'one \u202eowt' })).rejects.toThrow('INVALID_TEXT');
    await change({ bio: 'שלום!' });
    const page = await see(visitor, PLACE);
    expect(page.html).toContain('<bdi>שלום!</bdi>');
  });
});

const MARK = /gatehouse/i;
/** The page as a reader and their browser get it, without addresses and the names of files. */
const said = ({ html }: ShownPage): string => html.replaceAll(/(?:href|src|action)="\/[^"]*"/g, '');

/** The name of the sender of a code. */
async function senderOfCode(hidesBranding: boolean): Promise<string | undefined> {
  await change({ hidesBranding });
  mailServer.mails.length = 0;
  const slug = `coded-${hidesBranding}`;
  const input = { teamId, slug, title: 'Coded', durationInMinutes: 30, requiresBookerEmailVerification: true };
  const { eventTypeId } = await ada.mutate<{ eventTypeId: string }>('teamEventTypeCreate', input, 'eventTypeId');
  await ada.mutate('bookerEmailVerificationRequest', { eventTypeId, email: `${slug}@example.test` }, '');
  const [mail] = await mailServer.received(1);
  return mail?.email.from?.name;
}

describe('our name', () => {
  test('is on the pages and in front of the sender’s address of those who do not hide it', async () => {
    await mailsSettled(app, mailServer);
    const { month, booked } = await booking();
    for (const page of [await see(visitor, PLACE), month, booked]) {
      expect(said(page)).toMatch(/<title>[^<]* – Gatehouse<\/title>/);
      expect(said(page)).toMatch(/class="brand"/);
    }
    const [mail] = (await mailsSettled(app, mailServer)).filter(({ mailbox }) => mailbox === GRACE.email);
    expect(mail?.email.from).toEqual({ name: 'Gatehouse', address: 'no-reply@gatehouse.test' });
  });

  test.each([
    ['the team', () => change({ hidesBranding: true })],
    ['its organization', () => ofOrganization({ hidesBranding: true })],
  ])('is hidden by %s: on every page to a booking and of one, and in its mails', async (_, hide) => {
    await mailsSettled(app, mailServer);
    await hide();
    const { month, day, form, booked } = await booking();
    const further = ['/cancel', '/reschedule'].map((end) => see(visitor, `${booked.address}${end}`));
    for (const page of [await see(visitor, PLACE), month, day, form, booked, ...(await Promise.all(further))]) {
      expect([page.address, MARK.test(said(page))]).toEqual([page.address, false]);
      expect(page.html).not.toContain('gatehouse.svg');
    }
    const cancelled = shownPage(await visitor.submit(await see(visitor, `${booked.address}/cancel`), {}));
    expect(MARK.test(said(cancelled))).toBe(false);
    const mails = await mailsSettled(app, mailServer);
    expect(mails.length).toBeGreaterThan(3);
    for (const { email, text } of mails) {
      expect(email.from).toEqual({ name: '', address: 'no-reply@gatehouse.test' });
      expect(email.subject).not.toMatch(MARK);
      expect(text).not.toMatch(MARK);
    }
    await ofOrganization({ hidesBranding: false });
  });

  test('is on the pages of a team that shows it although its organization hides it', async () => {
    await ofOrganization({ hidesBranding: true });
    await change({ hidesBranding: false });
    expect(said(await see(visitor, PLACE))).toMatch(MARK);
    await ofOrganization({ hidesBranding: false });
  });

  test('is hidden in the mail with a code, too', async () => {
    expect([await senderOfCode(true), await senderOfCode(false)]).toEqual(['', 'Gatehouse']);
  });
});
