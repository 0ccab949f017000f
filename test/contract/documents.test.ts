import { parse, validate } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CASES, SCHEMAS } from '../../bench/contest/cases.ts';
import type { Browser } from '../../src/cli/demo-browser.ts';
import { buildSchemas } from '../../src/schema.ts';
import { startTestApp, type TestApp } from '../support/app.ts';

// Documents that clients are told to send, to the letter: names and shapes here are a promise.
let app: TestApp;
let ada: Browser;
let admin: Browser;
beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signIn('ada@acme.test');
  admin = await app.signIn('admin@gatehouse.test');
});
afterAll(() => app.close());

// oxlint-disable-next-line typescript/no-explicit-any -- answers of every shape
const ask = (document: string, variables = {}, browser = ada): Promise<any> => browser.graphql(document, variables);

test('Profile', async () => {
  const { me } = await ask('query Profile { me { id name username email timeZone } }');
  expect(me).toMatchObject({ username: 'ada', email: 'ada@acme.test', timeZone: 'Europe/Berlin' });
});

test('Mine', async () => {
  const { me } = await ask(
    'query Mine { me { eventTypes(first: 20) { nodes { id slug title durationInMinutes } pageInfo { hasNextPage endCursor } } } }',
  );
  expect(me.eventTypes.nodes.map(({ slug }: { slug: string }) => slug)).toEqual([
    'intro',
    'deep-dive',
    'hidden-review',
  ]);
  expect(me.eventTypes.pageInfo.hasNextPage).toBe(false);
});

test('Doors, Team and Org', async () => {
  const { me } = await ask(
    'query Doors { me { teams { nodes { id slug name } } organizations { nodes { id slug name } } } }',
  );
  expect(me.organizations.nodes).toMatchObject([{ slug: 'acme' }]);
  const sales = me.teams.nodes.find(({ slug }: { slug: string }) => slug === 'sales');
  const { team } = await ask(
    'query Team($id: ID!) { team(id: $id) { slug eventTypes { nodes { id title } } memberships { nodes { role user { name } } } } }',
    { id: sales.id },
  );
  expect(team.slug).toBe('sales');
  expect(team.eventTypes.nodes).toHaveLength(2);
  expect(team.memberships.nodes.length).toBeGreaterThanOrEqual(2);
  const { organization } = await ask(
    `query Org($id: ID!) { organization(id: $id) { slug teams { nodes { slug } } eventTypes { nodes { title } } team(id: "${sales.id}") { slug } } }`,
    { id: me.organizations.nodes[0].id },
  );
  expect(organization).toMatchObject({ slug: 'acme', teams: { nodes: [{ slug: 'sales' }] }, team: { slug: 'sales' } });
});

test('NewType', async () => {
  const { eventTypeCreate } = await ask(
    'mutation NewType { eventTypeCreate(input: { title: "Intro", slug: "intro-2", durationInMinutes: 30 }) { eventTypeId userErrors { code message path } } }',
  );
  expect(eventTypeCreate).toEqual({ eventTypeId: expect.stringMatching(/^evt_/), userErrors: [] });
});

test('Bookings', async () => {
  const { me } = await ask(
    'query Bookings { me { bookings(first: 20, filter: { statuses: [ACCEPTED] }) { nodes { id title status start end location { text } attendees { name email } eventType { id slug title } } } } }',
  );
  expect(me.bookings.nodes).toHaveLength(3);
  expect(me.bookings.nodes[0]).toMatchObject({
    id: expect.stringMatching(/^bkg_/),
    status: 'ACCEPTED',
    attendees: [{ name: 'Grace Hopper', email: 'grace@guest.test' }],
    eventType: { slug: 'intro' },
  });
});

test('Slots, Book and Cancel', async () => {
  const { me } = await ask('{ me { eventTypes(first: 1) { nodes { id } } } }');
  const [{ id: eventTypeId }] = me.eventTypes.nodes;
  const now = Temporal.Now.instant();
  const { slots } = await ask(
    'query Slots($e: ID!, $from: DateTime!, $to: DateTime!) { slots(eventType: { id: $e }, start: $from, end: $to, timeZone: "UTC") { start end } }',
    { e: eventTypeId, from: now.add({ hours: 48 }).toString(), to: now.add({ hours: 24 * 9 }).toString() },
  );
  const slot = slots.at(-1);
  const { bookingCreate } = await ask(
    'mutation Book($input: BookingCreateInput!) { bookingCreate(input: $input) { booking { uid status start end } userErrors { code message path } } }',
    {
      input: {
        eventTypeId,
        start: slot.start,
        attendee: { name: 'Grace', email: 'grace@example.test', timeZone: 'UTC' },
      },
    },
  );
  expect(bookingCreate).toEqual({ booking: { uid: expect.any(String), status: 'ACCEPTED', ...slot }, userErrors: [] });
  const { uid } = bookingCreate.booking;
  const { bookingCancel } = await ask(
    'mutation Cancel($uid: String!) { bookingCancel(input: { uid: $uid, reason: "No longer needed" }) { booking { uid status } userErrors { code } } }',
    { uid },
  );
  expect(bookingCancel).toEqual({ booking: { uid, status: 'CANCELLED' }, userErrors: [] });
});

test('the life of a client, from NewClient to Delete', async () => {
  const { oauthClientCreate } = await ask(
    'mutation NewClient { oauthClientCreate(input: { name: "App", purpose: "Books for you", type: CONFIDENTIAL, redirectUris: ["https://app.example.test/cb"], scopes: [PROFILE_READ] }) { client { clientId status } secret userErrors { code message path } } }',
  );
  const { clientId } = oauthClientCreate.client;
  expect(oauthClientCreate).toMatchObject({
    client: { status: 'PENDING' },
    secret: expect.stringMatching(/^gh_secret_/),
  });

  const reject = `mutation Reject { oauthClientReject(input: { clientId: "${clientId}", reason: "Say more" }) { client { status rejectionReason } userErrors { code } } }`;
  expect((await ask(reject, {}, admin)).oauthClientReject.client).toEqual({
    status: 'REJECTED',
    rejectionReason: 'Say more',
  });

  const update = `mutation Update { oauthClientUpdate(input: { clientId: "${clientId}", redirectUris: ["https://app.example.test/cb2"], scopes: [PROFILE_READ] }) { client { clientId status pendingRevision { scopes redirectUris } } userErrors { code message path } } }`;
  expect((await ask(update)).oauthClientUpdate).toEqual({
    client: { clientId, status: 'PENDING', pendingRevision: null },
    userErrors: [],
  });

  const approve = `mutation Approve { oauthClientApprove(input: { clientId: "${clientId}" }) { client { status } userErrors { code } } }`;
  expect((await ask(approve)).oauthClientApprove.userErrors).not.toEqual([]);
  expect((await ask(approve, {}, admin)).oauthClientApprove).toEqual({
    client: { status: 'APPROVED' },
    userErrors: [],
  });

  const create = `mutation Secret { oauthClientSecretCreate(input: { clientId: "${clientId}", name: "next" }) { secret secretId userErrors { code } } }`;
  const { secretId } = (await ask(create)).oauthClientSecretCreate;
  const drop = `mutation DropSecret { oauthClientSecretDelete(input: { clientId: "${clientId}", secretId: "${secretId}" }) { userErrors { code message } } }`;
  expect((await ask(drop)).oauthClientSecretDelete.userErrors).toEqual([]);

  const { me } = await ask(
    'query MyClients { me { oauthClients { nodes { clientId name status type scopes redirectUris secrets { id name hint createdAt lastUsedAt } } } } }',
  );
  const mine = me.oauthClients.nodes.find((client: { clientId: string }) => client.clientId === clientId);
  expect(mine).toMatchObject({ name: 'App', status: 'APPROVED', type: 'CONFIDENTIAL', scopes: ['PROFILE_READ'] });
  expect(mine.secrets).toHaveLength(1);

  const suspend = `mutation Suspend { oauthClientSuspend(input: { clientId: "${clientId}", reason: "Abuse" }) { client { status } userErrors { code } } }`;
  expect((await ask(suspend, {}, admin)).oauthClientSuspend.client).toEqual({ status: 'SUSPENDED' });
  const reinstate = `mutation Reinstate { oauthClientReinstate(input: { clientId: "${clientId}" }) { client { status } userErrors { code } } }`;
  expect((await ask(reinstate, {}, admin)).oauthClientReinstate.client).toEqual({ status: 'APPROVED' });

  const remove = `mutation Delete { oauthClientDelete(input: { clientId: "${clientId}" }) { clientId userErrors { code } } }`;
  expect((await ask(remove)).oauthClientDelete).toEqual({ clientId, userErrors: [] });
});

test('MyApps and RevokeApp', async () => {
  const callback = await ada.allow(
    `${app.url}/auth/oauth2/authorize?client_id=demo-narrow&redirect_uri=https%3A%2F%2Fnarrow.example.test%2Fcb&scope=PROFILE_READ&state=s`,
  );
  const response = await fetch(`${app.url}/v2/auth/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams({
      client_id: 'demo-narrow',
      client_secret: 'gh_secret_demo_narrow',
      grant_type: 'authorization_code',
      code: callback.searchParams.get('code') ?? '',
      redirect_uri: 'https://narrow.example.test/cb',
    }),
  });
  expect(await response.json()).toMatchObject({ token_type: 'bearer', expires_in: 1800, scope: 'PROFILE_READ' });
  const MY_APPS =
    'query MyApps { me { authorizedApps { nodes { client { clientId name } grants { id scopes createdAt lastUsedAt } } } } }';
  expect((await ask(MY_APPS)).me.authorizedApps.nodes).toMatchObject([
    { client: { clientId: 'demo-narrow' }, grants: [{ scopes: ['PROFILE_READ'] }] },
  ]);
  const { authorizedAppRevoke } = await ask(
    'mutation RevokeApp { authorizedAppRevoke(input: { clientId: "demo-narrow", grantId: null }) { userErrors { code } } }',
  );
  expect(authorizedAppRevoke.userErrors).toEqual([]);
  expect((await ask(MY_APPS)).me.authorizedApps.nodes).toEqual([]);
});

test.each(Object.keys(CASES))('%s of the benchmarks', (name) => {
  const { query } = CASES[name]?.request(SCHEMAS.gatehouse, 1, 0) ?? { query: '' };
  expect(validate(buildSchemas().forTokens.schema, parse(query))).toEqual([]);
});
