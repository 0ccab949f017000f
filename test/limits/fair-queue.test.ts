import { describe, expect, test } from 'vitest';
import { FairQueue } from '../../src/limits/fair-queue.ts';

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
