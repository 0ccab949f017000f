import { instantOf } from '../../core/instant.ts';
import { Problem } from '../../core/problem.ts';
import { statusOf } from '../../database/failure.ts';
import type { Em } from '../../database/sql.ts';
import { findAsItIsNow, findBooking } from '../../modules/bookings/booking.queries.ts';
import { type BookingKey, uidOf } from '../../modules/bookings/booking-key.rules.ts';
import { rescheduleBooking } from '../../modules/bookings/change/reschedule-booking.ts';
import { type BookingForPage, findBookingForPage } from '../../modules/bookings/public/public-booking.queries.ts';
import { findSlotAt, findSlotsOfDay } from '../../modules/bookings/slots/month-of-slots.queries.ts';
import type { Moving } from '../../modules/bookings/slots/moved-booking.queries.ts';
import type { BookableEventType } from '../../modules/event-types/public/event-type-rules.queries.ts';
import { findBookingOwner } from '../../modules/event-types/public/public-event-type.queries.ts';
import { withoutLogo } from '../booking/booking-layout.ts';
import { isClosed, mistakeWords, wordsOf } from '../booking/booking-mistakes.ts';
import { bookingPath } from '../booking/booking-page.ts';
import {
  actorOf,
  type BookingContext,
  type BookingPagesSettings,
  type Reader,
  readerOf,
  UNLISTED,
} from '../booking/booking-visitor.ts';
import { answerWithCalendar, type CalendarFor, requestedLength, stillOffered } from '../booking/calendar-answer.ts';
import { chosenIn, onDayOf, type PageInput, readPageInput } from '../booking/page-input.ts';
import { ownerName } from '../booking/place-page.ts';
import type { Html } from '../kit/layout.ts';
import { seeOther, sendPage } from '../kit/page-response.ts';
import { inLanguage, longTime } from '../kit/when.ts';
import { reschedulePage } from './reschedule-page.ts';

const FORM = 'reschedule-booking';

/** GET: the calendar of the event type, and once a time is chosen, the question whether to move there. */
export async function showReschedule(
  c: BookingContext,
  settings: BookingPagesSettings,
  em: Em,
  booking: BookingForPage,
): Promise<Response> {
  const { eventType, canReschedule, confirmation } = booking;
  if (!eventType || !canReschedule) return seeOther(c, bookingPath(confirmation.uid));
  const input = readPageInput(c.req.query());
  const move = await moveOf(c, em, booking, eventType, input);
  const { calendarFor, reader, lengthInMinutes } = move;
  if (!input.start || input.unknownZone !== undefined) return answerWithCalendar(c, em, calendarFor, input, reader);
  const question = {
    timeZone: reader.clock.timeZone,
    lengthInMinutes,
    rescheduled: movingOf(move),
    admit: reader.admit,
  };
  if (await findSlotAt(em, eventType, input.start, question)) return answerWithQuestion(c, settings, move, input.start);
  const day = onDayOf(input, input.start, reader.clock.timeZone);
  return answerWithCalendar(c, em, calendarFor, day, reader, mistakeWords(reader.clock.locale).gone);
}

/** POST: moves it. */
export async function takeReschedule(
  c: BookingContext,
  settings: BookingPagesSettings,
  em: Em,
  booking: BookingForPage,
): Promise<Response> {
  const { eventType, confirmation, key } = booking;
  const { form, forgery } = await settings.visitors.readForm(c, FORM);
  // A booking that has no calendar any more says so on its own page.
  if (!eventType) return seeOther(c, bookingPath(confirmation.uid));
  const input = chosenIn(c.req.query(), form);
  const { start } = input;
  const reason = form.get('reason') ?? '';
  const offered = await moveOf(c, em, booking, eventType, { ...input, lengthInMinutes: null });
  // Whether it is still offered, the command decides: it was when the form was made.
  const move = { ...offered, lengthInMinutes: input.lengthInMinutes ?? offered.lengthInMinutes };
  if (forgery) return answerWithQuestion(c, settings, move, start, { reason, problem: forgery });
  const { lengthInMinutes, reader } = move;
  try {
    const { callerId } = reader;
    const wanted = { key, start, lengthInMinutes, reason, reservationId: null, callerId, by: actorOf(c, settings) };
    const moved = await rescheduleBooking(settings.em.fork(), eventType, wanted);
    return settings.visitors.leadTo(c, bookingPath(uidOf(moved)), 'moved');
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const isOfReason = error.mistakes[0].path?.[0] === 'reason';
    const now = isOfReason ? undefined : await findWhereItIs(settings.em.fork(), booking, reader.callerId);
    // The same form, sent twice: by now the booking stands where its sender wants it.
    if (now && instantOf(now.confirmation.start).equals(start)) return seeOther(c, bookingPath(now.confirmation.uid));
    // Another one, from another tab say, was there first.
    if (now?.canReschedule && now.key.id !== key.id) {
      const moved = await moveOf(c, em, now, eventType, input);
      return answerWithQuestion(c, settings, moved, start, { reason, problem: MOVED_MEANWHILE });
    }
    return answerWithQuestion(c, settings, move, start, { reason, problem: error });
  }
}

const MOVED_MEANWHILE = new Problem('CONFLICT', 'The booking has been moved in the meantime.');

/** The same booking, wherever it has moved; undefined if it is gone. */
async function findWhereItIs(
  em: Em,
  { key }: BookingForPage,
  callerId: string | null,
): Promise<BookingForPage | undefined> {
  const linked = await findBooking(em, key);
  const now = linked && !key.isSeat ? await findAsItIsNow(em, linked) : undefined;
  return findBookingForPage(em, now ? { ownerId: now.ownerId, id: now.id } : key, callerId);
}

interface Move {
  readonly calendarFor: CalendarFor;
  readonly input: PageInput;
  readonly reader: Reader;
  readonly lengthInMinutes: number;
  readonly key: BookingKey;
  readonly uid: string;
  readonly title: string;
  readonly when: Html;
}

async function moveOf(
  c: BookingContext,
  em: Em,
  { confirmation, key, brand }: BookingForPage,
  eventType: BookableEventType,
  input: PageInput,
): Promise<Move> {
  const { uid, title, attendee } = confirmation;
  const { timeZone, weekStart } = eventType.rules;
  const reader = await readerOf(em, c, input.timeZone, { timeZone: attendee?.timeZone ?? timeZone, weekStart });
  const [start, end] = [instantOf(confirmation.start), instantOf(confirmation.end)];
  const owner = await findBookingOwner(em, { id: eventType.ownerId });
  const shown = {
    eventType,
    ownerName: owner ? ownerName(owner) : '',
    brand: withoutLogo(brand),
    path: `${bookingPath(uid)}/reschedule`,
  };
  const when = inLanguage(longTime(start, end, reader.clock), reader.clock);
  const booked = end.since(start).total('minutes');
  const calendarFor = { shown, isUnlisted: true, moving: { key, when, lengthInMinutes: booked } };
  return { calendarFor, input, reader, lengthInMinutes: requestedLength(shown, input, booked), key, uid, title, when };
}

function movingOf({ key, reader: { callerId } }: Move): Moving {
  return { key, callerId };
}

async function answerWithQuestion(
  c: BookingContext,
  { em, visitors }: BookingPagesSettings,
  move: Move,
  start: Temporal.Instant,
  { reason, problem }: { readonly reason: string; readonly problem?: Problem } = { reason: '' },
): Promise<Response> {
  const { calendarFor, input, reader, uid, title, when } = move;
  const isGone = problem?.mistakes.some(isClosed) ?? false;
  const { eventType } = calendarFor.shown;
  const offered = stillOffered(eventType, move.lengthInMinutes);
  const lengthInMinutes = isGone ? offered : move.lengthInMinutes;
  const question = {
    timeZone: reader.clock.timeZone,
    lengthInMinutes,
    rescheduled: movingOf(move),
    admit: reader.admit,
  };
  const page = reschedulePage({
    viewer: reader.viewer,
    brand: calendarFor.shown.brand,
    path: calendarFor.shown.path,
    bookingPath: bookingPath(uid),
    query: { ...input.query, start: start.toString(), lengthInMinutes: String(offered) },
    clock: reader.clock,
    title,
    moving: when,
    slot: { start, end: start.add({ minutes: lengthInMinutes }) },
    otherSlots: isGone ? await findSlotsOfDay(em.fork(), eventType, start, question) : undefined,
    reason,
    mistakes: (problem?.mistakes ?? []).map((mistake) => wordsOf(mistake, reader.clock.locale)),
    csrf: visitors.formToken(c, FORM),
  });
  const status = problem ? (isGone ? 409 : statusOf(problem)) : 200;
  return sendPage(c, page, status, UNLISTED);
}
