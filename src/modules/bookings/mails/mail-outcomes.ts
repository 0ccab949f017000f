/** Decides the outcome of each mail about a booking once for each event and mailbox, and keeps it for all who ask. */

import type { RowOf } from '../../../database/columns.ts';
import { anyOf, changed, type Em, json, row, rows, sql } from '../../../database/sql.ts';
import { deleteFrom, selectFrom, updateTable } from '../../../database/statements.ts';
import { sweepOf } from '../../../database/sweep.ts';
import type { Actor } from '../../../events/record-event.ts';
import type { MailLimit } from '../../../limits/mail-limit.ts';
import { type Lane, type LengthOf, lineOf, type NewsOutcome } from '../../../limits/news-limit.ts';
import { Booking } from '../booking.entity.ts';
import { type BookingChange, type BookingRow, bookingWith, findBooking } from '../booking.queries.ts';
import type { BookingKey } from '../booking-key.rules.ts';
import { factsOf, factsOfSeat } from '../stored-booking.ts';
import { BookingMail, type KeptOutcome } from './booking-mail.entity.ts';
import { findMailedUsers } from './booking-mail.queries.ts';
import { type Receiver, receiversOf, type Trigger, triggerOf } from './booking-mail-receivers.ts';

/**
 * The outcome of a mail, as it is shown: it was handed over, waits for its turn, will be in a summary, or does not
 * come.
 */
export type MailOutcome = 'SENT' | 'WAITING' | 'IN_SUMMARY' | 'NOT_SENT';

/** A receiver, and the outcome of the mail to them. */
interface DecidedMail {
  readonly receiver: Receiver;
  readonly outcome: KeptOutcome;
}

/**
 * The id by which a booking's mails are known. A new booking has a single beginning, whoever asks first about its
 * mails.
 */
function actOf({ id, type, booking }: BookingChange): string {
  const isBeginning = type === 'BOOKING_CREATED' || type === 'BOOKING_REQUESTED';
  return isBeginning ? (booking.seatId ?? booking.id) : id;
}

export function mailboxOf({ email }: Pick<Receiver, 'email'>): string {
  return email.toLowerCase();
}

/**
 * Decides what becomes of each mail of an event, and keeps it with the booking, in one transaction: of any number who ask at the
 * same moment, one decides. News that is newer takes the place of what the mailbox was still to be told of the booking.
 */
export async function decideMails(em: Em, trigger: Trigger, mailLimit: MailLimit): Promise<readonly DecidedMail[]> {
  const { ownerId, id } = trigger.booking;
  const receivers = receiversOf(trigger).toSorted((a, b) => PRECEDENCE[a.reader.role] - PRECEDENCE[b.reader.role]);
  if (receivers.length === 0) return [];
  return em.transactional(async (inner) => {
    const there = selectFrom(Booking, { ownerId, id }).select('id').modifyEnd(sql`for no key update`);
    if (!(await row(inner, there))) return [];
    const kept = await findKept(inner, trigger);
    if (kept.size > 0) return receivers.flatMap((receiver) => decided(receiver, kept.get(mailboxOf(receiver))));
    const untold = await withdrawOlder(inner, trigger, receivers);
    const due = receivers.filter((receiver) => !isMoot(receiver, trigger, untold));
    const outcomes = await mailLimit.decide(
      inner,
      due.map((receiver) => ({ to: receiver.email, lane: laneOf(receiver, trigger), line: lineFor(trigger) })),
      lengthOf,
    );
    await keep(inner, trigger, due, outcomes);
    return due.flatMap((receiver, index) => decided(receiver, outcomes[index]?.kind));
  });
}

/** The booker goes before hosts, who can look it up, and hosts before guests. */
const PRECEDENCE = { ATTENDEE: 0, HOST: 1, GUEST: 2 } as const;

function decided(receiver: Receiver, outcome: KeptOutcome | undefined): readonly DecidedMail[] {
  return outcome === undefined ? [] : [{ receiver, outcome }];
}

async function findKept(
  em: Em,
  { event, booking: { ownerId, id } }: Trigger,
): Promise<ReadonlyMap<string, KeptOutcome>> {
  const kept = selectFrom(BookingMail, { ownerId, bookingId: id, act: actOf(event) }).select(['mailbox', 'outcome']);
  return new Map((await rows(em, kept)).map(({ mailbox, outcome }) => [mailbox, outcome]));
}

/**
 * Takes what waits for these mailboxes out of its line or summary, since what has happened now says more.
 * @returns the mailboxes that were not told of the booking at all
 */
async function withdrawOlder(
  em: Em,
  { event, booking: { ownerId, id } }: Trigger,
  receivers: readonly Receiver[],
): Promise<ReadonlySet<string>> {
  const ids = event.type === 'BOOKING_RESCHEDULED' ? [id, event.previousId] : [id];
  const older = deleteFrom(BookingMail, { ownerId })
    .where('bookingId', '=', anyOf(ids))
    .where('mailbox', '=', anyOf(receivers.map(mailboxOf)))
    .where('outcome', 'in', ['WAITING', 'SUMMARY']);
  const withdrawn = await rows(em, older.returning('mailbox'));
  return new Set(withdrawn.map(({ mailbox }) => mailbox));
}

/**
 * People need not hear that a booking was given up which they had not heard of. A host must, and so must an attendee
 * whom a host puts off.
 */
function isMoot(receiver: Receiver, { event }: Trigger, untold: ReadonlySet<string>): boolean {
  if (event.type !== 'BOOKING_CANCELLED' || receiver.reader.role === 'HOST') return false;
  return event.byHostId == null && !event.rescheduleRequested && untold.has(mailboxOf(receiver));
}

/** A stranger is anybody but a verified account: others cost nothing, so each would be a way around the limits. */
function laneOf({ hostId }: Receiver, { event: { by }, verified }: Trigger): Lane {
  if (hostId !== undefined) return 'HOST';
  return by.userId !== null && verified.userIds.has(by.userId) ? 'ACCOUNT' : 'STRANGER';
}

/** Whether strangers have caused the mail, so that it says how to end such mails. */
export function isByStranger(receiver: Receiver, trigger: Trigger): boolean {
  return laneOf(receiver, trigger) === 'STRANGER';
}

function lineFor({ event: { by }, verified }: Trigger): string {
  return lineOfActor(by, by.userId !== null && verified.userIds.has(by.userId));
}

/** An app books for its people from one server, so its calls count for it and not for a network. */
function lineOfActor({ clientId, userId, network }: Actor, isVerified: boolean): string {
  if (clientId !== undefined) return lineOf({ kind: 'client', clientId });
  if (isVerified && userId !== null) return lineOf({ kind: 'account', userId });
  return lineOf({ kind: 'network', network: network ?? 'unknown' });
}

/** SQL: what is still to be told in the row `m` about the booking `b`: nothing of what is over, nor of what was cancelled, but that it was. */
export const IS_STILL_DUE = sql<boolean>`(b.starts_at > now() and (b.status in ('PENDING', 'ACCEPTED')
  or m.event->>'type' in ('BOOKING_CANCELLED', 'BOOKING_REJECTED', 'BOOKING_REASSIGNED')))`;

/** How many wait in each line. */
export const lengthOf: LengthOf = async (em, lines) => {
  const found = await rows(
    em,
    sql<{ line: string; count: number }>`
      select m.line, count(*)::int as count from booking_mails m
      join bookings b on b.owner_id = m.owner_id and b.id = m.booking_id
      where m.line = any(${lines}::text[]) and m.outcome = 'WAITING' and ${IS_STILL_DUE} group by m.line`,
  );
  return new Map(found.map(({ line, count }) => [line, count]));
};

async function keep(
  em: Em,
  trigger: Trigger,
  receivers: readonly Receiver[],
  outcomes: readonly NewsOutcome[],
): Promise<void> {
  if (receivers.length === 0) return;
  const { event, booking } = trigger;
  const { ownerId, id } = booking;
  const line = lineFor(trigger);
  await changed(
    em,
    sql`insert into booking_mails (owner_id, booking_id, act, mailbox, role, lane, line, outcome, due_at, created_at)
        select ${ownerId}::uuid, ${id}::uuid, ${actOf(event)}::uuid, mailbox, role, lane, ${line}::text, outcome,
          now() + make_interval(secs => after_ms / 1000.0), now()
        from unnest(${receivers.map(mailboxOf)}::text[], ${receivers.map(({ reader }) => reader.role)}::text[],
          ${receivers.map((receiver) => laneOf(receiver, trigger))}::text[], ${outcomes.map(({ kind }) => kind)}::text[],
          ${outcomes.map((outcome) => ('afterMs' in outcome ? outcome.afterMs : null))}::int[]) as new (mailbox, role, lane, outcome, after_ms)`,
  );
  await noteUnsent(em, booking, outcomes.filter(({ kind }) => kind === 'NONE').length);
}

/** Adds to the number of mails about a booking that are not sent, which its hosts see. */
export async function noteUnsent(
  em: Em,
  { ownerId, id }: Pick<BookingKey, 'ownerId' | 'id'>,
  count: number,
): Promise<void> {
  if (count === 0) return;
  const booking = updateTable(Booking, { ownerId, id });
  await changed(
    em,
    booking.set((eb) => ({ unsentMails: eb('unsentMails', '+', count) })),
  );
}

/** The event of what waits, by which it will be written: nobody but who tells of it knows all of it. */
export async function keepEvent(em: Em, { event, booking: { ownerId, id } }: Trigger): Promise<void> {
  const held = updateTable(BookingMail, { ownerId, bookingId: id, act: actOf(event) }).where('dueAt', 'is not', null);
  await changed(em, held.set({ event: json(event) }));
}

/** The outcome of a mail to somebody whose address the booker has given. */
export interface BookedMail {
  readonly email: string;
  readonly outcome: MailOutcome;
}

/**
 * Finds the outcomes of the mails to the booker and to the guests of a new booking. They are decided now if the
 * background has not done it yet, which sends no mail any earlier. Guests who are invited only later are left out.
 */
export async function mailsOfBooked(
  em: Em,
  key: BookingKey,
  by: Actor,
  mailLimit: MailLimit,
): Promise<readonly BookedMail[]> {
  const booking = await findBooking(em, key);
  if (!booking) return [];
  const { ownerId, status, createdAt } = booking;
  const seatId = key.isSeat ? key.id : undefined;
  const type = status === 'PENDING' ? 'BOOKING_REQUESTED' : 'BOOKING_CREATED';
  const facts = seatId === undefined ? factsOf(booking) : await factsOfSeat(em, ownerId, factsOf(booking), seatId);
  const event: BookingChange = { type, id: booking.id, ownerId, occurredAt: createdAt, by, booking: facts };
  const trigger = await triggerOf(em, event);
  if (!trigger) return [];
  const mails = await decideMails(em, trigger, mailLimit);
  const booker = trigger.booking.attendees.find((one) => seatId === undefined || one.seatId === seatId);
  const named = mails.filter(({ receiver }) => receiver.reader.role !== 'HOST');
  const outcomes = named.map(({ receiver, outcome }) => ({ email: receiver.email, outcome: shownOutcome(outcome) }));
  const isBookerNotified = outcomes.some(({ email }) => email.toLowerCase() === booker?.email.toLowerCase());
  return booker && !isBookerNotified
    ? [{ email: booker.email, outcome: outcomeOfHost(mails, booker.email) }, ...outcomes]
    : outcomes;
}

/** A booker who books themselves is mailed as the host; an owner who is unknown to everybody sends no mails. */
function outcomeOfHost(mails: readonly DecidedMail[], email: string): MailOutcome {
  const found = mails.find(({ receiver }) => mailboxOf(receiver) === email.toLowerCase());
  return found ? shownOutcome(found.outcome) : 'NOT_SENT';
}

const SHOWN = {
  SENT: 'SENT',
  SENT_LATER: 'SENT',
  WAITING: 'WAITING',
  SUMMARY: 'IN_SUMMARY',
  NONE: 'NOT_SENT',
} as const satisfies Readonly<Record<KeptOutcome, MailOutcome>>;

export function shownOutcome(outcome: KeptOutcome): MailOutcome {
  return SHOWN[outcome];
}

/** Foresees the outcome of a mail to somebody new about a booking that this caller makes now. */
export async function expectedStatus(em: Em, by: Actor, mailLimit: MailLimit): Promise<MailOutcome> {
  const [caller] = by.userId === null ? [] : await findMailedUsers(em, [by.userId]);
  return shownOutcome(await mailLimit.outlook(em, lineOfActor(by, caller?.isVerified ?? false), lengthOf));
}

/**
 * Finds the outcome of the last mail to an attendee about their booking, or seat; undefined where that is not decided
 * yet, or was long ago.
 */
export async function findOutcome(
  em: Em,
  key: BookingKey,
  email: string | undefined,
): Promise<MailOutcome | undefined> {
  if (email === undefined) return undefined;
  const found = await row(
    em,
    sql<Pick<RowOf<typeof BookingMail>, 'outcome'>>`
      select m.outcome from bookings b join booking_mails m
        on m.owner_id = b.owner_id and m.booking_id in (b.id, b.recurring_id) and m.mailbox = ${email.toLowerCase()}
      where ${bookingWith(key)} order by m.created_at desc limit 1`,
  );
  return found && shownOutcome(found.outcome);
}

/** A mail that was not sent, among the last ones about a booking to each receiver. */
export interface UnsentMail {
  readonly mailbox: string;
  readonly outcome: Exclude<MailOutcome, 'SENT'>;
}

/** Finds the mails about a booking that were not sent, for its hosts: the last one of each mailbox, a hundred at most. */
export async function findUnsent(em: Em, { ownerId, id, recurringId }: BookingRow): Promise<readonly UnsentMail[]> {
  const found = await rows(
    em,
    sql<{ mailbox: string; outcome: Exclude<KeptOutcome, 'SENT' | 'SENT_LATER'> }>`
      select mailbox, outcome from (
        select distinct on (mailbox) mailbox, outcome from booking_mails
        where owner_id = ${ownerId} and booking_id in (${id}::uuid, ${recurringId ?? id}::uuid)
        order by mailbox, created_at desc
      ) as last
      where outcome not in ('SENT', 'SENT_LATER') order by mailbox limit 100`,
  );
  return found.map(({ mailbox, outcome }) => ({ mailbox, outcome: SHOWN[outcome] }));
}

/** Forgets what became of mails a month ago. None waits for so long. */
export const forgetMails = sweepOf(BookingMail, 'createdAt', sql`now() - interval '30 days'`);
