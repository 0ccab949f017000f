import { removeOldIdempotencyKeys } from '../limits/at-most-once.ts';
import { removeExpiredGuessCounts } from '../limits/guess-limit.ts';
import { removeExpiredMailCounts } from '../limits/mail-limit.ts';
import { removeExpiredRequestCounts } from '../limits/shared-counts.ts';
import { removeExpiredLinks } from '../modules/accounts/account-links.ts';
import { removeFreeUsernames } from '../modules/accounts/claim-username.ts';
import { removeExpiredSessions } from '../modules/accounts/end-session.ts';
import { removeOldFailedSignIns } from '../modules/accounts/record-failed-sign-in.ts';
import { removeExpiredBookerEmailCodes } from '../modules/bookings/booker-email-code.ts';
import { removeExpiredReservations } from '../modules/bookings/remove-expired-reservations.ts';
import {
  GrantSweep,
  removeExpiredCodes,
  removeExpiredInteractions,
  removeOldFailedRequests,
  removeOldRevocations,
  removeRetiredKeys,
} from '../oauth/remove-expired.ts';
import type { Chore } from './janitor.ts';
import { removeGivenUpJobs } from './remove-given-up.ts';

/** Everything that is swept away, listed: to add a table that grows by itself, its line here. */
export function chores(): readonly Chore[] {
  const grants = new GrantSweep();
  return [
    removeExpiredSessions,
    removeOldFailedSignIns,
    removeFreeUsernames,
    removeExpiredLinks,
    removeExpiredReservations,
    removeExpiredBookerEmailCodes,
    removeExpiredGuessCounts,
    removeExpiredMailCounts,
    removeOldIdempotencyKeys,
    removeExpiredRequestCounts,
    removeExpiredInteractions,
    removeExpiredCodes,
    removeOldRevocations,
    removeOldFailedRequests,
    removeRetiredKeys,
    removeGivenUpJobs,
    (em) => grants.step(em),
  ];
}
