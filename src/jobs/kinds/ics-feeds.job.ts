import type { OwnedId } from '../../core/id.ts';
import type { RecordedEvent } from '../../events/record-event.ts';
import type { FeedSettings } from '../../modules/calendars/feeds/feed-store.ts';
import { rereadFeed } from '../../modules/calendars/feeds/reread-feed.ts';
import type { JobKind } from '../job-kind.ts';

const QUEUE = 'ics-feeds';
/** What a feed does wrong is noted with it; these are for a database that does not do what it should, and outlast it. */
const PAUSES_IN_SECONDS = [5, 30, 120, 600, 3_600, 6 * 3_600, 24 * 3_600, 24 * 3_600];

type Added = Extract<RecordedEvent, { readonly type: 'ICS_FEED_ADDED' }>;

/** Feeds are read again and again: each by one job, which puts in the next one of its feed until that is gone. */
export function icsFeedsKind(settings: FeedSettings): JobKind {
  return {
    queue: QUEUE,
    hears: ['ICS_FEED_ADDED'],
    atOnce: 4,
    pausesInSeconds: PAUSES_IN_SECONDS,
    run: async (em, data) => {
      const feed = feedIn(data as Added | OwnedId);
      const delayInSeconds = await rereadFeed(em, feed, settings);
      return delayInSeconds === undefined ? [] : [{ queue: QUEUE, data: feed, delayInSeconds }];
    },
  };
}

/** Of an event, or of the job before. */
function feedIn(data: Added | OwnedId): OwnedId {
  return { ownerId: data.ownerId, id: 'feedId' in data ? data.feedId : data.id };
}
