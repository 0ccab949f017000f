import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { GivenUp, giveUpAfter, holdDeadline } from '../../src/database/deadline.ts';

test('the time that a flow waits for its turn does not count, however many wait in it, and the rest does', async () => {
  expect(await giveUpAfter(60, waits(1), late)).toBe('done');
  expect(await giveUpAfter(60, () => giveUpAfter(1_000, waits(1), late), late)).toBe('done');
  await expect(giveUpAfter(60, waits(500), late)).rejects.toThrow('It took too long.');
});

function late(): GivenUp {
  return new GivenUp('It took too long.');
}

/** For its turn, and then for so long. */
function waits(milliseconds: number): () => Promise<string> {
  return async () => {
    const goOn = [holdDeadline(), holdDeadline()];
    await pause(100);
    goOn.forEach((one) => one());
    await pause(milliseconds);
    return 'done';
  };
}
