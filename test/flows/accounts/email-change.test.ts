import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rows, sql } from '../../../src/database/sql.ts';
import { atOnce } from '../../support/servers.ts';
import { type ShownPage, shownPage, TestBrowser } from '../../support/test-browser.ts';
import {
  aPerson,
  followed,
  isSignedIn,
  lastMailTo,
  linkIn,
  type MailedApp,
  mailsTo,
  openMailedApp,
  PASSWORD,
  signIn,
  signUp,
  signUpVerified,
  tokenOf,
} from './mailbox.ts';

const ACCOUNT = '/settings/account';

let opened: MailedApp;
let { app, mailServer } = {} as MailedApp;
beforeAll(async () => {
  opened = await openMailedApp();
  ({ app, mailServer } = opened);
});
afterAll(() => opened.close());

describe('another e-mail address', () => {
  test('becomes the account’s when its link is followed, and both addresses are told', async () => {
    const { person, browser, newEmail } = await somebody();
    const page = await change(browser, newEmail);
    expect(page.text).toContain('We’ve sent an e-mail to the new address');
    expect(page.text).toContain(`It changes to ${newEmail} once you open the link`);
    const warning = await lastMailTo(mailServer, person.email, 2);
    expect([warning.email.subject, warning.text]).toEqual([
      'Your e-mail address is about to change',
      expect.stringContaining(newEmail),
    ]);
    expect(await me(browser)).toEqual({ email: person.email, isEmailVerified: true, pendingEmail: newEmail });
    expect(isSignedIn(await signIn(app.url, newEmail))).toBe(false);

    const link = linkIn(await lastMailTo(mailServer, newEmail));
    expect((await followed(new TestBrowser(app.url), link)).text).toContain('Your address is confirmed');
    expect(await me(browser)).toEqual({ email: newEmail, isEmailVerified: true, pendingEmail: null });
    expect(isSignedIn(await signIn(app.url, newEmail))).toBe(true);
    expect(isSignedIn(await signIn(app.url, person.email))).toBe(false);
    for (const [mailbox, count] of [
      [person.email, 3],
      [newEmail, 2],
    ] as const) {
      const notice = await lastMailTo(mailServer, mailbox, count);
      expect([notice.email.subject, notice.text]).toEqual([
        'Your e-mail address was changed',
        expect.stringContaining(newEmail),
      ]);
    }
  });

  test('by GraphQL needs the current password too, and reports mistakes by their field', async () => {
    const { person, browser, newEmail } = await somebody();
    const input = { newEmail, currentPassword: PASSWORD };
    expect(await mistakes(browser, { ...input, currentPassword: 'wrong' })).toEqual(['WRONG_PASSWORD currentPassword']);
    expect(await mistakes(browser, { ...input, newEmail: 'none' })).toEqual(['INVALID_EMAIL newEmail']);
    expect(await mistakes(browser, { ...input, newEmail: person.email.toUpperCase() })).toEqual([
      'SAME_EMAIL newEmail',
    ]);
    expect(await me(browser)).toMatchObject({ pendingEmail: null });
    expect(await mistakes(browser, input)).toEqual([]);
    expect(await me(browser)).toMatchObject({ email: person.email, pendingEmail: newEmail });
  });

  test('asked for with a wrong password changes nothing, and the form says which field', async () => {
    const { person, browser, newEmail } = await somebody();
    const page = await change(browser, newEmail, 'wrong');
    expect([page.status, page.html]).toEqual([422, expect.stringContaining('id="passwordForEmail-mistake"')]);
    expect(page.html).toContain(`value="${newEmail}"`);
    expect(await me(browser)).toEqual({ email: person.email, isEmailVerified: true, pendingEmail: null });
  });

  test('can be given up again, and then its link is worthless', async () => {
    const { person, browser, newEmail } = await somebody();
    await change(browser, newEmail);
    const link = linkIn(await lastMailTo(mailServer, newEmail));
    const page = shownPage(await browser.open(ACCOUNT));
    const givenUp = await browser.submit(page, {}, '/settings/account/email-cancel');
    expect(shownPage(givenUp).text).toContain('Your e-mail address stays the same.');
    expect(shownPage(await browser.open(link)).status).toBe(410);
    expect(await me(browser)).toEqual({ email: person.email, isEmailVerified: true, pendingEmail: null });
  });

  test('is stopped by a change of the password', async () => {
    const { browser, newEmail } = await somebody();
    await change(browser, newEmail);
    const link = linkIn(await lastMailTo(mailServer, newEmail));
    await browser.mutate('passwordChange', { currentPassword: PASSWORD, newPassword: 'an even newer one' }, '');
    expect(shownPage(await browser.open(link)).status).toBe(410);
  });

  test('makes links worthless that went to the one before', async () => {
    const { person, browser, newEmail } = await somebody();
    const stranger = new TestBrowser(app.url);
    await stranger.submit(await stranger.open('/auth/forgotten-password'), { email: person.email });
    const reset = linkIn(await lastMailTo(mailServer, person.email, 2));
    await change(browser, newEmail);
    await followed(browser, linkIn(await lastMailTo(mailServer, newEmail)));
    expect(shownPage(await browser.open(reset)).status).toBe(410);
  });

  test('that another account has is answered in the same way, and only its mailbox is told', async () => {
    const [{ browser, newEmail }, owner] = [await somebody(), await somebody()];
    const [free, taken] = [await change(browser, newEmail), await change(browser, owner.person.email)];
    expect(taken.status).toBe(free.status);
    expect(taken.text.replaceAll(owner.person.email, '')).toBe(free.text.replaceAll(newEmail, ''));
    const mail = await lastMailTo(mailServer, owner.person.email, 2);
    expect([mail.email.subject, mail.text.includes('token=')]).toEqual(['You already have an account', false]);
    expect(await me(browser)).toMatchObject({ pendingEmail: owner.person.email });
  });

  test('becomes that of one of fifty accounts that confirm it at once', async () => {
    const wanted = 'wanted-by-fifty@mail.test';
    const people = await Promise.all(Array.from({ length: 5 }, somebody));
    for (const { browser } of people) await change(browser, wanted);
    const links = (await mailsTo(mailServer, wanted, people.length)).map(linkIn);
    const pages = await atOnce(50, (n) => follow(links[n % links.length] ?? ''));
    expect(pages.filter(({ text }) => text.includes('Your address is confirmed'))).toHaveLength(1);
    for (const { status } of pages) expect([200, 409, 410]).toContain(status);
    const owners = await rows(
      app.database.em.fork(),
      sql`select 1 from users where email = ${wanted} and email_verified_at is not null`,
    );
    expect(owners).toHaveLength(1);
  });
});

test('a user who mistyped the address at sign-up puts it right, and nobody at the wrong one is told', async () => {
  const wrong = aPerson();
  const browser = await signUp(app.url, wrong);
  await lastMailTo(mailServer, wrong.email);
  const right = `right-${wrong.email}`;
  await change(browser, right);
  await followed(browser, linkIn(await lastMailTo(mailServer, right)));
  expect(await me(browser)).toEqual({ email: right, isEmailVerified: true, pendingEmail: null });
  expect(await mailsTo(mailServer, wrong.email, 1)).toHaveLength(1);
});

test('the time zone is seen and changed on the same page', async () => {
  const { browser } = await somebody();
  const page = shownPage(await browser.open(ACCOUNT));
  expect(page.html).toContain('<option value="UTC" selected>');
  const changed = shownPage(await browser.submit(page, { timeZone: 'Asia/Kolkata' }));
  expect(changed.text).toContain('Your changes were saved.');
  expect(changed.html).toContain('<option value="Asia/Kolkata" selected>');
});

let count = 0;
async function somebody() {
  const person = aPerson();
  const browser = await signUpVerified(app.url, mailServer, person);
  return { person, browser, newEmail: `new-${(count += 1)}@mail.test` };
}

async function change(browser: TestBrowser, newEmail: string, passwordForEmail = PASSWORD): Promise<ShownPage> {
  return shownPage(await browser.submit(await browser.open(ACCOUNT), { newEmail, passwordForEmail }));
}

async function follow(link: string): Promise<ShownPage> {
  const browser = new TestBrowser(app.url);
  const page = shownPage(await browser.open(link));
  return page.status === 200 ? shownPage(await browser.submit(page, { token: tokenOf(link) })) : page;
}

async function me(browser: TestBrowser): Promise<unknown> {
  const { me: found } = await browser.ask<{ me: unknown }>('{ me { email isEmailVerified pendingEmail } }');
  return found;
}

async function mistakes(browser: TestBrowser, input: object): Promise<string[]> {
  const { emailChange } = await browser.ask<{ emailChange: { userErrors: { code: string; path: string[] }[] } }>(
    'mutation ($input: EmailChangeInput!) { emailChange(input: $input) { userErrors { code path } } }',
    { input },
  );
  return emailChange.userErrors.map(({ code, path }) => [code, ...path].join(' '));
}
