import type { Reporter, TestSpecification, Vitest } from 'vitest/node';
import { PACE } from './pace.ts';

/** The time of a file that has never been run here, on the reference machine. */
const USUAL_MILLISECONDS = 2_500;
const WORTH_SAYING_MILLISECONDS = 30_000;

/** Says at the beginning how long a run will take, by how long its files took here the last time. */
export default class TimeAhead implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunStart(files: readonly TestSpecification[]): void {
    const vitest = this.#vitest;
    if (!vitest) return;
    const taken = (file: TestSpecification) =>
      vitest.cache.getTestSpecificationResult(file)?.duration ?? USUAL_MILLISECONDS * PACE;
    const atOnce = Math.max(1, Math.min(files.length, vitest.config.maxWorkers));
    const ahead = files.reduce((sum, file) => sum + taken(file), 0) / atOnce;
    if (ahead < WORTH_SAYING_MILLISECONDS) return;
    const minutes = Math.max(1, Math.round(ahead / 60_000));
    vitest.logger.log(
      `${files.length} files, ${atOnce} at a time: about ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}. Time limits are ${PACE} times those of an idle machine.\n`,
    );
  }
}
