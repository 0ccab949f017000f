import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changed, sql } from '../../src/database/sql.ts';
import { type CountedSms, SMS_LIMITS, SmsLimit } from '../../src/limits/sms-limit.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let limited: string[];
let limit: SmsLimit;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await changed(database.em.fork(), sql`truncate counters`);
  limited = [];
  limit = new SmsLimit(SMS_LIMITS, { warn: (detail) => void limited.push((detail as { limit: string }).limit) });
});

const ADA = 'usr_ada';
/** A number of a range of its own. */
const apart = (index: number): string => `+49153${String(index).padStart(4, '0')}0000`;
/** To numbers of ranges of their own, by two teams in turn. */
const typed = (index: number, userId: string | null): CountedSms => ({
  to: `+49151${String(index).padStart(4, '0')}0000`,
  ownerId: `tea_${index % 2}`,
  workflow: { isKnown: false, userId, network: null },
});
const sentOf = async (several: readonly CountedSms[]): Promise<number> =>
  (await limit.admitEach(database.em.fork(), several)).filter((decision) => !('secondsToWait' in decision)).length;

describe('SMS of workflows to numbers that bookers type', () => {
  test('a verified account causes no more by many teams than one team may send', async () => {
    expect(await sentOf(Array.from({ length: 101 }, (_, index) => typed(index, ADA)))).toBe(SMS_LIMITS.owner);
    expect(limited).toEqual(['owner']);
    expect(await sentOf([typed(200, 'usr_bob'), typed(201, null)])).toBe(2);
  });

  test('a team that has sent all that it may still gets a code', async () => {
    const [ownerId, code] = ['tea_0', { ownerId: 'tea_0', to: '+4915199990000' }];
    expect(await sentOf(Array.from({ length: 101 }, (_, index) => ({ ...typed(index, null), ownerId })))).toBe(100);
    expect(await sentOf([code])).toBe(1);
  });
});

describe('SMS of workflows to verified numbers', () => {
  const NUMBER = '+491520000000';
  const verified = (index: number, more: Partial<CountedSms> = {}): CountedSms => ({
    to: NUMBER,
    ownerId: `tea_${index}`,
    workflow: { isKnown: true, userId: null, network: null },
    ...more,
  });
  const fifty = (more: (index: number) => Partial<CountedSms>): CountedSms[] =>
    Array.from({ length: 50 }, (_, index) => verified(index, more(index)));

  test('a number gets no more by 50 teams than by one, by whichever process', async () => {
    const [one, other] = [limit, new SmsLimit(SMS_LIMITS, { warn: () => undefined })];
    const decisions = await Promise.all(
      fifty(() => ({})).map((sms, index) => (index % 2 === 0 ? one : other).admit(database.em.fork(), sms)),
    );
    expect(decisions.filter((decision) => !('secondsToWait' in decision))).toHaveLength(SMS_LIMITS.workflowReceiver);
    expect(await sentOf([verified(51), verified(51, { to: '+491529999999' })])).toBe(1);
  });

  test.each([
    { most: 'workflowRange', of: (index: number) => ({ to: `+49154000${String(index).padStart(4, '0')}` }), twin: {} },
    {
      most: 'owner',
      of: (index: number) => ({ to: apart(index), workflow: { isKnown: true, userId: ADA, network: null } }),
      twin: { to: apart(500), workflow: { isKnown: true, userId: 'usr_bob', network: null } },
    },
    {
      most: 'network',
      of: (index: number) => ({ to: apart(index), workflow: { isKnown: true, userId: null, network: '192.0.2.0/24' } }),
      twin: { to: apart(500), workflow: { isKnown: true, userId: null, network: '198.51.100.0/24' } },
    },
  ] as const)('nor does a range, an account or a network: $most', async ({ most, of, twin }) => {
    const several = Array.from({ length: SMS_LIMITS[most] + 10 }, (_, index) => verified(index, of(index)));
    expect(await sentOf(several)).toBe(SMS_LIMITS[most]);
    expect(limited).toEqual([most]);
    expect(await sentOf([verified(500, twin)])).toBe(1);
  });

  test('leave the room of numbers that bookers type untouched, and the other way round', async () => {
    const workflow = { userId: null, network: '192.0.2.0/24' };
    const [known, any] = [true, false].map((isKnown) => ({ to: apart(0), workflow: { ...workflow, isKnown } }));
    expect(await sentOf(fifty(() => known ?? {}))).toBe(SMS_LIMITS.workflowReceiver);
    expect(await sentOf(fifty(() => any ?? {}))).toBe(SMS_LIMITS.attendee);
  });
});
