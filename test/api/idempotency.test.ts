import { type GraphQLObjectType, getNamedType, isInputObjectType, isLeafType, isObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rows, sql } from '../../src/database/sql.ts';
import { removeOldIdempotencyKeys } from '../../src/limits/at-most-once.ts';
import { buildSchemas } from '../../src/schema.ts';
import { type Change, openTestApi, type TestApi } from '../support/api.ts';
import { type ValidInput, validInputs } from './every-mutation/valid-inputs.ts';
import { everythingIn } from './every-mutation/whole-database.ts';

const MUTATIONS = buildSchemas().forTokens.schema.getMutationType()?.getFields() ?? {};
/** A booking's key is told apart by what is booked, since anybody may book: see bookings-in-public.test.ts. */
const KEYED = Object.keys(MUTATIONS).filter((name) => name !== 'bookingCreate' && takesKey(name));

/** What is the caller's own is shown again too; in groups the caller may have lost the role. */
const OWN = new Set(['eventTypeCreate', 'scheduleCreate', 'outOfOfficeCreate']);

const NEW_TYPE = { slug: 'plan', title: 'Plan', lengthInMinutes: 30 };

let api: TestApi;
let valid: (name: string) => Promise<ValidInput>;
let count = 0;
beforeAll(async () => {
  api = await openTestApi();
  valid = validInputs(api);
});
afterAll(() => api.close());

test('whatever a user makes takes a key', () => {
  expect(KEYED.toSorted()).toEqual(
    Object.keys(MUTATIONS)
      .filter((name) => name.endsWith('Create') && !['bookingCreate', 'slotReservationCreate'].includes(name))
      .toSorted(),
  );
});

describe.each(KEYED)('%s', (name) => {
  test('is done once for a key, and answers the id of what was made again', async () => {
    const { username, input } = await valid(name);
    const request = { ...input, idempotencyKey: newKey() };
    const send = () => api.as(username).change(name, request, everyLeafOf(name));
    const first = await send();
    expect(first).toMatchObject({ codes: [], mistakes: [] });
    const before = await everythingIn(api.database);
    const again = await send();
    const told = OWN.has(name) ? (data: object) => data : idsIn;
    expect(told(again.data)).toEqual(told(first.data));
    expect(Object.keys(idsIn(first.data))).toHaveLength(1);
    expect(await everythingIn(api.database)).toEqual(before);
  });
});

describe('who has lost a role', () => {
  test('hears nothing more of what they once made with it', async () => {
    const { userId } = await api.newUser('once-an-admin');
    const ada = api.as('ada');
    const { teamId } = (await ada.change('teamCreate', { slug: 'left-behind', name: 'Team' }, 'teamId')).data;
    const invitation = { teamId, userId, role: 'ADMIN' };
    const { membershipId } = (await ada.change('teamMembershipCreate', invitation, 'membershipId')).data;
    const admin = api.as('once-an-admin');
    await admin.change('teamMembershipUpdate', { teamId, membershipId, accepted: true });
    const request = { ...NEW_TYPE, teamId, hidden: true, idempotencyKey: newKey() };
    const { eventTypeId } = (await admin.change('teamEventTypeCreate', request, 'eventTypeId')).data;
    const link = { teamId, eventTypeId };
    const linkRequest = { ...link, idempotencyKey: newKey() };
    expect((await admin.change('teamPrivateLinkCreate', linkRequest)).mistakes).toEqual([]);

    await ada.change('teamMembershipDelete', { teamId, membershipId });
    await ada.change('teamPrivateLinkCreate', link);
    const shown = 'eventTypeId eventType { title hosts { weight } privateLinks { nodes { url } } }';
    expect((await admin.change('teamEventTypeCreate', request, shown)).data).toMatchObject({
      eventTypeId,
      eventType: null,
    });
    const again = await admin.change('teamPrivateLinkCreate', linkRequest, 'privateLink { url }');
    expect(again.data.privateLink).toBeNull();
    const { data: doors } = await admin.ask('query($id: ID!) { team(id: $id) { id } }', { id: teamId });
    expect(doors.team).toBeNull();
  });
});

describe('a key', () => {
  test('of fifty requests at the same moment lets one be done', async () => {
    const key = newKey();
    const before = await countSchedules();
    const made = await Promise.all(Array.from({ length: 50 }, () => make(key)));
    expect(new Set(made.map(({ data }) => data.scheduleId)).size).toBe(1);
    expect(made.flatMap(({ mistakes, codes }) => [...mistakes, ...codes])).toEqual([]);
    expect(await countSchedules()).toBe(before + 1);
  });

  test('serves one request', async () => {
    const key = newKey();
    expect((await make(key)).mistakes).toEqual([]);
    expect((await make(key, 'Other hours')).mistakes).toEqual(['IDEMPOTENCY_KEY_REUSED idempotencyKey']);
  });

  test('is its user’s own, and its mutation’s', async () => {
    const key = newKey();
    const [first, other] = [await make(key), await make(key, 'Hours', 'bob')];
    expect(other.mistakes).toEqual([]);
    expect(other.data.scheduleId).not.toBe(first.data.scheduleId);
    const team = { slug: 'keyed-team', name: 'Hours', idempotencyKey: key };
    expect((await api.as('ada').change('teamCreate', team)).mistakes).toEqual([]);
  });

  test('is free again when the request fails', async () => {
    const key = newKey();
    expect((await make(key, '')).mistakes).toEqual(['REQUIRED name']);
    expect((await make(key)).mistakes).toEqual([]);
  });

  test.each([
    ['too-short', 'TOO_SHORT'],
    ['x'.repeat(256), 'TOO_LONG'],
    ['', 'REQUIRED'],
    [`${'x'.repeat(20)}\0`, 'INVALID_TEXT'],
  ])('%.20j is refused', async (key, code) => {
    expect((await make(key)).mistakes).toEqual([`${code} idempotencyKey`]);
  });

  test('is forgotten after a day', async () => {
    const key = newKey();
    const first = await make(key);
    const em = api.database.em.fork();
    await rows(em, sql`update idempotency_keys set created_at = now() - interval '23 hours'`);
    await removeOldIdempotencyKeys(em, 1_000);
    expect((await make(key)).data).toEqual(first.data);
    await rows(em, sql`update idempotency_keys set created_at = now() - interval '25 hours'`);
    await removeOldIdempotencyKeys(em, 1_000);
    expect((await make(key)).data.scheduleId).not.toBe(first.data.scheduleId);
  });
});

/** The members of a payload that are ids. */
function idsIn(payload: Record<string, unknown>): object {
  return Object.fromEntries(Object.entries(payload).filter(([name]) => name.endsWith('Id')));
}

function make(idempotencyKey: string, name = 'Hours', username = 'ada'): Promise<Change> {
  return api.as(username).change('scheduleCreate', { name, idempotencyKey }, 'scheduleId');
}

function newKey(): string {
  count += 1;
  return `idempotency-key-${count}`;
}

function takesKey(name: string): boolean {
  const type = MUTATIONS[name]?.args[0]?.type;
  const input = type && getNamedType(type);
  return isInputObjectType(input) && 'idempotencyKey' in input.getFields();
}

/** What the payload shows, and all plain fields of what was made. */
function everyLeafOf(name: string): string {
  const payload = getNamedType(MUTATIONS[name]?.type as GraphQLObjectType) as GraphQLObjectType;
  return Object.values(payload.getFields())
    .filter((field) => field.name !== 'userErrors')
    .map((field) => {
      const type = getNamedType(field.type);
      return isObjectType(type) ? `${field.name} { ${leavesOf(type)} }` : field.name;
    })
    .join(' ');
}

function leavesOf(type: GraphQLObjectType): string {
  return Object.values(type.getFields())
    .filter((field) => isLeafType(getNamedType(field.type)) && field.args.length === 0)
    .map((field) => field.name)
    .join(' ');
}

async function countSchedules(): Promise<number> {
  return (await rows(api.database.em.fork(), sql`select from schedules`)).length;
}
