import type { OwnedId } from '../../core/id.ts';
import type { RecordedEvent } from '../../events/record-event.ts';
import type { FeedSettings } from '../../modules/calendars/feeds/feed-reader.ts';
import { askFeed, rereadFeed } from '../../modules/calendars/feeds/reread-feed.ts';
import type { JobKind } from '../job-kind.ts';
import { type AskedServers, readAgain } from './read-again.ts';

type Heard = Extract<RecordedEvent, { readonly type: 'ICS_FEED_ADDED' | 'ICS_FEED_LOOKED_AT' }>;

/** Feeds are read again and again, until they are removed. */
export function icsFeedsKind(settings: FeedSettings & AskedServers): JobKind {
  return readAgain<OwnedId>({
    servers: settings.servers,
    queue: 'ics-feeds',
    hears: ['ICS_FEED_ADDED'],
    sourceIn: (data) => {
      const source = data as Heard | OwnedId;
      return { ownerId: source.ownerId, id: 'feedId' in source ? source.feedId : source.id };
    },
    read: (em, feed, hosts) => rereadFeed(em, feed, settings, hosts),
    looksAt: ['ICS_FEED_LOOKED_AT'],
    readOnce: (em, feed, hosts) => askFeed(em, feed, settings, hosts, { trigger: 'LOOKED_AT' }),
  });
}
