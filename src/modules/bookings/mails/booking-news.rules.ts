import type { ClockReader, TimeSpan } from './mail-time.rules.ts';
import type { Said } from './mailed-texts.rules.ts';

/** The change, from the point of view of the reader of the mail. */
export type BookingNews =
  | { readonly kind: 'BOOKED' | 'REQUESTED' | 'CONFIRMED' | 'LOCATION_CHANGED' | 'LINK_MISSED' | 'NEW_LINK' }
  /** It still has to be confirmed. */
  | { readonly kind: 'INVITED'; readonly isToConfirm: boolean }
  | { readonly kind: 'REJECTED'; readonly reason: Said | null }
  | { readonly kind: 'CANCELLED' | 'TIME_WANTED'; readonly reason: Said | null; readonly by: NamedActor }
  | {
      readonly kind: 'RESCHEDULED';
      readonly reason: Said | null;
      readonly by: NamedActor;
      readonly before: TimeSpan | null;
      /** The new time still has to be confirmed. */
      readonly isToConfirm: boolean;
    }
  /** A host is another one now: for those who come, for the old one and for the new one. */
  | (HostChange & { readonly kind: 'HOST_CHANGED' | 'HANDED_OVER' })
  | (HostChange & { readonly kind: 'TAKEN_OVER'; readonly isToConfirm: boolean });
export type NewsKind = BookingNews['kind'];

interface HostChange {
  readonly from: Said;
  /** Null if nobody takes their place, since other hosts remain. */
  readonly to: Said | null;
  readonly reason: Said | null;
}

/** Whether a host has still to answer it. */
export function isToConfirm(news: BookingNews): boolean {
  return news.kind === 'REQUESTED' || ('isToConfirm' in news && news.isToConfirm);
}

/** The host who did it; null: somebody with the booking's address. */
export type NamedActor = { readonly name: Said; readonly isReader: boolean } | null;

export interface MailReader extends ClockReader {
  readonly role: 'ATTENDEE' | 'GUEST' | 'HOST';
  /** The name is null for a guest, who is known by an address alone, and for a booker whose address is not verified. */
  readonly name: Said | null;
}

/** The parts of the sentences; names are one line each. */
export interface NewsFacts {
  readonly booker: string;
  readonly hosts: string;
  /** Null when it was somebody with the booking's address. */
  readonly by: Actor | null;
  readonly from: string;
  /** Empty when the other hosts do it alone. */
  readonly to: string;
  /** Whether several bookings were handed over at once. */
  readonly isSeries: boolean;
  readonly isToConfirm: boolean;
}

/** The actor. Where the reader did it, the verb is another one in most languages. */
export interface Actor {
  readonly name: string;
  readonly isReader: boolean;
}

interface NewsWords {
  readonly heading: string;
  readonly opening: string;
}

/** The words for each kind of reader. */
export type WordsByRole = Readonly<Record<MailReader['role'], NewsWords>>;

export function sameForAll(heading: string, opening: string): WordsByRole {
  return { ATTENDEE: { heading, opening }, GUEST: { heading, opening }, HOST: { heading, opening } };
}
