import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../../src/cli/demo-browser.ts';
import { startTestApp, type TestApp } from '../support/app.ts';

const CALLBACK = 'https://app.example.test/cb';

let app: TestApp;
let ada: Browser;
let dan: Browser;
let administrator: Browser;
beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signIn('ada@acme.test');
  dan = await app.signIn('dan@solo.test');
  administrator = await app.signIn('admin@gatehouse.test');
});
afterAll(() => app.close());

describe('the apps that a user has authorized', () => {
  const APPS = `{ me { authorizedApps { nodes { client { clientId name websiteUrl }
    grants { id scopes isUnrestricted createdAt lastUsedAt } } } } }`;

  test('are listed with their grants, one for each consent, and taken back one by one or all at once', async () => {
    const laptop = await accessToken(dan, 'PROFILE_READ');
    const phone = await accessToken(dan, 'PROFILE_READ EVENT_TYPE_READ');
    const [listed] = await apps();
    expect(listed).toMatchObject({ client: { clientId: 'demo-app' }, grants: [{ isUnrestricted: false }, {}] });
    expect(listed?.grants.map(({ scopes }) => scopes)).toEqual([['EVENT_TYPE_READ', 'PROFILE_READ'], ['PROFILE_READ']]);

    const grantId = listed?.grants[1]?.id;
    expect(await take({ clientId: 'demo-app', grantId })).toEqual([]);
    expect([await statusOf(laptop), await statusOf(phone)]).toEqual([401, 200]);
    expect(await take({ clientId: 'demo-app', grantId: null })).toEqual([]);
    expect(await statusOf(phone)).toBe(401);
    expect(await apps()).toEqual([]);
    expect(await take({ clientId: 'demo-app' })).toEqual(['NOT_FOUND']);
  });

  test('cannot be taken back by anybody else', async () => {
    const token = await accessToken(ada, 'PROFILE_READ');
    for (const input of [
      { clientId: 'demo-app' },
      { clientId: 'demo-app', grantId: 'grt_\u0000' },
      { clientId: '\u0000' },
    ]) {
      expect(await take(input)).toEqual(['NOT_FOUND']);
    }
    expect(await statusOf(token)).toBe(200);
  });

  interface App {
    readonly client: { readonly clientId: string };
    readonly grants: readonly { readonly id: string; readonly scopes: readonly string[] }[];
  }

  async function apps(): Promise<readonly App[]> {
    const { me } = await dan.graphql<{ me: { authorizedApps: { nodes: App[] } } }>(APPS, {});
    return me.authorizedApps.nodes;
  }
});

describe('a suspended user', () => {
  test('is answered with the webhooks of groups that pause, by the server that they lead to', async () => {
    const bob = await app.signIn('bob@acme.test');
    const { me } = await bob.graphql<{ me: { id: string } }>('{ me { id } }', {});
    const made = async (name: string, input: object, id: string): Promise<string> => {
      const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
      const document = `mutation ($input: ${type}!) { ${name}(input: $input) { ${id} userErrors { message } } }`;
      const answer = await bob.graphql<Record<string, Record<string, string>>>(document, { input });
      return answer[name]?.[id] ?? '';
    };
    const teamId = await made('teamCreate', { slug: `paused-${Date.now()}`, name: 'Bob’s team' }, 'teamId');
    const input = { teamId, slug: 'kept', title: 'Kept', durationInMinutes: 30 };
    const eventTypeId = await made('teamEventTypeCreate', input, 'eventTypeId');
    const hook = { teamId, eventTypeId, url: 'https://hooks.example/key', triggers: ['BOOKING_CREATED'] };
    const eventTypeWebhookId = await made('teamEventTypeWebhookCreate', hook, 'eventTypeWebhookId');
    const suspend = `mutation ($input: UserSuspendInput!) { userSuspend(input: $input) { userId pausedWebhooks {
      webhookId eventTypeWebhookId teamId organizationId groupName origin } } }`;
    const paused = {
      webhookId: null,
      eventTypeWebhookId,
      teamId,
      organizationId: null,
      groupName: 'Bob’s team',
      origin: 'https://hooks.example',
    };
    // The same again, while it is so.
    for (let time = 0; time < 2; time += 1)
      expect(await administrator.graphql(suspend, { input: { userId: me.id } })).toEqual({
        userSuspend: { userId: me.id, pausedWebhooks: [paused] },
      });
    expect(await codesOf(administrator, 'userReinstate', { userId: me.id })).toEqual([]);
  });

  test('is out at once: session and tokens; and comes back without them', async () => {
    const bob = await app.signIn('bob@acme.test');
    const token = await accessToken(bob, 'PROFILE_READ');
    const { me } = await bob.graphql<{ me: { id: string } }>('{ me { id } }', {});
    expect(await codesOf(ada, 'userSuspend', { userId: me.id })).toEqual(['FORBIDDEN']);
    expect(await statusOf(token)).toBe(200);

    expect(await codesOf(administrator, 'userSuspend', { userId: me.id })).toEqual([]);
    expect(await statusOf(token)).toBe(401);
    await expect(bob.graphql('{ me { id } }', {})).rejects.toThrow(/401/);
    await expect(app.signIn('bob@acme.test')).rejects.toThrow(/HTTP 40/);

    expect(await codesOf(administrator, 'userReinstate', { userId: me.id })).toEqual([]);
    expect(await statusOf(token)).toBe(401);
    expect(await statusOf(await accessToken(await app.signIn('bob@acme.test'), 'PROFILE_READ'))).toBe(200);
  });
});

describe('the sessions of a user', () => {
  const SESSIONS = '{ me { sessions(first: 100) { nodes { id isCurrent userAgent createdAt lastSeenAt } } } }';

  test('are listed, and one can be signed out from another', async () => {
    const lost = await app.signIn('cyd@acme.test');
    const kept = await app.signIn('cyd@acme.test');
    const { me } = await kept.graphql<{ me: { sessions: { nodes: { id: string; isCurrent: boolean }[] } } }>(
      SESSIONS,
      {},
    );
    expect(me.sessions.nodes.map(({ isCurrent }) => isCurrent)).toEqual([true, false]);
    const sessionId = me.sessions.nodes[1]?.id;
    expect(await codesOf(dan, 'sessionRevoke', { sessionId })).toEqual(['NOT_FOUND']);
    expect(await codesOf(kept, 'sessionRevoke', { sessionId })).toEqual([]);
    await expect(lost.graphql('{ me { id } }', {})).rejects.toThrow(/401/);
    expect(await codesOf(kept, 'sessionRevoke', { sessionId })).toEqual(['NOT_FOUND']);
  });
});

describe('the failed requests of a client', () => {
  test('are shown to its developer with the reason, also those that lacked a scope', async () => {
    const token = await accessToken(dan, 'PROFILE_READ');
    expect((await app.graphql('{ me { eventTypes { nodes { id } } } }', { token })).status).toBe(403);
    // The answer to the app does not wait for the note.
    await expect.poll(lastFailure).toEqual({
      endpoint: 'GRAPHQL',
      error: 'INSUFFICIENT_SCOPE',
      description: 'The access token lacks scopes that this operation needs: EVENT_TYPE_READ.',
    });
  });
});

describe('the audit log', () => {
  const AUDIT =
    'query($user: ID, $after: String) { auditEvents(first: 100, filter: { userId: $user }, after: $after) { nodes { type userId actorId clientId address detail } } }';

  test('shows a user what concerns them, and an administrator everything', async () => {
    const { me } = await ada.graphql<{ me: { id: string } }>('{ me { id } }', {});
    const mine = await events(ada, {});
    expect(mine.length).toBeGreaterThan(0);
    expect(new Set(mine.map(({ userId }) => userId))).toEqual(new Set([me.id]));
    expect((await events(administrator, { user: me.id })).length).toBe(mine.length);
    expect(await events(dan, { user: me.id })).toEqual([]);
  });

  test('shows each reader the addresses of what they did themselves, and administrators all', async () => {
    await codesOf(ada, 'oauthClientCreate', {
      name: 'Seen',
      purpose: 'Shows who sees addresses.',
      type: 'PUBLIC',
      redirectUris: ['https://seen.example.test/cb'],
      scopes: ['PROFILE_READ'],
    });
    const created = (await events(ada, {})).find(({ type }) => type === 'CLIENT_CREATED');
    const clientId = created?.clientId ?? '';
    expect(await codesOf(administrator, 'oauthClientReject', { clientId, reason: 'Not yet.' })).toEqual([]);
    await fetch(`${app.url}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ada@acme.test', password: 'a guess of a stranger' }),
    });
    const { me } = await ada.graphql<{ me: { id: string } }>('{ me { id } }', {});
    const seenBy = async (browser: Browser) => {
      const seen = await events(browser, { user: me.id });
      const addressesOf = (wanted: string) =>
        new Set(seen.filter(({ type }) => type === wanted).map(({ address }) => typeof address));
      return Object.fromEntries(
        ['USER_SIGNED_IN', 'CLIENT_CREATED', 'CLIENT_REJECTED', 'USER_SIGN_IN_FAILED'].map((type) => [
          type,
          [...addressesOf(type)],
        ]),
      );
    };
    const [told, withheld] = [['string'], ['object']];
    expect(await seenBy(ada)).toEqual({
      USER_SIGNED_IN: told,
      CLIENT_CREATED: told,
      CLIENT_REJECTED: withheld,
      USER_SIGN_IN_FAILED: withheld,
    });
    expect(await seenBy(administrator)).toEqual({
      USER_SIGNED_IN: told,
      CLIENT_CREATED: told,
      CLIENT_REJECTED: told,
      USER_SIGN_IN_FAILED: told,
    });
  });

  test('refuses made-up arguments without a fault', async () => {
    await expect(events(administrator, { user: 'usr_\u0000' })).rejects.toThrow(/BAD_INPUT/);
    await expect(events(administrator, { after: Buffer.from('["x","y"]').toString('base64url') })).rejects.toThrow(
      /BAD_INPUT/,
    );
  });

  interface Listed {
    readonly type: string;
    readonly userId: string;
    readonly clientId: string | null;
    readonly address: string | null;
  }

  async function events(browser: Browser, variables: object): Promise<readonly Listed[]> {
    const { auditEvents } = await browser.graphql<{ auditEvents: { nodes: Listed[] } }>(AUDIT, { ...variables });
    return auditEvents.nodes;
  }
});

function take(input: object): Promise<string[]> {
  return codesOf(dan, 'authorizedAppRevoke', input);
}

/** Authorizes the demo app for the browser's user. @returns the access token */
async function accessToken(browser: Browser, scope: string): Promise<string> {
  const query = new URLSearchParams({ client_id: 'demo-app', redirect_uri: CALLBACK, scope });
  const callback = await browser.allow(`${app.url}/auth/oauth2/authorize?${query}`);
  const body = new URLSearchParams({
    client_id: 'demo-app',
    client_secret: 'gh_secret_demo_app',
    grant_type: 'authorization_code',
    code: callback.searchParams.get('code') ?? '',
    redirect_uri: CALLBACK,
  });
  const response = await fetch(`${app.url}/v2/auth/oauth2/token`, { method: 'POST', body });
  return ((await response.json()) as { access_token: string }).access_token;
}

async function statusOf(token: string): Promise<number> {
  return (await app.graphql('{ me { id } }', { token })).status;
}

/** Calls a mutation. @returns the codes of its mistakes; none when it was done */
async function codesOf(browser: Browser, name: string, input: object): Promise<string[]> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const document = `mutation($input: ${type}!) { ${name}(input: $input) { userErrors { code message path } } }`;
  const data = await browser.graphql<Record<string, { userErrors: { code: string }[] }>>(document, { input });
  return data[name]?.userErrors.map(({ code }) => code) ?? [];
}

async function lastFailure(): Promise<unknown> {
  const { oauthClient } = await ada.graphql<{ oauthClient: { failedRequests: { nodes: object[] } } }>(
    '{ oauthClient(clientId: "demo-app") { failedRequests(first: 1) { nodes { endpoint error description } } } }',
    {},
  );
  return oauthClient.failedRequests.nodes[0];
}
