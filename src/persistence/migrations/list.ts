import type { Constructor } from '@mikro-orm/core';
import type { Migration } from '@mikro-orm/migrations';
import { BookerEmailCodes } from './2026-11-20-booker-email-codes.ts';
import { BookingIdempotency } from './2026-11-20-booking-idempotency.ts';
import { BookingLists } from './2026-11-20-booking-lists.ts';
import { BookingMedia } from './2026-11-20-booking-media.ts';
import { Bookings } from './2026-11-20-bookings.ts';
import { EventTypeScheduling } from './2026-11-20-event-type-scheduling.ts';
import { FirstSchema } from './2026-11-20-first-schema.ts';
import { IcsSequence } from './2026-11-20-ics-sequence.ts';
import { IdempotencyKeys } from './2026-11-20-idempotency-keys.ts';
import { Jobs } from './2026-11-20-jobs.ts';
import { LocationIds } from './2026-11-20-location-ids.ts';
import { ManagedEventTypes } from './2026-11-20-managed-event-types.ts';
import { MembershipLists } from './2026-11-20-membership-lists.ts';
import { RescheduleRequests } from './2026-11-20-reschedule-requests.ts';
import { Schedules } from './2026-11-20-schedules.ts';

/** In order, forward only: a migration that has run anywhere is never edited. */
export const MIGRATIONS: Constructor<Migration>[] = [
  FirstSchema,
  Schedules,
  EventTypeScheduling,
  Bookings,
  BookingMedia,
  BookerEmailCodes,
  LocationIds,
  RescheduleRequests,
  ManagedEventTypes,
  Jobs,
  IcsSequence,
  IdempotencyKeys,
  BookingLists,
  MembershipLists,
  BookingIdempotency,
];
