import type { OwnedId } from '../../../core/id.ts';
import { selectColumns } from '../../../database/columns.ts';
import { fromNow, LATER, NOW } from '../../../database/expressions.ts';
import { type Em, row, sql } from '../../../database/sql.ts';
import { updateTable } from '../../../database/statements.ts';
import type { OwnerTurns, Postponed } from '../../../limits/owner-turns.ts';
import { User } from '../../accounts/user.entity.ts';
import { replaceBusyPeriods } from '../busy-periods.ts';
import { type Reading, readFeed } from './feed-reader.ts';
import { addressOf, type FeedSettings, nextReading } from './feed-store.ts';
import { IcsFeed } from './ics-feed.entity.ts';
import { POSTPONED_SECONDS } from './read-in-thread.ts';

/** How often somebody who is suspended is looked at again. */
const SUSPENDED_SECONDS = 3_600;

/**
 * Reads a feed if it is due, and has its busy times be what it says; where it cannot be read, those that it said stay. A text
 * that was turned into busy times a day ago is so again, as the time that they reach ahead has moved. `hosts`: turns of the
 * servers that are asked.
 * @returns in how many seconds to come back; undefined when the feed is gone
 */
export async function rereadFeed(
  em: Em,
  feed: OwnedId,
  settings: FeedSettings,
  hosts: OwnerTurns,
): Promise<number | undefined> {
  const { ownerId: userId, id } = feed;
  const found = await row(
    em,
    sql<Due>`
      select ${selectColumns(IcsFeed, ['sealedUrl', 'etag', 'lastModified', 'digest', 'failures'], 'f')},
        ${selectColumns(User, ['timeZone'], 'u')}, u.suspended_at is not null as "isSuspended",
        f.expanded_at < now() - interval '20 hours' as "isOld",
        ceil(extract(epoch from f.next_read_at - now()))::float8 as "dueInSeconds",
        floor(extract(epoch from now()) * 1000)::float8 as now
      from ics_feeds f join users u on u.id = f.user_id
      where f.user_id = ${userId} and f.id = ${id}`,
  );
  if (!found) return undefined;
  if (found.isSuspended) return SUSPENDED_SECONDS;
  if (found.dueInSeconds > 0) return found.dueInSeconds;
  const { timeZone, now, isOld, failures, etag, lastModified, digest } = found;
  const url = await addressOf(settings.credentials, feed, found.sealedUrl);
  const known = isOld ? {} : { known: { etag, lastModified, digest } };
  const question = { ownerId: userId, timeZone, now, hosts, ...known };
  const reading = url === undefined ? UNREADABLE : await readFeed(settings, { ...question, url });
  if ('inSeconds' in reading) return reading.inSeconds;
  return em.transactional((inner) => note(inner, feed, reading, failures));
}

const UNREADABLE = { error: 'Its address cannot be decrypted any more: save it again.' };

interface Due {
  readonly sealedUrl: string;
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly digest: string | null;
  readonly failures: number;
  readonly timeZone: string;
  readonly isSuspended: boolean;
  readonly isOld: boolean;
  readonly dueInSeconds: number;
  readonly now: number;
}

/** The update locks the feed, and finds none when it was removed meanwhile. */
async function note(
  em: Em,
  { ownerId: userId, id }: OwnedId,
  reading: Exclude<Reading, Postponed>,
  before: number,
): Promise<number | undefined> {
  const isPostponed = 'error' in reading && reading.isPostponed === true;
  const failures = isPostponed ? before : 'error' in reading ? before + 1 : 0;
  const nextReadAt = isPostponed ? fromNow(POSTPONED_SECONDS, 'secs') : nextReading(failures);
  const noted = await row(
    em,
    updateTable(IcsFeed, { userId, id })
      .set({ failures, nextReadAt, updatedAt: LATER, ...changesOf(reading) })
      .returning(sql<number>`ceil(extract(epoch from next_read_at - now()))::float8`.as('seconds')),
  );
  if (noted && 'text' in reading) await replaceBusyPeriods(em, { userId, sourceId: id }, reading.text.periods);
  return noted?.seconds;
}

function changesOf(reading: Exclude<Reading, Postponed>) {
  if ('error' in reading) return { error: reading.error };
  if ('unchanged' in reading) return { error: null, readAt: NOW };
  const { etag, lastModified, digest, eventCount, unreadableCount } = reading.text;
  const text = { etag, lastModified, digest, eventCount, unreadableEventCount: unreadableCount };
  return { error: null, readAt: NOW, expandedAt: NOW, ...text };
}
