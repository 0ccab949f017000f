import { Hono } from 'hono';
import { instantOf } from '../../core/instant.ts';
import type { Em } from '../../database/sql.ts';
import { type CalendarLink, calendarLinks, icsUrl } from '../../modules/bookings/add-to-calendar.rules.ts';
import { bookingKeyOf } from '../../modules/bookings/booking-key.rules.ts';
import { isCutShort } from '../../modules/bookings/change/cancel-booking.ts';
import { isAuthorVerified } from '../../modules/bookings/mails/booking-mail.queries.ts';
import { findOutcome } from '../../modules/bookings/mails/mail-outcomes.ts';
import { type BookingForPage, findBookingForPage } from '../../modules/bookings/public/public-booking.queries.ts';
import { attributed } from '../../modules/event-types/managed-event-type.rules.ts';
import { type BookingPage, bookingPage, bookingPath, doneWords } from '../booking/booking-page.ts';
import {
  admitVisitors,
  type BookingContext,
  type BookingEnv,
  type BookingPagesSettings,
  readerOfBooking,
  UNLISTED,
} from '../booking/booking-visitor.ts';
import { asEmbedded, mayBeFramed } from '../booking/embedding/embedding.ts';
import { localeOf } from '../kit/page-locale.ts';
import { sendPage } from '../kit/page-response.ts';
import { sendError } from '../kit/problem-response.ts';
import { bookedWords } from './booked-words.ts';
import { showCancel, takeCancel } from './cancel-answers.ts';
import { givenBackPage } from './given-back-page.ts';
import { showGuests, takeGuests } from './guests-answers.ts';
import { showReschedule, takeReschedule } from './reschedule-answers.ts';

/** The pattern of a uid: `.ics` behind it asks for the calendar file, which booking-ics.routes.ts answers. */
const UID = '/bookings/:uid{[\\w-]+}';

/** The mail to a booker who has named guests leads here. */
const GUESTS = `${UID}/guests/:token{[\\w-]+}`;

/** `/bookings/<uid>`: a booking, or a seat in one, for anybody with its uid; cancelling it, and moving it. */
export function bookingPageRoutes(settings: BookingPagesSettings): Hono<BookingEnv> {
  const routes = new Hono<BookingEnv>();
  routes.use(UID, asEmbedded);
  routes.use('/bookings/*', admitVisitors(settings));
  routes.get(UID, (c) => withBooking(c, settings, show));
  routes.get(`${UID}/cancel`, (c) => withBooking(c, settings, showCancel));
  routes.post(`${UID}/cancel`, (c) => withBooking(c, settings, takeCancel));
  routes.get(`${UID}/reschedule`, (c) => withBooking(c, settings, showReschedule));
  routes.post(`${UID}/reschedule`, (c) => withBooking(c, settings, takeReschedule));
  routes.get(GUESTS, async (c) => (await showGuests(c, settings)) ?? answerNoBooking(c, settings));
  routes.post(GUESTS, async (c) => (await takeGuests(c, settings)) ?? answerNoBooking(c, settings));
  return routes;
}

type Seen = readonly [c: BookingContext, settings: BookingPagesSettings, em: Em, booking: BookingForPage];

async function withBooking(
  c: BookingContext,
  settings: BookingPagesSettings,
  answer: (...seen: Seen) => Promise<Response>,
): Promise<Response> {
  const em = settings.em.fork();
  const key = bookingKeyOf(c.req.param('uid') ?? '');
  const booking = key && (await findBookingForPage(em, key, c.get('session')?.userId ?? null));
  return booking ? answer(c, settings, em, booking) : answerNoBooking(c, settings);
}

/** Gives the same answer for a text that is not a uid, for an unknown uid, and for a seat that was given back. */
function answerNoBooking(c: BookingContext, { visitors }: BookingPagesSettings): Response | Promise<Response> {
  const locale = localeOf(c);
  const isGivenBack = visitors.ledHereBy(c) === 'cancelled' && bookingKeyOf(c.req.param('uid') ?? '')?.isSeat;
  if (isGivenBack) return sendPage(c, givenBackPage(locale), 200, UNLISTED);
  return sendError(c, { status: 404, ...bookedWords(locale).nothing }, UNLISTED);
}

async function show(...[c, { publicUrl, visitors }, em, booking]: Seen): Promise<Response> {
  mayBeFramed(c, booking.eventType);
  const { viewer, clock, unknownZone } = await readerOfBooking(em, c, booking);
  const done = doneWords(doneIn(visitors.doneBefore(c), booking), booking.rest.kept, clock);
  const page: BookingPage = {
    viewer,
    booking,
    clock,
    isMailed: await isAuthorVerified(em, { ownerId: booking.key.ownerId, managedBy: booking.confirmation.managedBy }),
    mailOutcome: await findOutcome(em, booking.key, booking.confirmation.attendee?.email),
    url: `${publicUrl}${bookingPath(booking.confirmation.uid)}`,
    calendarLinks: linksOf(booking, publicUrl, clock.locale),
    done,
    unknownZone,
    isEmbedded: c.get('isEmbedded') ?? false,
  };
  return sendPage(c, bookingPage(page), unknownZone === undefined ? 200 : 400, UNLISTED);
}

/** Says what was done, as long as that is still how things stand. */
function doneIn(
  said: string,
  { rest, confirmation: { status, rescheduledToUid, guestsInvited, guestsWaiting } }: BookingForPage,
) {
  if (said === 'rest' && isCutShort(rest)) return 'rest';
  if (said === 'cancelled' && status === 'CANCELLED' && rescheduledToUid === null) return 'cancelled';
  if (said === 'invited' && guestsInvited > 0 && guestsWaiting === 0) return 'invited';
  if (said === 'moved' && status === 'ACCEPTED') return 'moved';
  if (said === 'moved' && status === 'PENDING') return 'asked';
  return undefined;
}

function linksOf({ confirmation, isOver }: BookingForPage, publicUrl: string, locale: string): readonly CalendarLink[] {
  const { uid, title, location, status, managedBy } = confirmation;
  const description = attributed(confirmation.description, managedBy, locale);
  if (isOver || status === 'CANCELLED' || status === 'REJECTED') return [];
  const [start, end] = [instantOf(confirmation.start), instantOf(confirmation.end)];
  return calendarLinks({ title, description, location, start, end, icsUrl: icsUrl(publicUrl, uid) });
}
