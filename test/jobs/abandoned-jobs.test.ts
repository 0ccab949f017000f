import { expect, test } from 'vitest';
import { AbandonedJobs, type OthersJob } from '../../src/jobs/heartbeat.ts';

/** A job of another process, which has said something then. */
function job(heartbeat: string, attempts = 1): OthersJob {
  return { id: 'a', queue: 'mail', data: null, attempts, heartbeat };
}

/** Looks at what is found, at these seconds. @returns whether the last one takes the job for abandoned */
function lookAt(
  ...looks: readonly (readonly [second: number, found: OthersJob | undefined, lastsMs?: number])[]
): boolean {
  const abandoned = new AbandonedJobs();
  let last: readonly OthersJob[] = [];
  for (const [second, found, lastsMs = 10] of looks)
    last = abandoned.watch(found ? [found] : [], second * 1_000, second * 1_000 + lastsMs);
  return last.length > 0;
}

test('a job of which nothing is heard in three looks is abandoned', () => {
  expect(lookAt([0, job('x')], [3, job('x')])).toBe(false);
  expect(lookAt([0, job('x')], [3, job('x')], [6, job('x')])).toBe(true);
});

test('that somebody is at is not: its process says so', () => {
  expect(lookAt([0, job('x')], [3, job('y')], [6, job('y')])).toBe(false);
  expect(lookAt([0, job('x')], [3, job('x')], [6, job('z')], [9, job('z')])).toBe(false);
});

test('that another process has begun anew is not', () => {
  expect(lookAt([0, job('x')], [3, job('x')], [6, job('x', 2)])).toBe(false);
});

test('that was away for a moment begins from the beginning', () => {
  expect(lookAt([0, job('x')], [3, undefined], [6, job('x')])).toBe(false);
});

test('after the database or this process was away, silence counts from then on', () => {
  // The look at 6 did not come.
  expect(lookAt([0, job('x')], [3, job('x')], [9, job('x')])).toBe(false);
  expect(lookAt([0, job('x')], [3, job('x')], [9, job('x')], [12, job('x')], [15, job('x')])).toBe(true);
  // The look at 3 was answered after twenty seconds: nobody could say anything.
  expect(lookAt([0, job('x')], [3, job('x'), 20_000], [23, job('x')])).toBe(false);
});
