import { ownedIdOf } from '../../../core/id.ts';
import type { RowOf } from '../../../database/columns.ts';
import { read } from '../../../database/lanes.ts';
import { sql } from '../../../database/sql.ts';
import { builder } from '../../../graphql/builder.ts';
import { requireUserId } from '../../../graphql/context.ts';
import { SMALL } from '../../../graphql/limits/price.ts';
import { mutation } from '../../../graphql/mutation.ts';
import { rowType } from '../../../graphql/row.ts';
import { selectionOf } from '../../../graphql/selection.ts';
import type { GuessLimit } from '../../../limits/guess-limit.ts';
import { entering, reads, writes } from '../../../scopes/declare.ts';
import { resource } from '../../levels/resource.graphql.ts';
import { DAYS_AHEAD, type FeedSettings, MAX_FEED_MEGABYTES } from './feed-reader.ts';
import { IcsFeed as IcsFeedEntity } from './ics-feed.entity.ts';
import { MAX_EVENTS } from './ics-limits.rules.ts';
import { feedNotThere, ICS_FEEDS, MAX_FEEDS, SAVE_FEEDS_CODES, saveFeeds } from './save-feeds.ts';

declare module '../../../graphql/context.ts' {
  interface ModuleContext {
    readonly feeds: FeedSettings;
    /** Counts new addresses that are asked for. */
    readonly feedTries: GuessLimit;
  }
}

const data = reads('APPS', ['USER']);
const change = writes('APPS', ['USER']);

type StatusRow = Pick<
  RowOf<typeof IcsFeedEntity>,
  'readAt' | 'error' | 'nextReadAt' | 'eventCount' | 'unreadableEventCount'
>;

const IcsFeedStatus = builder.objectRef<StatusRow>('IcsFeedStatus').implement({
  description: 'Whether an ICS feed can be read, and when it was.',
  fields: (t) => ({
    lastReadAt: t.field({
      type: 'DateTime',
      requires: data,
      description: 'When it was last read with success; busy times are of then.',
      resolve: ({ readAt }) => readAt,
    }),
    lastError: t.exposeString('error', {
      nullable: true,
      requires: data,
      description: 'Why it could not be read the last time. Null: it could.',
    }),
    nextReadAt: t.field({
      type: 'DateTime',
      requires: data,
      description: 'When it is read next: about every 15 minutes, less often while it cannot be read.',
      resolve: ({ nextReadAt }) => nextReadAt,
    }),
    eventCount: t.exposeInt('eventCount', { requires: data, description: 'How many events it had, of any time.' }),
    unreadableEventCount: t.exposeInt('unreadableEventCount', {
      requires: data,
      description:
        'How many of them could not be read in whole. Of each, what is certain blocks your time, and the rest is left out.',
    }),
  }),
});

const IcsFeed = rowType(IcsFeedEntity, 'IcsFeed', {
  description: 'A calendar that is read from an address of yours, and whose events make you busy.',
  fields: (t) => ({
    id: t.ownedId(['userId', 'id'], 'icsFeed', { requires: data }),
    host: t.column('host', { requires: data, description: 'The server in its address.' }),
    ending: t.column('ending', {
      requires: data,
      description:
        'The last characters of the secret address, to recognize it. The rest is shown to nobody, since whoever has it can read the calendar.',
    }),
    status: t.from(['readAt', 'error', 'nextReadAt', 'eventCount', 'unreadableEventCount'], {
      type: IcsFeedStatus,
      price: { weight: SMALL },
      requires: data,
      description: 'Whether it can be read, and when it was.',
      resolve: (feed) => feed,
    }),
    createdAt: t.column('createdAt', { requires: data }),
    updatedAt: t.column('updatedAt', { requires: data }),
  }),
});

resource({
  type: IcsFeed,
  owned: ICS_FEEDS,
  belongsTo: 'PERSON',
  reads: data,
  writes: change,
  list: {
    name: 'icsFeeds',
    describes: { user: `The calendars that are read from addresses of yours, ${MAX_FEEDS} at most.` },
  },
});

mutation('icsFeedsSet', {
  description: `Replaces the feeds that make you busy, at most ${MAX_FEEDS}. New addresses are read first: if one is not a calendar, that is an error, and nothing changes. Existing addresses stay as they are. Feeds that you leave out are removed, with their busy times.`,
  requires: entering('USER', change),
  single: true,
  errors: SAVE_FEEDS_CODES,
  input: (t) => ({
    urls: t.stringList({
      required: true,
      description: `Addresses of calendars (iCalendar, RFC 5545), \`https:\` or \`webcal:\`, such as a calendar's secret address in iCal format. Of each, ${MAX_FEED_MEGABYTES} MiB and ${MAX_EVENTS} events at most are read, for ${DAYS_AHEAD} days ahead. They are kept encrypted, and shown by nothing.`,
    }),
    keepIds: t.idList({ description: 'Feeds that stay (`icf_…`), as their addresses are not shown.' }),
  }),
  resolve: async ({ urls, keepIds }, context) => {
    const userId = requireUserId(context);
    const { em, feeds, feedTries: tries, allowPrivateNetwork: allowsPrivate } = context;
    const kept = (keepIds ?? []).map((named, index) => {
      const id = ownedIdOf('icsFeed', named);
      if (id?.ownerId !== userId) throw feedNotThere(index);
      return id;
    });
    await saveFeeds(em, userId, { urls, keepIds: kept }, { ...feeds, tries, allowsPrivate });
    return { userId };
  },
  payload: (t) => ({
    icsFeeds: t.field({
      type: [IcsFeed],
      nullable: true,
      price: { max: MAX_FEEDS },
      requires: data,
      description: 'All your feeds, as they are now.',
      resolve: ({ userId }, _args, { em }, info) =>
        userId === undefined
          ? null
          : read(
              em,
              sql<RowOf<typeof IcsFeedEntity>>`select ${selectionOf(info, IcsFeedEntity).from('f')}
                from ics_feeds f where f.user_id = ${userId} order by f.id`,
            ),
    }),
  }),
});
