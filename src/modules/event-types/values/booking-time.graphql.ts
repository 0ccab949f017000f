import { builder } from '../../../graphql/builder.ts';
import { describedValues } from '../../../graphql/descriptions.ts';
import { reads } from '../../../scopes/declare.ts';
import type {
  BookingLimit as BookingLimitShape,
  BookingLimits as BookingLimitsShape,
} from '../settings/booking-limit.rules.ts';
import { BOOKING_WINDOW_KINDS, type BookingWindow as BookingWindowShape } from '../settings/booking-window.rules.ts';

const data = reads('EVENT_TYPE');

export const BookingWindowKind = builder.enumType('BookingWindowKind', {
  description: 'A number of days from today, all days up to a number of Mondays to Fridays from today, or two dates.',
  values: describedValues(BOOKING_WINDOW_KINDS, {
    ROLLING_DAYS: 'Today and as many days after it as `days` says.',
    BUSINESS_DAYS: 'Today and all days up to the Monday to Friday that `days` counts to; weekends between are in it.',
    DATE_RANGE: 'From one date to another, both included.',
  }),
});

export const BookingWindow = builder.objectRef<BookingWindowShape>('BookingWindow').implement({
  description: 'How far ahead an event type can be booked, in dates of its zone.',
  fields: (t) => ({
    kind: t.expose('kind', {
      type: BookingWindowKind,
      requires: data,
      description: 'Which of the other fields count: `days`, or `from` and `to`.',
    }),
    days: t.int({
      nullable: true,
      requires: data,
      description: 'Of ROLLING_DAYS and BUSINESS_DAYS.',
      resolve: (window) => (window.kind === 'DATE_RANGE' ? null : window.days),
    }),
    from: t.field({
      type: 'Date',
      nullable: true,
      requires: data,
      description: 'Of DATE_RANGE: the first date, as `YYYY-MM-DD`.',
      resolve: (window) => (window.kind === 'DATE_RANGE' ? window.from : null),
    }),
    to: t.field({
      type: 'Date',
      nullable: true,
      requires: data,
      description: 'Of DATE_RANGE: the last date, as `YYYY-MM-DD`.',
      resolve: (window) => (window.kind === 'DATE_RANGE' ? window.to : null),
    }),
  }),
});

const BookingLimit = builder.objectRef<BookingLimitShape>('BookingLimit').implement({
  description: 'The most bookings that start in a period, and the most minutes that they last together.',
  fields: (t) => ({
    count: t.int({
      nullable: true,
      requires: data,
      description: 'The most bookings. Null: any number.',
      resolve: ({ count }) => count,
    }),
    minutes: t.int({
      nullable: true,
      requires: data,
      description: 'The most minutes, buffers not counted. Null: any number.',
      resolve: ({ minutes }) => minutes,
    }),
  }),
});

export const BookingLimits = builder.objectRef<BookingLimitsShape>('BookingLimits').implement({
  description: 'Limits by period of the calendar; null where there is none.',
  fields: (t) => ({
    day: t.field({
      type: BookingLimit,
      nullable: true,
      requires: data,
      description: 'For a day in the zone of the event type.',
      resolve: ({ day }) => day,
    }),
    week: t.field({
      type: BookingLimit,
      nullable: true,
      requires: data,
      description: 'For a week, which begins with the owner’s `weekStart`.',
      resolve: ({ week }) => week,
    }),
    month: t.field({
      type: BookingLimit,
      nullable: true,
      requires: data,
      description: 'For a month of the calendar.',
      resolve: ({ month }) => month,
    }),
    year: t.field({
      type: BookingLimit,
      nullable: true,
      requires: data,
      description: 'For a year of the calendar.',
      resolve: ({ year }) => year,
    }),
  }),
});
