import type { Em } from '../../database/sql.ts';
import { OwnerTurns } from '../../limits/owner-turns.ts';
import type { JobKind } from '../job-kind.ts';
import type { NewJob } from '../job-queue.ts';

/** What calendars do wrong is noted with them; these are for a database that does not do what it should, and outlast it. */
const PAUSES_IN_SECONDS = [5, 30, 120, 600, 3_600, 6 * 3_600, 24 * 3_600, 24 * 3_600];

/** Of so many, a user whose calendars do not answer holds up a few, and so does a server that answers nobody. */
const AT_ONCE = 16;
const OF_AN_OWNER = 2;
const OF_A_HOST = { share: 6, waiting: 4, waitInMs: 500, awayInSeconds: 1 };

interface Reading<Source> extends Pick<JobKind, 'queue' | 'hears'> {
  /** What is read, of an event or of the job before. */
  readonly sourceIn: (data: unknown) => Source;
  /** So long after an event it is read first; left out: at once. */
  readonly firstAfterSeconds?: number;
  /** `hosts`: turns of the servers that are asked. @returns in how many seconds to come back; undefined: not again */
  readonly read: (em: Em, source: Source, hosts: OwnerTurns) => Promise<number | undefined>;
  /** What else is to be done after a reading. */
  readonly besides?: (em: Em, source: Source) => Promise<readonly NewJob[]>;
}

/** Calendars and accounts of users that are read again and again: each by one job, which puts in the next one until `read` says otherwise. */
export function readAgain<Source extends { readonly ownerId: string }>({
  queue,
  hears,
  sourceIn,
  firstAfterSeconds,
  read,
  besides,
}: Reading<Source>): JobKind {
  const hosts = new OwnerTurns(OF_A_HOST);
  return {
    queue,
    hears,
    atOnce: AT_ONCE,
    share: { ofOwner: OF_AN_OWNER, ofLine: OF_AN_OWNER },
    pausesInSeconds: PAUSES_IN_SECONDS,
    run: async (em, data): Promise<readonly NewJob[]> => {
      const source = sourceIn(data);
      const isEvent = 'type' in (data as object);
      if (isEvent && firstAfterSeconds !== undefined)
        return [{ queue, data: source, delayInSeconds: firstAfterSeconds }];
      const delayInSeconds = await read(em, source, hosts);
      if (delayInSeconds === undefined) return [];
      return [{ queue, data: source, delayInSeconds }, ...((await besides?.(em, source)) ?? [])];
    },
  };
}
