import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAX_WAITING_CLIENTS } from '../../src/oauth/protocol/client.ts';
import { formsOf } from '../support/html-form.ts';
import { atOnce, ONE_AND_TWO, type Servers, withBrowsers } from '../support/servers.ts';
import { OWN_FORM, TestBrowser } from '../support/test-browser.ts';

const MANY = 50;
const GOOD = 'https://good.example.test/cb';
const EVIL = 'https://evil.example.test/cb';
const APP = {
  name: 'App',
  purpose: 'Test',
  type: 'CONFIDENTIAL',
  redirectUris: [GOOD],
  scopes: ['PROFILE_READ'],
};
const CLIENT = 'clientId status version redirectUris pendingRevision { redirectUris }';

interface Client {
  readonly clientId: string;
  readonly status: string;
  readonly version: number;
  readonly redirectUris: readonly string[];
  readonly pendingRevision: { readonly redirectUris: readonly string[] } | null;
}
interface Payload {
  readonly client: Client;
  readonly userErrors: readonly { readonly code: string }[];
}

describe.each(ONE_AND_TWO)('%s, of 50 at the same moment', (_, start) => {
  let servers: Servers;
  let ada: TestBrowser;
  let admin: TestBrowser;
  beforeAll(async () => void ({ servers, ada, admin } = await withBrowsers(start)));
  afterAll(() => servers.close());

  test.each([1, 2, 3, 4])('none approves a new client that it has not seen (round %i)', async () => {
    const seen = await newClient();
    const answers = await approveOrReplace(seen);
    const current = await now(seen);
    const won = answers.filter(({ userErrors }) => userErrors.length === 0);
    // Approved first, the edit waits as a revision; edited first, nothing was approved.
    expect([current.status, current.redirectUris, won.length]).toEqual(
      current.status === 'APPROVED' ? ['APPROVED', [GOOD], 1] : ['PENDING', [EVIL], 0],
    );
    expectOnly(answers, ['CONFLICT', 'NOT_POSSIBLE']);
  });

  test.each([1, 2, 3, 4])('none accepts a revision that it has not seen (round %i)', async () => {
    const { clientId, version } = await newClient();
    await admin.mutate('oauthClientApprove', { clientId, version }, CLIENT_SELECTION);
    await ada.mutate('oauthClientUpdate', { clientId, redirectUris: [GOOD, `${GOOD}/2`] }, CLIENT_SELECTION);
    const answers = await approveOrReplace(await now({ clientId }));
    const current = await now({ clientId });
    expect(current.redirectUris).not.toContain(EVIL);
    expect(current.pendingRevision?.redirectUris).toEqual([EVIL]);
    expectOnly(answers, ['CONFLICT', 'NOT_POSSIBLE']);
  });

  test.each(['CONFIDENTIAL', 'PUBLIC'])(
    'one registers a %s client by the form that all send, and the others are led to it',
    async (type) => {
      const path = '/settings/developer/oauth/new';
      const { text } = await ada.request(path);
      const fields = formsOf(text).find(({ action }) => action === path)?.fields ?? {};
      const name = `Sent by fifty, ${type}`;
      const typed = { ...fields, type, name, purpose: 'Test', redirectUris: GOOD, scopes: 'PROFILE_READ' };
      const body = new URLSearchParams(typed).toString();
      const answers = await atOnce(MANY, (n) => ada.at(servers.url(n)).request(path, OWN_FORM, body));

      const { me } = await ada.ask<{ me: { oauthClients: { nodes: { clientId: string; name: string }[] } } }>(
        '{ me { oauthClients(first: 100) { nodes { clientId name } } } }',
      );
      const [client, ...others] = me.oauthClients.nodes.filter((one) => one.name === name);
      expect(others).toEqual([]);
      const withSecret = answers.filter(({ status }) => status === 201);
      expect(withSecret).toHaveLength(type === 'CONFIDENTIAL' ? 1 : 0);
      const led = answers.filter(({ status }) => status === 303).map(({ headers }) => headers.get('location'));
      expect(led).toHaveLength(MANY - withSecret.length);
      expect(new Set(led)).toEqual(
        new Set([
          `/settings/developer/oauth/${client?.clientId}?done=${type === 'PUBLIC' ? 'registered' : 'registered-before'}`,
        ]),
      );
    },
  );

  test('as many of a developer wait for a review as may, new ones and those that were rejected together', async () => {
    const cyd = await TestBrowser.signedIn(servers.url(0), 'cyd@acme.test');
    const rejected: string[] = [];
    for (let n = 0; n < MANY / 10; n += 1) {
      const { clientId, version } = await newClient(cyd);
      await admin.mutate('oauthClientReject', { clientId, version, reason: 'No.' }, CLIENT_SELECTION);
      rejected.push(clientId);
    }
    const send = async (n: number, name: string, input: object) => {
      const type = `O${name.slice(1)}Input`;
      const document = `mutation ($input: ${type}!) { ${name}(input: $input) { userErrors { code } } }`;
      return (await cyd.at(servers.url(n)).ask<Record<string, Payload>>(document, { input }))[name]?.userErrors ?? [];
    };
    const answers = await atOnce(MANY, (n) =>
      n % 10 === 5
        ? send(n, 'oauthClientUpdate', { clientId: rejected[(n - 5) / 10], purpose: 'Better' })
        : send(n, 'oauthClientCreate', APP),
    );
    const { me } = await cyd.ask<{ me: { oauthClients: { nodes: { status: string }[] } } }>(
      '{ me { oauthClients(first: 100) { nodes { status } } } }',
    );
    expect(me.oauthClients.nodes.filter(({ status }) => status === 'PENDING')).toHaveLength(MAX_WAITING_CLIENTS);
    expect(answers.flat().map(({ code }) => code)).toEqual(Array(MANY - MAX_WAITING_CLIENTS).fill('TOO_MANY'));
  });

  const CLIENT_SELECTION = `client { ${CLIENT} }`;

  async function newClient(developer = ada): Promise<Client> {
    return (await developer.mutate<Payload>('oauthClientCreate', APP, CLIENT_SELECTION)).client;
  }

  async function now({ clientId }: Pick<Client, 'clientId'>): Promise<Client> {
    return (await admin.ask<{ oauthClient: Client }>(`{ oauthClient(clientId: "${clientId}") { ${CLIENT} } }`))
      .oauthClient;
  }

  /** @returns what the administrators were answered */
  async function approveOrReplace({ clientId, version }: Client): Promise<Payload[]> {
    const document = `mutation ($input: OauthClientApproveInput!) { oauthClientApprove(input: $input) { ${CLIENT_SELECTION} userErrors { code } } }`;
    const answers = await atOnce(MANY, async (n) => {
      if (n % 10 === 5) {
        await ada.at(servers.url(n)).mutate('oauthClientUpdate', { clientId, redirectUris: [EVIL] }, CLIENT_SELECTION);
        return undefined;
      }
      const input = { clientId, version };
      return (await admin.at(servers.url(n)).ask<{ oauthClientApprove: Payload }>(document, { input }))
        .oauthClientApprove;
    });
    return answers.filter((answer) => answer !== undefined);
  }
});

function expectOnly(answers: readonly Payload[], codes: readonly string[]): void {
  const refused = answers.filter(({ userErrors }) => userErrors.length > 0);
  expect(
    refused.flatMap(({ userErrors }) => userErrors.map(({ code }) => code)).filter((code) => !codes.includes(code)),
  ).toEqual([]);
  for (const { client, userErrors } of refused) expect(userErrors[0]?.code === 'CONFLICT' && !client).toBe(false);
}
