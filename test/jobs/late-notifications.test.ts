/** Whatever happens to a booking before its messages are written: each tells its event, as if it had been written at once. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Em, rows, sql } from '../../src/database/sql.ts';
import { JobRunner } from '../../src/jobs/job-runner.ts';
import type { AttendeeKey, BookingKey } from '../../src/modules/bookings/booking-key.rules.ts';
import { addAttendee, addGuests } from '../../src/modules/bookings/change/add-guests-and-attendees.ts';
import { cancelBooking } from '../../src/modules/bookings/change/cancel-booking.ts';
import { confirmBooking, declineBooking } from '../../src/modules/bookings/change/confirm-booking.ts';
import { requestReschedule, rescheduleBooking } from '../../src/modules/bookings/change/reschedule-booking.ts';
import { rotateUid } from '../../src/modules/bookings/change/rotate-uid.ts';
import { updateLocation } from '../../src/modules/bookings/change/update-location.ts';
import type { BookableEventType } from '../../src/modules/bookings/slots/bookable-event-type.queries.ts';
import { book as bookAs, eventTypeOf, newHosts, slotOn } from '../modules/bookings/support/booked-hosts.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { MailServer } from '../support/mail-server.ts';
import { paced } from '../support/pace.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';
import { headings, kindsWith, namedHosts } from './support/booking-mails.ts';
import { storeWebhooks } from './support/webhooks.ts';

let database: TestDatabase;
let mailServer: MailServer;
let receiver: WebhookReceiver;
let runner: JobRunner;
let bookerId: string;
const em = (): Em => database.em.fork();
beforeAll(async () => {
  database = await openTestDatabase();
  mailServer = await MailServer.open();
  receiver = await WebhookReceiver.open();
  runner = new JobRunner(database.em, kindsWith(mailServer), console);
  [bookerId = ''] = await newHosts(em(), 1);
});
afterAll(async () => {
  await runner.stop();
  await mailServer.close();
  await receiver.close();
  await database.close();
});

const person = (name: string) => ({
  name,
  email: `${name.toLowerCase()}@example.test`,
  timeZone: 'UTC',
  locale: null,
  phone: null,
});

/** A story under way: what has happened is told at once, or only when all of it has. */
interface Story {
  readonly eventType: BookableEventType;
  readonly hostId: string;
  readonly book: (name: string, time?: string) => Promise<BookingKey>;
  readonly hosted: (key: BookingKey) => BookingKey & { readonly hostId: string; readonly network: string };
}

type Step = (story: Story, first: BookingKey) => Promise<unknown>;

function move(time: string): Step {
  return function moving({ eventType }, key) {
    const request = { key, start: slotOn(1, time), durationInMinutes: null, reason: 'Something came up.' };
    return rescheduleBooking(em(), eventType, { ...request, reservationId: null, callerId: null });
  };
}
const cancel: Step = (_story, key) => cancelBooking(em(), undefined, { key, reason: 'Another time.', callerId: null });
const SEATS = { rules: { seats: { perSlot: 3, showsAttendees: false } } } as const;
const BY_HAND = { rules: { confirmation: { type: 'ALWAYS' } } } as const;

const STORIES: readonly (readonly [
  name: string,
  changes: Parameters<typeof eventTypeOf>[1],
  steps: readonly Step[],
])[] = [
  ['a seat moves', SEATS, [move('09:00')]],
  ['a seat moves twice', SEATS, [move('09:00'), move('10:00')]],
  ['a seat moves, and is given back', SEATS, [move('09:00'), cancel]],
  ['a seat is given back', SEATS, [cancel]],
  ['another seat is booked, and the first one moves', SEATS, [({ book }) => book('Lin'), move('09:00')]],
  ['another seat is booked, and the first one is given back', SEATS, [({ book }) => book('Lin'), cancel]],
  ['another seat joins elsewhere, where the first one goes', SEATS, [({ book }) => book('Lin', '11:00'), cancel]],
  ['a booking moves', {}, [move('09:00')]],
  ['a booking moves twice', {}, [move('09:00'), move('10:00')]],
  ['a booking is cancelled', {}, [cancel]],
  ['somebody is added', {}, [({ eventType, hosted }, key) => addAttendee(em(), eventType, hosted(key), person('Lin'))]],
  [
    'guests are added',
    {},
    [({ hosted }, key) => addGuests(em(), hosted(key), ['max@example.test'], { allowsGuests: true })],
  ],
  [
    'its place changes',
    {},
    [({ hosted }, key) => updateLocation(em(), hosted(key), [], { type: 'LINK', url: 'https://meet.example/1' })],
  ],
  ['a request is confirmed, and cancelled', BY_HAND, [({ hosted }, key) => confirmBooking(em(), hosted(key)), cancel]],
  ['a request is declined', BY_HAND, [({ hosted }, key) => declineBooking(em(), hosted(key), 'I am away.')]],
  ['its uid is ended', {}, [({ hosted }, key) => rotateUid(em(), hosted(key), null)]],
  ['a host asks for another time', {}, [({ hosted }, key) => requestReschedule(em(), hosted(key), 'I am away.')]],
];

interface Message {
  readonly type: string;
  readonly data: {
    readonly booking: Record<string, unknown> & { readonly attendees: readonly { readonly email: string }[] };
    readonly attendee?: { readonly email: string } | null;
  };
}

async function told(changes: Parameters<typeof eventTypeOf>[1], steps: readonly Step[], isAtOnce: boolean) {
  const hostIds = await namedHosts(em(), 'Ada');
  const [hostId = ''] = hostIds;
  await storeWebhooks(em(), hostId, [receiver.url()]);
  const eventType = eventTypeOf(hostIds, changes);
  const book = async (name: string, time = '09:00') => {
    const request = { attendee: person(name), guests: eventType.rules.seats ? [] : ['guest@example.test'] };
    return (await bookAs(em(), eventType, slotOn(0, time), request, bookerId)).key;
  };
  const story: Story = { eventType, hostId, book, hosted: (key) => ({ ...key, hostId, network: 'unknown' }) };
  let key = await book('Grace');
  for (const step of steps) {
    if (isAtOnce) await runner.settled();
    const made = await step(story, key);
    // A booking without seats that moves is another one.
    if (step.name === 'moving' && !key.isSeat) key = made as AttendeeKey;
  }
  await runner.settled();
  const written = await rows(
    em(),
    sql<{ payload: string }>`select payload from webhook_deliveries where owner_id = ${hostId}`,
  );
  const messages = written.map(({ payload }) => JSON.parse(payload) as Message);
  return {
    mails: headings(mailServer.mails.splice(0)),
    messages: messages
      .map(({ type, data: { booking, attendee } }) => {
        const { status, guests, cancellationReason, rejectionReason, reschedulingReason } = booking;
        const { isRescheduleRequested, rescheduleRequestReason } = booking;
        const asked = { isRescheduleRequested, rescheduleRequestReason };
        const ends = { cancellationReason, rejectionReason, reschedulingReason, ...asked };
        const isMoved = booking['rescheduledToId'] !== null;
        const all = booking.attendees.map(({ email }) => email);
        // With seats, the others are those who have one as the message is written.
        const attendees = eventType.rules.seats ? all.filter((email) => email === attendee?.email) : all;
        return JSON.stringify({ type, status, attendees, guests, attendee: attendee?.email, isMoved, ...ends });
      })
      .toSorted(),
  };
}

test.each(STORIES)(
  'it is told the same at once and late that %s',
  { timeout: paced(60_000) },
  async (_name, changes, steps) => {
    const atOnce = await told(changes, steps, true);
    expect(atOnce.mails.length).toBeGreaterThan(2);
    expect(atOnce.messages.length).toBeGreaterThan(0);
    expect(await told(changes, steps, false)).toEqual(atOnce);
  },
);
