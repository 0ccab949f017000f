import { countJobs, findGivenUpJobs, retryGivenUpJobs } from '../jobs/job-queue.ts';
import { type Command, UsageError } from './command.ts';
import { withDatabase } from './with-database.ts';

const MOST_LISTED = 50;
const HELP = `  (nothing)         what waits in each queue, and the last ${MOST_LISTED} jobs that were given up, with the reason
  retry <id>        has one that was given up done again
  retry --all       has all of them done again`;

export const command: Command = {
  usage: 'jobs',
  summary: 'lists what waits in the background, mails above all, and what was given up; retries that',
  help: HELP,
  run: async (args) => {
    const [action, which, ...rest] = args;
    if (action === undefined) return list();
    if (action !== 'retry' || which === undefined || rest.length > 0) {
      throw new UsageError('Call it as: gatehouse jobs, or gatehouse jobs retry <id>|--all');
    }
    return retry(which === '--all' ? undefined : which);
  },
};

function list(): Promise<number> {
  return withDatabase(async ({ em }) => {
    const queues = (await countJobs(em.fork())).filter(({ waiting, givenUp }) => waiting + givenUp > 0);
    if (queues.length === 0) console.log('Nothing waits, and nothing was given up.');
    for (const { queue, waiting, failing, givenUp, oldestInSeconds } of queues) {
      const late = oldestInSeconds >= 1 ? `, the oldest due for ${Math.floor(oldestInSeconds)} s` : '';
      console.log(`${queue}: ${waiting} waiting (${failing} after a failure${late}), ${givenUp} given up`);
    }
    for (const { id, queue, attempts, failedAt, error } of await findGivenUpJobs(em.fork(), MOST_LISTED)) {
      // The error may be another server's words, of which no character may steer the terminal.
      console.log(`  ${id}  ${queue}  ${failedAt}  attempts: ${attempts}  ${error.replaceAll(/\p{Cc}+/gu, ' ')}`);
    }
    return 0;
  });
}

function retry(id: string | undefined): Promise<number> {
  return withDatabase(async ({ em }) => {
    const count = await retryGivenUpJobs(em.fork(), id);
    if (count === 0 && id !== undefined)
      throw new Error(`No job ${JSON.stringify(id)} was given up: see gatehouse jobs.`);
    console.log(`${count} to be done again, by the service as soon as it runs.`);
    return 0;
  });
}
