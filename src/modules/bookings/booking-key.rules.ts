import { ID_TAGS, type OwnedId, ownedIdOf, publicOwnedId } from '../../core/id.ts';
import { metricText } from '../../core/metric.ts';
import { Problem } from '../../core/problem.ts';
import { equalsInConstantTime, macOf } from '../../core/secret.ts';

/** A booking, or a seat in one, that a command or a look-up is about. */
export interface BookingKey extends OwnedId {
  readonly isSeat?: boolean;
  /** The version of the uid by which somebody comes, which the row must have. Left out where they come by another right. */
  readonly version?: number | undefined;
}

/** The key of an attendee: it lets them see, cancel and move the booking, or their seat, until the version is raised. */
export interface AttendeeKey extends BookingKey {
  readonly version: number;
}

/** The key of the booking's attendee, by its row. */
export function keyOfBooking({ ownerId, id, uidVersion }: OwnedId & { readonly uidVersion: number }): AttendeeKey {
  return { ownerId, id, version: uidVersion };
}

/** The key of the attendee who has this seat. */
export function keyOfSeat(
  ownerId: string,
  seatId: string,
  { uidVersion }: { readonly uidVersion: number },
): AttendeeKey {
  return { ownerId, id: seatId, isSeat: true, version: uidVersion };
}

// No id begins like a uid (core/id.ts): neither is ever taken for the other.
const TAGS = { booking: 'uid_', seat: 'uis_', reservation: 'uir_', file: 'ucb_', seatFile: 'ucs_' } as const;
type Opened = keyof typeof TAGS;
const KINDS = new Map<string, Opened>(Object.entries(TAGS).map(([kind, tag]) => [tag, kind as Opened]));
/** The number of the key in one digit, the version in three, owner and id as they stand in an id, the code of 128 bits. */
const SHAPE =
  /^(?<tag>ui[dsr]_|uc[bs]_)(?<named>(?<number>[\da-z])(?<version>[\da-z]{3})(?<id>[\w-]{43}))(?<code>[\w-]{22})$/;
const ID_START = `${ID_TAGS.booking}_`;
const DIGITS = 36;
/** The greatest of the column, which three digits hold. */
export const MAX_UID_VERSION = 32_767;
const CODE_BYTES = 16;

/** The keys that uids are written by, by their numbers. */
export interface UidKeys {
  readonly keys: ReadonlyMap<number, Uint8Array>;
  /** The number of the one that writes now. All of them read: a uid lives as long as its key, its booking and its version. */
  readonly writer: number;
}

/**
 * Writes and reads uids, the keys of attendees: what a uid is of, and a code behind it that only this service can make. So nobody
 * comes from an id to its uid, and no column keeps any. What leaves the service for anybody else has ids.
 */
export class Uids {
  readonly #keysNow: () => UidKeys;
  #wrong = 0;

  constructor(keysNow: () => UidKeys) {
    this.#keysNow = keysNow;
  }

  /** The uid by which an attendee comes. */
  of({ isSeat = false, version, ...key }: AttendeeKey): string {
    return this.#written(isSeat ? 'seat' : 'booking', key, version);
  }

  /** The uid by which a reservation is booked, moved and given back. It ends with the reservation. */
  ofReservation(reservation: OwnedId): string {
    return this.#written('reservation', reservation, 0);
  }

  /** Undefined for a text that is no uid. Whether its version still stands, the row says (`bookingWith`). */
  read(uid: string): AttendeeKey | undefined {
    const found = this.#read(uid, ['booking', 'seat']);
    return found && { ...found.id, isSeat: found.kind === 'seat', version: found.version };
  }

  /** Undefined for a text that is no uid of a reservation. */
  readReservation(uid: string): OwnedId | undefined {
    return this.#read(uid, ['reservation'])?.id;
  }

  /** The code of the calendar file of a booking or a seat: it lets read that, and is no uid. */
  ofFile({ isSeat = false, version, ...key }: AttendeeKey): string {
    return this.#written(isSeat ? 'seatFile' : 'file', key, version);
  }

  /** Undefined for a text that is no such code. */
  readFile(code: string): AttendeeKey | undefined {
    const found = this.#read(code, ['file', 'seatFile']);
    return found && { ...found.id, isSeat: found.kind === 'seatFile', version: found.version };
  }

  #written(kind: Opened, { ownerId, id }: OwnedId, version: number): string {
    const number = this.#keysNow().writer;
    const named =
      number.toString(DIGITS) +
      version.toString(DIGITS).padStart(3, '0') +
      publicOwnedId('booking', { ownerId, id }).slice(ID_START.length);
    return TAGS[kind] + named + this.#codeOf(kind, number, named);
  }

  #read(uid: string, kinds: readonly Opened[]): { kind: Opened; id: OwnedId; version: number } | undefined {
    const { tag = '', named = '', number = '', version = '', id = '', code = '' } = SHAPE.exec(uid)?.groups ?? {};
    const kind = KINDS.get(tag);
    if (!kind || !kinds.includes(kind)) return undefined;
    const isOurs = equalsInConstantTime(code, this.#codeOf(kind, Number.parseInt(number, DIGITS), named));
    const found = isOurs ? ownedIdOf('booking', ID_START + id) : undefined;
    if (!found) this.#wrong += 1;
    return found && { kind, id: found, version: Number.parseInt(version, DIGITS) };
  }

  /** How often somebody has come with a uid that this service has not written, in Prometheus' format. */
  metrics(worker?: number): string {
    const help = 'Uids of bookings that were shown to this process, and that the service has not written.';
    return metricText({ name: 'gatehouse_wrong_uids_total', type: 'counter', help }, [
      { labels: { worker }, value: this.#wrong },
    ]);
  }

  /** Without such a key, that of no uid. */
  #codeOf(kind: Opened, number: number, named: string): string {
    const key = this.#keysNow().keys.get(number);
    return key ? macOf(key, kind, named).toString('base64url', 0, CODE_BYTES) : '';
  }
}

/** The booking or seat that a uid opens. @throws Problem NOT_FOUND for a text that is not a uid */
export function requireBookingKey(uids: Uids, uid: string): AttendeeKey {
  const key = uids.read(uid);
  if (!key) throw uidNotFound();
  return key;
}

/** The same answer for a booking that is not there, for somebody else's, and for a text that is no id. */
export function bookingNotFound(named: BookingKey | string): Problem {
  if (typeof named !== 'string' && named.version !== undefined) return uidNotFound();
  const id = typeof named === 'string' ? named : publicOwnedId('booking', named);
  return new Problem('NOT_FOUND', `There is no booking ${JSON.stringify(id.slice(0, 100))} here.`, ['bookingId']);
}

/** The same for a text that is no uid, and for one that was ended. The uid itself stays out of messages, which others may read. */
function uidNotFound(): Problem {
  return new Problem('NOT_FOUND', 'No booking has this uid: it is mistyped, or it was ended.', ['bookingId']);
}

/** The same answer for a reservation that is over, for one that never was, and for a text that is no such uid. The uid stays out of messages. */
export function reservationNotFound(): Problem {
  const message = 'No reservation has this uid, or it is over; reserve the slot again, or go on without it.';
  return new Problem('NOT_FOUND', message, ['reservationUid']);
}
