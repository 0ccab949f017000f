/**
 * Every text that an input takes and that people read later: one that shows nothing, or turns the direction of what stands
 * around it, is refused wherever it is sent, or made harmless where the table says so.
 */
import { type GraphQLInputObjectType, getNamedType, isInputObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../../src/cli/demo-browser.ts';
import { textMistake, tidyText } from '../../src/core/text.ts';
import { buildSchemas } from '../../src/schema.ts';
import { type Leaf, leavesOf, withLeaf } from '../api/every-mutation/input-leaves.ts';
import { openTestApi, type TestApi } from '../support/api.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { ValidInput } from '../world/fixture.ts';
import { NAMES_WITH_INPUT, validInputs } from '../world/valid-inputs.ts';

/** Fillers that are letters, the blank of Braille, spaces without width. */
const BLANK = ['\u3164', '\u115f\u1160', '\uffa0', '\u2800\u2800', '\u200b', '\u2060', '\ufeff', '\u00ad'];
const TURNS = ['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069'];

describe('the rules for texts', () => {
  const max = { max: 100 };
  test.each(BLANK)('refuse %j, which shows nothing, in one line and in several', (blank) => {
    for (const rule of [max, { ...max, multiline: true }]) {
      // A mark at the end goes with the white space there.
      expect(['INVALID_TEXT', 'REQUIRED']).toContain(textMistake(['name'], tidyText(blank), rule)?.code);
    }
  });
  test.each(TURNS)('refuse %j, which turns the direction, in one line and in several', (turn) => {
    for (const rule of [max, { ...max, multiline: true }])
      expect(textMistake(['name'], `a${turn}b`, rule)?.code).toBe('INVALID_TEXT');
  });
  test('take what scripts and emoji need', () => {
    for (const text of ['می‌خواهم', 'שלום', '👩‍👩‍👧‍👦', 'a\u200eb', 'ปี'])
      expect(textMistake(['name'], text, max)).toBeUndefined();
  });
});

/** One of each kind: that all of a kind are alike is shown above. */
const SENT = ['\u3164', '\u2800\u2800', 'a\u202eb', '\u2066ab\u2069'];

/** Texts that take these, and why nobody is shown them. */
const TAKEN: Readonly<Record<string, string>> = {
  'bookerEmailVerificationRequest.privateLinkToken':
    'One that is unknown is answered like one that is known, and none is kept.',
  'bookingCreate.emailVerificationCode': 'Compared where a code is asked for, and not kept.',
};

/** By the scalar that holds free text, what is sent of it. */
const FREE: Readonly<Record<string, (text: string) => unknown>> = {
  String: (text) => text,
  Metadata: (text) => ({ [text]: 'value' }),
  MetadataPatch: (text) => ({ key: text }),
  BookingResponses: (text) => ({ notes: text, name: text }),
  URL: (text) => `https://example.com/${text}`,
  EmailAddress: (text) => `${text}@example.com`,
};

const MUTATIONS = buildSchemas().forSessions.schema.getMutationType()?.getFields() ?? {};

let api: TestApi;
let valid: (name: string) => Promise<ValidInput>;
beforeAll(async () => {
  api = await openTestApi();
  valid = validInputs(api);
});
afterAll(() => api.close());

test.each(NAMES_WITH_INPUT.filter((name) => textsOf(name).length > 0))('%s takes none', async (name) => {
  const taken: string[] = [];
  let request = await valid(name);
  for (const { path, type } of textsOf(name)) {
    for (const text of SENT) {
      const { username, input } = request;
      const sent = withLeaf(inputOf(name), input, path, FREE[type]?.(text));
      const { codes, mistakes } = await api.as(username).change(name, sent);
      if (codes.length > 0 || mistakes.length > 0) continue;
      taken.push(`${name}.${path.join('.')}`);
      request = await valid(name);
    }
  }
  expect([...new Set(taken)].filter((place) => TAKEN[place] === undefined)).toEqual([]);
});

describe('mutations for sessions alone', () => {
  let app: TestApp;
  const signedIn: Record<string, Browser> = {};
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    app = await startTestApp();
    for (const who of ['ada@acme.test', 'admin@gatehouse.test']) signedIn[who] = await app.signIn(who);
    const answer = await signedIn['ada@acme.test']?.graphql<{
      me: Record<'organizations' | 'teams', { nodes: { id: string }[] }>;
    }>('{ me { organizations { nodes { id } } teams { nodes { id } } } }', {});
    ids['organizationId'] = answer?.me.organizations.nodes[0]?.id ?? '';
    ids['teamId'] = answer?.me.teams.nodes[0]?.id ?? '';
    const form = await change(
      'ada@acme.test',
      'routingFormCreate',
      await inputFor('routingFormCreate'),
      'routingFormId',
    );
    ids['routingFormId'] = form.data;
  });
  afterAll(() => app.close());

  /** The sender and the input of each; those that take no text but the name of something have none. */
  const ASKED: Readonly<Record<string, readonly [by: string, input: Record<string, unknown>]>> = {
    emailChange: ['ada@acme.test', { email: 'new@acme.test', currentPassword: 'gatehouse-demo' }],
    organizationCreate: ['ada@acme.test', { slug: 'texts', name: 'Texts' }],
    organizationUpdate: ['ada@acme.test', {}],
    routingFormCreate: ['ada@acme.test', { name: 'Form' }],
    routingFormUpdate: ['ada@acme.test', {}],
    oauthClientCreate: [
      'ada@acme.test',
      { name: 'App', purpose: 'x', type: 'PUBLIC', redirectUris: ['https://a.example/cb'], scopes: ['PROFILE_READ'] },
    ],
    oauthClientUpdate: ['ada@acme.test', { clientId: 'demo-app' }],
    oauthClientSecretCreate: ['ada@acme.test', { clientId: 'demo-narrow', name: 'next' }],
    oauthClientReject: ['admin@gatehouse.test', { clientId: 'demo-pending', reason: 'x' }],
    oauthClientSuspend: ['admin@gatehouse.test', { clientId: 'demo-legacy', reason: 'x' }],
  };
  /** Passwords are nothing that is shown, nor is what names something that is there. */
  const SECRET = ['passwordChange', 'stoppedThingRevive'];
  const own = Object.keys(MUTATIONS).filter((name) => !NAMES_WITH_INPUT.includes(name));

  test.each(
    own.filter((name) => textsOf(name).some(({ path }) => path.join('.') !== 'clientId') && !SECRET.includes(name)),
  )('%s takes none', async (name) => {
    const taken: string[] = [];
    for (const { path, type } of textsOf(name)) {
      for (const text of SENT) {
        const sent = withLeaf(inputOf(name), await inputFor(name), path, FREE[type]?.(text));
        if (!(await change(ASKED[name]?.[0] ?? '', name, sent)).isRefused) taken.push(path.join('.'));
      }
    }
    expect([...new Set(taken)]).toEqual([]);
  });

  async function inputFor(name: string): Promise<Record<string, unknown>> {
    const asked = ASKED[name];
    if (!asked) throw new Error(`Say in ASKED what ${name} is sent, and by whom.`);
    const fields = inputOf(name).getFields();
    const named = Object.entries(ids).filter(([id]) => id in fields);
    return { ...Object.fromEntries(named), ...asked[1] };
  }

  async function change(by: string, name: string, input: object, selection = '__typename') {
    const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
    const query = `mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} userErrors { code } } }`;
    const response = await signedIn[by]
      ?.graphql<Record<string, Record<string, unknown>>>(query, { input })
      .catch(() => undefined);
    const payload = response?.[name];
    const isRefused = payload === undefined || (payload['userErrors'] as unknown[]).length > 0;
    return { isRefused, data: String(payload?.[selection]) };
  }
});

function textsOf(name: string): readonly Leaf[] {
  return leavesOf(inputOf(name)).filter(({ type }) => type in FREE);
}

function inputOf(name: string): GraphQLInputObjectType {
  const type = MUTATIONS[name]?.args[0]?.type;
  const named = type && getNamedType(type);
  if (!isInputObjectType(named)) throw new Error(`${name} takes no input.`);
  return named;
}
