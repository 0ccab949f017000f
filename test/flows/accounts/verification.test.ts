import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUserId } from '../../../src/core/id.ts';
import { row, rows, sql } from '../../../src/database/sql.ts';
import { makeLink } from '../../../src/modules/accounts/links/account-links.ts';
import { accountForms } from '../../../src/screens/account/account-settings.ts';
import { newFormKey } from '../../../src/screens/kit/request.ts';
import { testAccountMails } from '../../support/account-mails.ts';
import { atOnce } from '../../support/servers.ts';
import { type ShownPage, shownPage, TestBrowser } from '../../support/test-browser.ts';
import {
  aPerson,
  followed,
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

describe('after signing up', () => {
  test('the account is there and unverified, pages say so, and the link of the mail verifies it', async () => {
    const person = aPerson();
    const browser = await signUp(app.url, person);
    expect(shownPage(await browser.open('/')).text).toContain(
      `Your e-mail address ${person.email} isn’t confirmed yet`,
    );
    expect(await browser.ask('{ me { isEmailVerified pendingEmail } }')).toEqual({
      me: { isEmailVerified: false, pendingEmail: null },
    });
    const mail = await lastMailTo(mailServer, person.email);
    expect(mail.email.subject).toBe('Confirm your e-mail address');
    expect(mail.text).toContain(`the account “${person.username}”`);
    expect(mail.text).not.toContain(person.name);
    const confirmed = await followed(browser, linkIn(mail));
    expect(confirmed.text).toContain('Your address is confirmed');
    expect(confirmed.html).toMatch(/href="\/welcome"[\s\S]*href="\/settings\/account"/);
    expect(await browser.ask('{ me { isEmailVerified } }')).toEqual({ me: { isEmailVerified: true } });
    expect(shownPage(await browser.open('/')).text).not.toContain('isn’t confirmed yet');
  });

  test('a program that opens the link, as those of mail servers do, verifies nothing', async () => {
    const person = aPerson();
    const browser = await signUp(app.url, person);
    const link = linkIn(await lastMailTo(mailServer, person.email));
    for (const _ of [1, 2]) {
      const page = shownPage(await new TestBrowser(app.url).open(link));
      expect(page.text).toContain(`The account ${person.username} was given the address ${person.email}`);
      expect(page.headers.get('referrer-policy')).toBe('no-referrer');
      expect(page.headers.get('cache-control')).toBe('no-store');
    }
    await browser.request(link, {});
    expect(await browser.ask('{ me { isEmailVerified } }')).toEqual({ me: { isEmailVerified: false } });
    expect((await followed(new TestBrowser(app.url), link)).text).toContain('Your address is confirmed');
  });

  test('fifty people press the button of one link: one is first, and the others hear that it was used', async () => {
    const person = aPerson();
    await signUp(app.url, person);
    const link = linkIn(await lastMailTo(mailServer, person.email));
    const opened = await atOnce(50, async () => {
      const browser = new TestBrowser(app.url);
      return { browser, page: await browser.open(link) };
    });
    const pages = await Promise.all(
      opened.map(async ({ browser, page }) => shownPage(await browser.submit(page, { token: tokenOf(link) }))),
    );
    expect(pages.filter(({ text }) => text.includes('Your address is confirmed'))).toHaveLength(1);
    const others = pages.filter(({ status }) => status === 410);
    expect(others).toHaveLength(49);
    expect(others[0]?.text).toContain('This link no longer works');
    const events = await rows(
      app.database.em.fork(),
      sql`select 1 from audit_events e join users u on u.id = e.user_id
          where u.username = ${person.username} and e.type = 'USER_EMAIL_VERIFIED'`,
    );
    expect(events).toHaveLength(1);
  });

  test('the mail is sent again from the account’s page, and the link before it is void', async () => {
    const person = aPerson();
    const browser = await signUp(app.url, person);
    const first = linkIn(await lastMailTo(mailServer, person.email));
    expect(shownPage(await browser.open(ACCOUNT)).html).toMatch(/<form[^>]*account\/verification"[^>]* data-once>/);
    expect((await askAgain(browser)).text).toContain('We’ve sent you the e-mail.');
    const second = linkIn(await lastMailTo(mailServer, person.email, 2));
    expect(shownPage(await browser.open(first)).status).toBe(410);
    expect((await followed(browser, second)).text).toContain('Your address is confirmed');
    const page = shownPage(await browser.open(ACCOUNT));
    expect(page.html).not.toContain('/settings/account/verification');
  });

  test('the mail is sent again once, however often the form is sent; the form of the page that follows sends another', async () => {
    const { id: userId } = await signedUp();
    const sending = testAccountMails(app.database);
    const { accountMails, mails } = sending;
    const send = (key: string): Promise<unknown> => {
      const { run } = accountForms({ accountMails, addressOf: () => '192.0.2.1' } as never).verification;
      const visit = { session: { userId }, em: app.database.em.fork() };
      if (!run) throw new Error('The form does nothing.');
      return run(visit as never, {} as never, new URLSearchParams({ idempotencyKey: key }));
    };
    const [first, next] = [newFormKey(), newFormKey()];
    await Promise.all([send(first), send(first), send(first)]);
    await send(first);
    await sending.settled();
    expect(mails).toHaveLength(1);
    await send(next);
    await sending.settled();
    expect(mails).toHaveLength(2);
  });

  test('a link is over after a day', async () => {
    const person = aPerson();
    const browser = await signUp(app.url, person);
    const link = linkIn(await lastMailTo(mailServer, person.email));
    await pass(person.username, '23 hours 59 minutes');
    expect(shownPage(await browser.open(link)).status).toBe(200);
    await pass(person.username, '1 minute');
    expect(shownPage(await browser.open(link)).status).toBe(410);
  });

  test.each(['', 'x', 'A'.repeat(43), `${'A'.repeat(42)}%00`, 'A'.repeat(5_000)])(
    'a token that is none is over: %j',
    async (token) => {
      expect(shownPage(await new TestBrowser(app.url).open(`/auth/confirm-email?token=${token}`)).status).toBe(410);
    },
  );
});

describe('an address that another account has verified', () => {
  test('is told to its mailbox alone, without a link, and stays with that account', async () => {
    const owner = aPerson();
    await signUpVerified(app.url, mailServer, owner);
    const intruder = aPerson({ email: owner.email, password: 'the password of the intruder' });
    const browser = await signUp(app.url, intruder);
    const mail = await lastMailTo(mailServer, owner.email, 2);
    expect(mail.email.subject).toBe('You already have an account');
    expect(mail.text).toContain(`“${owner.username}”`);
    expect(mail.text).not.toContain('token=');
    expect(await browser.ask('{ me { username isEmailVerified } }')).toEqual({
      me: { username: intruder.username, isEmailVerified: false },
    });
    expect((await signIn(app.url, owner.email)).text).toContain('You’re signed in as Grace');
    const own = await signIn(app.url, owner.email, 'the password of the intruder');
    expect(own.text).toContain('isn’t confirmed yet');
  });

  test('in the meantime says so, changes nothing, and leads on', async () => {
    const [first, second] = [aPerson({ email: 'both@mail.test' }), aPerson({ email: 'both@mail.test' })];
    const [one, other] = [await signUp(app.url, first), await signUp(app.url, second)];
    const mails = await mailsTo(mailServer, 'both@mail.test', 2);
    const [own, others] = mails.toSorted((a) => (a.text.includes(`"${first.username}"`) ? -1 : 1)).map(linkIn);
    expect((await followed(one, own ?? '')).text).toContain('Your address is confirmed');
    const page = await followed(other, others ?? '');
    expect([page.status, page.text]).toEqual([409, expect.stringContaining('Another account has this address')]);
    expect(page.html).toContain('/auth/login?login_hint=both%40mail.test');
    expect(await other.ask('{ me { isEmailVerified } }')).toEqual({ me: { isEmailVerified: false } });
  });

  test('becomes that of one of fifty accounts that confirm it at once', async () => {
    const email = 'fifty@mail.test';
    const links = await linksOf(50, email);
    const pages = await atOnce(50, async (n) => followed(new TestBrowser(app.url), links[n] ?? ''));
    expect(pages.filter(({ text }) => text.includes('Your address is confirmed'))).toHaveLength(1);
    expect(pages.filter(({ status }) => status === 409)).toHaveLength(49);
    const verified = await row(
      app.database.em.fork(),
      sql<{
        count: number;
      }>`select count(*)::int as count from users where email = ${email} and email_verified_at is not null`,
    );
    expect(verified).toEqual({ count: 1 });
  });
});

test('an app sees whether the address is verified', async () => {
  const { body } = await app.graphql('{ viewer: __type(name: "Viewer") { fields { name } } }');
  const names = body.data.viewer.fields.map(({ name }: { name: string }) => name);
  expect(names).toContain('isEmailVerified');
  expect(names).not.toContain('pendingEmail');
});

/** The first form of the page sends the mail again, and has no other field. */
async function askAgain(browser: TestBrowser): Promise<ShownPage> {
  return shownPage(await browser.submit(await browser.open(ACCOUNT), {}, '/settings/account/verification'));
}

/** A new account, as the database has it. */
async function signedUp(): Promise<{ id: string }> {
  const { username } = aPerson();
  await signUp(app.url, aPerson({ username }));
  const user = await row(
    app.database.em.fork(),
    sql<{ id: string }>`select id from users where username = ${username}`,
  );
  if (!user) throw new Error('Nobody has signed up.');
  return user;
}

/** As if this much time had passed since the link was made. */
async function pass(username: string, time: string): Promise<void> {
  await rows(
    app.database.em.fork(),
    sql`update account_links l set expires_at = expires_at - ${time}::interval
        from users u where u.id = l.user_id and u.username = ${username}`,
  );
}

/** Links of as many accounts with one address, which nobody has verified yet. Made as sign-up makes them, but by one hash. */
async function linksOf(count: number, email: string): Promise<string[]> {
  const em = app.database.em.fork();
  const people = Array.from({ length: count }, () => ({
    id: newUserId(),
    username: aPerson({ email, password: PASSWORD }).username,
  }));
  await rows(
    em,
    sql`insert into users (id, email, username, name, password_hash, time_zone, week_start, time_format, locale,
          metadata, is_administrator, created_at, updated_at)
        select id, ${email}, name, name, 'none', 'UTC', 'MONDAY', 24, 'en', '{}', false, now(), now()
        from unnest(${people.map(({ id }) => id)}::uuid[], ${people.map(({ username }) => username)}::text[]) person(id, name)`,
  );
  return Promise.all(
    people.map(async ({ id }) => {
      const token = await makeLink(app.database.em.fork(), { userId: id, kind: 'VERIFY_EMAIL', email });
      return `/auth/confirm-email?token=${token}`;
    }),
  );
}
