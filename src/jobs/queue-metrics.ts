import { metricText } from '../core/metric.ts';
import { isDatabaseAway, unlessDatabaseIsSilent } from '../database/database-away.ts';
import type { Em } from '../database/sql.ts';
import { countGivenUpDeliveries } from '../modules/webhooks/given-up.queries.ts';
import { countJobs, type QueueCount } from './given-up-jobs.ts';

const PATIENCE_IN_MS = 5_000;

const GAUGES = [
  ['waiting', 'gatehouse_jobs_waiting', 'Jobs that are to be done, or being done.'],
  ['failing', 'gatehouse_jobs_failing', 'Of these, jobs that have failed before.'],
  ['givenUp', 'gatehouse_jobs_given_up', 'Jobs that were given up in the last 30 days.'],
  [
    'oldestInSeconds',
    'gatehouse_jobs_oldest_seconds',
    'For how long the job that waits longest could have been begun.',
  ],
] as const satisfies readonly (readonly [keyof QueueCount, string, string])[];

/**
 * What waits and what was given up, as all processes see it: in the text format of Prometheus, version 0.0.4. Nothing while the
 * database does not answer, so that the other metrics are there all the same.
 */
export async function queueMetrics(em: Em): Promise<string> {
  try {
    const [queues, deliveries] = await unlessDatabaseIsSilent(
      () => Promise.all([countJobs(em.fork()), countGivenUpDeliveries(em.fork())]),
      PATIENCE_IN_MS,
    );
    const ofQueues = GAUGES.map(([what, name, help]) =>
      metricText(
        { name, type: 'gauge', help },
        queues.map((count) => ({ labels: { queue: count.queue }, value: count[what] })),
      ),
    );
    const help = 'Messages to webhooks that were given up in the last 30 days.';
    const name = 'gatehouse_webhook_deliveries_given_up';
    return [...ofQueues, metricText({ name, type: 'gauge', help }, [{ labels: {}, value: deliveries }])].join('');
  } catch (error) {
    if (isDatabaseAway(error)) return '';
    throw error;
  }
}
