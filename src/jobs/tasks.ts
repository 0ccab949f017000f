import { removeOldIdempotencyKeys } from '../limits/at-most-once.ts';
import { removeExpiredCounters } from '../limits/counters.ts';
import { forgetNotices } from '../limits/held-notices.ts';
import { forgetReceivers } from '../limits/mail-receivers.ts';
import { removeFreeUsernames } from '../modules/accounts/claim-username.ts';
import { removeExpiredLinks } from '../modules/accounts/links/account-links.ts';
import { removeExpiredSessions } from '../modules/accounts/sign-in/sessions.ts';
import { removeOldFailedSignIns } from '../modules/accounts/sign-in/sign-in.ts';
import { denormalizeBelongings } from '../modules/bookings/lists/denormalize.ts';
import { forgetMails } from '../modules/bookings/mails/mail-outcomes.ts';
import { PastTimeSweep } from '../modules/bookings/occupancy/take-time.ts';
import { removeExpiredReservations } from '../modules/bookings/slots/holds/reserve-slot.ts';
import { forgetNetworks } from '../modules/bookings/stored-booking.ts';
import { removeExpiredConnectionRequests } from '../modules/connections/connections.ts';
import { removeExpiredInvitations } from '../modules/memberships/answer-invitation.ts';
import { removeExpiredVerificationCodes } from '../modules/verified-resources/verify-receiver.ts';
import {
  expirePausedDeliveries,
  removeOldDeliveries,
  resumingWebhooks,
} from '../modules/webhooks/paused-deliveries.ts';
import type { IsLetIn } from '../modules/webhooks/webhook.queries.ts';
import { removeOldSendings } from '../modules/workflows/sendings/held-sendings.ts';
import {
  GrantSweep,
  removeExpiredCodes,
  removeExpiredInteractions,
  removeOldFailedRequests,
  removeOldRevocations,
  removeRetiredKeys,
} from '../oauth/remove-expired.ts';
import { removeOldStoppedThings } from '../oauth/stopped/revive-thing.ts';
import type { Task } from './janitor.ts';
import { removeGivenUpJobs } from './job-queue.ts';

/** Everything that is swept away or tidied up, listed: to add a table that grows by itself, its line here. */
export function tasks({ isLetIn }: { readonly isLetIn: IsLetIn }): readonly Task[] {
  const [grants, pastTimes] = [new GrantSweep(), new PastTimeSweep()];
  return [
    removeExpiredSessions,
    removeOldFailedSignIns,
    removeFreeUsernames,
    removeExpiredLinks,
    removeExpiredInvitations,
    removeExpiredConnectionRequests,
    removeExpiredReservations,
    removeExpiredVerificationCodes,
    removeExpiredCounters,
    removeOldIdempotencyKeys,
    removeExpiredInteractions,
    removeExpiredCodes,
    removeOldRevocations,
    removeOldFailedRequests,
    removeRetiredKeys,
    removeGivenUpJobs,
    expirePausedDeliveries,
    removeOldDeliveries,
    resumingWebhooks(isLetIn),
    removeOldSendings,
    removeOldStoppedThings,
    denormalizeBelongings,
    forgetNetworks,
    forgetMails,
    forgetReceivers,
    forgetNotices,
    (em) => grants.step(em),
    (em) => pastTimes.step(em),
  ];
}
