/** kinds/ is what is done in the background: a file for each kind of job, with its queue, its retries and what it does. */
import { bookingMails } from '../../modules/bookings/mails/booking-mail.ts';
import { BOOKING_MAIL_EVENTS, type BookingMailEvent } from '../../modules/bookings/mails/booking-mail-events.ts';
import type { BookingMailSettings } from '../../modules/bookings/mails/booking-mail-settings.ts';
import type { JobKind } from '../job-kind.ts';
import { mailJob } from './mail.job.ts';

/** Writes the mails about a booking, and leaves each to a job of its own: one bad address holds up nobody else's. */
export function bookingMailsKind(settings: BookingMailSettings): JobKind {
  return {
    queue: 'booking-mails',
    hears: BOOKING_MAIL_EVENTS,
    atOnce: 2,
    // It only asks the database: what fails longer than this is a mistake of ours, and later events wait behind it.
    pausesInSeconds: [5, 30, 120],
    run: async (em, data) => {
      const mails = await bookingMails(em, data as BookingMailEvent, settings);
      return mails.map(({ mail, admission, orderKey }) => mailJob(mail, admission, orderKey));
    },
  };
}
