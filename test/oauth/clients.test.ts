import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../../src/cli/demo-browser.ts';
import { row, sql } from '../../src/database/sql.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { atOnce } from '../support/servers.ts';

let app: TestApp;
let developer: Browser;
let administrator: Browser;
let stranger: Browser;
beforeAll(async () => {
  app = await startTestApp();
  developer = await app.signIn('ada@acme.test');
  administrator = await app.signIn('admin@gatehouse.test');
  stranger = await app.signIn('dan@solo.test');
});
afterAll(() => app.close());

const CLIENT = `clientId version status type name purpose redirectUris scopes rejectionReason suspensionReason isLegacy
  secrets { id name hint createdAt lastUsedAt } pendingRevision { name redirectUris scopes requestedAt }`;

describe('registering a client', () => {
  test('gives its id and, once, its secret; it waits for a review', async () => {
    const { client, secret, userErrors } = await create();
    expect(userErrors).toEqual([]);
    expect(client).toMatchObject({
      clientId: expect.stringMatching(/^gh_client_/),
      status: 'PENDING',
      type: 'CONFIDENTIAL',
    });
    expect(secret).toMatch(/^gh_secret_[0-9A-Za-z]{49}$/);
    expect(client.secrets).toMatchObject([{ hint: secret.slice(-4), lastUsedAt: null }]);
  });

  test('gives a public client no secret', async () => {
    const { client, secret } = await create({ type: 'PUBLIC', redirectUris: ['com.example.app:/cb'] });
    expect([client.type, secret, client.secrets]).toEqual(['PUBLIC', null, []]);
  });

  test.each<[string, object, string, string[]]>([
    ['has no scope', { scopes: [] }, 'REQUIRED', ['scopes']],
    [
      'has an 11th redirect URI',
      { redirectUris: Array.from({ length: 11 }, (_, i) => `https://a.example/${i}`) },
      'TOO_MANY',
      ['redirectUris'],
    ],
    [
      'has a redirect URI over plain http',
      { redirectUris: ['http://a.example/cb'] },
      'INVALID_REDIRECT_URI',
      ['redirectUris', '0'],
    ],
    [
      'has a private-use scheme though it is confidential',
      { redirectUris: ['com.example:/cb'] },
      'INVALID_REDIRECT_URI',
      ['redirectUris', '0'],
    ],
    ['has no name', { name: '  ' }, 'REQUIRED', ['name']],
    ['has a NUL in its name', { name: 'A\u0000B' }, 'INVALID_TEXT', ['name']],
    ['has half a character in its purpose', { purpose: 'x\ud800' }, 'INVALID_TEXT', ['purpose']],
    ['has a logo over plain http', { logoUrl: 'http://a.example/logo.png' }, 'INVALID_URL', ['logoUrl']],
  ])('is refused when it %s', async (_, changes, code, path) => {
    const { client, userErrors } = await create(changes);
    expect(client).toBeNull();
    expect(userErrors).toMatchObject([{ code, path }]);
  });

  test('takes ten redirect URIs and all scopes', async () => {
    const redirectUris = Array.from({ length: 10 }, (_, i) => `https://a.example/${i}`);
    expect((await create({ redirectUris })).client.redirectUris).toEqual(redirectUris);
  });

  test('tells the administrators', async () => {
    const { client } = await create({ name: 'To be reviewed' });
    const { oauthClientReviewQueue } = await administrator.graphql<{
      oauthClientReviewQueue: { nodes: { clientId: string }[] };
    }>('{ oauthClientReviewQueue(last: 100) { nodes { clientId ownerEmail submittedAt } } }', {});
    expect(oauthClientReviewQueue.nodes).toContainEqual({
      clientId: client.clientId,
      ownerEmail: 'ada@acme.test',
      submittedAt: expect.any(String),
    });
  });
});

describe('a client of somebody else', () => {
  test('is not to be seen, changed or deleted, as if there were none', async () => {
    const { clientId } = (await create()).client;
    for (const id of [clientId, 'gh_client_none', 'a\u0000b']) {
      expect(await stranger.graphql('query($id: String!) { oauthClient(clientId: $id) { clientId } }', { id })).toEqual(
        { oauthClient: null },
      );
      for (const [name, more] of [
        ['oauthClientUpdate', { name: 'Mine' }],
        ['oauthClientDelete', {}],
        ['oauthClientSecretCreate', {}],
        ['oauthClientApprove', {}],
      ] as const) {
        expect(await codesOf(stranger, name, { clientId: id, ...more })).toEqual(['NOT_FOUND']);
      }
    }
    expect((await show(developer, clientId)).name).toBe('App');
  });

  test('is changed with an ifUpdatedAt by one of many who have read the same, and by nobody later', async () => {
    const { clientId } = (await create()).client;
    const read = async () => {
      const document = 'query($id: String!) { oauthClient(clientId: $id) { name updatedAt } }';
      return (await developer.graphql<{ oauthClient: { name: string; updatedAt: string } }>(document, { id: clientId }))
        .oauthClient;
    };
    const { updatedAt: ifUpdatedAt } = await read();
    const told = await atOnce(5, (n) =>
      codesOf(developer, 'oauthClientUpdate', { clientId, name: `App ${n}`, ifUpdatedAt }),
    );
    expect(told.flat()).toEqual(Array.from({ length: 4 }, () => 'CONFLICT'));
    const { name, updatedAt } = await read();
    expect(name).toBe(`App ${told.findIndex((codes) => codes.length === 0)}`);
    expect(await codesOf(stranger, 'oauthClientUpdate', { clientId, name: 'x', ifUpdatedAt })).toEqual(['NOT_FOUND']);
    expect(await codesOf(developer, 'oauthClientUpdate', { clientId, name: 'y', ifUpdatedAt: updatedAt })).toEqual([]);
  });

  test('is not in the lists of others', async () => {
    await create();
    expect(
      await stranger.graphql(
        '{ me { oauthClients { nodes { clientId } } } oauthClientReviewQueue { nodes { clientId } } }',
        {},
      ),
    ).toEqual({
      me: { oauthClients: { nodes: [] } },
      oauthClientReviewQueue: { nodes: [] },
    });
  });
});

describe('a review', () => {
  test('is for administrators: an owner cannot approve by owning', async () => {
    const { clientId } = (await create()).client;
    for (const action of ['Approve', 'Reinstate'])
      expect(await codesOf(developer, `oauthClient${action}`, { clientId })).toEqual(['FORBIDDEN']);
    expect(await codesOf(developer, 'oauthClientReject', { clientId, reason: 'No' })).toEqual(['FORBIDDEN']);
    expect(await codesOf(administrator, 'oauthClientApprove', { clientId })).toEqual([]);
    expect((await show(developer, clientId)).status).toBe('APPROVED');
  });

  test('that rejects needs a reason, which the developer sees; an edit submits the client again', async () => {
    const { clientId } = (await create()).client;
    expect(await codesOf(administrator, 'oauthClientReject', { clientId, reason: ' ' })).toEqual(['REASON_REQUIRED']);
    const tooLong = { clientId, reason: 'x'.repeat(1_001) };
    expect(await codesOf(administrator, 'oauthClientReject', tooLong)).toEqual(['TOO_LONG']);
    expect(await codesOf(administrator, 'oauthClientReject', { clientId, reason: 'Say more.' })).toEqual([]);
    expect(await show(developer, clientId)).toMatchObject({ status: 'REJECTED', rejectionReason: 'Say more.' });
    expect(await codesOf(developer, 'oauthClientUpdate', { clientId, purpose: 'Says more.' })).toEqual([]);
    expect((await show(developer, clientId)).status).toBe('PENDING');
  });

  test.each<[string, string[]]>([
    ['APPROVE', ['oauthClientApprove']],
    ['SUSPEND', ['oauthClientSuspend', 'oauthClientReinstate']],
  ])('goes only where the states lead: %s twice is not possible', async (_, mutations) => {
    const { clientId } = (await create()).client;
    if (mutations[0] !== 'oauthClientApprove') await codesOf(administrator, 'oauthClientApprove', { clientId });
    for (const name of mutations) {
      expect(await codesOf(administrator, name, { clientId })).toEqual([]);
      expect(await codesOf(administrator, name, { clientId })).toEqual(['NOT_POSSIBLE']);
    }
  });

  test.each<[string, readonly string[], object]>([
    ['a new client that was edited', [], { redirectUris: ['https://slipped-in.example/cb'] }],
    ['a new client whose purpose was edited', [], { purpose: 'Something else.' }],
    ['a rejected client that was submitted again', ['Reject'], { redirectUris: ['https://slipped-in.example/cb'] }],
    ['a rejected client that was submitted again as it was', ['Reject'], { purpose: 'Shows bookings.' }],
    ['a revision that was replaced', ['Approve', 'name'], { redirectUris: ['https://slipped-in.example/cb'] }],
    ['a revision whose live client lost a scope', ['Approve', 'name'], { scopes: ['PROFILE_READ'] }],
  ])('does not decide about %s since: CONFLICT, with what it is now', async (_, before, edit) => {
    const scopes = ['PROFILE_READ', 'BOOKING_READ'];
    const { clientId } = (await create({ scopes })).client;
    for (const step of before) {
      if (step === 'name') await codesOf(developer, 'oauthClientUpdate', { clientId, name: 'Renamed' });
      else await codesOf(administrator, `oauthClient${step}`, { clientId, ...(step === 'Reject' && { reason: 'No' }) });
    }
    const seen = await show(administrator, clientId);
    await codesOf(developer, 'oauthClientUpdate', { clientId, ...edit });
    const current = await show(administrator, clientId);
    expect(current.version).toBe(seen.version + 1);
    for (const [name, more] of [
      ['oauthClientApprove', {}],
      ['oauthClientReject', { reason: 'No' }],
    ] as const) {
      expect(await decided(name, { clientId, version: seen.version, ...more })).toEqual({
        client: current,
        userErrors: [
          {
            code: 'CONFLICT',
            message: expect.stringMatching(/version \d was replaced by version \d/),
            path: ['version'],
          },
        ],
      });
    }
    expect(await show(administrator, clientId)).toEqual(current);
    const { client, userErrors } = await decided('oauthClientApprove', { clientId, version: current.version });
    expect([client.status, client.pendingRevision, client.version, userErrors]).toEqual([
      'APPROVED',
      null,
      current.version,
      [],
    ]);
  });

  test('keeps its version while nothing of what it is about changes', async () => {
    const { clientId, version } = (await create()).client;
    await codesOf(developer, 'oauthClientUpdate', { clientId, name: 'App', scopes: ['PROFILE_READ'] });
    await codesOf(developer, 'oauthClientSecretCreate', { clientId });
    expect((await show(developer, clientId)).version).toBe(version);
    await codesOf(administrator, 'oauthClientApprove', { clientId, version });
    await codesOf(developer, 'oauthClientUpdate', { clientId, name: 'Renamed' });
    const revised = await show(developer, clientId);
    await codesOf(developer, 'oauthClientUpdate', { clientId, name: 'Renamed' });
    expect([revised.version, (await show(developer, clientId)).version]).toEqual([version + 1, version + 1]);
    // A suspension is about the client, whatever its version.
    expect(await codesOf(administrator, 'oauthClientSuspend', { clientId, reason: 'Test' })).toEqual([]);
    expect((await show(developer, clientId)).version).toBe(version + 1);
  });

  test('that names no version decides about what is current', async () => {
    const { clientId } = (await create()).client;
    await codesOf(developer, 'oauthClientUpdate', { clientId, purpose: 'Another.' });
    expect(await codesOf(administrator, 'oauthClientApprove', { clientId })).toEqual([]);
    expect(await codesOf(administrator, 'oauthClientApprove', { clientId, version: 2 })).toEqual(['NOT_POSSIBLE']);
    for (const version of [-1, 0, 2 ** 31 - 1]) {
      expect(await codesOf(administrator, 'oauthClientApprove', { clientId, version })).toEqual(['CONFLICT']);
    }
  });

  test('is in the audit log, with the decision and its reason, and for administrators with the reviewer', async () => {
    const { clientId } = (await create()).client;
    await codesOf(administrator, 'oauthClientApprove', { clientId });
    await codesOf(administrator, 'oauthClientSuspend', { clientId, reason: 'Phishing' });
    const query =
      'query($id: String) { auditEvents(filter: { clientId: $id }) { nodes { type detail actorId address } } }';
    const eventsFor = async (who: typeof developer) =>
      (
        await who.graphql<{ auditEvents: { nodes: { type: string; detail: string; actorId: string | null }[] } }>(
          query,
          {
            id: clientId,
          },
        )
      ).auditEvents.nodes;
    const nodes = await eventsFor(developer);
    expect(nodes.map(({ type }) => type)).toEqual(['CLIENT_SUSPENDED', 'CLIENT_APPROVED', 'CLIENT_CREATED']);
    expect(nodes[0]).toMatchObject({ detail: '{"reason":"Phishing"}', actorId: null });
    expect(await eventsFor(administrator)).toMatchObject([
      { ...nodes[0], actorId: expect.stringMatching(/^usr_/), address: expect.any(String) },
      { type: 'CLIENT_APPROVED', actorId: expect.stringMatching(/^usr_/) },
      { type: 'CLIENT_CREATED', actorId: null },
    ]);
    expect(await stranger.graphql(query, { id: clientId })).toEqual({ auditEvents: { nodes: [] } });
  });
});

describe('editing an approved client', () => {
  test('lets additions wait for an administrator, while the approved version stays live', async () => {
    const { clientId } = (await approved()).client;
    const scopes = ['PROFILE_READ', 'BOOKING_READ'];
    expect(await codesOf(developer, 'oauthClientUpdate', { clientId, name: 'New name', scopes })).toEqual([]);
    expect(await show(developer, clientId)).toMatchObject({
      status: 'APPROVED',
      name: 'App',
      scopes: ['PROFILE_READ'],
      pendingRevision: { name: 'New name', scopes: expect.arrayContaining(scopes), requestedAt: expect.any(String) },
    });
    expect(await codesOf(administrator, 'oauthClientApprove', { clientId })).toEqual([]);
    expect(await show(developer, clientId)).toMatchObject({
      name: 'New name',
      scopes: expect.arrayContaining(scopes),
      pendingRevision: null,
    });
  });

  test('keeps the approved version when the revision is declined', async () => {
    const { clientId } = (await approved()).client;
    await codesOf(developer, 'oauthClientUpdate', {
      clientId,
      redirectUris: ['https://app.example/cb', 'https://new.example/cb'],
    });
    expect(await codesOf(administrator, 'oauthClientReject', { clientId, reason: 'Whose host is that?' })).toEqual([]);
    expect(await show(developer, clientId)).toMatchObject({
      status: 'APPROVED',
      redirectUris: ['https://app.example/cb'],
      pendingRevision: null,
      rejectionReason: 'Whose host is that?',
    });
  });

  test('takes removals and a new purpose at once', async () => {
    const { clientId } = (await approved({ scopes: ['PROFILE_READ', 'BOOKING_READ'] })).client;
    await codesOf(developer, 'oauthClientUpdate', { clientId, scopes: ['PROFILE_READ'], purpose: 'Less than before.' });
    expect(await show(developer, clientId)).toMatchObject({
      scopes: ['PROFILE_READ'],
      purpose: 'Less than before.',
      pendingRevision: null,
    });
  });

  test('changes nothing that is left out, and refuses null where nothing can be removed', async () => {
    const { clientId } = (await approved()).client;
    const before = await show(developer, clientId);
    expect(await codesOf(developer, 'oauthClientUpdate', { clientId, name: null, scopes: null })).toEqual([
      'REQUIRED',
      'REQUIRED',
    ]);
    expect(await codesOf(developer, 'oauthClientUpdate', { clientId })).toEqual([]);
    expect(await show(developer, clientId)).toEqual(before);
  });
});

describe('the secrets of a client', () => {
  test('are two at most and one at least', async () => {
    const { client } = await create();
    const { clientId } = client;
    const [first] = client.secrets;
    expect(await codesOf(developer, 'oauthClientSecretDelete', { clientId, secretId: first.id })).toEqual([
      'LAST_SECRET',
    ]);
    expect(await codesOf(developer, 'oauthClientSecretCreate', { clientId, name: 'next' })).toEqual([]);
    expect(await codesOf(developer, 'oauthClientSecretCreate', { clientId, name: 'third' })).toEqual([
      'TOO_MANY_SECRETS',
    ]);
    expect((await show(developer, clientId)).secrets.map(({ name }: { name: string }) => name)).toEqual([
      'First secret',
      'next',
    ]);
    expect(await codesOf(developer, 'oauthClientSecretDelete', { clientId, secretId: first.id })).toEqual([]);
    expect((await show(developer, clientId)).secrets.map(({ name }: { name: string }) => name)).toEqual(['next']);
  });

  test('are rotated while both are valid, and the old one dies at once', async () => {
    const { client, secret: old } = await approved();
    const { clientId } = client;
    const { oauthClientSecretCreate } = await developer.graphql<{ oauthClientSecretCreate: { secret: string } }>(
      'mutation($input: OauthClientSecretCreateInput!) { oauthClientSecretCreate(input: $input) { secret secretId userErrors { code } } }',
      { input: { clientId, name: 'next' } },
    );
    expect(await errorWith(clientId, old)).toBe('invalid_grant');
    expect(await errorWith(clientId, oauthClientSecretCreate.secret)).toBe('invalid_grant');
    await codesOf(developer, 'oauthClientSecretDelete', { clientId, secretId: client.secrets[0].id });
    expect(await errorWith(clientId, old)).toBe('invalid_client');
    expect(await errorWith(clientId, oauthClientSecretCreate.secret)).toBe('invalid_grant');
  });

  test('do not exist for a public client', async () => {
    const { clientId } = (await create({ type: 'PUBLIC' })).client;
    expect(await codesOf(developer, 'oauthClientSecretCreate', { clientId, name: 'x' })).toEqual(['PUBLIC_CLIENT']);
  });

  test('are stored as their SHA-256 alone', async () => {
    const { client, secret } = await create();
    const em = app.database.em.fork();
    const stored = await row(
      em,
      sql<{ secret_hash: string }>`select * from oauth_client_secrets where client_id = ${client.clientId}`,
    );
    expect(stored?.secret_hash).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(stored)).not.toContain(secret);
  });
});

describe('deleting a client', () => {
  test('leaves nothing of it', async () => {
    const { client, secret } = await approved();
    const { clientId } = client;
    expect(await codesOf(developer, 'oauthClientDelete', { clientId })).toEqual([]);
    expect(
      await developer.graphql('query($id: String!) { oauthClient(clientId: $id) { clientId } }', { id: clientId }),
    ).toEqual({ oauthClient: null });
    expect(await errorWith(clientId, secret)).toBe('invalid_client');
    expect(await codesOf(developer, 'oauthClientDelete', { clientId })).toEqual(['NOT_FOUND']);
  });
});

describe('the lists of the register', () => {
  test('are paged by cursors, and a made-up cursor is refused without a fault', async () => {
    for (let i = 0; i < 3; i += 1) await create();
    const page =
      'query($after: String) { me { oauthClients(first: 2, after: $after) { nodes { clientId } pageInfo { endCursor hasNextPage } } } }';
    const first = await developer.graphql<Page>(page, { after: null });
    const second = await developer.graphql<Page>(page, { after: first.me.oauthClients.pageInfo.endCursor });
    expect(first.me.oauthClients.nodes).toHaveLength(2);
    expect(second.me.oauthClients.nodes.map(({ clientId }) => clientId)).not.toContain(
      first.me.oauthClients.nodes[1]?.clientId,
    );
    const forged = Buffer.from('["tomorrow","x"]').toString('base64url');
    await expect(developer.graphql(page, { after: forged })).rejects.toThrow(/is not a cursor of this list/);
  });
});

describe('access tokens and strangers', () => {
  test('see nothing of the register, not even that it exists', async () => {
    const answer = await app.graphql('{ oauthClientReviewQueue { nodes { clientId } } }');
    expect(answer.body.errors[0].message).toMatch(/Cannot query field/);
  });
});

interface Page {
  me: { oauthClients: { nodes: { clientId: string }[]; pageInfo: { endCursor: string } } };
}

// oxlint-disable-next-line typescript/no-explicit-any -- clients are looked into field by field
type Shown = any;

async function create(changes: object = {}): Promise<{ client: Shown; secret: string; userErrors: unknown[] }> {
  const input = {
    name: 'App',
    purpose: 'Shows bookings.',
    type: 'CONFIDENTIAL',
    redirectUris: ['https://app.example/cb'],
    scopes: ['PROFILE_READ'],
    ...changes,
  };
  const document = `mutation($input: OauthClientCreateInput!) { oauthClientCreate(input: $input) { client { ${CLIENT} } secret userErrors { code message path } } }`;
  const { oauthClientCreate } = await developer.graphql<{
    oauthClientCreate: { client: Shown; secret: string; userErrors: unknown[] };
  }>(document, { input });
  return oauthClientCreate;
}

async function approved(changes: object = {}): Promise<{ client: Shown; secret: string }> {
  const created = await create(changes);
  await codesOf(administrator, 'oauthClientApprove', { clientId: created.client.clientId });
  return created;
}

/** The whole answer to an administrator's decision. */
async function decided(name: string, input: object): Promise<{ client: Shown; userErrors: unknown[] }> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const document = `mutation($input: ${type}!) { ${name}(input: $input) { client { ${CLIENT} } userErrors { code message path } } }`;
  const data = await administrator.graphql<Record<string, { client: Shown; userErrors: unknown[] }>>(document, {
    input,
  });
  return data[name] ?? { client: undefined, userErrors: [] };
}

async function show(browser: Browser, clientId: string): Promise<Shown> {
  const { oauthClient } = await browser.graphql<{ oauthClient: Shown }>(
    `query($id: String!) { oauthClient(clientId: $id) { ${CLIENT} } }`,
    { id: clientId },
  );
  return oauthClient;
}

/** Calls a mutation. @returns the codes of its mistakes; none when it was done */
async function codesOf(browser: Browser, name: string, input: object): Promise<string[]> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const document = `mutation($input: ${type}!) { ${name}(input: $input) { userErrors { code message path } } }`;
  const data = await browser.graphql<Record<string, { userErrors: { code: string }[] }>>(document, { input });
  return data[name]?.userErrors.map(({ code }) => code) ?? [];
}

/** How far a secret gets at the token endpoint: `invalid_grant` means that the client is authenticated. */
async function errorWith(clientId: string, secret: string): Promise<string> {
  const body = new URLSearchParams({
    client_id: clientId,
    client_secret: secret,
    grant_type: 'refresh_token',
    refresh_token: 'x',
  });
  const response = await fetch(`${app.url}/v2/auth/oauth2/token`, { method: 'POST', body });
  return ((await response.json()) as { error: string }).error;
}
