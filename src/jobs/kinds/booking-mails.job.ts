/** kinds/ is what is done in the background: a file for each kind of job, with its queue, its retries and what it does. */

import { BOOKING_CHANGES, type BookingChange } from '../../modules/bookings/booking-changes.ts';
import { bookingMails, type WrittenMail } from '../../modules/bookings/mails/booking-mail.ts';
import type { BookingMailSettings } from '../../modules/bookings/mails/booking-mail-settings.ts';
import {
  type DueMails,
  HAS_DUE_MAILS,
  type HeldMailSettings,
  sendDueMails,
  takeDueMails,
} from '../../modules/bookings/mails/held-mails.ts';
import { DATABASE_PAUSES_IN_SECONDS, type JobKind } from '../job-kind.ts';
import { enqueueJobs, type NewJob } from '../job-queue.ts';
import { mailJob } from './mail.job.ts';

const HELD = 'held-mails';
const DUE_AT_ONCE = 1_000;

/**
 * Writes the mails about a booking, and leaves each to a job of its own: one bad address holds up nobody else's. What has to
 * wait is written when it is due.
 */
export function bookingMailsKinds(settings: BookingMailSettings): readonly JobKind[] {
  const held: HeldMailSettings = { ...settings, handOver: (em, mails) => enqueueJobs(em, mails.map(jobOf)) };
  const toSend = (due: DueMails): NewJob => ({ queue: HELD, data: due });
  return [
    {
      queue: 'booking-mails',
      hears: BOOKING_CHANGES,
      atOnce: 2,
      pausesInSeconds: DATABASE_PAUSES_IN_SECONDS,
      run: async (em, data) => (await bookingMails(em, data as BookingChange, settings)).map(jobOf),
    },
    {
      queue: HELD,
      hears: [],
      atOnce: 2,
      pausesInSeconds: DATABASE_PAUSES_IN_SECONDS,
      clock: {
        isDue: HAS_DUE_MAILS,
        putIn: (em) =>
          em.transactional(async (inner) => {
            const due = await takeDueMails(inner, DUE_AT_ONCE);
            await enqueueJobs(inner, due.map(toSend));
            return due.length;
          }),
      },
      run: async (em, data) => {
        const due = data as DueMails;
        return (await sendDueMails(em, due, held)) ? [toSend(due)] : [];
      },
    },
  ];
}

function jobOf({ mail, admission, orderKey }: WrittenMail): NewJob {
  return mailJob(mail, admission, orderKey);
}
