import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../../database/temporal-types.ts';
import type { RecordedEvent } from '../../../events/record-event.ts';
import type { Lane } from '../../../limits/news-limit.ts';
import { OF_BOOKING } from '../booking.entity.ts';
import type { MailReader } from './booking-news.rules.ts';

/** The outcome of a mail: `SENT_LATER` is that of one which has waited, by itself or in a summary. */
const KEPT_OUTCOMES = ['SENT', 'SENT_LATER', 'WAITING', 'SUMMARY', 'NONE'] as const;
export type KeptOutcome = (typeof KEPT_OUTCOMES)[number];

/**
 * A mail about a booking: the event, the mailbox, and the outcome. It holds no words: a mail that waits is written, and
 * judged again, when it is sent. The mails about all bookings of a series stand with the first.
 */
export const BookingMail = defineEntity({
  name: 'BookingMail',
  tableName: 'booking_mails',
  indexes: [
    {
      name: 'booking_mails_due_at_idx',
      expression: 'create index booking_mails_due_at_idx on booking_mails (due_at) where due_at is not null',
    },
    {
      name: 'booking_mails_line_idx',
      expression: "create index booking_mails_line_idx on booking_mails (line) where outcome = 'WAITING'",
    },
    {
      name: 'booking_mails_summary_idx',
      expression: "create index booking_mails_summary_idx on booking_mails (mailbox, lane) where outcome = 'SUMMARY'",
    },
    {
      name: 'booking_mails_unsent_idx',
      expression: "create index booking_mails_unsent_idx on booking_mails (created_at) where outcome = 'NONE'",
    },
    { name: 'booking_mails_created_at_idx', properties: ['createdAt'] },
  ],
  properties: {
    ...OF_BOOKING,
    /** The id of the event, or of the booking or the seat that was made (`actOf`). */
    act: p.uuid().primary(),
    /** The address in lower case. */
    mailbox: p.text().primary(),
    role: p.text().$type<MailReader['role']>(),
    /** The counts that it goes by; its line is the one in which it waits (limits/news-limit.ts). */
    lane: p.text().$type<Lane>(),
    line: p.text(),
    outcome: p.text().$type<KeptOutcome>(),
    /** When to look at it again; null: never. */
    dueAt: p.type(InstantType).nullable(),
    /** The event, while the mail waits; null until it is known. */
    event: p.json<RecordedEvent>().nullable(),
    createdAt: p.type(InstantType),
  },
});
