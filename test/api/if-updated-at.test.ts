/** `ifUpdatedAt`: an update for the state that its caller has read, and for no later one. */
import { getNamedType, isInputObjectType, isObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codesOf } from '../../src/graphql/mutation.ts';
import { buildSchemas } from '../../src/schema.ts';
import { openTestApi, type TestApi, type TestCaller } from '../support/api.ts';
import { isOnPostgres } from '../support/database.ts';
import { atOnce } from '../support/servers.ts';
import { validInputs } from '../world/valid-inputs.ts';
import { everythingIn } from './every-mutation/whole-database.ts';

const MANY = 50;
const TIME_AWAY = { start: '2027-05-04T00:00:00Z', end: '2027-05-05T00:00:00Z' };
const LONG_AGO = '2020-01-01T00:00:00Z';
const { schema } = buildSchemas().forSessions;
const MUTATIONS = schema.getMutationType()?.getFields() ?? {};
const TAKING = Object.keys(MUTATIONS).filter((name) => fieldsOf(inputOf(name)).includes('ifUpdatedAt'));

let api: TestApi;
let valid: ReturnType<typeof validInputs>;
beforeAll(async () => {
  api = await openTestApi();
  valid = validInputs(api);
});
afterAll(() => api.close());

test('every update of what tells when it was last changed takes it, and can answer CONFLICT', () => {
  const updates = Object.keys(MUTATIONS).filter((name) => name.endsWith('Update') && shownBy(name) !== undefined);
  expect(TAKING).toEqual(updates);
  expect(TAKING.length).toBeGreaterThan(15);
  expect(TAKING.filter((name) => MUTATIONS[name] && !codesOf(MUTATIONS[name]).includes('CONFLICT'))).toEqual([]);
});

/** One update, by somebody who may, of something of their own. */
interface Update {
  readonly who: TestCaller;
  readonly mutation: string;
  readonly input: object;
}

type Make = () => Promise<Update>;

/** As `every-mutation` sends them, and those that go by other statements. */
const CASES: readonly (readonly [string, Make])[] = [
  ...TAKING.filter((name) => !/^(?:oauthClient|organizationUpdate$|routingForm)/.test(name)).map(
    (name) => [name, () => made(name)] as const,
  ),
  ['organizationUpdate', () => organization({ name: 'Acme & Co' })],
  ['routingFormUpdate', () => routingForm({ name: 'Which way?' })],
  ['eventTypeUpdate of what its other fields decide about', () => made('eventTypeUpdate', { durationInMinutes: 45 })],
  ['teamEventTypeUpdate of the same', () => made('teamEventTypeUpdate', { durationInMinutes: 45 })],
  ['scheduleUpdate that chooses the default', () => made('scheduleUpdate', { isDefault: true })],
  ['outOfOfficeUpdate of its time', () => made('outOfOfficeUpdate', TIME_AWAY)],
  ['profileUpdate of the username', () => made('profileUpdate', { username: 'ada-of-the-races' })],
];

describe.each(CASES)('%s', (_, make) => {
  test('is refused for what was changed since, and changes nothing', async () => {
    const update = await make();
    const { at } = await send(update);
    const before = await everythingIn(api.database);
    const refused = await send(update, LONG_AGO);
    expect(refused.mistakes).toEqual(['CONFLICT ifUpdatedAt']);
    for (const named of [LONG_AGO, at]) expect(refused.message).toContain(new Date(named).toISOString().slice(0, 19));
    expect(await everythingIn(api.database)).toEqual(before);
  });

  test('is done for what was read, once, and later than before', async () => {
    const update = await make();
    const { at } = await send(update);
    const asWritten = at.replace('Z', '+00:00');
    const [done, again] = [await send(update, asWritten), await send(update, at)];
    expect([done.mistakes, again.mistakes]).toEqual([[], ['CONFLICT ifUpdatedAt']]);
    expect(Date.parse(done.at)).toBeGreaterThan(Date.parse(at));
    expect((await send(update)).mistakes).toEqual([]);
  });

  test('tells a stranger no more than without it', async () => {
    const { mutation, input } = await make();
    // Everybody has a profile: who changes theirs is no stranger to it.
    if (mutation === 'profileUpdate') return;
    const update = { mutation, input, who: api.signedIn('dan') };
    const [plain, conditional] = [await send(update), await send(update, LONG_AGO)];
    expect(conditional.mistakes).toEqual(plain.mistakes);
    expect(plain.mistakes.length).toBeGreaterThan(0);
  });

  test.runIf(isOnPostgres)('is done by one of fifty who have all read the same', async () => {
    const update = await make();
    const { at } = await send(update);
    const answers = await atOnce(MANY, () => send(update, at));
    const lost = Array.from({ length: MANY - 1 }, () => 'CONFLICT ifUpdatedAt');
    expect(answers.flatMap(({ mistakes }) => mistakes)).toEqual(lost);
  });
});

test('each change is later than the one before, also in one millisecond', async () => {
  const { who, mutation, input } = await made('eventTypeUpdate');
  const changed = await atOnce(MANY, () => send({ who, mutation, input }));
  expect(new Set(changed.map(({ at }) => at)).size).toBe(MANY);
});

test('a resource that becomes the default again is still as it was read', async () => {
  const update = await made('scheduleUpdate', { isDefault: true });
  await send(update);
  const { at } = await send(update);
  expect((await send(update, at)).mistakes).toEqual([]);
});

test('the statement of an update is the one that decides', async () => {
  const { who, mutation, input } = await made('eventTypeUpdate');
  const { at } = await send({ who, mutation, input });
  const counts = [await send({ who, mutation, input }, at), await send({ who, mutation, input })];
  expect(counts.map(({ statements }) => statements)).toEqual([1, 1]);
});

async function made(mutation: string, more: object = {}): Promise<Update> {
  const { username, input } = await valid(mutation);
  return { who: api.as(username), mutation, input: { ...input, ...more } };
}

async function organization(patch: object): Promise<Update> {
  const who = api.signedIn('ada');
  return { who, mutation: 'organizationUpdate', input: { organizationId: await organizationOf(who), ...patch } };
}

async function routingForm(patch: object): Promise<Update> {
  const who = api.signedIn('ada');
  const form = { organizationId: await organizationOf(who), name: 'Form', fallback: { message: 'Hello' } };
  const { data } = await who.change('routingFormCreate', form, 'routingFormId');
  return { who, mutation: 'routingFormUpdate', input: { routingFormId: data.routingFormId, ...patch } };
}

async function organizationOf(who: TestCaller): Promise<string> {
  const { data } = await who.ask('{ me { organizations { nodes { id } } } }');
  return data.me.organizations.nodes[0].id;
}

interface Sent {
  readonly mistakes: readonly string[];
  readonly message: string;
  readonly at: string;
  readonly statements: number;
}

async function send({ who, mutation, input }: Update, ifUpdatedAt?: string): Promise<Sent> {
  const shown = shownBy(mutation) ?? '';
  const sent = { ...input, ...(ifUpdatedAt !== undefined && { ifUpdatedAt }) };
  const { data, mistakes, codes, messages, statements } = await who.change(mutation, sent, `${shown} { updatedAt }`);
  expect(codes).toEqual([]);
  return { mistakes, message: messages.join(), at: data[shown]?.updatedAt ?? '', statements };
}

/** The field of its payload that has an `updatedAt`. */
function shownBy(mutation: string): string | undefined {
  const payload = MUTATIONS[mutation] && getNamedType(MUTATIONS[mutation].type);
  return fieldsOf(payload).find((name) => {
    const type = isObjectType(payload) ? getNamedType(payload.getFields()[name]?.type) : undefined;
    return isObjectType(type) && fieldsOf(type).includes('updatedAt');
  });
}

function inputOf(mutation: string): unknown {
  const type = MUTATIONS[mutation]?.args[0]?.type;
  return type && getNamedType(type);
}

function fieldsOf(type: unknown): readonly string[] {
  return isObjectType(type) || isInputObjectType(type) ? Object.keys(type.getFields()) : [];
}
