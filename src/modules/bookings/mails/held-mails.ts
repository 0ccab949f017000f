/**
 * Sends mails about bookings that have waited: for their turn in a line, or for a summary. Whether one is still due is
 * found out when it is sent.
 */
import { newId } from '../../../core/id.ts';
import { type Selected, selectColumns } from '../../../database/columns.ts';
import { changed, type Em, fromNow, rows, sql } from '../../../database/sql.ts';
import { updateTable } from '../../../database/statements.ts';
import { secondsIn } from '../../../limits/counters.ts';
import type { Lane, NewsOutcome } from '../../../limits/news-limit.ts';
import type { BookingChange } from '../booking.queries.ts';
import { BookingMail } from './booking-mail.entity.ts';
import type { BookingMailSettings } from './booking-mail.queries.ts';
import { type SummaryItem, summaryMailContent } from './booking-mail.rules.ts';
import { type WrittenMail, withAnswer, writtenMail } from './booking-mail.ts';
import { meetingFor } from './booking-mail-meeting.ts';
import { type Receiver, receiversOf, type Trigger, triggerOf } from './booking-mail-receivers.ts';
import { IS_STILL_DUE, lengthOf, mailboxOf, noteUnsent } from './mail-outcomes.ts';
import { CodesToCome } from './page-code.ts';

export interface HeldMailSettings extends BookingMailSettings {
  /** Sees to it that they are sent, in the transaction that takes them out of what waits. */
  readonly handOver: (em: Em, mails: readonly WrittenMail[]) => Promise<void>;
}

/** The mails that are due: those of one line, or the summary of one mailbox. */
export type DueMails =
  | { readonly kind: 'LINE'; readonly line: string }
  | { readonly kind: 'SUMMARY'; readonly mailbox: string; readonly lane: Lane };

/** The most mails that one transaction writes, or one summary reports. */
const AT_ONCE = 50;

/** SQL */
export const HAS_DUE_MAILS = sql<boolean>`exists (select from booking_mails where due_at <= now())`;

/** How many wait, and how many were known in the last 30 days not to come. */
export const HELD_MAILS = sql<{ readonly waiting: number; readonly unsent: number }>`
  select (select count(*)::int from booking_mails where due_at is not null) as waiting,
    (select count(*)::int from booking_mails where outcome = 'NONE' and created_at > now() - interval '30 days') as unsent`;

/** Takes up what is due, for whoever calls: should that process die before it is done, it is due again in ten minutes. */
export async function takeDueMails(em: Em, most: number): Promise<readonly DueMails[]> {
  const found = await rows(
    em,
    sql<{ outcome: 'WAITING' | 'SUMMARY'; line: string; mailbox: string; lane: Lane }>`
      with due as (
        select owner_id, booking_id, act, mailbox from booking_mails where due_at <= now()
        order by due_at limit ${most}::int for update skip locked
      ), taken as (
        update booking_mails m set due_at = now() + interval '10 minutes' from due
        where m.owner_id = due.owner_id and m.booking_id = due.booking_id and m.act = due.act and m.mailbox = due.mailbox
        returning m.outcome, m.line, m.mailbox, m.lane
      )
      select distinct on (outcome, key) outcome, line, mailbox, lane
      from taken, lateral (select case outcome when 'WAITING' then line else lane || ' ' || mailbox end as key) as of`,
  );
  return found.map(({ outcome, line, mailbox, lane }) =>
    outcome === 'WAITING' ? { kind: 'LINE', line } : { kind: 'SUMMARY', mailbox, lane },
  );
}

/** Sends what may be sent of what is due. @returns whether there is more to send at once */
export async function sendDueMails(em: Em, due: DueMails, settings: HeldMailSettings): Promise<boolean> {
  // This statement stands alone, and locks nothing else.
  await leave(em, due);
  return em.transactional(async (inner) => {
    const held = await takeHeld(inner, due);
    if (held.length === 0) return false;
    return due.kind === 'LINE' ? sendOfLine(inner, due.line, held, settings) : sendSummary(inner, due, held, settings);
  });
}

const KEY = selectColumns(BookingMail, ['ownerId', 'bookingId', 'act', 'mailbox'], 'm');
const HELD = selectColumns(BookingMail, ['ownerId', 'bookingId', 'act', 'mailbox', 'lane', 'event'], 'm');

type HeldRow = Selected<typeof HELD> & { readonly event: BookingChange };

/** SQL: the rows `m`. */
function isOf(due: DueMails) {
  if (due.kind === 'LINE') return sql<boolean>`m.outcome = 'WAITING' and m.line = ${due.line}`;
  return sql<boolean>`m.outcome = 'SUMMARY' and m.mailbox = ${due.mailbox} and m.lane = ${due.lane}`;
}

/** Deletes the waiting mails of bookings that are over or were cancelled. */
async function leave(em: Em, due: DueMails): Promise<void> {
  await changed(
    em,
    sql`delete from booking_mails m using bookings b
        where ${isOf(due)} and b.owner_id = m.owner_id and b.id = m.booking_id and m.event is not null and not ${IS_STILL_DUE}`,
  );
}

/** The next ones: hosts take turns, and of each the soonest meeting goes first. Their bookings are locked, and then they, as everywhere. */
async function takeHeld(em: Em, due: DueMails): Promise<readonly HeldRow[]> {
  const next = await rows(
    em,
    sql<Selected<typeof KEY>>`
      select ${KEY} from (
        select m.owner_id, m.booking_id, m.act, m.mailbox, b.starts_at, m.created_at,
          row_number() over (partition by m.owner_id order by b.starts_at, m.created_at, m.act, m.mailbox) as turn
        from booking_mails m join bookings b on b.owner_id = m.owner_id and b.id = m.booking_id
        where ${isOf(due)} and m.event is not null
      ) as m
      order by m.turn, m.starts_at, m.created_at, m.mailbox limit ${AT_ONCE}::int`,
  );
  if (next.length === 0) return [];
  const [owners, ids] = [next.map(({ ownerId }) => ownerId), next.map(({ bookingId }) => bookingId)];
  await rows(
    em,
    sql`select b.id from bookings b
        where (b.owner_id, b.id) in (select * from unnest(${owners}::uuid[], ${ids}::uuid[]))
        order by b.owner_id, b.id for no key update`,
  );
  const acts = sql`unnest(${owners}::uuid[], ${ids}::uuid[], ${next.map(({ act }) => act)}::uuid[],
    ${next.map(({ mailbox }) => mailbox)}::text[]) with ordinality as next (owner_id, booking_id, act, mailbox, place)`;
  return rows(
    em,
    sql<HeldRow>`
      select ${HELD}
      from ${acts} join booking_mails m
        on m.owner_id = next.owner_id and m.booking_id = next.booking_id and m.act = next.act and m.mailbox = next.mailbox
      where ${isOf(due)} and m.event is not null order by next.place for update of m`,
  );
}

/** A row with everything that its mail is written from. */
interface LiveMail {
  readonly held: HeldRow;
  readonly trigger: Trigger;
  readonly receiver: Receiver;
}

/** Judges the mails by things as they are now: receivers who are no longer concerned are left out, and the rows are deleted. */
async function liveMailsOf(em: Em, held: readonly HeldRow[]): Promise<readonly LiveMail[]> {
  const liveMails: LiveMail[] = [];
  const gone: HeldRow[] = [];
  const byAct = Map.groupBy(held, ({ ownerId, bookingId, act }) => `${ownerId} ${bookingId} ${act}`);
  for (const ofAct of byAct.values()) {
    const [first] = ofAct;
    const trigger = first && (await triggerOf(em, first.event));
    const receivers = trigger ? receiversOf(trigger) : [];
    for (const one of ofAct) {
      const receiver = receivers.find((each) => mailboxOf(each) === one.mailbox);
      if (trigger && receiver) liveMails.push({ held: one, trigger, receiver });
      else gone.push(one);
    }
  }
  await remove(em, gone);
  // Puts the mails in the order of their turns again, which the grouping has undone.
  const place = new Map(held.map((one, index) => [one, index]));
  return liveMails.toSorted((a, b) => (place.get(a.held) ?? 0) - (place.get(b.held) ?? 0));
}

async function sendOfLine(
  em: Em,
  line: string,
  held: readonly HeldRow[],
  settings: HeldMailSettings,
): Promise<boolean> {
  const liveMails = await liveMailsOf(em, held);
  const mails = liveMails.map(({ held: { lane }, receiver }) => ({ to: receiver.email, lane, line }));
  const outcomes = await settings.mailLimit.decide(em, mails, lengthOf, { isInLine: true });
  await settle(em, liveMails, outcomes);
  const sent = liveMails.filter((_, index) => outcomes[index]?.kind === 'SENT');
  await settings.handOver(
    em,
    sent.map(({ receiver, trigger }) => writtenMail(receiver, trigger, settings)),
  );
  const waiting = outcomes.find((outcome) => outcome.kind === 'WAITING');
  if (waiting?.kind !== 'WAITING') return held.length === AT_ONCE;
  // There is no room any more, so the other mails of the line wait as long.
  const others = updateTable(BookingMail).where('outcome', '=', 'WAITING').where('line', '=', line);
  await changed(em, others.set({ dueAt: fromNow(secondsIn(waiting.afterMs), 'secs') }));
  return false;
}

async function sendSummary(
  em: Em,
  { mailbox, lane }: Extract<DueMails, { readonly kind: 'SUMMARY' }>,
  held: readonly HeldRow[],
  settings: HeldMailSettings,
): Promise<boolean> {
  const liveMails = await liveMailsOf(em, held);
  const [first, ...others] = liveMails;
  if (!first) return held.length === AT_ONCE;
  const outcome = await settings.mailLimit.decideSummary(em, first.receiver.email, lane);
  await settle(
    em,
    liveMails,
    liveMails.map(() => outcome),
  );
  if (outcome.kind === 'SENT') {
    const one = writtenMail(first.receiver, first.trigger, settings);
    await settings.handOver(em, [others.length === 0 ? one : { ...one, ...summaryOf([first, ...others], settings) }]);
    return held.length === AT_ONCE;
  }
  if (outcome.kind === 'NONE') return held.length === AT_ONCE;
  const all = updateTable(BookingMail)
    .where('mailbox', '=', mailbox)
    .where('lane', '=', lane)
    .where('outcome', '=', 'SUMMARY');
  await changed(em, all.set({ dueAt: fromNow(secondsIn(outcome.afterMs), 'secs') }));
  return false;
}

function summaryOf(
  liveMails: readonly [LiveMail, ...LiveMail[]],
  settings: HeldMailSettings,
): Pick<WrittenMail, 'mail' | 'rights'> {
  const { publicUrl } = settings;
  const codes = new CodesToCome();
  const [{ receiver, held }] = liveMails;
  const itemOf = (one: LiveMail): SummaryItem => {
    const { news, reader } = one.receiver;
    return { news, reader, meeting: meetingFor(one.receiver, one.trigger, { publicUrl, code: codes.code }) };
  };
  const [first, ...others] = liveMails;
  const content = summaryMailContent([itemOf(first), ...others.map(itemOf)]);
  return {
    mail: {
      to: { name: receiver.reader.name ?? '', address: receiver.email },
      ...withAnswer(content, liveMails, held.lane === 'STRANGER', settings),
      messageId: `<${newId()}@${new URL(publicUrl).hostname}>`,
    },
    rights: codes.rights,
  };
}

/** Keeps what became of them. */
async function settle(em: Em, liveMails: readonly LiveMail[], outcomes: readonly NewsOutcome[]): Promise<void> {
  if (liveMails.length === 0) return;
  const kept = outcomes.map((outcome) => (outcome.kind === 'SENT' ? 'SENT_LATER' : outcome.kind));
  await changed(
    em,
    sql`update booking_mails m set outcome = new.outcome, due_at = now() + make_interval(secs => new.after_ms / 1000.0),
          event = case when new.after_ms is not null then m.event end
        from unnest(${liveMails.map(({ held }) => held.ownerId)}::uuid[], ${liveMails.map(({ held }) => held.bookingId)}::uuid[],
          ${liveMails.map(({ held }) => held.act)}::uuid[], ${liveMails.map(({ held }) => held.mailbox)}::text[], ${kept}::text[],
          ${outcomes.map((outcome) => ('afterMs' in outcome ? outcome.afterMs : null))}::int[])
          as new (owner_id, booking_id, act, mailbox, outcome, after_ms)
        where m.owner_id = new.owner_id and m.booking_id = new.booking_id and m.act = new.act and m.mailbox = new.mailbox`,
  );
  for (const [index, { held }] of liveMails.entries()) {
    if (outcomes[index]?.kind === 'NONE') await noteUnsent(em, { ownerId: held.ownerId, id: held.bookingId }, 1);
  }
}

async function remove(em: Em, held: readonly HeldRow[]): Promise<void> {
  if (held.length === 0) return;
  await changed(
    em,
    sql`delete from booking_mails where (owner_id, booking_id, act, mailbox) in (
          select * from unnest(${held.map(({ ownerId }) => ownerId)}::uuid[], ${held.map(({ bookingId }) => bookingId)}::uuid[],
            ${held.map(({ act }) => act)}::uuid[], ${held.map(({ mailbox }) => mailbox)}::text[]))`,
  );
}
