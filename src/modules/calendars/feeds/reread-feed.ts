import type { OwnedId } from '../../../core/id.ts';
import { selectColumns } from '../../../database/columns.ts';
import { fromNow, LATER, NOW } from '../../../database/expressions.ts';
import { changed, type Em, row, sql } from '../../../database/sql.ts';
import { updateTable } from '../../../database/statements.ts';
import type { Postponed, Turns } from '../../../limits/owner-turns.ts';
import { User } from '../../accounts/user.entity.ts';
import type { Trigger } from '../busy-calendar.rules.ts';
import { replaceBusyPeriods } from '../busy-periods.ts';
import { type Asked, comeBackIn, isToBeAsked } from '../turn-to-ask.ts';
import { type Reading, readFeed } from './feed-reader.ts';
import { addressOf, type FeedSettings, nextReading, sealUnreadable } from './feed-store.ts';
import { IcsFeed } from './ics-feed.entity.ts';
import { POSTPONED_SECONDS } from './read-in-thread.ts';

/** How often somebody who is suspended is looked at again. */
const SUSPENDED_SECONDS = 3_600;

/**
 * Reads a feed if it is due.
 * @returns in how many seconds to come back; undefined when the feed is gone
 */
export async function rereadFeed(
  em: Em,
  feed: OwnedId,
  settings: FeedSettings,
  hosts: Turns,
): Promise<number | undefined> {
  const asked = await askFeed(em, feed, settings, hosts, 'DUE');
  if (asked) return asked.inSeconds;
  const found = await row(
    em,
    sql<{ seconds: number }>`
      select ${comeBackIn('f', SUSPENDED_SECONDS)} as seconds
      from ics_feeds f join users u on u.id = f.user_id where f.user_id = ${feed.ownerId} and f.id = ${feed.id}`,
  );
  return found?.seconds;
}

/**
 * Asks for a feed where it is its turn, and has its busy times be what it says; where it cannot be read, those that it said stay. A
 * text that was turned into busy times a day ago is so again, as the time that they reach ahead has moved. `hosts`: turns of the
 * servers that are asked.
 * @returns undefined where it is not its turn
 */
export async function askFeed(
  em: Em,
  feed: OwnedId,
  settings: FeedSettings,
  hosts: Turns,
  trigger: Trigger,
): Promise<Asked | undefined> {
  const { ownerId: userId, id } = feed;
  const found = await row(
    em,
    sql<Due>`
      update ics_feeds f set asked_at = now() from users u
      where f.user_id = ${userId} and f.id = ${id} and u.id = f.user_id and u.suspended_at is null and ${isToBeAsked('f', trigger)}
      returning ${selectColumns(IcsFeed, ['sealedUrl', 'etag', 'lastModified', 'digest', 'failures'], 'f')},
        ${selectColumns(User, ['timeZone'], 'u')}, f.expanded_at < now() - interval '20 hours' as "isOld",
        floor(extract(epoch from now()) * 1000)::float8 as now`,
  );
  if (!found) return undefined;
  const { timeZone, now, isOld, etag, lastModified, digest } = found;
  const url = await addressOf(settings.credentials, feed, found.sealedUrl);
  const known = isOld ? {} : { known: { etag, lastModified, digest } };
  const question = { ownerId: userId, timeZone, now, hosts, ...known };
  const reading = url === undefined ? UNREADABLE : await readFeed(settings, { ...question, url });
  if ('inSeconds' in reading) {
    await changed(em, updateTable(IcsFeed, { userId, id }).set({ askedAt: null }));
    return { isAnswered: false, inSeconds: reading.inSeconds };
  }
  const sealed = 'text' in reading ? await sealUnreadable(settings.credentials, feed, reading.text.unreadable) : null;
  const inSeconds = await em.transactional((inner) =>
    note(inner, feed, reading, { failures: found.failures, trigger, sealed }),
  );
  return { isAnswered: !('error' in reading), inSeconds };
}

const UNREADABLE = { error: 'Its address cannot be decrypted any more: save it again.' };

interface Due {
  readonly sealedUrl: string;
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly digest: string | null;
  readonly failures: number;
  readonly timeZone: string;
  readonly isOld: boolean;
  readonly now: number;
}

/** The update locks the feed, and finds none when it was removed meanwhile. */
async function note(
  em: Em,
  { ownerId: userId, id }: OwnedId,
  reading: Exclude<Reading, Postponed>,
  asked: { readonly failures: number; readonly trigger: Trigger; readonly sealed: string | null },
): Promise<number | undefined> {
  const noted = await row(
    em,
    updateTable(IcsFeed, { userId, id })
      .set({ answeredAt: NOW, updatedAt: LATER, ...nextOf(reading, asked), ...changesOf(reading, asked.sealed) })
      .returning(sql<number>`ceil(extract(epoch from next_read_at - now()))::float8`.as('seconds')),
  );
  if (noted && 'text' in reading) await replaceBusyPeriods(em, { userId, sourceId: id }, reading.text.periods);
  return noted?.seconds;
}

/** What a visitor has us ask in vain neither counts as a failure nor puts off the next reading. */
function nextOf(
  reading: Exclude<Reading, Postponed>,
  { failures, trigger }: { readonly failures: number; readonly trigger: Trigger },
) {
  if (!('error' in reading)) return { failures: 0, nextReadAt: nextReading(0), restingUntil: null };
  const rest = reading.restSeconds ?? 0;
  const restingUntil = rest > 0 ? fromNow(rest, 'secs') : null;
  if (trigger !== 'DUE') return { restingUntil };
  if (reading.isPostponed === true) return { nextReadAt: fromNow(POSTPONED_SECONDS, 'secs'), restingUntil };
  return { failures: failures + 1, nextReadAt: nextReading(failures + 1, rest), restingUntil };
}

function changesOf(reading: Exclude<Reading, Postponed>, sealedUnreadable: string | null) {
  if ('error' in reading) return { error: reading.error };
  if ('unchanged' in reading) return { error: null, readAt: NOW };
  const { etag, lastModified, digest, eventCount, unreadableCount } = reading.text;
  const text = { etag, lastModified, digest, eventCount, unreadableEventCount: unreadableCount, sealedUnreadable };
  return { error: null, readAt: NOW, expandedAt: NOW, ...text };
}
