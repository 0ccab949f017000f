import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { together } from '../../src/database/together.ts';
import { paced } from '../support/pace.ts';

describe('statements together', () => {
  test('go off at once for the first callers, and take along the callers who wait meanwhile', async () => {
    const statements = recorded();
    const ask = together(statements.run, { atOnce: 1 });
    const first = ask('a');
    const others = ['b', 'c', 'd'].map(ask);
    statements.answer();
    expect(await first).toBe('A');
    statements.answer();
    expect(await Promise.all(others)).toEqual(['B', 'C', 'D']);
    expect(statements.sent).toEqual([['a'], ['b', 'c', 'd']]);
  });

  test('are as many at a time as is said', () => {
    const statements = recorded();
    const ask = together(statements.run, { atOnce: 2 });
    for (const item of ['a', 'b', 'c']) void ask(item);
    expect(statements.sent).toEqual([['a'], ['b']]);
  });

  test('gather while one is on its way, and another goes off behind one that takes too long', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const statements = recorded();
    const ask = together(statements.run, { atOnce: 2, timeoutInMs: 20 });
    for (const item of ['a', 'b']) void ask(item);
    vi.advanceTimersByTime(19);
    void ask('c');
    expect(statements.sent).toEqual([['a']]);
    vi.advanceTimersByTime(2);
    expect(statements.sent).toEqual([['a'], ['b', 'c']]);
    for (const item of ['d', 'e']) void ask(item);
    vi.advanceTimersByTime(1_000);
    expect(statements.sent).toEqual([['a'], ['b', 'c']]);
    statements.answer();
    await vi.waitFor(() => expect(statements.sent).toEqual([['a'], ['b', 'c'], ['d', 'e']]), { timeout: paced(5_000) });
  });

  test('take along who comes in the turn in which they begin', async () => {
    const statements = recorded();
    const ask = together(statements.run, { when: setImmediate });
    for (const item of ['a', 'b']) void ask(item);
    await Promise.resolve();
    void ask('c');
    expect(statements.sent).toEqual([]);
    await new Promise(setImmediate);
    expect(statements.sent).toEqual([['a', 'b', 'c']]);
  });

  test('begin after each caller has asked: one that is under way is joined by nobody', async () => {
    const statements = recorded();
    const ask = together(statements.run, { atOnce: 1 });
    const [first, second] = [ask('a'), ask('a')];
    statements.answer();
    await first;
    statements.answer();
    await second;
    expect(statements.sent).toEqual([['a'], ['a']]);
  });

  test('that fail are tried again one by one, so that one bad item harms nobody else', async () => {
    const ask = together(
      async (items: readonly string[]) => {
        if (items.includes('bad')) throw new Error('The statement broke.');
        return items.map((item) => item.toUpperCase());
      },
      { atOnce: 1 },
    );
    const answers = await Promise.allSettled(['x', 'a', 'bad', 'b'].map(ask));
    expect(answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : 'refused'))).toEqual([
      'X',
      'A',
      'refused',
      'B',
    ]);
  });

  test('that find the database away are not tried again', async () => {
    let attempts = 0;
    const ask = together(
      async (): Promise<readonly string[]> => {
        attempts += 1;
        throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
      },
      { atOnce: 1 },
    );
    const answers = await Promise.allSettled(['a', 'b', 'c'].map(ask));
    expect(answers.every(({ status }) => status === 'rejected')).toBe(true);
    expect(attempts).toBe(2);
  });
});

/** Answers the next statement when told to, or as soon as it comes. */
function recorded() {
  const sent: (readonly string[])[] = [];
  const waiting: (() => void)[] = [];
  let owed = 0;
  return {
    sent,
    answer: () => {
      const next = waiting.shift();
      if (next) next();
      else owed += 1;
    },
    run: (items: readonly string[]) => {
      sent.push(items);
      const { promise, resolve } = Promise.withResolvers<readonly string[]>();
      waiting.push(() => resolve(items.map((item) => item.toUpperCase())));
      if (owed > 0) waiting.shift()?.();
      owed = Math.max(0, owed - 1);
      return promise;
    },
  };
}
