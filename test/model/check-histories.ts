import { type History, historyOf } from './histories.ts';
import { Gate, Play, type Played } from './play.ts';
import type { Service } from './service.ts';

const LENGTH = 28;
/** Histories that are played beside each other. */
const LANES = 3;
/** After so many, what was told is compared. */
const BATCH = 12;
/** How often a shorter history is tried when one has failed. */
const ATTEMPTS = 60;

/** Plays the histories of these seeds, and says of the first that fails what was wrong; undefined: none did. */
export async function checkHistories(
  service: Service,
  seeds: readonly number[],
  { onProgress = () => undefined }: { onProgress?: (count: number) => void } = {},
): Promise<string | undefined> {
  for (let first = 0; first < seeds.length; first += BATCH) {
    const histories = seeds.slice(first, first + BATCH).map((seed) => historyOf(seed, Date.now(), LENGTH));
    const [failed] = await failures(service, histories);
    if (failed) return report(await shortest(service, failed), first + histories.indexOf(failed.history) + 1);
    onProgress(first + histories.length);
  }
  return undefined;
}

async function failures(service: Service, histories: readonly History[]): Promise<Played[]> {
  const gate = new Gate();
  const waiting = [...histories];
  const played: Played[] = [];
  const lane = async () => {
    for (let history = waiting.shift(); history; history = waiting.shift())
      played.push(await Play.of(service, history, gate));
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  await service.settled();
  for (const one of played) if (one.problems.length === 0) one.problems.push(...one.play.messages());
  service.forget();
  return played.filter(({ problems }) => problems.length > 0);
}

/** Leaves out what it fails without: halves first, then single steps. */
async function shortest(service: Service, failed: Played): Promise<Played> {
  let best = failed;
  let attempts = 0;
  for (let size = Math.ceil(best.history.steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = best.history.steps.length - size; at >= 0 && attempts < ATTEMPTS; at -= size) {
      attempts += 1;
      const steps = best.history.steps.toSpliced(at, size);
      const [shorter] = await failures(service, [{ ...best.history, steps }]);
      if (shorter) best = shorter;
    }
  }
  return best;
}

function report({ history, problems, told }: Played, place: number): string {
  const { types, hosts } = history.scene;
  return [
    `The history of seed ${history.seed} (number ${place}) breaks the rules:`,
    ...problems.map((problem) => `  ${problem}`),
    'after',
    ...told.map((step) => `  ${step}`),
    'where',
    ...types.map((type) => `  ${JSON.stringify(type)}`),
    ...hosts.map((host, index) => `  host ${index}: ${JSON.stringify(host)}`),
  ].join('\n');
}
