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
  await changed(database.em.fork(), sql`truncate mail_counts`);
  limited = [];
  limit = new SmsLimit(SMS_LIMITS, { warn: (detail) => void limited.push((detail as { limit: string }).limit) });
});

const ADA = 'usr_ada';
/** To numbers of ranges of their own, by two teams in turn. */
const typed = (index: number, userId: string | null): CountedSms => ({
  to: `+49151${String(index).padStart(4, '0')}0000`,
  ownerId: `tea_${index % 2}`,
  workflow: { isKnown: false, userId, network: null },
});
const sentOf = async (several: readonly CountedSms[]): Promise<number> =>
  (await limit.admitEach(database.em.fork(), several)).filter((decision) => !('secondsToWait' in decision)).length;

describe('of what workflows send to numbers that bookers type', () => {
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
