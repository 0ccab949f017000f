import { beforeEach, describe, expect, test } from 'vitest';
import { isDatabaseAway } from '../../src/database/database-away.ts';
import { Congestion } from '../../src/persistence/congestion.ts';

const PLACES = 10;

describe('statements that wait for one table', () => {
  let now: number;
  let congestion: Congestion;
  beforeEach(() => {
    now = 0;
    congestion = new Congestion(PLACES, () => now);
  });

  /** As many as the pool has places, of which a given number are plain reads. @returns those that are ended, in their order */
  function fill(reads: number): number[] {
    const ended: number[] = [];
    for (let n = 0; n < PLACES; n += 1) {
      const sql = n < reads ? `select * from bookings where n = ${n}` : `update bookings set n = ${n}`;
      const leave = congestion.enter(sql, () => {
        ended.push(n);
        leave();
      });
    }
    return ended;
  }

  const enter = (sql: string) => () => congestion.enter(sql, () => undefined)();

  test('keep half of the pool once they are stuck, and the rest of it is for others', () => {
    const ended = fill(3);
    now = 2_100;
    congestion.relieve();
    expect(ended).toEqual([5, 6, 7, 8, 9]);
    expect(enter('select * from users')).not.toThrow();
    expect(enter('select * from bookings')).toThrow('Too many statements wait for bookings already.');
    expect(enter('insert into bookings values (1)')).toThrow('Too many statements wait');
  });

  test('are not ended while none is stuck', () => {
    const ended = fill(3);
    now = 1_900;
    congestion.relieve();
    expect(ended).toEqual([]);
    expect(enter('select * from bookings')).not.toThrow();
  });

  test('do not keep plain reads off it while only changes are stuck, which wait for a row', () => {
    fill(0);
    now = 2_100;
    congestion.relieve();
    expect(enter('select * from bookings')).not.toThrow();
    expect(enter('select * from bookings for update')).toThrow('Too many statements wait');
  });

  test('do not keep others off the tables that they need besides', () => {
    for (let n = 0; n < PLACES / 2; n += 1)
      congestion.enter('select * from bookings join event_types using (id)', () => undefined);
    now = 2_100;
    expect(enter('select * from event_types join users using (id)')).not.toThrow();
    expect(enter('select * from event_types join bookings using (id)')).toThrow('Too many statements wait');
  });

  test('are known by what they have in common: those that need most besides are ended, and nobody else', () => {
    const ended: string[] = [];
    const begin = (sql: string) => {
      const leave = congestion.enter(sql, () => {
        ended.push(sql);
        leave();
      });
    };
    const joined = 'select * from bookings join event_types using (id)';
    for (let n = 0; n < 4; n += 1) begin(joined);
    for (let n = 0; n < 4; n += 1) begin('select * from bookings');
    now = 2_100;
    begin('select * from event_types');
    congestion.relieve();
    expect(ended).toEqual([joined, joined, joined]);
    // The statements that stay still tell that this table alone is enough to be stuck.
    now = 3_000;
    expect(enter('select * from bookings')).toThrow('Too many statements wait for bookings already.');
    expect(enter(joined)).toThrow('Too many statements wait for bookings already.');
    expect(enter('select * from event_types')).not.toThrow();
  });

  test('hold half of the pool together with those that wait for the rows that they have locked', () => {
    const ended: string[] = [];
    const begin = (sql: string) => {
      const leave = congestion.enter(sql, () => {
        ended.push(sql);
        leave(true);
      });
      return leave;
    };
    const [behind, locked] = ['select * from users for update', 'update bookings set n = 1'];
    const leaves = [locked, behind].map((sql) => Array.from({ length: PLACES / 2 }, () => begin(sql))[0]);
    now = 2_100;
    congestion.relieve();
    // One of those who wait behind tells when the rows are free.
    expect(ended).toEqual(Array.from({ length: PLACES / 2 - 1 }, () => behind));
    expect(enter(behind)).toThrow('Too many statements wait for users already.');
    expect(enter(locked)).toThrow('Too many statements wait for bookings already.');
    expect(enter('select * from users')).not.toThrow();
    for (const leave of leaves) leave?.();
    expect(enter(locked)).not.toThrow();
    expect(enter(behind)).not.toThrow();
  });

  describe('and were cancelled together', () => {
    const leaves: ((isCancelled?: boolean) => void)[] = [];
    const begin = (sql: string) => leaves.push(congestion.enter(sql, () => undefined));
    const endAll = () => leaves.splice(0).forEach((leave) => leave(true));
    const refusedOf = (sql: string, count: number) =>
      Array.from({ length: count }, () => {
        try {
          begin(sql);
          return false;
        } catch {
          return true;
        }
      }).filter(Boolean).length;

    test.each(['select * from bookings', 'update bookings set n = 1'])(
      'keep half of the pool for others all the same, until one gets through: %s',
      (sql) => {
        for (let n = 0; n < PLACES / 2; n += 1) begin(sql);
        now = 10_000;
        endAll();
        expect(refusedOf(sql, PLACES)).toBe(PLACES / 2);
        expect(enter('select * from users')).not.toThrow();
        leaves.pop()?.();
        expect(refusedOf(sql, 3)).toBe(0);
      },
    );

    test('are not taken for free by what needs something else of theirs, nor changes by a read', () => {
      const joined = 'update bookings set n = 1 from event_types';
      for (let n = 0; n < PLACES / 2; n += 1) begin(joined);
      now = 10_000;
      endAll();
      enter('update event_types set n = 1')();
      enter('select * from bookings')();
      expect(refusedOf(joined, PLACES)).toBe(PLACES / 2);
    });

    test('are forgotten when nobody has tried for long', () => {
      for (let n = 0; n < PLACES / 2; n += 1) begin('select * from bookings');
      now = 10_000;
      endAll();
      now = 80_000;
      expect(refusedOf('select * from bookings', PLACES)).toBe(0);
      endAll();
    });

    test('count for nothing if they had only just begun', () => {
      for (let n = 0; n < PLACES; n += 1) begin('select * from bookings');
      endAll();
      expect(refusedOf('select * from bookings', PLACES)).toBe(0);
      endAll();
    });
  });

  test('tell callers who are refused to come back', async () => {
    fill(3);
    now = 2_100;
    const refusal = await Promise.try(enter('select * from bookings')).catch((error: unknown) => error);
    expect(isDatabaseAway(refusal)).toBe(true);
  });
});
