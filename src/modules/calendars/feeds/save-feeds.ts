import { newId, type OwnedId } from '../../../core/id.ts';
import { type Mistake, Problem } from '../../../core/problem.ts';
import type { Path } from '../../../core/text.ts';
import { databaseNow } from '../../../database/database-clock.ts';
import { type Em, NOW, row, rows, sql } from '../../../database/sql.ts';
import { deleteFrom, insertInto, selectFrom } from '../../../database/statements.ts';
import { recordEvent } from '../../../events/record-event.ts';
import { type GuessLimit, type GuessRule, TooManyGuesses } from '../../../limits/guess-limit.ts';
import { hasRoom, type KeptRows, tooManyKept } from '../../../limits/kept-rows.ts';
import { OUTBOUND_ADDRESS_CODES, outboundAddressMistake } from '../../../outbound/guarded-addresses.ts';
import { User } from '../../accounts/user.entity.ts';
import type { OwnedTable } from '../../levels/owned.queries.ts';
import { own } from '../../levels/reach.ts';
import { lockOwnerAlone } from '../../teams/lock-owner.ts';
import { dropBusyPeriods, replaceBusyPeriods } from '../busy-periods.ts';
import { nextReading } from '../next-reading.ts';
import {
  addressOf,
  type FeedSettings,
  type FeedText,
  readFeed,
  rowOf,
  sealUnreadable,
  timeKnownFrom,
} from './feed-reader.ts';
import { IcsFeed } from './ics-feed.entity.ts';

const FEED_URL_CODES = OUTBOUND_ADDRESS_CODES;

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

interface SavingSettings extends FeedSettings {
  readonly allowsPrivate: boolean;
  readonly tries: GuessLimit;
}

interface KnownFeed {
  readonly id: string;
  /** Undefined where it cannot be decrypted any more: such a feed can be kept by its id, or removed. */
  readonly url: string | undefined;
}

export const ICS_FEEDS: OwnedTable<typeof IcsFeed> = { entity: IcsFeed, kind: 'icsFeed', owner: 'userId' };

/** The most that somebody can have. */
export const MAX_FEEDS = 10;

const KEPT: KeptRows = { what: 'feeds', most: MAX_FEEDS };

interface FeedsWanted {
  readonly urls: readonly string[];
  /** Feeds that stay, whose addresses the caller need not know. */
  readonly keepIds: readonly OwnedId[];
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
    // One change at a time, so that no address is there twice and no more feeds than there may be.
    await lockOwnerAlone(inner, own(userId));
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
  await requireRoom(em, userId);
  const text = (await readNew(em, userId, [url], [url], settings)).get(url);
  await em.transactional(async (inner) => {
    await lockOwnerAlone(inner, own(userId));
    const now = await knownFeeds(inner, userId, settings);
    if (!text || now.some((feed) => feed.url === url)) return;
    await requireRoom(inner, userId);
    await insertFeed(inner, userId, url, text, settings);
  });
}

/** The same answer for what is not there, for somebody else's, and for a text that is no such id. */
export function feedNotThere(index: number): Problem {
  const message = `The id ${index + 1} is that of no feed of yours; leave it out.`;
  return new Problem('NOT_FOUND', message, ['keepIds', String(index)]);
}

/** Removes one with its busy times; one that is gone already is no mistake. */
export async function removeFeed(em: Em, feed: OwnedId): Promise<void> {
  await em.transactional((inner) => deleteFeed(inner, feed));
}

/** As calendars are asked for: `webcal:` is what programs write that open a calendar (https). */
function tidyFeedUrl(url: string): string {
  return url.trim().replace(/^webcals?:/i, 'https:');
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

const ADVICE: Readonly<Record<string, string>> = {
  TOO_LONG: 'it is too long',
  PRIVATE_ADDRESS: 'it does not lead to the public internet',
  INVALID_URL: 'write it as https://example.com/calendar.ics',
};

/** The mistake in an address, without repeating it. */
function feedUrlMistake(path: Path, url: string, allowsPrivate: boolean): Mistake | undefined {
  const mistake = outboundAddressMistake(path, url, allowsPrivate);
  return (
    mistake && {
      ...mistake,
      message: `Address ${Number(path.at(-1)) + 1} is none that a calendar can be read from: ${ADVICE[mistake.code] ?? ADVICE['INVALID_URL']}.`,
    }
  );
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

/** How many characters of the path and the query may be shown, a quarter of them at most: the rest is the secret. */
const MAX_SHOWN = 6;

/** The parts of an address that are shown: enough for its owner to know it by. */
function shownOf(url: string): { readonly host: string; readonly ending: string } {
  const { host, pathname, search } = new URL(url);
  const rest = pathname + search;
  return { host, ending: rest.slice(rest.length - Math.min(MAX_SHOWN, Math.floor(rest.length / 4))) };
}

async function requireRoom(em: Em, userId: string): Promise<void> {
  const isRoom = hasRoom(KEPT, sql`ics_feeds where user_id = ${userId}`);
  const found = await row(em, sql<{ isRoom: boolean }>`select ${isRoom} as "isRoom"`);
  // At the field of the address, unlike for rows of other kinds: one page has forms for several of them.
  if (!found?.isRoom) throw new Problem('TOO_MANY', tooManyKept(KEPT).message, ['urls']);
}
