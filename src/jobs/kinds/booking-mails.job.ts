/** kinds/ has a file for each kind of background job: its queue, its retries and what it does. */

import { BOOKING_CHANGES, type BookingChange } from '../../modules/bookings/booking.queries.ts';
import type { BookingMailSettings } from '../../modules/bookings/mails/booking-mail.queries.ts';
import { bookingMails, type WrittenMail } from '../../modules/bookings/mails/booking-mail.ts';
import { DATABASE_PAUSES_IN_SECONDS, type JobKind } from '../job-kind.ts';
import type { NewJob } from '../job-queue.ts';
import { mailJob } from './mail.job.ts';

/**
 * Writes the mails about a booking, and leaves each to a job of its own: one bad address holds up nobody else's. A mail
 * that has to wait is written when it is due (held-messages.job.ts).
 */
export function bookingMailsKind(settings: BookingMailSettings): JobKind {
  return {
    queue: 'booking-mails',
    hears: BOOKING_CHANGES,
    atOnce: 2,
    pausesInSeconds: DATABASE_PAUSES_IN_SECONDS,
    run: async (em, data) => (await bookingMails(em, data as BookingChange, settings)).map(bookingMailJob),
  };
}

export function bookingMailJob({ mail, rights, admission, orderKey, hostId }: WrittenMail): NewJob {
  return { ...mailJob(mail, admission, { orderKey, rights }), owner: hostId };
}
