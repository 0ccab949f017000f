import { type GraphQLObjectType, getNamedType, isInputObjectType, isLeafType, isObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { rows, sql } from '../../src/database/sql.ts';
import { removeOldIdempotencyKeys } from '../../src/limits/at-most-once.ts';
import { buildSchemas } from '../../src/schema.ts';
import { type Change, openTestApi, type TestApi } from '../support/api.ts';
import type { ValidInput } from '../world/fixture.ts';
import { validInputs } from '../world/valid-inputs.ts';
import { everythingIn } from './every-mutation/whole-database.ts';

const MUTATIONS = buildSchemas().forTokens.schema.getMutationType()?.getFields() ?? {};
/** A booking's key is told apart by what is booked, since anybody may book: see bookings-in-public.test.ts. */
const KEYED = Object.keys(MUTATIONS).filter((name) => !/bookingCreate$/i.test(name) && takesKey(name));

const NEW_TYPE = { slug: 'plan', title: 'Plan', durationInMinutes: 30 };

let api: TestApi;
let valid: (name: string) => Promise<ValidInput>;
let count = 0;
beforeAll(async () => {
  api = await openTestApi();
  valid = validInputs(api);
});
afterAll(() => api.close());

test('every mutation by which a user makes something takes a key', () => {
  expect(KEYED.toSorted()).toEqual(
    Object.keys(MUTATIONS)
      // An address is verified once: a second request finds that it is.
      .filter((name) => /(?:Create|Submit)$/.test(name) && !/bookingCreate|slotReservation|verified/i.test(name))
      .toSorted(),
  );
});

describe.each(KEYED)('%s', (name) => {
  test('is done once for a key, and answers what was made again', async () => {
    const { username, input } = await valid(name);
    const request = { ...input, idempotencyKey: newKey() };
    const send = () => api.as(username).change(name, request, everyLeafOf(name));
    // The command is done by then, and not yet committed.
    const failed = await whileNoKeyCommits(send);
    expect(failed.codes).toEqual(['INTERNAL_SERVER_ERROR']);
    // Here a mail leaves at once; in the service it is a job of the transaction (test/jobs/sealed-mails.test.ts).
    const sentBefore = sent();
    const first = await send();
    expect(first).toMatchObject({ codes: [], mistakes: [] });
    const sentAfter = sent();
    expect(sentAfter - sentBefore).toBe(name.endsWith('InvitationCreate') ? 1 : 0);
    const before = await everythingIn(api.database);
    const again = await send();
    expect(again).toMatchObject({ data: first.data, codes: [], mistakes: [] });
    expect(Object.values(first.data)).not.toContain(null);
    expect(Object.keys(idsIn(first.data))).toHaveLength(1);
    expect(await everythingIn(api.database)).toEqual(before);
    expect(sent()).toBe(sentAfter);
  });
});

test('an invitation that is sent twice at the same moment under one key leads to one mail', async () => {
  const { username, input } = await valid('teamInvitationCreate');
  const request = { ...input, idempotencyKey: newKey() };
  const before = sent();
  const send = () => api.as(username).change('teamInvitationCreate', request, 'invitationId');
  const [one, other] = await Promise.all([send(), send()]);
  expect(one).toMatchObject({ codes: [], mistakes: [], data: { invitationId: expect.any(String) } });
  expect(other.data).toEqual(one.data);
  expect(sent() - before).toBe(1);
  expect(api.mails.at(-1)?.to).toBe(input['email']);
});

describe('a user who has lost a role', () => {
  test('hears nothing more of what they once made with it', async () => {
    const { userId } = await api.newUser('once-an-admin');
    const ada = api.as('ada');
    const { teamId } = (await ada.change('teamCreate', { slug: 'left-behind', name: 'Team' }, 'teamId')).data;
    const invitation = { teamId, userId, role: 'ADMIN' };
    const { membershipId } = (await ada.change('teamMembershipCreate', invitation, 'membershipId')).data;
    const admin = api.as('once-an-admin');
    await admin.change('teamMembershipUpdate', { teamId, membershipId, isAccepted: true });
    const request = { ...NEW_TYPE, teamId, isHidden: true, idempotencyKey: newKey() };
    const { eventTypeId } = (await admin.change('teamEventTypeCreate', request, 'eventTypeId')).data;
    const link = { teamId, eventTypeId };
    const linkRequest = { ...link, idempotencyKey: newKey() };
    expect((await admin.change('teamPrivateLinkCreate', linkRequest)).mistakes).toEqual([]);
    const { userId: guest } = await api.newUser('invited-by-an-admin');
    const guestRequest = { teamId, userId: guest, role: 'MEMBER', idempotencyKey: newKey() };
    const sendAgain = async () => ({
      ...(await admin.change('teamEventTypeCreate', request, 'eventType { title }')).data,
      ...(await admin.change('teamPrivateLinkCreate', linkRequest, 'privateLink { usageCount }')).data,
      ...(await admin.change('teamMembershipCreate', guestRequest, 'membership { isAccepted }')).data,
    });
    await sendAgain();
    expect(await sendAgain()).toMatchObject({
      eventType: { title: 'Plan' },
      privateLink: { usageCount: 0 },
      membership: { isAccepted: false },
    });

    await ada.change('teamMembershipDelete', { teamId, membershipId });
    await ada.change('teamPrivateLinkCreate', link);
    const shown = 'eventTypeId eventType { title hosts { weight } privateLinks { nodes { url } } }';
    expect((await admin.change('teamEventTypeCreate', request, shown)).data).toMatchObject({
      eventTypeId,
      eventType: null,
    });
    expect(await sendAgain()).toMatchObject({ eventType: null, privateLink: null, membership: null });
    const { data: doors } = await admin.ask('query($id: ID!) { team(id: $id) { id } }', { id: teamId });
    expect(doors.team).toBeNull();
  });
});

describe('the result of an earlier request', () => {
  test('is shown again as it is by then, and not when it is gone', async () => {
    const request = { name: 'Hours to change', idempotencyKey: newKey() };
    const send = () => api.as('ada').change('scheduleCreate', request, 'scheduleId schedule { name }');
    const { scheduleId } = (await send()).data;
    await api.as('ada').change('scheduleUpdate', { scheduleId, name: 'Changed' });
    expect((await send()).data).toMatchObject({ scheduleId, schedule: { name: 'Changed' } });
    await api.as('ada').change('scheduleDelete', { scheduleId });
    expect(await send()).toMatchObject({ data: { scheduleId, schedule: null }, codes: [], mistakes: [] });
  });

  test('for a member is not shown again to an administrator who now stands below that member', async () => {
    await api.newUser('founder');
    const { userId: adminId } = await api.newUser('their-admin');
    const { userId: memberId } = await api.newUser('promoted');
    const founding = { slug: 'promotions', name: 'Promotions' };
    const { organizationId } = (await api.signedIn('founder').change('organizationCreate', founding, 'organizationId'))
      .data;
    const join = async (userId: string, username: string, role: string) => {
      const invitation = { organizationId, userId, role };
      const { membershipId } = (
        await api.as('founder').change('organizationMembershipCreate', invitation, 'membershipId')
      ).data;
      const accepting = { organizationId, membershipId, isAccepted: true };
      expect((await api.as(username).change('organizationMembershipUpdate', accepting)).mistakes).toEqual([]);
      return membershipId;
    };
    await join(adminId, 'their-admin', 'ADMIN');
    const membershipId = await join(memberId, 'promoted', 'MEMBER');
    const request = { organizationId, userId: memberId, name: 'Theirs', idempotencyKey: newKey() };
    const send = async () =>
      (await api.as('their-admin').change('organizationScheduleCreate', request, 'schedule { name }')).data;
    const shown = { schedule: { name: 'Theirs' } };
    expect([await send(), await send()]).toMatchObject([shown, shown]);
    const promotion = { organizationId, membershipId, role: 'OWNER' };
    expect((await api.as('founder').change('organizationMembershipUpdate', promotion)).mistakes).toEqual([]);
    expect(await send()).toMatchObject({ schedule: null });
  });
});

describe('a key', () => {
  test('lets one of fifty requests at the same moment be done', async () => {
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

/** How many mails and SMS went out. */
const sent = () => api.mails.length + api.texts.length;

/** Where keys are remembered: with what was done, or with what was made. */
const KEPT_IN = ['idempotency_keys', 'routing_form_responses'].map((name) => sql.table(name));

/** Meanwhile, each transaction that has stored a key fails as it is committed. */
async function whileNoKeyCommits<Result>(work: () => Promise<Result>): Promise<Result> {
  const em = api.database.em.fork();
  const failure = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  await rows(
    em,
    sql`create or replace function refuse_commit() returns trigger language plpgsql
        as 'begin raise exception ''no commit''; end'`,
  );
  for (const table of KEPT_IN) {
    await rows(
      em,
      sql`create constraint trigger refuse_commit after insert on ${table} deferrable initially deferred
          for each row execute function refuse_commit()`,
    );
  }
  try {
    return await work();
  } finally {
    for (const table of KEPT_IN) await rows(em, sql`drop trigger refuse_commit on ${table}`);
    failure.mockRestore();
  }
}

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

/** Selects what the payload shows, and all plain fields of what was made. */
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
