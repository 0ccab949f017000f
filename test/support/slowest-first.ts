import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Where durations are not known yet; the slowest first, on either database. */
const SLOWEST = [
  'process/start',
  'api/every-value',
  'http/every-form-value',
  'contract/limits',
  'concurrency/accounts',
  'process/jobs-soak',
  'api/every-mutation',
  'process/bad-days',
  'process/jobs',
  'cli/operate',
  'flows/mail-storm',
  'process/heaviest',
  'process/workers',
  'modules/bookings/booking-plans',
  'persistence/list-plans',
  'concurrency/scheduling',
  'api/standings/standings',
  'jobs/mailed-words',
  'browser/consent',
  'browser/booking',
  'browser/console',
  'concurrency/database-away',
  'concurrency/oauth-revocation',
  'concurrency/oauth-races',
  'concurrency/killed-refresh',
  'persistence/lost-connections',
  'http/every-parameter-value',
  'persistence/mikro-orm-cli',
  'process/full-disk',
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
