import { metricText } from '../core/metric.ts';
import { isDatabaseAway, unlessDatabaseIsSilent } from '../database/database-away.ts';
import { type Em, row } from '../database/sql.ts';
import { HELD_NOTICES } from '../limits/held-notices.ts';
import { HELD_MAILS } from '../modules/bookings/mails/held-mails.ts';
import { countGivenUpDeliveries } from '../modules/webhooks/request-delivery.ts';
import { HELD_SENDINGS } from '../modules/workflows/sendings/held-sendings.ts';
import { countJobs, type QueueCount } from './job-queue.ts';

const TIMEOUT_IN_MS = 5_000;

const GAUGES = [
  ['waiting', 'gatehouse_jobs_waiting', 'Jobs that are to be done, or being done.'],
  ['failing', 'gatehouse_jobs_failing', 'Of these, jobs that have failed before.'],
  ['givenUp', 'gatehouse_jobs_given_up', 'Jobs that were given up in the last 30 days.'],
  [
    'oldestInSeconds',
    'gatehouse_jobs_oldest_seconds',
    'Of the jobs that could be begun now, how long ago the oldest first could have been.',
  ],
] as const satisfies readonly (readonly [keyof QueueCount, string, string])[];

const HELD_GAUGES = [
  ['waiting', 'gatehouse_messages_held', 'Mails and SMS past a limit that are sent when there is room.'],
  [
    'unsent',
    'gatehouse_messages_unsent',
    'Mails and SMS past a limit that were known in the last 30 days not to come.',
  ],
] as const;

/** Messages past a limit, by what they are about. */
async function countHeld(em: Em): Promise<{ of: string; waiting: number; unsent: number }[]> {
  const counted = [
    ['bookings', HELD_MAILS],
    ['workflows', HELD_SENDINGS],
    ['notices', HELD_NOTICES],
  ] as const;
  const held = [];
  for (const [of, count] of counted) held.push({ of, ...((await row(em, count)) ?? { waiting: 0, unsent: 0 }) });
  return held;
}

/**
 * Counts what waits and what was given up, as all processes see it: in the text format of Prometheus, version 0.0.4.
 * Nothing while the database does not answer, so that the other metrics are there all the same.
 */
export async function queueMetrics(em: Em): Promise<string> {
  try {
    const [queues, deliveries, held] = await unlessDatabaseIsSilent(
      () => Promise.all([countJobs(em.fork()), countGivenUpDeliveries(em.fork()), countHeld(em.fork())]),
      { timeoutInMs: TIMEOUT_IN_MS },
    );
    const ofQueues = GAUGES.map(([what, name, help]) =>
      metricText(
        { name, type: 'gauge', help },
        queues.map((count) => ({ labels: { queue: count.queue }, value: count[what] })),
      ),
    );
    const help = 'Messages to webhooks that were given up in the last 30 days.';
    const name = 'gatehouse_webhook_deliveries_given_up';
    const ofHeld = HELD_GAUGES.map(([what, gauge, says]) =>
      metricText(
        { name: gauge, type: 'gauge', help: says },
        held.map((count) => ({ labels: { of: count.of }, value: count[what] })),
      ),
    );
    const ofDeliveries = metricText({ name, type: 'gauge', help }, [{ labels: {}, value: deliveries }]);
    return [...ofQueues, ofDeliveries, ...ofHeld].join('');
  } catch (error) {
    if (isDatabaseAway(error)) return '';
    throw error;
  }
}
