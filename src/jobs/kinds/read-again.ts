import type { Em } from '../../database/sql.ts';
import type { Turns } from '../../limits/owner-turns.ts';
import { ServerTurns } from '../../limits/server-turns.ts';
import { FRESH_SECONDS } from '../../modules/calendars/busy-calendar.rules.ts';
import type { JobKind } from '../job-kind.ts';
import type { NewJob } from '../job-queue.ts';

/**
 * Faults of calendars are noted with them; these pauses are for a database that does not do what it should, and outlast
 * it.
 */
const PAUSES_IN_SECONDS = [5, 30, 120, 600, 3_600, 6 * 3_600, 24 * 3_600, 24 * 3_600];

/** A user whose calendars do not answer holds up a few of so many, and so does a server that answers nobody. */
const AT_ONCE = 16;
const OF_AN_OWNER = 2;

/** When and how often a source is read again after somebody has looked at its user's slots, and may still be looking. */
const MORE_AFTER_SECONDS = FRESH_SECONDS.LOOKED_AT + 1;
const TIMES_MORE = 2;

/** Turns of the servers, shared with all else that asks them; left out: turns of its own. */
export interface AskedServers {
  readonly servers?: ServerTurns | undefined;
}

interface Reading<Source> extends AskedServers, Pick<JobKind, 'queue' | 'hears'> {
  /** The source to read, from an event or from the job before. */
  readonly sourceIn: (data: unknown) => Source;
  /** How long after an event a source is read first; left out, at once. */
  readonly firstAfterSeconds?: number;
  /** `hosts`: turns of the servers that are asked. @returns in how many seconds to come back; undefined: not again */
  readonly read: (em: Em, source: Source, hosts: Turns) => Promise<number | undefined>;
  /** These events have it read at once, and a few times more soon after; its regular readings go on. */
  readonly looksAt?: JobKind['hears'];
  /** Reads it out of its turn, if it was not just now. */
  readonly readOnce?: (em: Em, source: Source, hosts: Turns) => Promise<unknown>;
  /** Further jobs that a reading leads to. */
  readonly besides?: (em: Em, source: Source) => Promise<readonly NewJob[]>;
}

/** Calendars and accounts of users that are read again and again: each by one job, which puts in the next one until `read` says otherwise. */
export function readAgain<Source extends { readonly ownerId: string }>({
  queue,
  hears,
  sourceIn,
  firstAfterSeconds,
  read,
  looksAt = [],
  readOnce,
  besides,
  servers = new ServerTurns(),
}: Reading<Source>): JobKind {
  const hosts = servers.ofJobs;
  return {
    queue,
    hears: [...hears, ...looksAt],
    atOnce: AT_ONCE,
    share: { ofOwner: OF_AN_OWNER, ofLine: OF_AN_OWNER },
    pausesInSeconds: PAUSES_IN_SECONDS,
    run: async (em, data): Promise<readonly NewJob[]> => {
      const source = sourceIn(data);
      const { type, timesLeft = TIMES_MORE } = data as { readonly type?: string; readonly timesLeft?: number };
      const isEvent = type !== undefined;
      if (looksAt.some((one) => one === type) || 'timesLeft' in (data as object)) {
        await readOnce?.(em, source, hosts);
        if (timesLeft === 0) return [];
        return [{ queue, data: { ...source, timesLeft: timesLeft - 1 }, delayInSeconds: MORE_AFTER_SECONDS }];
      }
      if (isEvent && firstAfterSeconds !== undefined)
        return [{ queue, data: source, delayInSeconds: firstAfterSeconds }];
      const delayInSeconds = await read(em, source, hosts);
      if (delayInSeconds === undefined) return [];
      return [{ queue, data: source, delayInSeconds }, ...((await besides?.(em, source)) ?? [])];
    },
  };
}
