import { describe, expect, test } from 'vitest';
import { FairQueue } from '../../src/limits/fair-queue.ts';

const tooMany = (): Error => new Error('too many');
const SIZES = { running: 2, waitingInLine: 5, waitingInAll: 12 };

describe('a fair queue', () => {
  test('lets so many run at once, and begins the next as soon as one has ended', async () => {
    const { queue, begun, end } = aQueue();
    for (const name of ['a1', 'a2', 'a3']) void queue(name);
    await settle();
    expect(begun).toEqual(['a1', 'a2']);
    await end('a1');
    expect(begun).toEqual(['a1', 'a2', 'a3']);
  });

  test('takes the lines in turns, however long one of them is', async () => {
    const { queue, begun, end } = aQueue();
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'c1']) void queue(name);
    for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'b2']) await end(name);
    expect(begun).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'b2', 'a5']);
  });

  test('refuses a line that is full, and no other', async () => {
    const { queue, begun, outcomes, end } = aQueue();
    for (let n = 1; n <= 8; n += 1) void queue(`a${n}`);
    void queue('b1');
    await settle();
    expect(outcomes).toEqual({ a8: 'too many' });
    await end('a1');
    await end('a2');
    expect(begun).toContain('b1');
  });

  test('when all places are taken gives up the last of the longest line for one of a shorter one', async () => {
    const { queue, outcomes } = aQueue();
    for (const line of ['a', 'b', 'c']) for (let n = 1; n <= 6; n += 1) void queue(`${line}${n}`);
    await settle();
    // Two run, twelve wait: five of a and of b, two of c and what c took from the others.
    expect(Object.keys(outcomes)).toHaveLength(4);
    const before = Object.keys(outcomes).length;
    void queue('d1');
    await settle();
    expect(outcomes).not.toHaveProperty('d1');
    expect(Object.keys(outcomes)).toHaveLength(before + 1);
  });

  test('gives a turn on when work fails, and counts nobody twice', async () => {
    const queue = new FairQueue({ running: 1, waitingInLine: 5, waitingInAll: 5 }, () => new Error('too many'));
    const failed = queue.run('a', () => Promise.reject(new Error('it failed')));
    const others = [1, 2, 3].map((n) => queue.run('a', async () => n));
    await expect(failed).rejects.toThrow('it failed');
    expect(await Promise.all(others)).toEqual([1, 2, 3]);
    expect(() => queue.requireRoom('a')).not.toThrow();
  });
});

describe('a fair queue of work of several sizes', () => {
  const sizes = { running: 10, waitingInLine: 20, waitingInAll: 40, strangers: { running: 5, waiting: 20 } };

  test('runs as much as fits, and lets nothing small keep out for ever what is large', async () => {
    const queue = new FairQueue(sizes, tooMany);
    const ends = [await queue.enter({ line: 'a', size: 6 })];
    const large = queue.enter({ line: 'b', size: 6 });
    const small = queue.enter({ line: 'c', size: 1 });
    expect(queue.load).toMatchObject({ running: { all: 6 }, waiting: { all: 7 } });
    ends[0]?.();
    await Promise.all([large, small]);
    expect(queue.load).toMatchObject({ running: { all: 7 }, waiting: { all: 0 } });
  });

  test('runs work alone that is larger than all that may run', async () => {
    const queue = new FairQueue(sizes, tooMany);
    await queue.enter({ line: 'a', size: 1_000 });
    expect(queue.load.running.all).toBe(10);
    const strangers = new FairQueue(sizes, tooMany);
    await strangers.enter({ line: 'a', size: 1_000, isStranger: true });
    expect(strangers.load.running.all).toBe(5);
  });

  test('leaves half of the places and of the lines to those who are no strangers', async () => {
    const queue = new FairQueue(sizes, tooMany);
    const entered = (line: string) => queue.enter({ line, size: 5, isStranger: true });
    const end = await entered('n1');
    const waiting = ['n1', 'n2', 'n3', 'n4'].map((line) => Promise.resolve(entered(line)));
    // One more takes nobody's place: no line is longer than its own.
    expect(() => entered('n5')).toThrow('too many');
    expect(queue.load).toEqual({ running: { all: 5, strangers: 5 }, waiting: { all: 20, strangers: 20 } });
    // Whoever is no stranger finds a place at once.
    expect(queue.enter({ line: 'u1', size: 5 })).toBeTypeOf('function');
    end();
    await waiting[0];
    expect(queue.load.running).toEqual({ all: 10, strangers: 5 });
  });

  test('strangers wait for strangers, and keep nobody else waiting', async () => {
    const queue = new FairQueue(sizes, tooMany);
    await queue.enter({ line: 'n1', size: 5, isStranger: true });
    void queue.enter({ line: 'n1', size: 5, isStranger: true });
    const end = await queue.enter({ line: 'u1', size: 5 });
    const next = queue.enter({ line: 'u2', size: 5 });
    end();
    await next;
    expect(queue.load).toEqual({ running: { all: 10, strangers: 5 }, waiting: { all: 5, strangers: 5 } });
  });

  test('refuses whoever has waited too long, and counts them no more', async () => {
    const queue = new FairQueue({ ...sizes, timeoutInMs: 1 }, tooMany);
    const end = await queue.enter({ line: 'a', size: 10 });
    await expect(queue.enter({ line: 'a', size: 10 })).rejects.toThrow('too many');
    expect(queue.load.waiting).toEqual({ all: 0, strangers: 0 });
    end();
    expect(queue.load.running).toEqual({ all: 0, strangers: 0 });
  });

  test('forgets whoever goes away while they wait, and begins those behind them', async () => {
    const queue = new FairQueue(sizes, tooMany);
    await queue.enter({ line: 'a', size: 8 });
    const client = new AbortController();
    const gone = queue.enter({ line: 'b', size: 9, signal: () => client.signal });
    const behind = queue.enter({ line: 'c', size: 2 });
    client.abort(new Error('gone'));
    await expect(gone).rejects.toThrow('gone');
    await behind;
    expect(queue.load).toMatchObject({ running: { all: 10 }, waiting: { all: 0 } });
  });
});

function aQueue() {
  const queue = new FairQueue(SIZES, () => new Error('too many'));
  const begun: string[] = [];
  const outcomes: Record<string, string> = {};
  const ends = new Map<string, () => void>();
  return {
    begun,
    outcomes,
    /** Named by its line and its number in that. */
    queue: (name: string) =>
      queue
        .run(name.charAt(0), () => {
          begun.push(name);
          return new Promise<void>((resolve) => ends.set(name, resolve));
        })
        .catch((error: Error) => (outcomes[name] = error.message)),
    end: async (name: string) => {
      await settle();
      const end = ends.get(name);
      if (!end) throw new Error(`${name} has not begun; ${begun.join()} have.`);
      end();
      await settle();
    },
  };
}

/** Until all that could go on has gone on. */
function settle(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
