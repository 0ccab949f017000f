import { Problem } from '../../core/problem.ts';
import type { Em } from '../../database/sql.ts';
import type { BookingKey } from '../../modules/bookings/booking-key.rules.ts';
import { findMonthOfSlots } from '../../modules/bookings/slots/month-of-slots.queries.ts';
import type { BookableEventType } from '../../modules/event-types/public/event-type-rules.queries.ts';
import { lengthsOf } from '../../modules/event-types/settings/scheduling.rules.ts';
import type { Html } from '../kit/layout.ts';
import { sendOpenPage } from '../kit/page-response.ts';
import { logoHeaders } from './booking-layout.ts';
import { type BookingContext, type Reader, UNLISTED } from './booking-visitor.ts';
import type { EventTypeOnPage } from './event-type-facts.ts';
import { eventTypePage } from './event-type-page.ts';
import type { PageInput } from './page-input.ts';

/** The purpose of an opened calendar: a new booking, or one that is to be moved. */
export interface CalendarFor {
  readonly shown: EventTypeOnPage;
  /** Whether the page is unlisted, as its address is secret. */
  readonly isUnlisted: boolean;
  /** A booking that is to be moved, and when it is now, in words. */
  readonly moving: { readonly key: BookingKey; readonly when: Html; readonly lengthInMinutes: number } | undefined;
}

/** Shows a month, and the times of a day of it. @throws Problem for a month, a zone or a length that cannot be */
export async function answerWithCalendar(
  c: BookingContext,
  em: Em,
  { shown, isUnlisted, moving }: CalendarFor,
  input: PageInput,
  reader: Reader,
  notice?: string,
): Promise<Response> {
  const lengthInMinutes = requestedLength(shown, input, moving?.lengthInMinutes);
  const { viewer, clock } = reader;
  const calendar = await findMonthOfSlots(em, shown.eventType, {
    month: input.month,
    timeZone: clock.timeZone,
    lengthInMinutes,
    rescheduled: moving ? { key: moving.key, callerId: reader.callerId } : null,
    admit: reader.admit,
  });
  const page = eventTypePage({
    viewer,
    shown,
    query: input.query,
    clock,
    lengthInMinutes,
    calendar,
    date: input.date,
    moving: moving?.when,
    notice,
    unknownZone: input.unknownZone,
  });
  return sendOpenPage(c, viewer, page, input.unknownZone === undefined ? 200 : 400, {
    ...logoHeaders(shown.brand, true),
    ...(isUnlisted && UNLISTED),
  });
}

/**
 * The requested length, that of the booking to move as long as it is offered, or the event type's own.
 * @throws Problem BAD_REQUEST for one that is not offered
 */
export function requestedLength(
  { eventType: { rules } }: EventTypeOnPage,
  { lengthInMinutes: requested }: PageInput,
  booked?: number,
): number {
  const lengths = lengthsOf(rules);
  if (requested === null) return booked !== undefined && lengths.includes(booked) ? booked : rules.lengthInMinutes;
  if (lengths.includes(requested)) return requested;
  throw new Problem(
    'BAD_REQUEST',
    `A length of ${requested} minutes is not offered; choose one of: ${lengths.join(', ')}.`,
  );
}

/** The length of a form, or the event type's own where the host has changed what is offered since the form was made. */
export function stillOffered({ rules }: BookableEventType, lengthInMinutes: number): number {
  return lengthsOf(rules).includes(lengthInMinutes) ? lengthInMinutes : rules.lengthInMinutes;
}
