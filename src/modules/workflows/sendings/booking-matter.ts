import { zoneName } from '../../../core/instant.ts';
import { listed } from '../../../core/language.ts';
import { oneLine } from '../../../core/text.ts';
import { type Em, row } from '../../../database/sql.ts';
import { selectFrom } from '../../../database/statements.ts';
import type { BookingChange, BookingRow } from '../../bookings/booking.queries.ts';
import { statusAfterEvent } from '../../bookings/booking-transitions.rules.ts';
import { bookingMailWords } from '../../bookings/mails/booking-mail.rules.ts';
import { calendarsFor } from '../../bookings/mails/booking-mail.ts';
import { factsFor, type MailedPages, pageFor } from '../../bookings/mails/booking-mail-meeting.ts';
import {
  attendeeReceivers,
  attendeesOf,
  hostReceivers,
  type Receiver,
  type Trigger,
  triggerOf,
} from '../../bookings/mails/booking-mail-receivers.ts';
import { noteUnsent } from '../../bookings/mails/mail-outcomes.ts';
import { dateText, timeText } from '../../bookings/mails/mail-time.rules.ts';
import { EventType } from '../../event-types/event-type.entity.ts';
import type { Response } from '../../event-types/settings/field-answers.rules.ts';
import type { Location } from '../../event-types/settings/location.rules.ts';
import type { SendingTeam } from '../verified-receivers.queries.ts';
import type { WorkflowAction, WorkflowStep } from '../workflow.rules.ts';
import { type BookingValues, NOTHING } from '../workflow-variables.rules.ts';
import { type Addressee, type Matter, oneForEachMailbox } from './matter.ts';

/** A booking that messages are about. */
export interface BookingMatter extends Matter {
  readonly booking: BookingRow;
}

/** A receiver of mails about bookings, and for an SMS the number. */
interface Found {
  readonly receiver: Receiver;
  readonly number?: string;
  /** The digest of the network from which an attendee has booked, if it counts. */
  readonly bookedFrom?: string | null | undefined;
  /** Whether they are told only that something happened. */
  readonly isThin?: boolean;
}

interface Looking {
  readonly step: WorkflowStep;
  readonly team: SendingTeam;
  /** The slugs of the fields that ask the booker for a number, in their order. */
  readonly asksNumber: readonly string[];
}

/** A team writes in a language of its own, which it does not name: the notes in the place of a name are in English. */
const LANGUAGE_OF_TEXTS = 'en';

const RECEIVERS: Readonly<Record<WorkflowAction, (trigger: Trigger, looking: Looking) => readonly Found[]>> = {
  EMAIL_HOST: (trigger) =>
    hostReceivers(ofHostsNow(trigger)).flatMap((receiver) =>
      receiver.recipient.listener === 'VERIFIED_HOST' ? [{ receiver }] : [],
    ),
  EMAIL_ATTENDEE: (trigger) => attendeesFound(trigger),
  EMAIL_ADDRESS: (trigger, { step, team }) => beside(trigger, step.sendTo, team),
  SMS_ATTENDEE: (trigger, { asksNumber }) => {
    const attendees = attendeesOf(trigger);
    return attendeesFound(trigger).flatMap((found, index) => {
      const number = numberGivenBy(attendees[index]?.attendee, trigger.booking, asksNumber);
      return number === undefined ? [] : [{ ...found, number }];
    });
  },
  SMS_NUMBER: (trigger, { step, team }) =>
    beside(trigger, step.sendTo, team).map((found) => ({ ...found, number: found.receiver.email })),
};

/** The booking of an event, with what is asked for by these steps; undefined where nothing is told of it. */
export async function bookingMatter(
  em: Em,
  event: BookingChange,
  steps: readonly WorkflowStep[],
): Promise<BookingMatter | undefined> {
  const trigger = await triggerOf(em, event);
  if (!trigger) return undefined;
  const { booking } = trigger;
  const asksNumber = steps.some(({ action }) => action === 'SMS_ATTENDEE') ? await findPhoneFields(em, booking) : [];
  return {
    id: booking.id,
    ownerId: booking.ownerId,
    booking,
    addresseesOf: (step, team) => {
      if (!trigger.verified.isOwner) return [];
      const found = RECEIVERS[step.action](trigger, { step, team, asksNumber });
      return oneForEachMailbox(found.map((one) => addresseeOf(one, trigger)));
    },
    noteUnsent: (inner, count) => noteUnsent(inner, booking, count),
  };
}

/** The hosts without those who have handed the booking over since. */
function ofHostsNow(trigger: Trigger): Trigger {
  const { hosts, booking } = trigger;
  return { ...trigger, hosts: hosts.filter(({ id }) => booking.hostIds.includes(id)) };
}

function attendeesFound(trigger: Trigger): readonly Found[] {
  const attendees = attendeesOf(trigger);
  return attendeeReceivers(trigger).map((receiver, index) => ({
    receiver,
    bookedFrom: attendees[index]?.attendee.bookedFrom,
  }));
}

/**
 * Somebody beside the booking, whose address or number the team has verified: they are told what guests are, and no
 * link.
 */
function beside(
  { event, booking }: Trigger,
  sendTo: string | null,
  { timeZone, verified }: SendingTeam,
): readonly Found[] {
  const mayRead = sendTo === null ? undefined : verified.get(sendTo);
  if (sendTo === null || mayRead === undefined) return [];
  const receiver: Receiver = {
    reader: { role: 'GUEST', name: null, timeZone, locale: 'en', timeFormat: null },
    recipient: { listener: 'ANYBODY', locale: 'en' },
    email: sendTo,
    news: { kind: 'BOOKED' },
    key: null,
    status: statusAfterEvent(event.type, booking.status),
  };
  return [{ receiver, isThin: !mayRead }];
}

/**
 * The number that an attendee has given where the booking form asked for one: the answer to the first field that asks for it or,
 * where hosts call who has booked, the number to call, which is the first attendee's alone. A number that was given without being asked for is for hosts alone, as is one
 * of somebody who has left.
 */
function numberGivenBy(
  attendee: { readonly responses?: Readonly<Record<string, Response>> } | undefined,
  {
    location,
    seats,
    attendees,
  }: { readonly location: Location | null; readonly seats: object | null; readonly attendees: readonly object[] },
  asksNumber: readonly string[],
): string | undefined {
  if (!attendee) return undefined;
  const responses = attendee.responses ?? {};
  for (const slug of asksNumber) {
    const answer = Object.hasOwn(responses, slug) ? responses[slug] : undefined;
    if (typeof answer === 'string' && answer !== '') return answer;
  }
  // With seats, one of them has said it, and it is not kept who.
  const isTheirs = seats === null && attendee === attendees[0];
  return isTheirs && location?.type === 'ATTENDEE_PHONE' ? (location.value ?? undefined) : undefined;
}

async function findPhoneFields(em: Em, { ownerId, eventTypeId }: BookingRow): Promise<readonly string[]> {
  const found = await row(em, selectFrom(EventType, { ownerId, id: eventTypeId }).select('bookingFields'));
  return (found?.bookingFields ?? []).filter(({ type }) => type === 'PHONE').map(({ slug }) => slug);
}

function addresseeOf(
  { receiver: given, number, bookedFrom = null, isThin = false }: Found,
  trigger: Trigger,
): Addressee {
  const receiver = { ...given, recipient: { ...given.recipient, locale: LANGUAGE_OF_TEXTS } };
  const { reader, email } = receiver;
  const { event, verified, look } = trigger;
  const { userId, network } = event.by;
  const isAttendee = reader.role === 'ATTENDEE';
  // An address that somebody has typed and that nobody has verified could be anybody's, and so could any number.
  const isKnown = !isAttendee || (number === undefined && reader.name !== null);
  const isAccount = userId !== null && verified.userIds.has(userId);
  return {
    by: number === undefined ? 'EMAIL' : 'PHONE',
    to: number ?? email,
    name: reader.name,
    isKnown,
    isExpected: !isAttendee,
    userId: isAccount ? userId : null,
    // A message that nobody caused, such as a reminder, still counts for the stranger who has booked with somebody's
    // address.
    network: isAccount ? null : (network ?? (isKnown ? null : bookedFrom)),
    look,
    valuesFor: (teamName, pages) => ({
      about: 'BOOKING',
      byName: isThin ? thinValues(teamName, receiver, trigger) : valuesFor(teamName, receiver, trigger, pages),
    }),
    calendarsFor: (organizer) => (isThin ? {} : calendarsFor(receiver, trigger, organizer)),
  };
}

function valuesFor(teamName: string, receiver: Receiver, trigger: Trigger, pages: MailedPages): BookingValues {
  const { reader } = receiver;
  const { title, place, hostNames, bookerName } = factsFor(receiver, trigger);
  const { start, end } = trigger.booking;
  const attendee = reader.role === 'ATTENDEE' ? reader.name : bookerName;
  const link = pageFor(receiver, trigger, pages) ?? NOTHING;
  return {
    attendee_name: oneLine(attendee ?? bookingMailWords(LANGUAGE_OF_TEXTS).anAttendee),
    host_name: listed(hostNames.map(oneLine), LANGUAGE_OF_TEXTS),
    team_name: oneLine(teamName),
    event_name: oneLine(title),
    event_date: datesText(trigger, reader),
    event_time: timeText(start, reader),
    event_end_time: timeText(end, reader),
    time_zone: zoneName(reader.timeZone),
    location: place === null ? NOTHING : oneLine(place),
    booking_link: link,
    cancel_link: link,
    reschedule_link: link,
  };
}

/** A message lists the first dates and the last of a long series: an SMS has no room for all. */
const MAX_DATES = 10;

/** The dates of all bookings that one event is about. */
function datesText({ booking, series }: Trigger, reader: Receiver['reader']): string {
  const dates = (series.length > 0 ? series : [booking]).map(({ start }) => dateText(start, reader));
  // Three points, as the one sign for them would leave an SMS half of its characters.
  const listed = dates.length > MAX_DATES ? [...dates.slice(0, MAX_DATES - 1), '...', ...dates.slice(-1)] : dates;
  return listed.join('; ');
}

/**
 * The values for a booking that is in no list of the user who answers for the address: that it happened, in the team's
 * own words.
 */
function thinValues(teamName: string, receiver: Receiver, trigger: Trigger): BookingValues {
  return {
    attendee_name: NOTHING,
    host_name: NOTHING,
    team_name: oneLine(teamName),
    event_name: oneLine(factsFor(receiver, trigger).title),
    event_date: NOTHING,
    event_time: NOTHING,
    event_end_time: NOTHING,
    time_zone: NOTHING,
    location: NOTHING,
    booking_link: NOTHING,
    cancel_link: NOTHING,
    reschedule_link: NOTHING,
  };
}
