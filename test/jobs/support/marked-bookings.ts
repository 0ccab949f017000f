/** Bookings in which everybody has left a mark in every text that is theirs, through everything that happens to bookings. */

import { type Em, rows, sql } from '../../../src/database/sql.ts';
import { hostIdsOf } from '../../../src/modules/bookings/booking.entity.ts';
import type { BookingKey } from '../../../src/modules/bookings/booking-key.rules.ts';
import type { BookingRequest } from '../../../src/modules/bookings/booking-request.rules.ts';
import { addAttendee, addGuests } from '../../../src/modules/bookings/change/add-guests-and-attendees.ts';
import { cancelBooking } from '../../../src/modules/bookings/change/cancel-booking.ts';
import { confirmBooking, declineBooking } from '../../../src/modules/bookings/change/confirm-booking.ts';
import { reassignBooking } from '../../../src/modules/bookings/change/reassign-booking.ts';
import { requestReschedule, rescheduleBooking } from '../../../src/modules/bookings/change/reschedule-booking.ts';
import { rotateUid } from '../../../src/modules/bookings/change/rotate-uid.ts';
import { updateLocation } from '../../../src/modules/bookings/change/update-location.ts';
import { awaitLink, giveUpLink } from '../../../src/modules/bookings/conferencing/meeting-link.ts';
import type { BookableEventType } from '../../../src/modules/bookings/slots/bookable-event-type.queries.ts';
import { book, type EventTypeChanges, eventTypeOf, slotOn } from '../../modules/bookings/support/booked-hosts.ts';
import type { ReceivedMail } from '../../support/mail-server.ts';
import { outcomeOf } from '../../support/outcome.ts';

/**
 * Each person writes these; a word of its own for each field, so that a test can tell whose it is and where it stood.
 */
export const MARKS = {
  OWNER: ['OwnerTitle', 'OwnerDescription', 'OwnerPlace'],
  HOST: ['HostName', 'HostReason', 'HostPlace', 'SecondHostName', 'SecondHostReason', 'SecondHostPlace'],
  BOOKER: ['BookerName', 'BookerNotes', 'BookerReason', 'BookerPlace', 'BookerAnswer', 'BookerMetadata'],
  SEATMATE: ['SeatmateName'],
} as const;
export type Marked = keyof typeof MARKS;

export interface World {
  readonly em: () => Em;
  /** The first is the owner. */
  readonly hostIds: readonly string[];
  /** The booker, signed in; null is nobody. */
  readonly bookerId: string | null;
  /** Sends what is due. */
  readonly mails: () => Promise<readonly ReceivedMail[]>;
}

export const BOOKER = { name: 'BookerName', email: 'booker@example.test', timeZone: 'UTC', locale: null, phone: null };
const SEATMATE = { ...BOOKER, name: 'SeatmateName', email: 'seatmate@example.test' };
const ADDED = { ...BOOKER, name: 'Added', email: 'added@example.test' };
const FIELD = { slug: 'q', type: 'TEXT', label: 'Q', isRequired: false, options: [], placeholder: null } as const;
const HOSTS_PLACE = { id: 'loc_1', type: 'ADDRESS', value: 'OwnerPlace', label: null } as const;
const BOOKERS_PLACE = { id: 'loc_2', type: 'ATTENDEE_ADDRESS', value: null, label: null } as const;

/** Everybody who has a name has it as a mark. */
export async function nameHosts(em: Em, hostIds: readonly string[]): Promise<void> {
  for (const [index, id] of hostIds.entries()) {
    await rows(
      em,
      sql`update users set name = ${index === 0 ? 'HostName' : 'SecondHostName'}, email = ${`host-${index}-${id.toLowerCase()}@acme.example`}
          where id = ${id}`,
    );
  }
}

/** Everything that anybody is mailed about, by each who can do it. @returns all mails */
export async function everythingHappens(world: World): Promise<readonly ReceivedMail[]> {
  const stories = [told, asked, movedAndCalledOff, handedOver, seated, inSeries, inAnApp];
  const all: ReceivedMail[] = [];
  // From Monday to Friday, and on.
  for (const [index, story] of stories.entries()) {
    all.push(...(await new Story(world, index + 2 * Math.floor(index / 5)).play(story)));
  }
  return all;
}

type Plot = (story: Story) => Promise<void>;

/** Plots take place on days of their own. */
class Story {
  readonly #world: World;
  readonly #day: number;
  readonly #mails: ReceivedMail[] = [];

  constructor(world: World, day: number) {
    this.#world = world;
    this.#day = day;
  }

  async play(plot: Plot): Promise<readonly ReceivedMail[]> {
    await plot(this);
    await this.turnPage();
    return this.#mails;
  }

  /** Mails what has happened before anything else does. */
  async turnPage(): Promise<readonly ReceivedMail[]> {
    const mails = await this.#world.mails();
    this.#mails.push(...mails);
    return mails;
  }

  get em(): Em {
    return this.#world.em();
  }

  get hostIds(): readonly string[] {
    return this.#world.hostIds;
  }

  get bookerId(): string | null {
    return this.#world.bookerId;
  }

  at(time: string): Temporal.Instant {
    return slotOn(this.#day, time);
  }

  eventType(changes: EventTypeChanges = {}): BookableEventType {
    return eventTypeOf(this.hostIds, {
      title: 'OwnerTitle',
      description: 'OwnerDescription',
      bookingFields: [FIELD],
      locations: [HOSTS_PLACE, BOOKERS_PLACE],
      ...changes,
    });
  }

  async book(eventType: BookableEventType, time: string, changes: Partial<BookingRequest> = {}): Promise<BookingKey> {
    const own = {
      attendee: BOOKER,
      guests: ['guest@example.test'],
      notes: 'BookerNotes',
      responses: { q: 'BookerAnswer' },
      metadata: { key: 'BookerMetadata' },
    };
    const { key } = await book(this.em, eventType, this.at(time), { ...own, ...changes }, this.bookerId);
    await this.turnPage();
    return key;
  }

  async move(eventType: BookableEventType, key: BookingKey, time: string, callerId: string | null, reason: string) {
    const asked = { key, start: this.at(time), durationInMinutes: null, reason, reservationId: null, callerId };
    const by = { userId: callerId ?? this.bookerId, network: null };
    const moved = await rescheduleBooking(this.em, eventType, { ...asked, by });
    await this.turnPage();
    return moved;
  }

  async cancel(key: BookingKey, callerId: string | null, reason: string): Promise<void> {
    await cancelBooking(this.em, undefined, {
      key,
      reason,
      callerId,
      by: { userId: callerId ?? this.bookerId, network: null },
    });
    await this.turnPage();
  }

  reasonOf(hostId: string): string {
    return hostId === this.hostIds[0] ? 'HostReason' : 'SecondHostReason';
  }
}

/** Agreed on at once; each host says where it is, adds people and, with the booker, moves it and calls it off. */
async function told(story: Story): Promise<void> {
  const eventType = story.eventType();
  let key = await story.book(eventType, '09:00');
  for (const [index, hostId] of story.hostIds.entries()) {
    const hosted = { ...key, hostId, network: 'unknown' };
    const place = { type: 'ADDRESS', address: index === 0 ? 'HostPlace' : 'SecondHostPlace' } as const;
    await updateLocation(story.em, hosted, [], place);
    await story.turnPage();
    // An unverified host is refused these, which a test of its own shows.
    await outcomeOf(addGuests(story.em, hosted, [`more-${index}@example.test`], { allowsGuests: true }));
    await outcomeOf(addAttendee(story.em, eventType, hosted, { ...ADDED, email: `added-${index}@example.test` }));
    await story.turnPage();
    key = await story.move(eventType, key, `1${index}:00`, hostId, story.reasonOf(hostId));
  }
  key = await story.move(eventType, key, '14:00', null, 'BookerReason');
  await story.cancel(key, null, 'BookerReason');
  await story.cancel(await story.book(eventType, '15:00'), story.hostIds[0] ?? '', 'HostReason');
  const said = { type: null, address: 'BookerPlace', id: BOOKERS_PLACE.id };
  await story.cancel(await story.book(eventType, '16:00', { location: said }), null, 'BookerReason');
}

/** Requested: confirmed by the last host, declined by the first. */
async function asked(story: Story): Promise<void> {
  const eventType = story.eventType({ rules: { confirmation: { type: 'ALWAYS' } } });
  const key = await story.book(eventType, '09:00');
  await confirmBooking(story.em, { ...key, hostId: story.hostIds.at(-1) ?? '', network: 'unknown' });
  await story.turnPage();
  await story.move(eventType, key, '10:00', null, 'BookerReason');
  for (const [index, hostId] of story.hostIds.entries()) {
    const declined = await story.book(eventType, `1${index + 2}:00`);
    await declineBooking(story.em, { ...declined, hostId, network: 'unknown' }, story.reasonOf(hostId));
  }
}

/** Another time is wanted, and found. */
async function movedAndCalledOff(story: Story): Promise<void> {
  const eventType = story.eventType();
  for (const [index, hostId] of story.hostIds.entries()) {
    const key = await story.book(eventType, index === 0 ? '09:00' : '11:00');
    await requestReschedule(story.em, { ...key, hostId, network: 'unknown' }, story.reasonOf(hostId));
    await story.turnPage();
    const moved = await story.move(eventType, key, index === 0 ? '10:00' : '12:00', null, 'BookerReason');
    await rotateUid(story.em, { ...moved, hostId, network: 'unknown' }, null);
    await story.turnPage();
  }
}

/** From one host to the other, and back. */
async function handedOver(story: Story): Promise<void> {
  if (story.hostIds.length < 2) return;
  const eventType = story.eventType({ rules: { schedulingType: 'ROUND_ROBIN' } });
  const key = await story.book(eventType, '09:00');
  for (const _ of story.hostIds) {
    const [found] = await rows(
      story.em,
      sql<{ hostId: string }>`select (${hostIdsOf('bookings')})[1] as "hostId" from bookings where id = ${key.id}`,
    );
    await reassignBooking(story.em, eventType, { ...key, hostId: found?.hostId ?? '', network: 'unknown' }, null);
    await story.turnPage();
  }
}

/** Its link is awaited, and does not come. */
async function inAnApp(story: Story): Promise<void> {
  const app = { id: 'loc_3', type: 'CONFERENCING', value: 'zoom', label: null } as const;
  const key = await story.book(story.eventType({ locations: [app] }), '09:00');
  await awaitLink(story.em, key, 'Zoom');
  const [found] = await rows(
    story.em,
    sql<{ icsId: string }>`select ics_id as "icsId" from bookings where id = ${key.id}`,
  );
  await giveUpLink(story.em, { ...key, icsId: found?.icsId ?? '', by: { userId: story.bookerId, network: null } });
}

/** Two in one meeting, who see each other's names. */
async function seated(story: Story): Promise<void> {
  const eventType = story.eventType({
    rules: { seats: { perSlot: 4, showsAttendees: true } },
    locations: [HOSTS_PLACE],
  });
  const bare = { guests: [], metadata: {} };
  const key = await story.book(eventType, '09:00', bare);
  const other = await book(story.em, eventType, story.at('09:00'), { attendee: SEATMATE });
  await story.turnPage();
  await story.move(eventType, key, '10:00', null, 'BookerReason');
  await story.cancel(key, null, 'BookerReason');
  await story.cancel(other.key, null, 'BookerReason');
}

async function inSeries(story: Story): Promise<void> {
  const recurrence = { frequency: 'WEEKLY', interval: 1, occurrences: 2 } as const;
  await story.book(story.eventType({ rules: { recurrence } }), '09:00');
}
