/** A session sends over HTTP what tokens cannot do, with the ends of what each type of its input can hold. */
import { type GraphQLInputObjectType, type GraphQLSchema, getNamedType, isInputObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changed, sql } from '../../src/database/sql.ts';
import { buildSchemas } from '../../src/schema.ts';
import { withLeaf } from '../api/every-mutation/input-leaves.ts';
import { extremesOf, placesOf } from '../api/every-value/extremes.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { spoiltIds, unknownId } from '../support/ids.ts';
import { paced } from '../support/pace.ts';
import { TestBrowser } from '../support/test-browser.ts';

const { forTokens, forSessions } = buildSchemas();
const NAMES = namesIn(forSessions.schema).filter((name) => !namesIn(forTokens.schema).includes(name));

const NOBODY = unknownId('user');
const APP = {
  name: 'App',
  purpose: 'Tests values.',
  redirectUris: ['https://app.example/callback'],
  scopes: ['PROFILE_READ'],
  type: 'CONFIDENTIAL',
};

/** The input besides the value that is tried. */
const INPUTS: Readonly<Record<string, (clientId: string) => Record<string, unknown>>> = {
  authorizedAppRevoke: () => ({ clientId: 'nobody' }),
  emailChange: () => ({ currentPassword: 'wrong', newEmail: 'ada@example.test' }),
  oauthClientApprove: () => ({ clientId: 'nobody' }),
  oauthClientCreate: () => APP,
  oauthClientDelete: () => ({ clientId: 'nobody' }),
  oauthClientReinstate: () => ({ clientId: 'nobody' }),
  oauthClientReject: (clientId) => ({ clientId, reason: 'No.' }),
  oauthClientSecretCreate: (clientId) => ({ clientId }),
  oauthClientSecretDelete: (clientId) => ({ clientId, secretId: unknownId('secret') }),
  oauthClientSuspend: (clientId) => ({ clientId }),
  oauthClientUpdate: (clientId) => ({ clientId }),
  organizationCreate: () => ({ slug: `org-${(slugs += 1)}`, name: 'Organization' }),
  organizationUpdate: () => ({ organizationId }),
  passwordChange: () => ({
    currentPassword: 'wrong',
    newPassword: 'wrong',
    endsOtherSessions: false,
    revokesApps: false,
  }),
  routingFormCreate: () => ({ organizationId, name: 'Form', fallback: { message: 'Hello' } }),
  routingFormDelete: () => ({ routingFormId: unknownId('routingForm') }),
  routingFormUpdate: () => ({ routingFormId: unknownId('routingForm') }),
  sessionRevoke: () => ({ sessionId: unknownId('session') }),
  stoppedThingDelete: () => ({ stoppedThingId: unknownId('stoppedThing') }),
  stoppedThingRevive: () => ({ stoppedThingId: unknownId('stoppedThing') }),
  userReinstate: () => ({ userId: NOBODY }),
  userSuspend: () => ({ userId: NOBODY }),
};
let slugs = 0;

const SAME_ORIGIN = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
const OWN = '{ me { id sessions(first: 1) { nodes { id } } } }';

let app: TestApp;
let admin: TestBrowser;
let clientId: string;
let organizationId: string;
beforeAll(async () => {
  app = await startTestApp();
  admin = await TestBrowser.signedIn(app.url, 'admin@gatehouse.test');
  const made = await admin.mutate<{ client: { clientId: string } }>('oauthClientCreate', APP, 'client { clientId }');
  ({ clientId } = made.client);
  const founded = { slug: 'values', name: 'Values' };
  ({ organizationId } = await admin.mutate<{ organizationId: string }>(
    'organizationCreate',
    founded,
    'organizationId',
  ));
});
afterAll(() => app.close());

test('every mutation that takes a session is tried', () => {
  expect(Object.keys(INPUTS)).toEqual(expect.arrayContaining(NAMES));
});

describe.each(NAMES)('%s', (name) => {
  test('refuses what it cannot keep, and never fails', { timeout: paced(120_000) }, async () => {
    const type = inputTypeOf(name);
    const faults: unknown[] = [];
    for (const place of placesOf(type)) {
      for (const value of extremesOf(place)) {
        const input = withLeaf(type, INPUTS[name]?.(clientId) ?? {}, place.path, value);
        const { status, codes } = await change(name, input);
        if (name === 'oauthClientCreate') await makeRoom();
        if (status >= 500 || codes.some((code) => code === undefined || code.startsWith('INTERNAL'))) {
          faults.push({ at: place.path.join('.'), value: (JSON.stringify(value) ?? '').slice(0, 60), status, codes });
        }
      }
    }
    expect(faults).toEqual([]);
  });
});

/** For the next client that waits for a review. */
async function makeRoom(): Promise<void> {
  await changed(
    app.database.em.fork(),
    sql`update oauth_clients set status = 'APPROVED' where status = 'PENDING' and client_id <> ${clientId}`,
  );
}

test.each([
  ['authorizedAppRevoke', 'grantId', 'grant'],
  ['oauthClientSecretDelete', 'secretId', 'secret'],
  ['organizationUpdate', 'organizationId', 'organization'],
  ['sessionRevoke', 'sessionId', 'session'],
  ['stoppedThingDelete', 'stoppedThingId', 'stoppedThing'],
  ['stoppedThingRevive', 'stoppedThingId', 'stoppedThing'],
  ['userReinstate', 'userId', 'user'],
  ['userSuspend', 'userId', 'user'],
] as const)('%s answers a text that is no id as the id of nothing', async (name, field, kind) => {
  const { text } = await admin.request('/graphql', SAME_ORIGIN, JSON.stringify({ query: OWN }));
  const { me } = JSON.parse(text).data;
  const own: string = { session: me.sessions.nodes[0].id, user: me.id, organization: organizationId }[kind as string];
  const given = INPUTS[name]?.(clientId);
  const unknown = await change(name, { ...given, [field]: unknownId(kind) });
  for (const [what, id] of Object.entries(spoiltIds(own ?? unknownId(kind)))) {
    expect({ [what]: await change(name, { ...given, [field]: id }) }).toEqual({ [what]: unknown });
  }
});

test('the lists of what was made can be read', async () => {
  const query = `{ me {
    oauthClients(first: 100) { nodes { clientId name purpose logoUrl websiteUrl redirectUris } }
    organizations(first: 100) { nodes { slug name bio metadata timeZone } } } }`;
  expect(await admin.ask(query)).toHaveProperty('me.oauthClients.nodes');
  for (const path of ['/settings/developer/oauth', `/settings/developer/oauth/${clientId}`, '/admin/oauth']) {
    expect([path, (await admin.request(path)).status]).toEqual([path, 200]);
  }
});

/** The status, and the codes of all errors; what is no GraphQL answer has none. */
async function change(name: string, input: object): Promise<{ status: number; codes: (string | undefined)[] }> {
  const query = `mutation($input: ${inputTypeOf(name).name}!) { ${name}(input: $input) { userErrors { code path } } }`;
  const { status, text } = await admin.request(
    '/graphql',
    SAME_ORIGIN,
    JSON.stringify({ query, variables: { input } }),
  );
  const { data, errors = [] } = JSON.parse(text) as {
    data?: Record<string, { userErrors: { code: string }[] } | null>;
    errors?: { extensions?: { code?: string } }[];
  };
  const mistakes = data?.[name]?.userErrors.map(({ code }) => code) ?? [];
  return { status, codes: [...errors.map(({ extensions }) => extensions?.code), ...mistakes] };
}

function namesIn(schema: GraphQLSchema): string[] {
  return Object.keys(schema.getMutationType()?.getFields() ?? {});
}

function inputTypeOf(name: string): GraphQLInputObjectType {
  const named = getNamedType(forSessions.schema.getMutationType()?.getFields()[name]?.args[0]?.type);
  if (!isInputObjectType(named)) throw new Error(`${name} takes no input.`);
  return named;
}
