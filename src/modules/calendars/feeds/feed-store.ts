import type { OwnedId } from '../../../core/id.ts';
import { type Credentials, type CredentialsOf, UnreadableCredentials } from '../../../outbound/credentials.ts';
import type { Outbound } from '../../../outbound/outbound.ts';
import type { UnreadableEvent } from './ics-event.ts';

/** Feeds are read and kept with these. */
export interface FeedSettings {
  readonly outbound: Outbound;
  readonly credentials: Credentials;
  /** For tests: for how long one may be read. */
  readonly maxReadingSeconds?: number;
}

/** The row that an encrypted address belongs to. */
export function rowOf({ ownerId, id }: OwnedId): CredentialsOf {
  return ['ics_feeds', ownerId, id];
}

/** The address of a feed; undefined where what its row holds was encrypted by another key. */
export async function addressOf(credentials: Credentials, feed: OwnedId, sealed: string): Promise<string | undefined> {
  try {
    return String(await credentials.open(sealed, rowOf(feed)));
  } catch (error) {
    if (error instanceof UnreadableCredentials) return undefined;
    throw error;
  }
}

/** Events that could not be read in whole, as the row of their calendar holds them. */
export async function sealUnreadable(
  credentials: Credentials,
  of: CredentialsOf,
  events: readonly UnreadableEvent[],
): Promise<string | null> {
  return events.length === 0 ? null : credentials.seal(events, of);
}

/** The events that could not be read; none where they were encrypted under another key. */
export async function unreadableOf<Event extends UnreadableEvent>(
  credentials: Credentials,
  of: CredentialsOf,
  sealed: string | null,
): Promise<readonly Event[]> {
  if (sealed === null) return [];
  try {
    return (await credentials.open(sealed, of)) as Event[];
  } catch (error) {
    if (error instanceof UnreadableCredentials) return [];
    throw error;
  }
}
