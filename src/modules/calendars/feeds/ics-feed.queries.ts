import type { OwnedTable } from '../../levels/owned.queries.ts';
import { IcsFeed } from './ics-feed.entity.ts';

export const ICS_FEEDS: OwnedTable<typeof IcsFeed> = { entity: IcsFeed, kind: 'icsFeed', owner: 'userId' };

/** The most that somebody can have. */
export const MAX_FEEDS = 10;
