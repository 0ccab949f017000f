import { Hono } from 'hono';
import type { Problem } from '../../core/problem.ts';
import type { Em } from '../../database/sql.ts';
import { type BookingForPage, findBookingForPage } from '../../modules/bookings/booking-page.queries.ts';
import { type CalendarLink, calendarLinks } from '../../modules/bookings/calendar-link.rules.ts';
import { cancelBooking } from '../../modules/bookings/cancel-booking.ts';
import { icsUrl } from '../../modules/bookings/ics.rules.ts';
import { type BookingPage, bookingPage, bookingPath } from '../../pages/booking/booking-page.ts';
import { cancelPage } from '../../pages/booking/cancel-page.ts';
import { longTime } from '../../pages/booking/when.ts';
import { seeOther, sendPage } from '../page-response.ts';
import { answerNotFound, problemOf, statusOf } from '../problem-response.ts';
import { askedIn } from './asked.ts';
import {
  admitVisitors,
  type BookingContext,
  type BookingEnv,
  type BookingPagesSettings,
  type Reader,
  readerOf,
  UNLISTED,
} from './booking-visitor.ts';
import { onlyMethods } from './only-methods.ts';
import { showReschedule, takeReschedule } from './reschedule-answers.ts';

/** What a uid is made of: `.ics` behind it asks for the calendar file. */
const UID = '/bookings/:uid{[0-9A-Za-z_]+}';
const CANCEL_FORM = 'cancel-booking';

const DONE = new Map([
  ['cancelled', 'The booking was cancelled.'],
  ['moved', 'The booking was moved.'],
]);

/** `/bookings/<uid>`: a booking, or a seat in one, for whoever holds its uid; cancelling it, and moving it. */
export function bookingPageRoutes(settings: BookingPagesSettings): Hono<BookingEnv> {
  const routes = new Hono<BookingEnv>();
  routes.use(`${UID}/*`, admitVisitors(settings));
  routes.get(UID, (c) => withBooking(c, settings, show));
  routes.get(`${UID}/cancel`, (c) => withBooking(c, settings, (...seen) => showCancel(...seen, '')));
  routes.post(`${UID}/cancel`, (c) => withBooking(c, settings, cancel));
  routes.get(`${UID}/reschedule`, (c) => withBooking(c, settings, showReschedule));
  routes.post(`${UID}/reschedule`, (c) => withBooking(c, settings, takeReschedule));
  routes.all(UID, onlyMethods('GET'));
  for (const path of ['cancel', 'reschedule']) routes.all(`${UID}/${path}`, onlyMethods('GET', 'POST'));
  return routes;
}

type Seen = readonly [c: BookingContext, settings: BookingPagesSettings, em: Em, booking: BookingForPage];

/** What is no uid and what is nobody's look alike. */
async function withBooking(
  c: BookingContext,
  settings: BookingPagesSettings,
  answer: (...seen: Seen) => Promise<Response>,
): Promise<Response> {
  const em = settings.em.fork();
  const booking = await findBookingForPage(em, c.req.param('uid') ?? '', c.get('session')?.userId ?? null);
  return booking ? answer(c, settings, em, booking) : answerNotFound(c);
}

async function show(...[c, { publicUrl }, em, booking]: Seen): Promise<Response> {
  const { viewer, clock } = await readerOfBooking(c, em, booking);
  const done = DONE.get(c.req.query('done') ?? '');
  const page: BookingPage = { viewer, booking, clock, calendarLinks: linksOf(booking, publicUrl), done };
  return sendPage(c, bookingPage(page), 200, UNLISTED);
}

/** Whoever booked said in which zone they are. */
async function readerOfBooking(
  c: BookingContext,
  em: Em,
  { confirmation, eventType }: BookingForPage,
): Promise<Reader> {
  const asked = askedIn({ timeZone: c.req.query('timeZone') });
  const timeZone = confirmation.attendee?.timeZone ?? eventType?.rules.timeZone ?? 'UTC';
  const weekStart = eventType?.rules.weekStart ?? 'MONDAY';
  return readerOf(em, c, asked.timeZone, { timeZone, weekStart });
}

function linksOf({ confirmation, isOver }: BookingForPage, publicUrl: string): readonly CalendarLink[] {
  const { uid, title, description, location, status } = confirmation;
  if (isOver || status === 'CANCELLED' || status === 'REJECTED') return [];
  const [start, end] = [Temporal.Instant.from(confirmation.start), Temporal.Instant.from(confirmation.end)];
  return calendarLinks({ title, description, location, start, end, icsUrl: icsUrl(publicUrl, uid) });
}

async function cancel(...seen: Seen): Promise<Response> {
  const [c, { visitors, em: global }, , { confirmation, eventType }] = seen;
  const { uid } = confirmation;
  const { form, forgery } = await visitors.readForm(c, CANCEL_FORM);
  const reason = form.get('reason') ?? '';
  const callerId = c.get('session')?.userId ?? null;
  const problem =
    forgery ?? (await problemOf(() => cancelBooking(global.fork(), eventType?.rules, { uid, reason, callerId })));
  if (!problem) return seeOther(c, `${bookingPath(uid)}?done=cancelled`);
  // The same form, sent twice: it is as cancelled as its sender wants it.
  if (confirmation.status === 'CANCELLED') return seeOther(c, bookingPath(uid));
  return showCancel(...seen, reason, problem);
}

async function showCancel(
  ...[c, { visitors }, em, booking, reason, problem]: [...Seen, string, Problem?]
): Promise<Response> {
  const { confirmation, actor, canCancel } = booking;
  const { uid, title, start, end } = confirmation;
  if (!canCancel && !problem) return seeOther(c, bookingPath(uid));
  const { viewer, clock } = await readerOfBooking(c, em, booking);
  const page = cancelPage({
    viewer,
    uid,
    title,
    when: longTime(Temporal.Instant.from(start), Temporal.Instant.from(end), clock),
    reason,
    needsReason: actor === 'HOST',
    mistakes: problem?.mistakes ?? [],
    csrf: visitors.formToken(c, CANCEL_FORM),
  });
  return sendPage(c, page, problem ? statusOf(problem) : 200, UNLISTED);
}
