import { execFile } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const SOURCE = join(import.meta.dirname, '../../src/memory.ts');

/** Makes the young generation grow by what outlives its scavenges, lets go of it, and waits with nothing to do. */
const BUSY_THEN_IDLE = `
  import { getHeapSpaceStatistics } from 'node:v8';
  import { setTimeout as pause } from 'node:timers/promises';
  const young = () => getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space').physical_space_size / 2 ** 20;
  let kept = [];
  for (let n = 0; n < 3e6; n += 1) kept.push({ n });
  kept = undefined;
  const busy = young();
  const { giveBackIdleMemory } = await import(process.argv[1]);
  giveBackIdleMemory(500);
  for (let tries = 0; young() > 4 && tries < 500; tries += 1) await pause(20);
  console.log(JSON.stringify({ busy, idle: young(), isExposed: 'gc' in globalThis }));
`;

test('a process that has nothing to do gives back what its busiest minute took', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '--eval',
    BUSY_THEN_IDLE,
    SOURCE,
  ]);
  const { busy, idle, isExposed } = JSON.parse(stdout);
  expect(busy).toBeGreaterThan(8);
  expect(idle).toBeLessThanOrEqual(4);
  expect(isExposed).toBe(false);
});
