import { builder, type InputBuilder } from '../../../graphql/builder.ts';
import { EVENT_TYPE_DEFAULTS } from '../settings/event-type-scheduling.rules.ts';
import {
  DAY_IN_MINUTES,
  MAX_LENGTHS,
  MAX_LIMIT_COUNT,
  MAX_WINDOW_DAYS,
  YEAR_IN_MINUTES,
} from '../settings/scheduling-input.rules.ts';
import { BookingWindowKind } from '../values/booking-time.graphql.ts';

const BookingWindowInput = builder.inputType('BookingWindowInput', {
  description: 'How far ahead it can be booked, in dates of its zone.',
  fields: (t) => ({
    kind: t.field({
      type: BookingWindowKind,
      required: true,
      description: 'Which of the other fields it needs: `days`, or `from` and `to`.',
    }),
    days: t.int({ description: `For ROLLING_DAYS and BUSINESS_DAYS: 1 to ${MAX_WINDOW_DAYS}.` }),
    from: t.field({
      type: 'Date',
      description: 'For DATE_RANGE: the first date, as `YYYY-MM-DD`, such as `2026-12-01`.',
    }),
    to: t.field({ type: 'Date', description: 'For DATE_RANGE: the last date, as `YYYY-MM-DD`, such as `2026-12-31`.' }),
  }),
});

const BookingLimitInput = builder.inputType('BookingLimitInput', {
  description: 'What is left out stays; null takes the limit away.',
  fields: (t) => ({
    count: t.int({ description: `The most bookings that start in the period: 1 to ${MAX_LIMIT_COUNT}.` }),
    minutes: t.int({ description: `The most minutes that they last together: 1 to ${YEAR_IN_MINUTES}.` }),
  }),
});

const BookingLimitsInput = builder.inputType('BookingLimitsInput', {
  description: 'Limits by period of the calendar. What is left out stays; null takes a period’s limits away.',
  fields: (t) => ({
    day: t.field({ type: BookingLimitInput, description: 'For a day in the zone of the event type.' }),
    week: t.field({ type: BookingLimitInput, description: 'For a week, which begins with the owner’s `weekStart`.' }),
    month: t.field({ type: BookingLimitInput, description: 'For a month of the calendar.' }),
    year: t.field({ type: BookingLimitInput, description: 'For a year of the calendar.' }),
  }),
});

/** A length, as the descriptions of inputs say it. */
export const MINUTES = `1 to ${DAY_IN_MINUTES}`;

/** When it can be booked, and how much of it: lengths, slots, notice, buffers, window and limits. */
export function timeFields(t: InputBuilder) {
  return {
    lengthInMinutesOptions: t.intList({
      description: `The lengths to choose from, \`lengthInMinutes\` among them: at most ${MAX_LENGTHS}, each ${MINUTES}. Empty for no choice. Replaces all.`,
    }),
    slotIntervalInMinutes: t.int({ description: `From one slot to the next: ${MINUTES}; null is the length booked.` }),
    minimumBookingNoticeInMinutes: t.int({
      description: `The latest time to book, in minutes before the start: 0 to ${YEAR_IN_MINUTES}. A new event type has ${EVENT_TYPE_DEFAULTS.minimumBookingNoticeInMinutes}.`,
    }),
    bufferBeforeInMinutes: t.int({
      description: `How long hosts are kept free before each booking: 0 to ${DAY_IN_MINUTES}, 0 at first.`,
    }),
    bufferAfterInMinutes: t.int({
      description: `How long hosts are kept free after each booking: 0 to ${DAY_IN_MINUTES}, 0 at first.`,
    }),
    bookingWindow: t.field({
      type: BookingWindowInput,
      description: 'How far ahead it can be booked. Null lifts it: as far as anybody likes.',
    }),
    bookingLimits: t.field({
      type: BookingLimitsInput,
      description: 'How much of it can be booked in a period. Null lifts all.',
    }),
  };
}
