import { createHash } from 'node:crypto';
import { availableParallelism, loadavg } from 'node:os';
import process from 'node:process';

/**
 * `aPieceOfWork` takes this long on the machine that the tests' time limits were written for, with nothing else to do.
 */
const REFERENCE_MILLISECONDS = 30;
const MOST = 10;

/**
 * How many times longer things take here, on this machine with what else it does: at least 1. It is measured once a run, by
 * the first process, and all others are told it.
 */
export const PACE = Number((process.env['TEST_PACE'] ??= measuredPace().toFixed(1)));

/** A time limit that was written for the reference machine, as it is to be here. In milliseconds. */
export function paced(milliseconds: number): number {
  return Math.ceil(milliseconds * PACE);
}

function measuredPace(): number {
  aPieceOfWork();
  // The least of a few: none of them may have been interrupted by chance. Who waits for a core is told by the load.
  const speed = Math.min(...Array.from({ length: 5 }, aPieceOfWork)) / REFERENCE_MILLISECONDS;
  const crowd = (loadavg()[0] ?? 0) / availableParallelism();
  return Math.min(MOST, Math.max(1, speed) * Math.max(1, crowd));
}

/** Does some of the work that tests do most: texts, objects and hashes. @returns its milliseconds */
function aPieceOfWork(): number {
  const from = performance.now();
  let text = 'a';
  for (let n = 0; n < 10_000; n += 1) {
    const { digest } = JSON.parse(JSON.stringify({ n, digest: createHash('sha256').update(text).digest('hex') }));
    text = String(digest).toUpperCase().replaceAll('A', 'b');
  }
  return performance.now() - from;
}
