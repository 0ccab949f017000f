import process from 'node:process';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const LOOK_EVERY_MS = 2_000;
/** The share of one core below which a process has little to do. */
const LITTLE_WORK = 0.1;
/** Looks in a row with little work: a shorter pause is one between two bursts. */
const LOOKS_TO_REST = 10;
/** V8 looks back on a few seconds. The third one already shrinks the young generation. */
const SCAVENGES = 8;
const WORTH_IT_IN_BYTES = 16 * 2 ** 20;
/** Collections that code outlives in which it does not run: V8's own number, and one for what only the start needed. */
const [CODE_AGE, CODE_AGE_AT_REST] = [6, 1];

/**
 * Has V8 make every object in the young generation. It would otherwise make those in the old one whose like have survived
 * once, as they do where a load begins all of a sudden: what one request needs is dead a millisecond later, but there it
 * stays until a full collection, and keeps alive what it refers to. Short requests took a third more CPU, and twice the memory.
 *
 * The young generation grows to its full size at once: twice as large each time that as much has survived in it as it holds is
 * V8's own rule, and since next to nothing of short requests survives, it would stay as small as it was at rest, and be
 * collected a hundred times a second.
 */
export function allocateYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
  setFlagsFromString('--semi-space-growth-factor=16');
}

/**
 * Has V8 give back, after twenty seconds with little to do, what the start or the busiest minute took: more than half of a
 * process. V8 does so by itself where it sees in its scavenges that little is allocated, but a process without work does none,
 * and would keep all of it for ever. So some are done here, of a millisecond or a few. The young generation is then small at
 * once, and V8 compacts the old one half a minute later, in small steps. It then drops the code that has not run of late, too.
 * With the next work the young generation grows again.
 */
export function giveBackIdleMemory(lookEveryMs = LOOK_EVERY_MS, looksToRest = LOOKS_TO_REST): void {
  const scavenge = scavenger();
  let [cpu, lookedAt] = [process.cpuUsage(), performance.now()];
  let left = SCAVENGES;
  let settled = Number.POSITIVE_INFINITY;
  let [quiet, isAtRest] = [0, false];
  const look = (): void => {
    const { user, system } = process.cpuUsage(cpu);
    const isIdle = (user + system) / 1_000 < LITTLE_WORK * (performance.now() - lookedAt);
    [cpu, lookedAt] = [process.cpuUsage(), performance.now()];
    quiet = isIdle ? quiet + 1 : 0;
    if (quiet >= looksToRest !== isAtRest) {
      isAtRest = !isAtRest;
      setFlagsFromString(`--bytecode-old-age=${isAtRest ? CODE_AGE_AT_REST : CODE_AGE}`);
    }
    if (!isAtRest) return;
    const size = getHeapStatistics().total_heap_size;
    if (size > settled + WORTH_IT_IN_BYTES) left = SCAVENGES;
    if (left === 0) {
      settled = Math.min(settled, size);
      return;
    }
    left -= 1;
    settled = Number.POSITIVE_INFINITY;
    scavenge();
  };
  setInterval(look, lookEveryMs).unref();
}

/** Node hands V8's garbage collector only to contexts that are made while its flag is set. */
function scavenger(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as NodeJS.GCFunction;
  setFlagsFromString('--no-expose-gc');
  return () => collect({ type: 'minor' });
}
