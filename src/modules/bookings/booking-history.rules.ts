/**
 * Keeps what has happened to a booking, for its hosts. With seats, it keeps what happens to the meeting, and not to
 * each seat.
 */
interface Entry {
  /** A host, or an administrator of its owner; null: the holder of the uid, such as the booker. */
  readonly by: string | null;
}

interface Reasoned extends Entry {
  readonly reason: string | null;
}

/** Something that has happened, in order to be kept with the booking. */
export type HistoryEntry =
  | (Entry & {
      readonly kind: 'CONFIRMED' | 'LOCATION_CHANGED' | 'ATTENDEE_ADDED' | 'ABSENCE_MARKED' | 'GUESTS_INVITED';
    })
  /** `DISOWNED`: whoever reads the attendee's mails says that they have not booked. */
  | (Entry & { readonly kind: 'UID_ROTATED' | 'DISOWNED' })
  | (Entry & { readonly kind: 'GUESTS_ADDED'; readonly count: number })
  /** `MOVED` stands for a booking that another one follows. */
  | (Reasoned & { readonly kind: 'DECLINED' | 'RESCHEDULE_REQUESTED' | 'CANCELLED' | 'MOVED' })
  /** `toHostId` is null where the other hosts do it alone. */
  | (Reasoned & { readonly kind: 'HANDED_OVER'; readonly fromHostId: string; readonly toHostId: string | null });

/** An entry with the time at which it happened, as the database writes times. */
export type KeptEntry = HistoryEntry & { readonly at: string };

/** The most entries that are kept, the latest: hosts can change a place, or mark absences, as often as they like. */
export const KEPT_ENTRIES = 100;

/** One booking in the line of those that a meeting has moved through, as a reader of its history sees it. */
export interface HistoryStage {
  readonly id: string;
  /** RFC 3339, as the database writes it; so are the other times. */
  readonly start: string;
  readonly createdAt: string;
  readonly hostIds: readonly string[];
  readonly history: readonly KeptEntry[];
  /** The names of the people in the entries who are still there, by their ids. */
  readonly names: Readonly<Record<string, string>>;
}
