import { execFile } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const SOURCE = join(import.meta.dirname, '../../src/memory.ts');

/**
 * Makes the young generation grow by what outlives its scavenges, lets go of it, and waits with nothing to do. Then it makes
 * what is dead soon, as short requests do: of itself V8 lets the young generation grow after some fifty turns.
 */
const BUSY_IDLE_BUSY = `
  import { getHeapSpaceStatistics } from 'node:v8';
  import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
  const young = () => getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space').physical_space_size / 2 ** 20;
  let kept = [];
  for (let n = 0; n < 3e6; n += 1) kept.push({ n });
  kept = undefined;
  const busy = young();
  const { allocateYoung, giveBackIdleMemory } = await import(process.argv[1]);
  allocateYoung();
  giveBackIdleMemory(500, 1);
  for (let tries = 0; young() > 4 && tries < 500; tries += 1) await pause(20);
  const idle = young();
  const underWay = [];
  for (let turns = 0; young() < 8 && turns < 15; turns += 1, await turn()) {
    for (let n = 0; n < 1e5; n += 1) underWay[n % 1_000] = { n };
  }
  console.log(JSON.stringify({ busy, idle, again: young(), isExposed: 'gc' in globalThis }));
`;

test('a process that has nothing to do gives back what its busiest minute took, and takes it again with the next work', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '--eval',
    BUSY_IDLE_BUSY,
    SOURCE,
  ]);
  const { busy, idle, again, isExposed } = JSON.parse(stdout);
  expect(busy).toBeGreaterThan(8);
  expect(idle).toBeLessThanOrEqual(4);
  expect(again).toBeGreaterThanOrEqual(8);
  expect(isExposed).toBe(false);
});
