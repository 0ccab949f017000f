import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Where durations are not known yet; the slowest first. */
const SLOWEST = [
  'http/every-form-value',
  'api/every-value',
  'api/every-mutation',
  'process/start',
  'contract/limits',
  'api/standings/standings',
  'jobs/mailed-words',
  'concurrency/scheduling',
  'process/jobs',
  'process/jobs-soak',
  'browser/consent',
  'browser/console',
  'browser/booking',
  'modules/bookings/booking-plans',
  'flows/mail-storm',
  'http/every-parameter-value',
  'cli/operate',
  'concurrency/oauth-races',
];

/** What takes longest begins first, so that no worker is left with it when the others are done; also on a new machine. */
export default class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's own
    const sorted = await super.sort(files);
    if (files.some((file) => this.ctx.cache.getTestSpecificationResult(file) !== undefined)) return sorted;
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = SLOWEST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
  return place < 0 ? SLOWEST.length : place;
}
