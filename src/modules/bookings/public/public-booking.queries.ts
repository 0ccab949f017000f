/** A booking as anybody may see it who has its uid, in the API and on its page, and what they may do with it. */
import type { OwnedId } from '../../../core/id.ts';
import { Problem } from '../../../core/problem.ts';
import { Selection } from '../../../database/columns.ts';
import { databaseNow } from '../../../database/database-clock.ts';
import { readOne } from '../../../database/lanes.ts';
import { type Em, type RawBuilder, sql } from '../../../database/sql.ts';
import { User } from '../../accounts/user.entity.ts';
import { PERSON } from '../../accounts/user.queries.ts';
import { type Brand, findBrand } from '../../teams/team.queries.ts';
import { Booking, BookingAttendee, BookingHost } from '../booking.entity.ts';
import {
  type BookingRow,
  bookingWith,
  findBooking,
  findSeriesNow,
  type Guest,
  guestsOf,
  type SeriesBooking,
} from '../booking.queries.ts';
import { type BookingKey, keyOfBooking } from '../booking-key.rules.ts';
import { type AnsweredQuestion, answeredQuestions } from '../booking-request.rules.ts';
import { type BookingActor, isOver, movingMistake } from '../booking-transitions.rules.ts';
import { findRestOfSeries, type RestOfSeries, requireCancellable } from '../change/cancel-booking.ts';
import { ATTENDEES, HOSTS } from '../lists/booking-parts.queries.ts';
import { type BookableEventType, findEventTypeRules } from '../slots/bookable-event-type.queries.ts';
import {
  attendeeWith,
  type BookingConfirmation,
  type ConfirmableBooking,
  confirmationFor,
  type NameOf,
  type PublicUser,
} from './public-booking.rules.ts';

/** A booking may have a thousand attendees, with long notes and answers that nobody else is shown. */
const CONFIRMABLE = new Selection(
  Booking,
  [
    'ownerId',
    'id',
    'title',
    'description',
    'managedBy',
    'status',
    'startsAt',
    'endsAt',
    'location',
    'guestEmails',
    'heldGuestEmails',
    'cancellationReason',
    'rejectionReason',
    'reschedulingReason',
    'rescheduleRequested',
    'rescheduledToId',
    'seats',
  ],
  [
    { part: ATTENDEES, of: new Selection(BookingAttendee, ['name', 'email', 'timeZone', 'seatId']) },
    {
      part: HOSTS,
      of: new Selection(BookingHost, [], [{ part: PERSON, of: new Selection(User, ['name', 'avatarUrl']) }]),
    },
  ],
).from('b') as RawBuilder<Found>;

interface Found
  extends Omit<ConfirmableBooking<string>, 'start' | 'end' | 'hosts' | 'guestEmails' | 'heldGuestEmails'> {
  readonly guestEmails: readonly string[] | null;
  readonly heldGuestEmails: readonly string[] | null;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly hosts: readonly { readonly user: PublicUser }[];
}

/** Finds the parts of a booking that anybody with its uid, or with the uid of one of its seats, is shown. */
export async function findConfirmable(em: Em, key: BookingKey): Promise<ConfirmableBooking<string> | undefined> {
  const found = await readOne(em, sql<Found>`select ${CONFIRMABLE} from bookings b where ${bookingWith(key)}`);
  if (!found) return undefined;
  const { startsAt: start, endsAt: end, hosts, guestEmails, heldGuestEmails, ...booking } = found;
  const guests = { guestEmails: guestEmails ?? [], heldGuestEmails: heldGuestEmails ?? [] };
  return { ...booking, ...guests, start, end, hosts: hosts.map(({ user }) => user) };
}

/** The answers, notes and guests that a booker has sent with the form. */
export interface SentByBooker {
  readonly answers: readonly AnsweredQuestion[];
  readonly notes: string | null;
  readonly guests: readonly Guest[];
}

/** A booking for the page that anybody with its uid may open. */
export interface BookingForPage {
  readonly key: BookingKey;
  readonly nameOf: NameOf;
  /** The host who comes by its id; null for the holder of the uid. */
  readonly hostId: string | null;
  readonly confirmation: BookingConfirmation<string>;
  /** Undefined when it is gone: then nothing can be rescheduled. */
  readonly eventType: BookableEventType | undefined;
  /** The brand of the booked owner. */
  readonly brand: Brand;
  readonly actor: BookingActor;
  readonly isOver: boolean;
  readonly canCancel: boolean;
  readonly canReschedule: boolean;
  /**
   * The rest of its series, which can be cancelled with it, or in its place; nothing for readers who may not cancel the
   * series.
   */
  readonly rest: RestOfSeries;
  /**
   * The input of the person who holds the key, for them to check. With a seat's key, it is that of the attendee in the
   * seat.
   */
  readonly sent: SentByBooker | null;
  /** The other bookings of a series, for the first of them, whose uid its booker was given first. */
  readonly series: readonly (Omit<SeriesBooking, 'id'> & { readonly name: string })[];
}

/**
 * A booking, or a seat in one, and what its reader can do with it at this moment: the holder of the uid or, by the id, a host of it;
 * undefined if there is no such booking for them.
 */
export async function findBookingForPage(
  em: Em,
  key: BookingKey,
  { nameOf, hostId }: Pick<BookingForPage, 'nameOf' | 'hostId'>,
): Promise<BookingForPage | undefined> {
  const booking = await findBooking(em, key);
  const confirmation = booking && confirmationFor(booking, key, nameOf);
  if (!confirmation || (hostId !== null && !booking.hostIds.includes(hostId))) return undefined;
  const eventType = await findEventTypeRules(em, { ownerId: booking.ownerId, id: booking.eventTypeId });
  const actor: BookingActor = hostId === null ? 'UID_HOLDER' : 'HOST';
  const now = await databaseNow(em);
  // A host has to give a reason, but need not have it yet.
  const move = { booking, actor, reason: actor === 'HOST' ? '…' : null, now };
  return {
    key,
    nameOf,
    hostId,
    confirmation,
    eventType,
    brand: await findBrand(em, booking.ownerId),
    actor,
    isOver: isOver(booking, now),
    canCancel: isPossible(() => requireCancellable(eventType?.rules, move)),
    canReschedule: eventType !== undefined && !movingMistake(eventType.rules, booking, actor, now),
    rest: await findRestOfSeries(em, eventType?.rules, booking, { key, callerId: hostId }),
    sent: sentBy(booking, key, eventType),
    series: booking.recurringId === booking.id ? await findFollowing(em, booking, nameOf) : [],
  };
}

function sentBy(booking: BookingRow, key: BookingKey, eventType: BookableEventType | undefined): SentByBooker | null {
  const holder = attendeeWith(key, booking);
  if (!holder) return null;
  return {
    answers: answeredQuestions(holder.responses, eventType?.bookingFields ?? []),
    notes: holder.notes,
    guests: booking.seats ? [] : guestsOf(booking),
  };
}

async function findFollowing(
  em: Em,
  { ownerId, id: firstId }: OwnedId,
  nameOf: NameOf,
): Promise<BookingForPage['series']> {
  return (await findSeriesNow(em, { ownerId, id: firstId }))
    .filter(({ madeId }) => madeId !== firstId)
    .map(({ id, uidVersion, start, status }) => ({
      start,
      status,
      name: nameOf(keyOfBooking({ ownerId, id, uidVersion })),
    }));
}

function isPossible(require: () => unknown): boolean {
  try {
    require();
    return true;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}
