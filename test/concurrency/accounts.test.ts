/** Fifty at once, at two processes of the service on one database, over HTTP and with the mails that they get. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId, publicId } from '../../src/core/id.ts';
import { rows, sql } from '../../src/database/sql.ts';
import {
  aPerson,
  isSignedIn,
  lastMailTo,
  linkIn,
  mailsTo,
  PASSWORD,
  signUp,
  tokenOf,
} from '../flows/accounts/mailbox.ts';
import { isOnPostgres } from '../support/database.ts';
import { uuidOf } from '../support/ids.ts';
import { MailServer } from '../support/mail-server.ts';
import { atOnce, type Servers, twoProcesses } from '../support/servers.ts';
import { type ShownPage, shownPage, TestBrowser } from '../support/test-browser.ts';
import { TRUSTING, Traveller } from '../support/traveller.ts';

const MANY = 50;

describe.runIf(isOnPostgres)('of fifty simultaneous requests in two processes:', () => {
  let servers: Servers;
  let mailServer: MailServer;
  /** People with an account each, at a process of their own; ids are those of the tables. */
  let people: { readonly id: string; readonly browser: TestBrowser; readonly person: ReturnType<typeof aPerson> }[];
  beforeAll(async () => {
    mailServer = await MailServer.open();
    servers = await twoProcesses(async () => ({ ...TRUSTING, SMTP_URL: mailServer.url, MAIL_LIMITS: 'off' }));
    people = await atOnce(MANY, async (n) => {
      const person = aPerson();
      const browser = await signUp(servers.url(n), person, visitor(n));
      const { me } = await browser.ask<{ me: { id: string } }>('{ me { id } }');
      return { id: uuidOf(me.id), browser, person };
    });
  });
  afterAll(async () => {
    await servers.close();
    await mailServer.close();
  });

  const visitor = (n: number): Traveller => new Traveller(servers.url(n));
  const run = <Row>(statement: ReturnType<typeof sql<Row>>): Promise<Row[]> =>
    rows<Row>(servers.database.em.fork(), statement);

  /** Somebody with a verified address, in a browser that stays where they are signed in: guesses of others do not slow them there. */
  async function atHome(n: number) {
    const person = aPerson();
    const browser = await signUp(servers.url(n), person, new TestBrowser(servers.url(n)));
    await run(sql`update users set email_verified_at = now() where email = ${person.email}`);
    return { person, browser };
  }

  async function opened(link: string, n: number): Promise<{ browser: TestBrowser; page: ShownPage }> {
    const browser = visitor(n);
    return { browser, page: shownPage(await browser.open(link)) };
  }

  test('sign-ups with one username, one has it', async () => {
    const username = 'wanted';
    const answers = await atOnce(MANY, async (n) => {
      const browser = visitor(n);
      return shownPage(await browser.submit(await browser.open('/auth/signup'), aPerson({ username })));
    });
    expect(answers.filter(isSignedIn)).toHaveLength(1);
    expect(count(answers, `The username "${username}" is taken`)).toBe(MANY - 1);
    expect(await run(sql`select 1 from users where username = ${username}`)).toHaveLength(1);
  });

  test('changes to one username, one has it', async () => {
    const answers = await atOnce(MANY, (n) =>
      mistakesOf(people[n]?.browser, 'profileUpdate', { username: 'wanted-too' }),
    );
    expect(answers.filter((codes) => codes.length === 0)).toHaveLength(1);
    expect(answers.filter((codes) => codes.join() === 'USERNAME_TAKEN')).toHaveLength(MANY - 1);
  });

  test('confirmations of an address by one link, one is first', async () => {
    const [somebody] = people;
    const link = linkIn(await lastMailTo(mailServer, somebody?.person.email ?? ''));
    const forms = await atOnce(MANY, (n) => opened(link, n));
    const answers = await atOnce(MANY, async (n) => {
      const { browser, page } = forms[n] ?? {};
      return shownPage((await browser?.submit(page as ShownPage, { token: tokenOf(link) })) as ShownPage);
    });
    expect(count(answers, 'Your address is confirmed')).toBe(1);
    expect(answers.filter(({ status }) => status === 410)).toHaveLength(MANY - 1);
    expect(
      await run(sql`select 1 from audit_events where user_id = ${somebody?.id} and type = 'USER_EMAIL_VERIFIED'`),
    ).toHaveLength(1);
  });

  test('changes to one address, each confirmed, one account has it', async () => {
    // The sessions of users whose address was never proven would end by it.
    await run(sql`update users set email_verified_at = now() where id = any(${people.map(({ id }) => id)}::uuid[])`);
    const wanted = 'fifty@mail.test';
    await atOnce(MANY, async (n) => {
      const { browser } = people[n] ?? {};
      const page = await browser?.open('/settings/account');
      await browser?.submit(page as ShownPage, { newEmail: wanted, passwordForEmail: PASSWORD });
    });
    const links = (await mailsTo(mailServer, wanted, MANY)).map(linkIn);
    const forms = await atOnce(MANY, (n) => opened(links[n] ?? '', n));
    const answers = await atOnce(MANY, async (n) => {
      const { browser, page } = forms[n] ?? {};
      return shownPage((await browser?.submit(page as ShownPage, { token: tokenOf(links[n] ?? '') })) as ShownPage);
    });
    expect(count(answers, 'Your address is confirmed')).toBe(1);
    expect(answers.filter(({ status }) => status === 409 || status === 410)).toHaveLength(MANY - 1);
    expect(await run(sql`select 1 from users where email = ${wanted} and email_verified_at is not null`)).toHaveLength(
      1,
    );
  });

  test('new passwords by one link, one is set', async () => {
    const { email, password: old, ...person } = aPerson();
    await signUp(servers.url(0), { email, password: old, ...person }, visitor(0));
    const asking = visitor(0);
    await asking.submit(await asking.open('/auth/forgotten-password'), { email });
    const link = linkIn(await lastMailTo(mailServer, email, 2));
    const forms = await atOnce(MANY, (n) => opened(link, n));
    const answers = await atOnce(MANY, async (n) => {
      const { browser, page } = forms[n] ?? {};
      return shownPage(
        (await browser?.submit(page as ShownPage, { newPassword: `the password of number ${n}` })) as ShownPage,
      );
    });
    const winners = answers.flatMap(({ text }, n) => (text.includes('Your new password is set') ? [n] : []));
    expect(winners).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 410)).toHaveLength(MANY - 1);
    for (const [password, isRight] of [
      [`the password of number ${winners[0]}`, true],
      [old, false],
    ] as const) {
      const browser = visitor(1);
      expect(isSignedIn(await browser.signIn(await browser.open('/auth/login'), email, password))).toBe(isRight);
    }
  });

  test('sign-ins with the old password while it is changed, none stays, at either process', async () => {
    const { person, browser } = await atHome(1);
    const input = {
      currentPassword: PASSWORD,
      newPassword: 'a password that is new',
      endsOtherSessions: true,
      revokesApps: false,
    };
    const [visitors, codes] = await Promise.all([
      atOnce(MANY, async (n) => {
        const one = visitor(n);
        await one.signIn(await one.open('/auth/login'), person.email, PASSWORD);
        return one;
      }),
      mistakesOf(browser, 'passwordChange', input),
    ]);
    expect(codes).toEqual([]);
    const pages = await Promise.all(visitors.map((one, n) => one.at(servers.url(n + 1)).open('/')));
    expect(pages.filter(isSignedIn)).toEqual([]);
    expect(isSignedIn(await browser.open('/'))).toBe(true);
  });

  test('requests for another address with the old password while it is changed, none is granted, at either process', async () => {
    const { person, browser } = await atHome(0);
    const visitors: TestBrowser[] = [];
    // Not all at once: that would look like guessing, and slow down.
    for (let n = 0; n < MANY; n += 1) visitors.push(await signedIn(visitor(n), person.email));
    const input = {
      currentPassword: PASSWORD,
      newPassword: 'a password that is new',
      endsOtherSessions: false,
      revokesApps: false,
    };
    const [asked, codes] = await Promise.all([
      atOnce(MANY, (n) =>
        mistakesOf(visitors[n], 'emailChange', { newEmail: `thief-${n}@mail.test`, currentPassword: PASSWORD }),
      ),
      mistakesOf(browser, 'passwordChange', input),
    ]);
    expect(codes).toEqual([]);
    for (const refused of asked.flat()) expect(['WRONG_PASSWORD', 'TOO_MANY_GUESSES']).toContain(refused);
    const asks = sql`
      select 1 from account_links join users on users.id = user_id
      where users.email = ${person.email} and kind = 'CHANGE_EMAIL'`;
    expect(await run(asks)).toEqual([]);
  });

  test.each(['organization', 'team'] as const)('owners of one %s who leave it, one stays', async (kind) => {
    const [founder] = people;
    const payload = await founder?.browser.mutate<Record<string, string>>(
      `${kind}Create`,
      { slug: `left-${kind}`, name: 'Left' },
      `${kind}Id`,
    );
    const groupId = payload?.[`${kind}Id`] ?? '';
    const memberships = people.map(({ id }) => ({ id: newId(), userId: id }));
    const [ids, userIds] = [memberships.map(({ id }) => id), memberships.map(({ userId }) => userId)];
    const table = sql.table(`${kind}_memberships`);
    const column = sql.ref(`${kind}_id`);
    await run(sql`delete from ${table} where ${column} = ${uuidOf(groupId)}`);
    await run(sql`insert into ${table} (id, ${column}, user_id, role, accepted, created_at)
      select m.id, ${uuidOf(groupId)}, m.user_id, 'OWNER', true, now() from unnest(${ids}::uuid[], ${userIds}::uuid[]) as m (id, user_id)`);
    const answers = await atOnce(MANY, (n) =>
      mistakesOf(people[n]?.browser, `${kind}MembershipDelete`, {
        [`${kind}Id`]: groupId,
        membershipId: publicId('membership', ids[n] ?? ''),
      }),
    );
    expect(answers.filter((codes) => codes.length === 0)).toHaveLength(MANY - 1);
    expect(answers.flat()).toEqual(['LAST_OWNER']);
    expect(await run(sql`select 1 from ${table} where ${column} = ${uuidOf(groupId)} and role = 'OWNER'`)).toHaveLength(
      1,
    );
  });

  test('questions about addresses, all are answered alike, whether or not there is an account', async () => {
    const ASKS = {
      'a forgotten password': ['/auth/forgotten-password', (email: string) => ({ email })],
      'a sign-in': ['/auth/login', (email: string) => ({ email, password: 'a wrong password' })],
      'a sign-up': ['/auth/signup', (email: string) => aPerson({ email })],
    } as const;
    for (const [name, [path, values]] of Object.entries(ASKS)) {
      const answers = await atOnce(MANY, async (n) => {
        const email = n % 2 === 0 ? (people[n]?.person.email ?? '') : `nobody-${n}@mail.test`;
        const browser = visitor(n >> 1);
        const typed: Readonly<Record<string, string>> = { ...values(email) };
        const { status, text, address } = shownPage(await browser.submit(await browser.open(path), typed));
        // The page after a sign-up has the address at which the new user is booked.
        return `${status} ${address} ${text.replaceAll(email, 'EMAIL').replaceAll(typed['username'] ?? email, 'USERNAME')}`;
      });
      expect([name, new Set(answers).size]).toEqual([name, 1]);
    }
  });
});

function count(pages: readonly ShownPage[], words: string): number {
  return pages.filter(({ text }) => text.includes(words)).length;
}

/** Signs in, or tells what was shown instead. */
async function signedIn(one: TestBrowser, email: string): Promise<TestBrowser> {
  const page = shownPage(await one.signIn(await one.open('/auth/login'), email, PASSWORD));
  if (!isSignedIn(page)) throw new Error(`${email} could not sign in (${page.status}): ${page.text}`);
  return one;
}

/** The codes of what was wrong with a mutation of somebody who is signed in. */
async function mistakesOf(browser: TestBrowser | undefined, name: string, input: object): Promise<string[]> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const query = `mutation ($input: ${type}!) { ${name}(input: $input) { userErrors { code } } }`;
  const data = await browser?.ask<Record<string, { userErrors: { code: string }[] }>>(query, { input });
  return (data?.[name]?.userErrors ?? []).map(({ code }) => code);
}
