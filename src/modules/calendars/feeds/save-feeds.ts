import { newId, type OwnedId } from '../../../core/id.ts';
import { type Mistake, Problem } from '../../../core/problem.ts';
import { databaseNow } from '../../../database/database-clock.ts';
import { NOW } from '../../../database/expressions.ts';
import { type Em, row, rows } from '../../../database/sql.ts';
import { deleteFrom, insertInto, selectFrom } from '../../../database/statements.ts';
import { recordEvent } from '../../../events/record-event.ts';
import { type GuessLimit, type GuessRule, TooManyGuesses } from '../../../limits/guess-limit.ts';
import { User } from '../../accounts/user.entity.ts';
import { dropBusyPeriods, replaceBusyPeriods } from '../busy-periods.ts';
import { nextReading } from '../turn-to-ask.ts';
import { type FeedText, readFeed, timeKnownFrom } from './feed-reader.ts';
import { addressOf, type FeedSettings, rowOf, sealUnreadable } from './feed-store.ts';
import { FEED_URL_CODES, feedUrlMistake, shownOf, tidyFeedUrl } from './feed-url.ts';
import { IcsFeed } from './ics-feed.entity.ts';
import { MAX_FEEDS } from './ics-feed.queries.ts';

export const SAVE_FEEDS_CODES = [
  ...FEED_URL_CODES,
  'NOT_FOUND',
  'TOO_MANY',
  'DUPLICATE',
  'FEED_UNREADABLE',
  'TOO_MANY_GUESSES',
] as const;

/** Each new address is asked for, so that nobody has us ask for thousands. */
export const FEED_TRIES: GuessRule = { name: 'ics feeds', guesses: 60, windowInSeconds: 3_600 };

export interface FeedsWanted {
  readonly urls: readonly string[];
  /** Feeds that stay, whose addresses the caller need not know. */
  readonly keepIds: readonly OwnedId[];
}

export interface SavingSettings extends FeedSettings {
  readonly allowsPrivate: boolean;
  readonly tries: GuessLimit;
}

/**
 * Has somebody's feeds be these and no others. New ones are read first: either all of them can be, or nothing changes.
 * @throws Problem with every mistake at once; TOO_MANY_GUESSES
 */
export async function saveFeeds(em: Em, userId: string, wanted: FeedsWanted, settings: SavingSettings): Promise<void> {
  const urls = wanted.urls.map(tidyFeedUrl);
  Problem.throwIfAny(mistakesIn(urls, wanted.keepIds, settings.allowsPrivate));
  const known = await knownFeeds(em, userId, settings);
  const unknown = wanted.keepIds.findIndex((one) => !known.some(({ id }) => id === one.id));
  if (unknown >= 0) throw feedNotThere(unknown);
  const added = urls.filter((url) => !known.some((feed) => feed.url === url));
  const texts = await readNew(em, userId, urls, added, settings);
  await em.transactional(async (inner) => {
    await lockFeeds(inner, userId);
    const kept: string[] = [];
    for (const { id, url } of await knownFeeds(inner, userId, settings)) {
      const isKept = wanted.keepIds.some((one) => one.id === id);
      if (url !== undefined && (isKept || urls.includes(url))) kept.push(url);
      else if (!isKept) await deleteFeed(inner, { ownerId: userId, id });
    }
    for (const [url, text] of texts) if (!kept.includes(url)) await insertFeed(inner, userId, url, text, settings);
  });
}

/** Adds one, and leaves the others alone. One that is there already stays as it is. @throws Problem as `saveFeeds` does */
export async function addFeed(em: Em, userId: string, address: string, settings: SavingSettings): Promise<void> {
  const url = tidyFeedUrl(address);
  Problem.throwIfAny(mistakesIn([url], [], settings.allowsPrivate));
  const known = await knownFeeds(em, userId, settings);
  if (known.some((feed) => feed.url === url)) return;
  requireRoom(known);
  const text = (await readNew(em, userId, [url], [url], settings)).get(url);
  await em.transactional(async (inner) => {
    await lockFeeds(inner, userId);
    const now = await knownFeeds(inner, userId, settings);
    if (!text || now.some((feed) => feed.url === url)) return;
    requireRoom(now);
    await insertFeed(inner, userId, url, text, settings);
  });
}

/** One change at a time, so that no address is there twice and no more feeds than there may be. */
async function lockFeeds(em: Em, userId: string): Promise<void> {
  const user = await row(em, selectFrom(User, { id: userId }).select('id').forNoKeyUpdate());
  if (!user) throw new Problem('NOT_FOUND', 'This account no longer exists.');
}

function requireRoom(known: readonly KnownFeed[]): void {
  if (known.length < MAX_FEEDS) return;
  throw new Problem('TOO_MANY', `You have ${known.length} feeds, and the limit is ${MAX_FEEDS}; remove one first.`, [
    'urls',
  ]);
}

function mistakesIn(urls: readonly string[], keepIds: readonly OwnedId[], allowsPrivate: boolean): Mistake[] {
  if (urls.length + keepIds.length > MAX_FEEDS) {
    const message = `These are ${urls.length + keepIds.length} feeds; ${MAX_FEEDS} are the most.`;
    return [{ code: 'TOO_MANY', message, path: ['urls'] }];
  }
  return urls.flatMap((url, index): Mistake[] => {
    const path = ['urls', String(index)] as const;
    const mistake = feedUrlMistake(path, url, allowsPrivate);
    if (mistake) return [mistake];
    if (urls.indexOf(url) === index) return [];
    return [{ code: 'DUPLICATE', message: `Address ${index + 1} is there twice; give it once.`, path }];
  });
}

/** The same answer for what is not there, for somebody else's, and for a text that is no such id. */
export function feedNotThere(index: number): Problem {
  const message = `The id ${index + 1} is that of no feed of yours; leave it out.`;
  return new Problem('NOT_FOUND', message, ['keepIds', String(index)]);
}

interface KnownFeed {
  readonly id: string;
  /** Undefined where it cannot be decrypted any more: such a feed can be kept by its id, or removed. */
  readonly url: string | undefined;
}

async function knownFeeds(em: Em, userId: string, { credentials }: FeedSettings): Promise<KnownFeed[]> {
  const found = await rows(em, selectFrom(IcsFeed, { userId }).select(['id', 'sealedUrl']));
  return Promise.all(
    found.map(async ({ id, sealedUrl }) => ({
      id,
      url: await addressOf(credentials, { ownerId: userId, id }, sealedUrl),
    })),
  );
}

/** By their addresses. @throws Problem FEED_UNREADABLE for each that cannot be read; TOO_MANY_GUESSES */
async function readNew(
  em: Em,
  userId: string,
  urls: readonly string[],
  added: readonly string[],
  settings: SavingSettings,
): Promise<Map<string, FeedText>> {
  for (const _ of added) {
    const seconds = await settings.tries.count(userId, '');
    if (seconds !== undefined) throw new TooManyGuesses(seconds);
  }
  const user = await row(em, selectFrom(User, { id: userId }).select('timeZone'));
  const range = timeKnownFrom(await databaseNow(em));
  const question = (url: string) => ({ ownerId: userId, url, timeZone: user?.timeZone ?? 'UTC', range });
  const texts = new Map<string, FeedText>();
  const mistakes: Mistake[] = [];
  await Promise.all(
    added.map(async (url) => {
      const reading = await readFeed(settings, question(url));
      if ('text' in reading) return texts.set(url, reading.text);
      const index = urls.indexOf(url);
      const why = 'error' in reading ? reading.error : '';
      const message = `Address ${index + 1} cannot be read as a calendar. ${why}`;
      return mistakes.push({ code: 'FEED_UNREADABLE', message, path: ['urls', String(index)] });
    }),
  );
  Problem.throwIfAny(mistakes);
  return texts;
}

/** Removes one with its busy times; one that is gone already is no mistake. */
export async function removeFeed(em: Em, feed: OwnedId): Promise<void> {
  await em.transactional((inner) => deleteFeed(inner, feed));
}

async function deleteFeed(em: Em, { ownerId: userId, id }: OwnedId): Promise<void> {
  await rows(em, deleteFrom(IcsFeed, { userId, id }));
  await dropBusyPeriods(em, { userId, sourceId: id });
}

async function insertFeed(
  em: Em,
  userId: string,
  url: string,
  { periods, eventCount, unreadableCount, unreadable, etag, lastModified, digest }: FeedText,
  { credentials }: FeedSettings,
): Promise<void> {
  const id = newId();
  const sealedUrl = await credentials.seal(url, rowOf({ ownerId: userId, id }));
  await rows(
    em,
    insertInto(IcsFeed).values({
      userId,
      id,
      sealedUrl,
      ...shownOf(url),
      etag,
      lastModified,
      digest,
      expandedAt: NOW,
      readAt: NOW,
      error: null,
      failures: 0,
      nextReadAt: nextReading(0),
      eventCount,
      unreadableEventCount: unreadableCount,
      sealedUnreadable: await sealUnreadable(credentials, rowOf({ ownerId: userId, id }), unreadable),
      createdAt: NOW,
      updatedAt: NOW,
    }),
  );
  await replaceBusyPeriods(em, { userId, sourceId: id }, periods);
  await recordEvent(em, userId, { type: 'ICS_FEED_ADDED', feedId: id });
}
