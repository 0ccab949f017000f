import { newId, publicOwnedId } from '../../src/core/id.ts';
import { type Em, rows, sql } from '../../src/database/sql.ts';
import { rowOf } from '../../src/modules/calendars/feeds/feed-reader.ts';
import { Credentials } from '../../src/outbound/credentials.ts';
import { Outbound } from '../../src/outbound/outbound.ts';
import { uuidOf } from './ids.ts';

/** The settings by which tests read feeds: servers of the test may be asked. */
export const TEST_FEEDS = {
  outbound: new Outbound({ allowsPrivate: true, userAgent: 'Gatehouse' }),
  credentials: new Credentials(new Uint8Array(32).fill(5)),
};

/** A feed of somebody's that was read, and cannot be any more; without a server. @returns its public id */
export async function storeFeed(em: Em, user: string, url: string): Promise<string> {
  const feed = { ownerId: uuidOf(user), id: newId() };
  const sealed = await TEST_FEEDS.credentials.seal(url, rowOf(feed));
  await rows(
    em.fork(),
    sql`insert into ics_feeds (user_id, id, sealed_url, host, ending, expanded_at, read_at, error, failures, next_read_at, event_count,
          unreadable_event_count, created_at, updated_at)
        values (${feed.ownerId}, ${feed.id}, ${sealed}, 'calendar.example', '.ics', now(), now(), 'The server answers 404.', 1, now() + interval '1 hour', 0, 0, now(), now())`,
  );
  return publicOwnedId('icsFeed', feed);
}
