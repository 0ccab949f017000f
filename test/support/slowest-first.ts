import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Where durations are not known yet; the slowest first, on either database. */
const SLOWEST = [
  'model/model',
  'core/cache-weights',
  'process/bad-days',
  'process/failover',
  'process/workers',
  'api/every-value',
  'process/jobs',
  'process/start',
  'process/jobs-soak',
  'http/every-form-value',
  'contract/limits',
  'cli/operate',
  'cli/main',
  'api/every-mutation',
  'api/rest/every-path',
  'process/notified-once',
  'fast-path/differential-2',
  'fast-path/differential-3',
  'browser/console',
  'http/every-parameter-value',
  'process/reminders',
  'flows/mail-storm',
  'api/standings/standings',
  'process/full-disk',
  'concurrency/killed-refresh',
  'fast-path/differential-1',
  'fast-path/differential-0',
  'flows/accounts/flood.alone',
  'persistence/data-folder-lock',
  'flows/grant-chains/grant-chains',
  'jobs/webhooks',
  'browser/booking',
  'flows/calendars/connected-calendars',
  'modules/calendars/hanging-servers',
  'concurrency/scheduling',
  'flows/calendars/consents',
  'persistence/mikro-orm-cli',
  'browser/consent',
  'jobs/mailed-words',
  'concurrency/accounts',
  'process/heaviest',
  'modules/bookings/booking-plans',
  'concurrency/memberships',
  'api/round-robin',
  'concurrency/database-away',
  'concurrency/oauth-revocation',
  'concurrency/oauth-races',
  'persistence/lost-connections',
  'persistence/list-plans',
  'fast-path/differential-4',
  'fast-path/differential-5',
  'flows/client-libraries/client-libraries',
  'jobs/mail-delivery',
];
const TEN_SECONDS = 10_000;

/**
 * Begins the slowest files first, so that no worker is left with one when the others are done; also on a new machine,
 * or one that has run a few of them. A worker serves one project: their files are not mixed, or it would end and
 * another one begin.
 */
export default class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's own
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(projectOf))];
    const placed = sorted.map((file) => ({
      file,
      project: projects.indexOf(projectOf(file)),
      expected: this.ctx.cache.getTestSpecificationResult(file)?.duration ?? guessed(file),
    }));
    return placed
      .toSorted((one, other) => one.project - other.project || other.expected - one.expected)
      .map(({ file }) => file);
  }
}

function projectOf({ project }: TestSpecification): string {
  return project.name;
}

/** In milliseconds; of all others nothing but that it is less. */
function guessed({ moduleId }: TestSpecification): number {
  const place = SLOWEST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
  return place < 0 ? 0 : TEN_SECONDS + SLOWEST.length - place;
}
