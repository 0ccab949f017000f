import { html } from 'hono/html';
import { instantOf, zoneName } from '../../core/instant.ts';
import { Problem } from '../../core/problem.ts';
import { statusOf } from '../../database/failure.ts';
import type { Em } from '../../database/sql.ts';
import { findAsItIsNow, findBooking } from '../../modules/bookings/booking.queries.ts';
import type { BookingKey } from '../../modules/bookings/booking-key.rules.ts';
import type { BookingActor } from '../../modules/bookings/booking-transitions.rules.ts';
import { rescheduleBooking } from '../../modules/bookings/change/reschedule-booking.ts';
import { type BookingForPage, findBookingForPage } from '../../modules/bookings/public/public-booking.queries.ts';
import type { Moving } from '../../modules/bookings/slots/availability.ts';
import type { BookableEventType } from '../../modules/bookings/slots/bookable-event-type.queries.ts';
import { findSlotAt, findSlotsOfDay } from '../../modules/bookings/slots/month-of-slots.queries.ts';
import { findBookingOwner } from '../../modules/event-types/public/public-event-type.queries.ts';
import type { Brand } from '../../modules/teams/team.queries.ts';
import {
  addressOf,
  bookingPath,
  chosenIn,
  onDayOf,
  type PageInput,
  readPageInput,
} from '../booking/booking-address.ts';
import { isClosed, wordsOf } from '../booking/booking-form.ts';
import { bookingLayout, withoutLogo } from '../booking/booking-layout.ts';
import {
  actorOf,
  type BookingContext,
  type BookingPagesSettings,
  type Reader,
  readerOf,
  UNLISTED,
} from '../booking/booking-visitor.ts';
import { bookingWords, mistakeWords } from '../booking/booking-words.ts';
import { answerWithCalendar, type CalendarFor, requestedLength, stillOffered } from '../booking/calendar-page.ts';
import { type ChosenTime, otherTimes } from '../booking/calendar-parts.ts';
import { ownerName } from '../booking/places.ts';
import { formTitle, hiddenField, mistakeSummary, textArea } from '../kit/form-parts.ts';
import { type Html, isolated } from '../kit/layout.ts';
import { type DeclaredPage, type Onward, type OpenShowing, type OpenVisit, openPage } from '../kit/page.ts';
import { seeOther, sendPage } from '../kit/page-response.ts';
import { pageWords } from '../kit/page-words.ts';
import type { FormBack } from '../kit/request.ts';
import { inLanguage, longTime } from '../kit/when.ts';
import { BOOKED_PATH, bookedWords, findBooked, noBooking } from './booking-page.ts';

/** `/bookings/<uid>/reschedule`: the calendar of the event type, and once a time is chosen, the question whether to move there. */
export function reschedulePage(settings: BookingPagesSettings): DeclaredPage {
  return openPage({
    path: `${BOOKED_PATH}/reschedule`,
    find: findBooked(settings),
    none: noBooking(settings),
    show: (showing, booking) => (showing.back ? showAgain(showing, booking, showing.back) : show(showing, booking)),
    forms: { move: { at: '', run: (visit, booking, form) => take(visit, booking, form, settings) } },
  });
}

async function show(showing: OpenShowing<'move'>, booking: BookingForPage): Promise<Response> {
  const { c, em } = showing;
  const { eventType, canReschedule, confirmation } = booking;
  // A booking that cannot be moved says so on its own page.
  if (!eventType || !canReschedule) return seeOther(c, bookingPath(confirmation.name));
  const input = readPageInput(c.req.query());
  const move = await moveOf(c, em, booking, eventType, input);
  const { calendarFor, reader, durationInMinutes } = move;
  if (!input.start || input.unknownZone !== undefined) return answerWithCalendar(c, em, calendarFor, input, reader);
  const question = {
    timeZone: reader.clock.timeZone,
    durationInMinutes,
    rescheduled: movingOf(move),
    admit: reader.admit,
  };
  if (await findSlotAt(em, eventType, input.start, question)) return answerWithQuestion(showing, move, input.start);
  const day = onDayOf(input, input.start, reader.clock.timeZone);
  return answerWithCalendar(c, em, calendarFor, day, reader, mistakeWords(reader.clock.locale).gone);
}

async function take(
  { c, em }: OpenVisit,
  booking: BookingForPage,
  form: URLSearchParams,
  settings: BookingPagesSettings,
): Promise<Onward> {
  const { eventType, confirmation, key, nameOf, hostId } = booking;
  if (!eventType) return { to: bookingPath(confirmation.name) };
  const { start, durationInMinutes } = chosenIn(c.req.query(), form);
  const by = actorOf(c, settings);
  const wanted = {
    key,
    start,
    // Whether it is still offered, the command decides: it was when the form was made.
    durationInMinutes: durationInMinutes ?? requestedLength({ eventType }, null, bookedLength(booking)),
    reason: form.get('reason') ?? '',
    reservationId: null,
    callerId: hostId,
    by,
    ...(hostId !== null && { acting: { ...key, ...by, hostId } }),
  };
  try {
    const moved = await rescheduleBooking(em, eventType, wanted);
    return { to: bookingPath(nameOf(moved)), done: 'moved' };
  } catch (error) {
    if (!(error instanceof Problem) || isOfReason(error)) throw error;
    const now = await findWhereItIs(em, booking);
    // The same form, sent twice: by now the booking stands where its sender wants it.
    if (now && instantOf(now.confirmation.start).equals(start)) return { to: bookingPath(now.confirmation.name) };
    throw error;
  }
}

/** The form comes back: with the question whether to move, from where the booking stands by now. */
async function showAgain(
  showing: OpenShowing<'move'>,
  booking: BookingForPage,
  { form, problem }: FormBack,
): Promise<Response> {
  const { c, em } = showing;
  const { eventType, confirmation, key } = booking;
  if (!eventType) return seeOther(c, bookingPath(confirmation.name));
  const input = chosenIn(c.req.query(), form);
  const reason = form.get('reason') ?? '';
  const isForged = problem?.code === 'FORGED_FORM';
  const now = isForged || isOfReason(problem) ? undefined : await findWhereItIs(em, booking);
  // Another one, from another tab say, was there first.
  if (now?.canReschedule && now.key.id !== key.id) {
    const moved = await moveOf(c, em, now, eventType, input);
    return answerWithQuestion(showing, moved, input.start, { reason, problem: MOVED_MEANWHILE });
  }
  const offered = await moveOf(c, em, booking, eventType, { ...input, durationInMinutes: null });
  const move = { ...offered, durationInMinutes: input.durationInMinutes ?? offered.durationInMinutes };
  return answerWithQuestion(showing, move, input.start, { reason, problem });
}

function isOfReason(problem: Problem | undefined): boolean {
  return problem?.mistakes[0].path?.[0] === 'reason';
}

const NOTHING_SENT = { reason: '', problem: undefined };
const MOVED_MEANWHILE = new Problem('CONFLICT', 'The booking has been moved in the meantime.');

/** The same booking, wherever it has moved; undefined if it is gone. */
async function findWhereItIs(em: Em, { key, nameOf, hostId }: BookingForPage): Promise<BookingForPage | undefined> {
  const linked = await findBooking(em, key);
  const now = linked && !key.isSeat ? await findAsItIsNow(em, linked) : undefined;
  return findBookingForPage(em, now ? { ...key, id: now.id } : key, { nameOf, hostId });
}

interface Move {
  readonly calendarFor: CalendarFor;
  readonly input: PageInput;
  readonly reader: Reader;
  readonly durationInMinutes: number;
  readonly key: BookingKey;
  readonly actor: BookingActor;
  /** The path of the booking's own page. */
  readonly path: string;
  readonly title: string;
  readonly when: Html;
}

async function moveOf(
  c: BookingContext,
  em: Em,
  { confirmation, key, actor, brand }: BookingForPage,
  eventType: BookableEventType,
  input: PageInput,
): Promise<Move> {
  const { title, attendee } = confirmation;
  const path = bookingPath(confirmation.name);
  const { timeZone, weekStart } = eventType.rules;
  const reader = await readerOf(em, c, input.timeZone, { timeZone: attendee?.timeZone ?? timeZone, weekStart });
  const [start, end] = [instantOf(confirmation.start), instantOf(confirmation.end)];
  const owner = await findBookingOwner(em, { id: eventType.ownerId });
  const shown = {
    eventType,
    ownerName: owner ? ownerName(owner) : '',
    brand: withoutLogo(brand),
    path: `${path}/reschedule`,
  };
  const when = inLanguage(longTime(start, end, reader.clock), reader.clock);
  const booked = bookedLength({ confirmation });
  const calendarFor = { shown, isUnlisted: true, moving: { key, actor, when, durationInMinutes: booked } };
  return {
    calendarFor,
    input,
    reader,
    durationInMinutes: requestedLength(shown, input.durationInMinutes, booked),
    key,
    actor,
    path,
    title,
    when,
  };
}

function bookedLength({ confirmation: { start, end } }: Pick<BookingForPage, 'confirmation'>): number {
  return instantOf(end).since(instantOf(start)).total('minutes');
}

function movingOf({ key, actor }: Move): Moving {
  return { key, actor };
}

async function answerWithQuestion(
  { c, em, csrf }: OpenShowing<'move'>,
  move: Move,
  start: Temporal.Instant,
  { reason, problem }: { readonly reason: string; readonly problem: Problem | undefined } = NOTHING_SENT,
): Promise<Response> {
  const { calendarFor, input, reader, title, when } = move;
  const isGone = problem?.mistakes.some(isClosed) ?? false;
  const { eventType } = calendarFor.shown;
  const offered = stillOffered(eventType, move.durationInMinutes);
  const durationInMinutes = isGone ? offered : move.durationInMinutes;
  const question = {
    timeZone: reader.clock.timeZone,
    durationInMinutes,
    rescheduled: movingOf(move),
    admit: reader.admit,
  };
  const page = rescheduleView({
    viewer: reader.viewer,
    brand: calendarFor.shown.brand,
    path: calendarFor.shown.path,
    bookingPath: move.path,
    query: { ...input.query, start: start.toString(), durationInMinutes: String(offered) },
    clock: reader.clock,
    title,
    moving: when,
    slot: { start, end: start.add({ minutes: durationInMinutes }) },
    otherSlots: isGone ? await findSlotsOfDay(em, eventType, start, question) : undefined,
    reason,
    mistakes: (problem?.mistakes ?? []).map((mistake) => wordsOf(mistake, reader.clock.locale)),
    csrf: csrf.move,
  });
  const status = problem ? (isGone ? 409 : statusOf(problem)) : 200;
  return sendPage(c, page, status, UNLISTED);
}

interface RescheduleView extends ChosenTime {
  readonly brand: Brand;
  /** The page's own. */
  readonly path: string;
  readonly bookingPath: string;
  readonly title: string;
  /** When it is now, in words. */
  readonly moving: Html;
  readonly reason: string;
}

/** Moves a booking to a time that was chosen. */
function rescheduleView(page: RescheduleView): Html {
  const { viewer, brand, path, query, clock, title, moving, slot, otherSlots, reason, mistakes, csrf } = page;
  const { locale } = clock;
  const { why, move: words } = bookedWords(locale);
  const label = `${why} ${pageWords(locale).optional}`;
  const date = slot.start.toZonedDateTimeISO(clock.timeZone).toPlainDate().toString();
  const calendarPath = addressOf(path, { ...query, start: undefined, date });
  const content = html`<article class="booking-form">
      ${mistakeSummary(mistakes, locale)}
      <h1>${words.heading(html`<bdi>${title}</bdi>`)}</h1>
      <dl>
        <dt>${words.from}</dt><dd><del>${moving}</del></dd>
        ${otherSlots ? '' : html`<dt>${words.to}</dt><dd><strong>${inLanguage(longTime(slot.start, slot.end, clock), clock)}</strong><br>${zoneName(clock.timeZone)}</dd>`}
      </dl>
      <form method="post" action="${addressOf(path, query)}" novalidate>
        ${hiddenField('csrf', csrf)}
        ${hiddenField('timeZone', clock.timeZone)}
        ${hiddenField('durationInMinutes', String(slot.end.since(slot.start).total('minutes')))}
        ${otherSlots ? otherTimes({ slots: otherSlots, clock, day: slot.start, calendarPath }) : hiddenField('start', slot.start.toString())}
        ${textArea({ name: 'reason', label, value: reason, rows: 3, isOptional: true }, mistakes)}
        ${otherSlots?.length === 0 ? '' : html`<button type="submit">${words.button}</button>`}
      </form>
      <p class="aside"><a href="${otherSlots ? page.bookingPath : calendarPath}">${otherSlots ? words.keep : bookingWords(locale).chooseTime}</a></p>
    </article>`;
  return bookingLayout({
    title: formTitle(words.title(isolated(title)), mistakes, locale),
    content,
    viewer,
    brand,
    shape: 'card',
    locale,
  });
}
