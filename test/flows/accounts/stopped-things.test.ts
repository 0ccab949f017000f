import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rows, sql } from '../../../src/database/sql.ts';
import { removeOldStoppedThings } from '../../../src/oauth/stopped/revive-thing.ts';
import { STOPPED_DAYS, STOPPED_KIND_NAMES } from '../../../src/oauth/stopped/stopped-thing.rules.ts';
import { isOnPostgres } from '../../support/database.ts';
import { APP, statusOf, tokensFor } from '../../support/oauth-requests.ts';
import { send } from '../../support/raw-http.ts';
import { type Stop, shownPage, TestBrowser } from '../../support/test-browser.ts';
import { everythingKept, type LeftBehind, leaveEverything, PLACES } from './left-behind.ts';
import {
  aPerson,
  followed,
  lastMailTo,
  linkIn,
  type MailedApp,
  openMailedApp,
  PASSWORD,
  signUp,
  signUpVerified,
  tokenOf,
} from './mailbox.ts';

const NEW_PASSWORD = 'a password of the owner';

let opened: MailedApp;
let { app, mailServer } = {} as MailedApp;
beforeAll(async () => {
  opened = await openMailedApp();
  ({ app, mailServer } = opened);
});
afterAll(() => opened.close());

interface Stopped {
  readonly id: string;
  readonly type: string;
  readonly title: string;
  readonly address: string | null;
}

/** How an address is proven otherwise than by the mail of its own sign-up. @returns a browser of its owner's */
const WAYS: Readonly<Record<string, (left: LeftBehind) => Promise<TestBrowser>>> = {
  'a new password': async ({ person }) => {
    await setPassword(person.email);
    return signedIn(person.email, NEW_PASSWORD);
  },
  'a change of the address': async ({ intruder }) => {
    const newEmail = aPerson().email;
    await intruder.mutate('emailChange', { newEmail, currentPassword: PASSWORD }, 'pendingEmail');
    await followed(new TestBrowser(app.url), linkIn(await lastMailTo(mailServer, newEmail)));
    return signedIn(newEmail, PASSWORD);
  },
  'the link of an invitation': async ({ person }) => {
    const link = await invitationOf(person.email);
    const browser = await signedIn(person.email, PASSWORD);
    const page = shownPage(await browser.open(link));
    const done = shownPage(await browser.submit(page, { token: tokenOf(link), decision: 'accept' }));
    expect(done.text).toContain('You’ve joined');
    return browser;
  },
};

describe.each(Object.entries(WAYS))('once an address is proven by %s', (way, prove) => {
  /** In the mailbox of whoever was in the account: the link that gives it another address. */
  let mailed: string;
  let left: LeftBehind;
  let owner: TestBrowser;
  let token: string;
  let things: readonly Stopped[];
  let before: readonly unknown[];
  beforeAll(async () => {
    left = await leaveEverything(opened);
    ({ access_token: token } = await tokensFor(left.intruder, APP));
    before = [await statusOf(app.url, token), await effectsOf(left)];
    const newEmail = aPerson().email;
    await left.intruder.mutate('emailChange', { newEmail, currentPassword: PASSWORD }, 'pendingEmail');
    mailed = linkIn(await lastMailTo(mailServer, newEmail));
    owner = await prove(left);
    things = await listed(owner);
  });

  test('sessions and tokens have ended', async () => {
    expect(before).toEqual([200, IN_FORCE]);
    expect(shownPage(await left.intruder.open('/settings/account')).address).toContain('/auth/login');
    expect(await statusOf(app.url, token)).toBe(401);
  });

  test('links that were mailed before are over', async () => {
    const address = async () =>
      (await rows(app.database.em.fork(), sql<{ email: string }>`select email from users where id = ${left.userId}`))[0]
        ?.email;
    const proven = await address();
    // Its page has no form any more.
    await followed(new TestBrowser(app.url), mailed).catch(() => undefined);
    expect([way, await address()]).toEqual([way, proven]);
  });

  test('nothing of what another may have left leads anywhere or lets anybody in', async () => {
    expect(await effectsOf(left)).toEqual(WITHOUT_EFFECT);
    expect(await owned(owner)).toEqual(NOTHING);
    expect(await answeredFor(left)).toBe(0);
    expect(await teamsOf(left.accomplice)).not.toContain('Sly team');
  });

  test('and each type of it is listed, with where it leads', () => {
    expect([...new Set(things.map(({ type }) => type))].toSorted()).toEqual([...STOPPED_KIND_NAMES].toSorted());
    const addresses = things.flatMap(({ address }) => address ?? []);
    for (const place of Object.values(PLACES)) expect(addresses).toContain(place);
    expect(addresses).toContain('intruder@calendars.test');
  });

  test('nobody revives what they were not shown, and nobody what is another’s', async () => {
    for (const { id, address } of things) {
      const wrong = address === null ? 'https://intruder.test/another' : null;
      expect(await revive(owner, id, wrong)).toEqual([address === null ? 'CONFLICT' : 'CONFLICT']);
      expect(await revive(left.accomplice, id, address)).toEqual(['NOT_FOUND']);
    }
    expect(await listed(owner)).toEqual(things);
  });
});

test('somebody honest loses nothing but the clicks: revived one by one, all is as it was', async () => {
  const left = await leaveEverything(opened);
  const before = await everythingKept(opened);
  await setPassword(left.person.email);
  const owner = await signedIn(left.person.email, NEW_PASSWORD);
  expect(await everythingKept(opened)).not.toEqual(before);
  // Groups first: what hangs on them comes back after them.
  for (const { id, address, type } of (await listed(owner)).toSorted((a, b) => rank(a) - rank(b))) {
    expect([type, await revive(owner, id, address)]).toEqual([type, []]);
  }
  expect(await listed(owner)).toEqual([]);
  expect(await everythingKept(opened)).toEqual(before);
  expect(await effectsOf(left)).toMatchObject({ ...IN_FORCE, privateLink: false });
});

test('a thing that nobody has revived is gone after thirty days, and then only', async () => {
  const left = await leaveEverything(opened);
  await setPassword(left.person.email);
  const owner = await signedIn(left.person.email, NEW_PASSWORD);
  const count = (await listed(owner)).length;
  const em = app.database.em.fork();
  await removeOldStoppedThings(em, 1_000);
  expect((await listed(owner)).length).toBe(count);
  const age = (secs: number) =>
    rows(
      em,
      sql`update stopped_things set stopped_at = now() - make_interval(days => ${STOPPED_DAYS}, secs => ${secs}::int)`,
    );
  await age(-60);
  await removeOldStoppedThings(em, 1_000);
  expect((await listed(owner)).length).toBe(count);
  await age(1);
  while ((await removeOldStoppedThings(em, 1_000)) === 1_000);
  expect(await listed(owner)).toEqual([]);
  const [kept] = await rows(
    em,
    sql<{ teams: number; memberships: number; webhooks: number; ended: number }>`select
      (select count(*)::int from teams where id = (select id from teams where slug = ${`t${left.person.username}`})) as teams,
      (select count(*)::int from team_memberships where user_id = ${left.userId}) as memberships,
      (select count(*)::int from webhooks where owner_id = ${left.userId}) as webhooks,
      (select count(*)::int from domain_events where owner_id = ${left.userId} and type = 'CONNECTION_ENDED') as ended`,
  );
  expect(kept).toEqual({ teams: 0, memberships: 0, webhooks: 0, ended: 2 });
});

test('the mail of its own sign-up stops nothing, also where it was asked for again', async () => {
  for (const isAskedAgain of [false, true]) {
    const left = await leaveEverything(opened);
    if (isAskedAgain) {
      const page = shownPage(await left.intruder.open('/settings/account'));
      await left.intruder.submit(page, {}, '/settings/account/verification');
    }
    const before = await everythingKept(opened);
    const mail = await lastMailTo(mailServer, left.person.email, isAskedAgain ? 2 : 1);
    expect((await followed(left.intruder, linkIn(mail))).text).toContain('Your address is confirmed');
    expect(await everythingKept(opened)).toEqual(before);
    expect(await listed(left.intruder)).toEqual([]);
    expect(await effectsOf(left)).toMatchObject(IN_FORCE);
  }
});

test('a later password, or a later address, of a verified account stops nothing', async () => {
  const person = aPerson();
  const browser = await signUpVerified(app.url, mailServer, person);
  await browser.mutate('webhookCreate', { url: PLACES.webhook, triggers: ['BOOKING_CREATED'] }, 'webhookId');
  await setPassword(person.email);
  const again = await signedIn(person.email, NEW_PASSWORD);
  expect(await listed(again)).toEqual([]);
  expect(await owned(again)).toMatchObject({ webhooks: 1 });
});

/** Ways in which an intruder sets things. @returns what sends fifty requests, each of which would be in force afterwards */
const DOORS: Readonly<Record<string, (intruder: TestBrowser, eventTypeId: string) => Promise<readonly Action[]>>> = {
  'by GraphQL with a session': async (intruder, eventTypeId) =>
    fifty(
      Object.entries(thingsToSet(eventTypeId)).map(
        ([name, { input, shown }]) =>
          (n) =>
            intruder.mutate(name, input(n), shown),
      ),
    ),
  'by GraphQL with an app’s token': async (intruder, eventTypeId) => {
    const { access_token: token } = await tokensFor(intruder, APP, { scope: WRITES });
    const actions = Object.entries(thingsToSet(eventTypeId)).filter(([name]) => name !== 'oauthClientCreate');
    return fifty(
      actions.map(([name, { input, shown }]) => (n) => {
        const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
        const query = `mutation ($input: ${type}!) { ${name}(input: $input) { ${shown} userErrors { code } } }`;
        return withToken(token, 'POST', '/graphql', { query, variables: { input: input(n) } });
      }),
    );
  },
  'by REST with an app’s token': async (intruder, eventTypeId) => {
    const { access_token: token } = await tokensFor(intruder, APP, { scope: WRITES });
    const things = thingsToSet(eventTypeId);
    return fifty([
      (n) => withToken(token, 'POST', '/v2/teams', things.teamCreate.input(n)),
      (n) => withToken(token, 'POST', '/v2/webhooks', things.webhookCreate.input(n)),
      (n) =>
        withToken(token, 'PATCH', `/v2/event-types/${eventTypeId}`, { successRedirectUrl: `${PLACES.redirect}/${n}` }),
    ]);
  },
  'by the form of a page': async (intruder) => {
    const pages = [];
    for (let n = 0; n < 25; n += 1)
      pages.push([await intruder.open('/settings/teams'), await intruder.open('/settings/webhooks')]);
    return pages.flatMap(([teams, webhooks], n): Action[] => [
      () => intruder.submit(teams as Stop, { name: `Sly ${n}` }),
      () => intruder.submit(webhooks as Stop, { url: `${PLACES.webhook}/${n}` }),
    ]);
  },
};

describe.runIf(isOnPostgres)('fifty things that are being set while the address is proven are not in force', () => {
  test.each(Object.entries(DOORS))('%s', async (_door, prepare) => {
    const person = aPerson();
    const intruder = await signUp(app.url, person);
    const { me } = await intruder.ask<{ me: { eventTypes: { nodes: { id: string }[] } } }>(
      '{ me { eventTypes { nodes { id } } } }',
    );
    const actions = await prepare(intruder, me.eventTypes.nodes[0]?.id ?? '');
    expect(actions.length).toBe(50);
    const prove = await passwordSetter(person.email);
    const { em } = app.database;
    // The pool is for those who are being tried: whoever holds the account and whoever looks would wait in line behind them.
    const url = app.database.url ?? '';
    await using holding = await Session.open(url);
    // Another one, as what a transaction has seen of the others' activity is all that it sees.
    await using looking = await Session.open(url);
    await holding.query('begin');
    await holding.query('select 1 from users where username = $1 for update', [person.username]);
    // All have begun before any of them gets to the account: some before the proof, which comes to it next, most after it.
    const before = actions.slice(0, BEFORE).map((action) => action().catch(() => 'refused'));
    await looking.untilWaiting(BEFORE, before);
    const proving = prove();
    await looking.untilWaiting(BEFORE + 1, [proving]);
    const after = actions.slice(BEFORE).map((action) => action().catch(() => 'refused'));
    await looking.untilWaiting(BEFORE + 2, after);
    await holding.query('commit');
    await Promise.all([...before, proving, ...after]);
    // Its page may say that the service is busy, since fifty others wait for connections; whoever signs in shows that it was set.
    const owner = await signedIn(person.email, NEW_PASSWORD);
    const [inForce] = await rows(
      em.fork(),
      sql`with u as (select id from users where username = ${person.username}) select
        (select count(*)::int from event_types where owner_id = (select id from u) and success_redirect_url is not null) as redirects,
        (select count(*)::int from team_memberships where user_id = (select id from u) and accepted) as teams,
        (select count(*)::int from webhooks where set_by_id = (select id from u)) as webhooks,
        (select count(*)::int from private_links where owner_id = (select id from u)) as links,
        (select count(*)::int from oauth_clients where owner_id = (select id from u)) as clients`,
    );
    expect(inForce).toEqual({ redirects: 0, teams: 0, webhooks: 0, links: 0, clients: 0 });
    expect((await listed(owner)).length).toBeLessThanOrEqual(actions.length);
  });
});

test('stopped things are revived from the page, without scripts, in the reader’s language', async () => {
  const left = await leaveEverything(opened);
  await rows(app.database.em.fork(), sql`update users set locale = 'de' where id = ${left.userId}`);
  await setPassword(left.person.email);
  const owner = new TestBrowser(app.url);
  const first = shownPage(await owner.signIn(await owner.open('/auth/login'), left.person.email, NEW_PASSWORD));
  expect(first.address).toBe('/settings/stopped');
  expect(first.text).toContain('Angehalten');
  expect(first.text).toContain(PLACES.redirect);
  const things = await listed(owner);
  const of = (type: string) => things.find((thing) => thing.type === type)?.id ?? '';
  const back = shownPage(
    await owner.submit(first, { id: of('REDIRECT'), address: PLACES.redirect }, '/settings/stopped/revive'),
  );
  expect(back.text).toContain('Es ist wieder da.');
  expect(await effectsOf(left)).toEqual({ ...WITHOUT_EFFECT, redirect: PLACES.redirect });
  const secret = shownPage(
    await owner.submit(back, { id: of('OAUTH_CLIENT'), address: PLACES.app }, '/settings/stopped/revive'),
  );
  expect(secret.text).toContain('Neues Geheimnis');
  const gone = shownPage(
    await owner.submit(back, { id: of('VERIFIED_EMAIL'), address: 'x' }, '/settings/stopped/delete'),
  );
  expect(gone.text).toContain('Es wurde gelöscht.');
  expect((await listed(owner)).map(({ type }) => type)).not.toContain('VERIFIED_EMAIL');
});

type Action = () => Promise<unknown>;

/** So many actions come to the account before its proof: few enough that none of them is ended because too many wait (congestion.ts). */
const BEFORE = 2;

/** A session on the database outside of the service's pool. */
class Session implements AsyncDisposable {
  readonly #client: Client;

  private constructor(client: Client) {
    this.#client = client;
  }

  static async open(url: string): Promise<Session> {
    const client = new Client(url);
    await client.connect();
    return new Session(client);
  }

  async query(statement: string, values: readonly unknown[] = []): Promise<number> {
    return (await this.#client.query(statement, [...values])).rows.length;
  }

  /** Until so many wait for a lock in this database. @throws Error when `sent` have all been answered and they do not */
  async untilWaiting(count: number, sent: readonly Promise<unknown>[]): Promise<void> {
    const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    let areAnswered = false;
    void Promise.allSettled(sent).finally(() => {
      areAnswered = true;
    });
    // Asked after the look: what waited then is seen.
    for (let wereAnswered = false; (await this.query(waiting)) < count; wereAnswered = areAnswered) {
      if (wereAnswered) throw new Error(`Nobody waits for the account: ${JSON.stringify(await Promise.all(sent))}`);
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#client.end();
  }
}

const WRITES = 'EVENT_TYPE_WRITE TEAM_PROFILE_WRITE WEBHOOK_WRITE';

/** Settings that lead outward or let somebody in, each with what the mutation takes and shows. */
function thingsToSet(eventTypeId: string) {
  return {
    eventTypeUpdate: {
      input: (n: number) => ({ eventTypeId, successRedirectUrl: `${PLACES.redirect}/${n}` }),
      shown: 'eventTypeId',
    },
    teamCreate: { input: (n: number) => ({ slug: `f${n}-${Date.now()}`, name: 'Sly' }), shown: 'teamId' },
    webhookCreate: {
      input: (n: number) => ({ url: `${PLACES.webhook}/${n}`, triggers: ['BOOKING_CREATED'] }),
      shown: 'webhookId',
    },
    privateLinkCreate: { input: () => ({ eventTypeId, maxUsageCount: 5 }), shown: 'privateLinkId' },
    oauthClientCreate: {
      input: (n: number) => ({
        name: `Sly app ${n}`,
        purpose: 'Shows it',
        type: 'CONFIDENTIAL',
        redirectUris: [PLACES.app],
        scopes: ['PROFILE_READ'],
      }),
      shown: 'client { clientId }',
    },
  };
}

function fifty(kinds: readonly ((n: number) => Promise<unknown>)[]): readonly Action[] {
  return Array.from({ length: 50 }, (_, n) => () => kinds[n % kinds.length]?.(n) ?? Promise.resolve());
}

function withToken(token: string, method: string, path: string, input: object): Promise<unknown> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  return send(app.url, { method, path, headers, body: JSON.stringify(input) });
}

const rank = ({ type }: Stopped): number => ['GROUP', 'MEMBERSHIP', 'GROUP_MEMBER'].indexOf(type) + 1 || 9;

/** The account as strangers meet it. */
async function effectsOf({ person, eventTypeId, privateLink, clientId, routingFormId, accomplice }: LeftBehind) {
  const stranger = new TestBrowser(app.url);
  const { publicEventType, publicRoutingForm } = await stranger.ask<{
    publicEventType: { locations: { type: string }[] } | null;
    publicRoutingForm: object | null;
  }>(
    `query ($form: ID!, $id: ID!) {
      publicRoutingForm(id: $form) { name }
      publicEventType(by: { id: $id }) { locations { type } }
    }`,
    { form: routingFormId, id: eventTypeId },
  );
  const [stored] = await rows(
    app.database.em.fork(),
    sql<{ redirect: string | null }>`select success_redirect_url as redirect from event_types where id = (
      select id from event_types where owner_id = (select id from users where username = ${person.username}) order by id limit 1)`,
  );
  const authorize = `/auth/oauth2/authorize?response_type=code&client_id=${clientId}&redirect_uri=${encodeURIComponent(PLACES.app)}&scope=PROFILE_READ&state=s`;
  const asked = await accomplice.open(authorize);
  return {
    locations: publicEventType?.locations.map(({ type }) => type) ?? eventTypeId,
    form: publicRoutingForm !== null,
    redirect: stored?.redirect ?? null,
    privateLink:
      shownPage(await stranger.open(new URL(privateLink).pathname + new URL(privateLink).search)).status === 200,
    client: asked.kind === 'PAGE' && asked.text.includes('Sly app'),
  };
}
const IN_FORCE = {
  locations: ['ADDRESS', 'LINK', 'PHONE'],
  form: true,
  redirect: PLACES.redirect,
  privateLink: true,
  client: true,
};
const WITHOUT_EFFECT = { locations: ['ADDRESS'], form: false, redirect: null, privateLink: false, client: false };

/** How much there is of what its owner sees. */
async function owned(browser: TestBrowser) {
  const { me } = await browser.ask<{ me: Record<string, { nodes: object[] }> & { avatarUrl: string | null } }>(
    `{ me { avatarUrl webhooks { nodes { id } } icsFeeds { nodes { id } } calendarAccounts { nodes { id } }
      conferencingApps { nodes { id } } verifiedEmails { nodes { id } } verifiedPhones { nodes { id } }
      outOfOffice { nodes { redirectTo { username } } } oauthClients { nodes { clientId } } } }`,
  );
  const { avatarUrl, outOfOffice, ...lists } = me;
  const counts = Object.entries(lists).map(([name, { nodes }]) => [name, nodes.length]);
  const redirected = outOfOffice?.nodes.filter((one) => (one as { redirectTo: object | null }).redirectTo !== null);
  return { ...Object.fromEntries(counts), avatarUrl, redirected: redirected?.length ?? 0 };
}
/** How many webhooks somebody answers for: all others pause. */
async function answeredFor({ userId }: LeftBehind): Promise<number> {
  const statement = sql`select 1 from webhooks where owner_id = ${userId} and set_by_id is not null`;
  return (await rows(app.database.em.fork(), statement)).length;
}
/** Nothing is left of it, webhooks aside, which pause. */
const NOTHING = {
  webhooks: 1,
  icsFeeds: 0,
  calendarAccounts: 0,
  conferencingApps: 0,
  verifiedEmails: 0,
  verifiedPhones: 0,
  oauthClients: 0,
  avatarUrl: null,
  redirected: 0,
};

async function teamsOf(browser: TestBrowser): Promise<readonly string[]> {
  const { me } = await browser.ask<{ me: { teams: { nodes: { name: string }[] } } }>(
    '{ me { teams { nodes { name } } } }',
  );
  return me.teams.nodes.map(({ name }) => name);
}

async function listed(browser: TestBrowser): Promise<readonly Stopped[]> {
  const { me } = await browser.ask<{ me: { stoppedThings: { nodes: Stopped[] } } }>(
    '{ me { stoppedThings(first: 100) { nodes { id type title address } } } }',
  );
  return me.stoppedThings.nodes;
}

/** @returns the codes of what was wrong */
async function revive(
  browser: TestBrowser,
  stoppedThingId: string,
  address: string | null,
): Promise<readonly string[]> {
  const { stoppedThingRevive } = await browser.ask<{ stoppedThingRevive: { userErrors: { code: string }[] } }>(
    'mutation ($input: StoppedThingReviveInput!) { stoppedThingRevive(input: $input) { userErrors { code } } }',
    { input: { stoppedThingId, ...(address !== null && { address }) } },
  );
  return stoppedThingRevive.userErrors.map(({ code }) => code);
}

async function signedIn(email: string, password: string): Promise<TestBrowser> {
  const browser = new TestBrowser(app.url);
  await browser.signIn(await browser.open('/auth/login'), email, password);
  return browser;
}

/** By the link of the mail for a forgotten password. */
async function setPassword(email: string): Promise<void> {
  const send = await passwordSetter(email);
  expect(await send()).toContain('Your new password is set');
}

/** As far as the form for the new password. @returns what sends it, and gives the text of the page that follows */
async function passwordSetter(email: string): Promise<() => Promise<string>> {
  const browser = new TestBrowser(app.url);
  const before = mailServer.mails.length;
  await browser.submit(await browser.open('/auth/forgotten-password'), { email });
  const found = () =>
    mailServer.mails.slice(before).find((mail) => mail.mailbox === email && mail.text.includes('new-password'));
  while (!found()) await mailServer.received(mailServer.mails.length + 1);
  const link = found();
  const page = await browser.open(link ? linkIn(link) : '');
  return async () => shownPage(await browser.submit(page, { newPassword: NEW_PASSWORD })).text;
}

async function invitationOf(email: string): Promise<string> {
  const administrator = await signUpVerified(app.url, mailServer);
  const input = { slug: `g${Date.now()}`, name: 'Honest team' };
  const { teamId } = await administrator.mutate<{ teamId: string }>('teamCreate', input, 'teamId');
  const before = mailServer.mails.length;
  await administrator.mutate('teamInvitationCreate', { teamId, email, role: 'MEMBER' }, 'invitationId');
  const found = () =>
    mailServer.mails.slice(before).find((mail) => mail.mailbox === email && mail.text.includes('invitation'));
  while (!found()) await mailServer.received(mailServer.mails.length + 1);
  const mail = found();
  return mail ? linkIn(mail) : '';
}
