/** From the mail of an invitation to membership, over HTTP and by pages. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ShownPage, shownPage, TestBrowser } from '../../support/test-browser.ts';
import {
  aPerson,
  followed,
  lastMailTo,
  linkIn,
  type MailedApp,
  openMailedApp,
  signUp,
  signUpVerified,
  tokenOf,
} from './mailbox.ts';

let mailed: MailedApp;
let owner: TestBrowser;
let teamId: string;
beforeAll(async () => {
  mailed = await openMailedApp();
  owner = await signUpVerified(mailed.app.url, mailed.mailServer);
  const input = { slug: 'choir', name: 'Choir <b>' };
  ({ teamId } = await owner.mutate<{ teamId: string }>('teamCreate', input, 'teamId'));
});
afterAll(() => mailed.close());

/** Invites an address, and gives the path in the mail. */
async function linkFor(email: string): Promise<string> {
  await owner.mutate('teamInvitationCreate', { teamId, email, role: 'MEMBER' }, 'invitationId');
  return linkIn(await lastMailTo(mailed.mailServer, email));
}

const decide = async (browser: TestBrowser, page: ShownPage, link: string, decision: string): Promise<ShownPage> =>
  shownPage(await browser.submit(page, { token: tokenOf(link), decision }));

const teamsOf = async (browser: TestBrowser): Promise<unknown[]> =>
  (await browser.ask<{ me: { teams: { nodes: unknown[] } } }>('{ me { teams { nodes { name } } } }')).me.teams.nodes;

describe('a person who opens the link of an invitation', () => {
  test('without an account makes one on the way, and joins', async () => {
    const person = aPerson();
    const link = await linkFor(person.email);
    const browser = new TestBrowser(mailed.app.url);
    const page = shownPage(await browser.open(link));
    expect(page.text).toContain('You’re invited to join the team Choir <b> as a member.');
    expect(page.html).not.toContain('Choir <b>');
    const way = /href="(\/auth\/signup[^"]+)"/.exec(page.html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const form = shownPage(await browser.open(way));
    expect(form.html).toContain(`value="${person.email}"`);
    const back = shownPage(await browser.submit(form, person));
    expect(back.address).toBe(link);
    expect(back.text).toContain(`You’ll join as ${person.name}`);
    const done = await decide(browser, back, link, 'accept');
    expect(done.text).toMatch(/You’ve joined.*See your teams/);
    expect(await teamsOf(browser)).toEqual([{ name: 'Choir <b>' }]);
    expect(shownPage(await browser.open(link)).status).toBe(410);
  });

  test('and is signed in with an address that is not verified joins only by the mail to that one', async () => {
    const person = aPerson();
    const browser = await signUp(mailed.app.url, person);
    const another = await linkFor(aPerson().email);
    const refused = await decide(browser, shownPage(await browser.open(another)), another, 'accept');
    expect([refused.status, refused.text.includes('verify your e-mail address first')]).toEqual([422, true]);
    expect(await teamsOf(browser)).toEqual([]);
    expect(shownPage(await new TestBrowser(mailed.app.url).open(another)).status).toBe(200);
    await owner.mutate('teamInvitationCreate', { teamId, email: person.email, role: 'MEMBER' }, 'invitationId');
    const own = linkIn(await lastMailTo(mailed.mailServer, person.email, 2));
    await decide(browser, shownPage(await browser.open(own)), own, 'accept');
    const { me } = await browser.ask<{ me: { isEmailVerified: boolean } }>('{ me { isEmailVerified } }');
    expect([me.isEmailVerified, (await teamsOf(browser)).length]).toEqual([true, 1]);
  });

  test('and is signed in joins as that account, whatever its address', async () => {
    const browser = await signUpVerified(mailed.app.url, mailed.mailServer);
    const link = await linkFor(aPerson().email);
    const done = await decide(browser, shownPage(await browser.open(link)), link, 'accept');
    expect([done.status, (await teamsOf(browser)).length]).toEqual([200, 1]);
  });

  test('declines without an account, and the link is dead', async () => {
    const [link, browser] = [await linkFor(aPerson().email), new TestBrowser(mailed.app.url)];
    const done = await decide(browser, shownPage(await browser.open(link)), link, 'decline');
    expect(done.text).toContain('You’ve declined');
    expect(shownPage(await browser.open(link)).status).toBe(410);
  });

  test('and accepts without being signed in signs in first', async () => {
    const [link, browser] = [await linkFor(aPerson().email), new TestBrowser(mailed.app.url)];
    const page = await decide(browser, shownPage(await browser.open(link)), link, 'accept');
    expect(page.address).toMatch(/^\/auth\/login\?return_to=/);
    expect(shownPage(await browser.open(link)).status).toBe(200);
  });

  test('sees the same page whether or not the address has an account', async () => {
    const [known, unknown] = [aPerson(), aPerson()];
    await signUpVerified(mailed.app.url, mailed.mailServer, known);
    const pages = [];
    for (const [{ email }, mails] of [
      [known, 2],
      [unknown, 1],
    ] as const) {
      await owner.mutate('teamInvitationCreate', { teamId, email, role: 'MEMBER' }, 'invitationId');
      const link = linkIn(await lastMailTo(mailed.mailServer, email, mails));
      const { text } = shownPage(await new TestBrowser(mailed.app.url).open(link));
      pages.push(text.replaceAll(email, 'ADDRESS'));
    }
    expect(pages[0]).toBe(pages[1]);
  });
});

const accept = async (browser: TestBrowser, link: string): Promise<void> => {
  const done = await decide(browser, shownPage(await browser.open(link)), link, 'accept');
  expect(done.status).toBe(200);
};

describe('an organization names', () => {
  let organizationId: string;
  let inTeam: string;
  beforeAll(async () => {
    const input = { slug: 'naming', name: 'Naming' };
    ({ organizationId } = await owner.mutate<{ organizationId: string }>(
      'organizationCreate',
      input,
      'organizationId',
    ));
    const team = { organizationId, slug: 'named', name: 'Named' };
    ({ teamId: inTeam } = await owner.mutate<{ teamId: string }>('organizationTeamCreate', team, 'teamId'));
  });

  const invited = async (email: string, mails = 1): Promise<string> => {
    await owner.mutate('organizationInvitationCreate', { organizationId, email, role: 'MEMBER' }, 'invitationId');
    return linkIn(await lastMailTo(mailed.mailServer, email, mails));
  };
  const rename = async (browser: TestBrowser) => {
    const { me } = await browser.ask<{ me: { id: string } }>('{ me { id } }');
    await owner.mutate('organizationUserUpdate', { organizationId, userId: me.id, name: 'Renamed' }, 'userId');
    return (await browser.ask<{ me: { name: string } }>('{ me { name } }')).me.name;
  };

  test('whoever had no account before it invited them, until they join something else', async () => {
    const person = aPerson();
    const link = await invited(person.email);
    const browser = await signUp(mailed.app.url, person);
    await accept(browser, link);
    expect(await rename(browser)).toBe('Renamed');
    await owner.mutate('teamInvitationCreate', { teamId: inTeam, email: person.email, role: 'MEMBER' }, 'invitationId');
    expect(await rename(browser)).toBe('Renamed');
    await browser.mutate('teamCreate', { slug: `own-${person.username}`, name: 'Own' }, 'teamId');
    await expect(rename(browser)).rejects.toThrow('FORBIDDEN');
  });

  test.each([
    ['have verified their address', true],
    ['have not yet', false],
  ])('nobody who had signed up before, if they %s', async (_, isVerified) => {
    const [person, { app, mailServer }] = [aPerson(), mailed];
    const browser = await (isVerified ? signUpVerified(app.url, mailServer, person) : signUp(app.url, person));
    await accept(browser, await invited(person.email, 2));
    await expect(rename(browser)).rejects.toThrow('FORBIDDEN');
  });

  test('nobody who proved the address otherwise, though it was invited before', async () => {
    const person = aPerson();
    const link = await invited(person.email);
    const browser = await signUp(mailed.app.url, person);
    await followed(browser, linkIn(await lastMailTo(mailed.mailServer, person.email, 2)));
    await accept(browser, link);
    await expect(rename(browser)).rejects.toThrow('FORBIDDEN');
  });
});

test.each([
  ['that is none', 'token=nothing'],
  ['of another kind', `token=${'A'.repeat(43)}`],
  ['that is missing', ''],
])('a link %s leads to a page that says what to do', async (_, query) => {
  const page = shownPage(await new TestBrowser(mailed.app.url).open(`/auth/invitation?${query}`));
  expect([page.status, page.text.includes('Ask them for a new invitation')]).toEqual([410, true]);
});

test('a form without a decision, or a forged one, changes nothing', async () => {
  const [link, browser] = [await linkFor(aPerson().email), await signUpVerified(mailed.app.url, mailed.mailServer)];
  const page = shownPage(await browser.open(link));
  const undecided = await decide(browser, page, link, 'perhaps');
  expect([undecided.status, undecided.text.includes('accept or decline')]).toEqual([422, true]);
  const forged = shownPage(await browser.submit(page, { csrf: 'x', token: tokenOf(link), decision: 'accept' }));
  expect([forged.status, await teamsOf(browser)]).toEqual([403, []]);
  expect(await decide(browser, page, link, 'accept')).toMatchObject({ status: 200 });
});
