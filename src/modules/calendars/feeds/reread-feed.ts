import type { OwnedId } from '../../../core/id.ts';
import { selectColumns } from '../../../database/columns.ts';
import { changed, type Em, LATER, NOW, row, sql } from '../../../database/sql.ts';
import { updateTable } from '../../../database/statements.ts';
import type { Postponed, Turns } from '../../../limits/owner-turns.ts';
import { User } from '../../accounts/user.entity.ts';
import type { Interval } from '../../schedules/interval.rules.ts';
import { timeAskedFor } from '../busy-calendar.rules.ts';
import { replaceBusyPeriods } from '../busy-periods.ts';
import {
  type Asked,
  askedDuring,
  comeBackIn,
  isAboutAll,
  isToBeAsked,
  nextQuestion,
  type QuestionEnd,
  type Reason,
} from '../next-reading.ts';
import {
  addressOf,
  type FeedSettings,
  type Reading,
  readFeed,
  rowOf,
  sealUnreadable,
  timeKnownFrom,
} from './feed-reader.ts';
import { IcsFeed } from './ics-feed.entity.ts';

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
  const asked = await askFeed(em, feed, settings, hosts, { trigger: 'DUE' });
  if (asked) return asked.inSeconds;
  const found = await row(
    em,
    sql<{ seconds: number }>`
      select ${comeBackIn('f')} as seconds
      from ics_feeds f join users u on u.id = f.user_id where f.user_id = ${feed.ownerId} and f.id = ${feed.id}`,
  );
  return found?.seconds;
}

/**
 * Asks for a feed when it is its turn, and replaces its busy times by the answer; a feed that cannot be read keeps its last ones.
 * A text whose busy times were made a day ago is expanded again, as the time that they reach ahead has moved. Where somebody
 * waits, only the time around theirs is read, and the whole feed by the next who asks. `hosts`: turns of the servers that are
 * asked. @returns undefined where it is not its turn, or no longer is
 */
export async function askFeed(
  em: Em,
  feed: OwnedId,
  settings: FeedSettings,
  hosts: Turns,
  reason: Reason,
): Promise<Asked | undefined> {
  const { ownerId: userId, id } = feed;
  const found = await row(
    em,
    sql<Due>`
      update ics_feeds f set asked_at = now(), asked_during = ${askedDuring('f', reason)} from users u
      where f.user_id = ${userId} and f.id = ${id} and u.id = f.user_id and u.suspended_at is null and ${isToBeAsked('f', reason)}
      returning ${selectColumns(IcsFeed, ['sealedUrl', 'etag', 'lastModified', 'digest', 'failures', 'askedAt'], 'f')},
        ${selectColumns(User, ['timeZone'], 'u')}, f.expanded_at < now() - interval '20 hours' as "isOld",
        floor(extract(epoch from f.expanded_at) * 1000)::float8 as "expandedAt", ${isAboutAll('f')} as "isAboutAll",
        floor(extract(epoch from now()) * 1000)::float8 as now`,
  );
  if (!found) return undefined;
  const { timeZone, now, isOld, isAboutAll: ofAll, etag, lastModified, digest, askedAt } = found;
  const url = await addressOf(settings.credentials, feed, found.sealedUrl);
  const visit = reason.trigger === 'BOOKED' ? reason : undefined;
  const all = timeKnownFrom(now);
  const range = visit && !ofAll ? timeAskedFor(visit.need) : all;
  const reaches = visit ? visit.need.end <= timeKnownFrom(found.expandedAt).end : !isOld;
  const question = {
    ownerId: userId,
    timeZone,
    range,
    hosts,
    signal: reason.signal,
    ...(reaches && { known: { etag, lastModified, digest } }),
    ...(visit && { cpuLeft: visit.cpuLeft }),
  };
  const reading = url === undefined ? UNREADABLE : await readFeed(settings, { ...question, url });
  if ('inSeconds' in reading) {
    await changed(em, updateTable(IcsFeed, { userId, id, askedAt }).set({ askedAt: null }));
    return { isAnswered: false, inSeconds: reading.inSeconds, hasMore: true };
  }
  const sealed =
    'text' in reading ? await sealUnreadable(settings.credentials, rowOf(feed), reading.text.unreadable) : null;
  const during = ofAll ? undefined : range;
  const noted = await em.transactional((inner) =>
    note(inner, feed, reading, { ...found, isOld, reason, sealed, during }),
  );
  if (!noted && visit) return undefined;
  const isAnswered = !('error' in reading || 'isTooDear' in reading);
  const hasMore = 'isTooDear' in reading || ('text' in reading && during !== undefined);
  return { isAnswered, hasMore, inSeconds: noted?.seconds };
}

const UNREADABLE = { error: 'Its address cannot be decrypted any more: save it again.' };

interface Due {
  readonly sealedUrl: string;
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly digest: string | null;
  readonly failures: number;
  readonly askedAt: string | null;
  readonly timeZone: string;
  readonly isOld: boolean;
  readonly isAboutAll: boolean;
  readonly expandedAt: number;
  readonly now: number;
}

/** Why a feed was asked, and what was known of it. */
interface AskedFor extends Pick<Due, 'askedAt' | 'failures' | 'isOld'> {
  readonly reason: Reason;
  readonly sealed: string | null;
  /** Undefined: all of it. */
  readonly during: Interval | undefined;
}

/** The update locks the feed, and finds none when it was removed, or asked anew, meanwhile: then another answer counts. */
async function note(
  em: Em,
  { ownerId: userId, id }: OwnedId,
  reading: Exclude<Reading, Postponed>,
  asked: AskedFor,
): Promise<{ readonly seconds: number } | undefined> {
  const next = nextQuestion(endOf(reading, asked), asked.failures, asked.reason);
  const noted = await row(
    em,
    updateTable(IcsFeed, { userId, id, askedAt: asked.askedAt })
      .set({ answeredAt: NOW, updatedAt: LATER, ...next, ...changesOf(reading, asked) })
      .returning(sql<number>`ceil(extract(epoch from next_read_at - now()))::float8`.as('seconds')),
  );
  if (noted && 'text' in reading)
    await replaceBusyPeriods(em, { userId, sourceId: id }, reading.text.periods, asked.during);
  return noted;
}

/** A text that has not been read in whole is read when it is due; so is one whose busy times reach less far ahead than they could. */
function endOf(reading: Exclude<Reading, Postponed>, { isOld, during }: AskedFor): QuestionEnd {
  if ('error' in reading) return reading;
  const isPart = 'isTooDear' in reading || ('text' in reading ? during !== undefined : isOld);
  return isPart ? 'IN_PART' : 'WHOLE';
}

function changesOf(reading: Exclude<Reading, Postponed>, { sealed: sealedUnreadable, during }: AskedFor) {
  if ('isTooDear' in reading) return {};
  if ('error' in reading) return { error: reading.error };
  if ('unchanged' in reading) return { error: null, readAt: NOW, askedDuring: null };
  // The marks of the last text do not count any more, as it may come again; nor do those of this one, which was read in part.
  if (during) return { error: null, etag: null, lastModified: null, digest: null };
  const { etag, lastModified, digest, eventCount, unreadableCount } = reading.text;
  const text = { etag, lastModified, digest, eventCount, unreadableEventCount: unreadableCount, sealedUnreadable };
  return { error: null, readAt: NOW, expandedAt: NOW, ...text };
}
