/** Microseconds of CPU (user and system) that one call takes, over enough calls to be above the clock's grain. */
export async function cpuMicroseconds(calls: number, run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  for (let call = 0; call < calls; call += 1) await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}

/** Microseconds of wall time that one call takes: of whatever waits for a database, whose CPU is not ours to see. */
export async function wallMicroseconds(calls: number, run: () => unknown): Promise<number> {
  const began = performance.now();
  for (let call = 0; call < calls; call += 1) await run();
  return ((performance.now() - began) * 1_000) / calls;
}

/** Nanoseconds of wall time of one synchronous call, for what is too short for the CPU clock. */
export function nanoseconds(calls: number, run: () => unknown): number {
  const began = process.hrtime.bigint();
  for (let call = 0; call < calls; call += 1) run();
  return Number(process.hrtime.bigint() - began) / calls;
}

/** The value below which so large a share of them lies: 0.5 is the median, 1 the largest. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/**
 * The ratio of two loads in interleaved rounds: machines drift by a third within minutes, so that only figures of the
 * same round can be compared. The order within a round alternates, or the second would always find warmer caches.
 */
export async function interleaved(
  rounds: number,
  calls: number,
  loads: readonly [() => unknown, () => unknown],
  cost = cpuMicroseconds,
): Promise<{ first: number; second: number; ratio: number }> {
  const first: number[] = [];
  const second: number[] = [];
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const isSwapped = round % 2 === 1;
    const one = await cost(calls, loads[isSwapped ? 1 : 0]);
    const two = await cost(calls, loads[isSwapped ? 0 : 1]);
    const [a, b] = isSwapped ? [two, one] : [one, two];
    first.push(a);
    second.push(b);
    ratios.push(a / b);
  }
  return { first: median(first), second: median(second), ratio: median(ratios) };
}
