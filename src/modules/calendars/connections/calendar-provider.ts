/**
 * connections/ owns calendars that are kept by others, in accounts of a user's: the accounts, which of their calendars say
 * when somebody is busy, and which one bookings are written to. Each kind of account is one CalendarProvider.
 */
import type { CpuLeft } from '../busy-calendar.rules.ts';
import type { ListedAccount, NewEntry } from './calendar-connection.rules.ts';

/** Events are read within this time, in epoch milliseconds. */
export interface EventRange {
  readonly start: number;
  readonly end: number;
  /** A lower limit for the size of the answer than the provider’s own, where somebody waits. */
  readonly maxAnswerBytes?: number;
  /** For reading the answers; left out: as much as that takes. */
  readonly cpuLeft?: CpuLeft;
  /** Whether it is less than the time in which the calendar is known. */
  readonly isPart?: boolean;
  /** Ends the questions to the provider. */
  readonly signal?: AbortSignal | undefined;
}

/** One iCalendar object of a calendar, with names of a few characters: of the object, and of its state. Null: it has none. */
export interface CalendarObject {
  readonly name: string | null;
  readonly etag: string | null;
  readonly text: string;
}

/** A calendar as the last reading left it. */
export interface KnownContent {
  /** Its state then; null: its word is not trusted, or it has none. */
  readonly state: string | null;
  /** The state of each of its objects, by its name. Undefined: that is not known any more. */
  readonly etags: () => Promise<ReadonlyMap<string, string> | undefined>;
}

/** The objects of a calendar, or those that differ from the last reading. */
export interface CalendarContent {
  /** The calendar's state (its sync-token and ctag). Null: the provider names none. */
  readonly state: string | null;
  /** Null: the calendar is as it was at the state that is known. */
  readonly objects: readonly CalendarObject[] | null;
  /** Left out: `objects` are all that there are. Else they are those that are new or have changed, and these are not there any more. */
  readonly gone?: readonly string[];
  /** By which its user is invited, besides the name of the account, as far as anybody needs to know: where something was declined. */
  readonly addresses?: readonly string[];
}

/** An entry as it stands in a calendar. */
export interface KeptEntry {
  readonly externalId: string;
  /** The provider knows this state of it by this. Null: it has not said. */
  readonly etag: string | null;
}

/** One kind of account. Every method rejects with a CalendarFailure. `authorization`: the header that shows whose account it is. */
export interface CalendarProvider {
  /** Whether the account can be reached. */
  check(authorization: string): Promise<void>;
  list(authorization: string): Promise<ListedAccount>;
  /** `known`: left out, all of it is read. */
  read(authorization: string, calendarId: string, range: EventRange, known?: KnownContent): Promise<CalendarContent>;
  /** Writes an entry, in place of what is `kept` of it; writing it again changes nothing. */
  write(authorization: string, calendarId: string, entry: NewEntry, kept: KeptEntry | undefined): Promise<KeptEntry>;
  /**
   * Looks for an entry whose writing may have been answered to nobody, and gives what the provider knows it by; undefined:
   * there is none. `icsId`: as NewEntry has it.
   */
  find(authorization: string, calendarId: string, icsId: string): Promise<string | undefined>;
  /** Takes it out. It may be gone already. */
  remove(authorization: string, entry: Pick<KeptEntry, 'externalId'>): Promise<void>;
}

/**
 * REFUSED: the account does not let us in. REVOKED: nor will it ever, until its user connects it anew. GONE: the calendar is
 * not there. UNREADABLE: it is too large. UNAVAILABLE: it may work later.
 */
export type FailureKind = 'REFUSED' | 'REVOKED' | 'GONE' | 'UNREADABLE' | 'UNAVAILABLE';

/**
 * The reasons that a kind leaves out, and that are shown to somebody who connects an account. APP_PASSWORD: the server wants
 * one that was made for an app. NO_PASSWORDS: it takes none at all. NOT_CALDAV: the server does not speak CalDAV. INSIDE: the
 * address is inside our network.
 */
export type FailureReason = 'APP_PASSWORD' | 'NO_PASSWORDS' | 'NOT_CALDAV' | 'CERTIFICATE' | 'INSIDE';

interface FailureDetails {
  /** When the provider wants to be asked again. */
  readonly retryInSeconds?: number | undefined;
  /** Whether its server says that of itself, and not of the account (RFC 9110 §15.6.4). */
  readonly isOfServer?: boolean;
  readonly reason?: FailureReason | undefined;
}

/** Why an account or a calendar does not do what it should. The message is for its user, and holds nothing secret. */
export class CalendarFailure extends Error {
  override readonly name = 'CalendarFailure';
  readonly kind: FailureKind;
  readonly retryInSeconds: number | undefined;
  readonly isOfServer: boolean;
  readonly reason: FailureReason | undefined;

  constructor(kind: FailureKind, message: string, { retryInSeconds, isOfServer = false, reason }: FailureDetails = {}) {
    super(message);
    this.kind = kind;
    this.retryInSeconds = retryInSeconds;
    this.isOfServer = isOfServer;
    this.reason = reason;
  }
}

/** The server leads to a host that what opens the account does not go to. */
export class UntrustedHost extends CalendarFailure {
  /** With its port, where that is not the usual one. */
  readonly host: string;

  constructor(host: string) {
    super('UNAVAILABLE', `The server leads to another one, ${host}, which is not trusted.`);
    this.host = host;
  }
}
