import type { Problem } from '../../core/problem.ts';
import { retryHeaders, statusOf } from '../../database/failure.ts';
import type { Em } from '../../database/sql.ts';
import { findReceivers, receiverKey } from '../../limits/mail-receivers.ts';
import { networkOf } from '../../limits/network.ts';
import { createBooking } from '../../modules/bookings/book/book.ts';
import { requestBookerEmailCode } from '../../modules/bookings/book/booker-email-code.ts';
import { type BookingRequest, checkedRequest } from '../../modules/bookings/booking-request.rules.ts';
import { expectedStatus, type MailOutcome, mailsOfBooked } from '../../modules/bookings/mails/mail-outcomes.ts';
import { findSeriesDates, type SeriesDate } from '../../modules/bookings/slots/availability.ts';
import { requireSignedIn } from '../../modules/bookings/slots/bookable-event-type.queries.ts';
import { findSlotAt, findSlotsOfDay } from '../../modules/bookings/slots/month-of-slots.queries.ts';
import { MAX_FIELDS, MAX_OPTIONS } from '../../modules/event-types/settings/booking-field.rules.ts';
import { CODE_MINUTES } from '../../modules/verified-resources/verified-resource.rules.ts';
import type { FilledIn, OpenShowing, OpenVisit } from '../kit/page.ts';
import { seeOther, sendOpenPage } from '../kit/page-response.ts';
import { withReturn } from '../kit/paths.ts';
import { problemOf } from '../kit/problem-response.ts';
import { type FormBack, formKeyIn, largeForm } from '../kit/request.ts';
import { addressOf, bookingPath, chosenIn, onDayOf, type PageInput, readPageInput } from './booking-address.ts';
import { isClosed, mistakesOfForm, requestOf, typedBooking, untypedBooking } from './booking-form.ts';
import { bookingFormPage, type EmailStep, type TypedBooking } from './booking-form-page.ts';
import { logoHeaders } from './booking-layout.ts';
import {
  actorOf,
  type BookingContext,
  type BookingPagesSettings,
  callerOf,
  type Reader,
  readerOf,
  UNLISTED,
} from './booking-visitor.ts';
import { bookingWords, mistakeWords } from './booking-words.ts';
import { answerWithCalendar, type EventTypeOnPage, requestedLength, stillOffered } from './calendar-page.ts';

/** Every box of every question ticked, and all else that a form may ask for. */
export const BOOKING_LIMITS = largeForm(MAX_FIELDS * MAX_OPTIONS);

/** An event type: the calendar, or the form once a time is chosen or as it comes back. @throws Problem for an address that cannot be */
export async function showOffered(
  showing: OpenShowing<'book'>,
  settings: BookingPagesSettings,
  offered: OfferedHere,
): Promise<Response> {
  const { c, em, back } = showing;
  if (back) return showAgain(showing, settings, offered, back);
  const { start, ...input } = readPageInput(c.req.query(), c.get('isEmbedded'));
  const { shown, privateLinkToken } = offered;
  const reader = await readerOf(em, c, input.timeZone, shown.eventType.rules);
  const calendarFor = { shown, isUnlisted: privateLinkToken !== null, moving: undefined };
  if (!start || input.unknownZone !== undefined) {
    return answerWithCalendar(c, em, calendarFor, { ...input, start }, reader);
  }

  const durationInMinutes = requestedLength(shown, input.durationInMinutes);
  const { timeZone } = reader.clock;
  const dates = await findSeriesDates(em, shown.eventType, start, durationInMinutes);
  const question = { timeZone, durationInMinutes, rescheduled: null, admit: reader.admit };
  const isFree = dates[0]?.isFree ?? (await findSlotAt(em, shown.eventType, start, question)) !== undefined;
  if (!isFree) {
    const { gone } = mistakeWords(reader.clock.locale);
    return answerWithCalendar(c, em, calendarFor, onDayOf({ ...input, start }, start, timeZone), reader, gone);
  }
  // In a frame nobody can sign in: there the form leads to one of its own.
  if (shown.eventType.requiresAuthentication && reader.callerId === null && !c.get('isEmbedded')) {
    return seeOther(c, withReturn('/auth/login', addressOf(shown.path, input.query)));
  }
  const typed = untypedBooking(input.query.name ?? reader.name, input.query.email ?? reader.email, dates);
  return answerWithForm(showing, settings, offered, {
    input: { ...input, start },
    reader,
    typed,
    durationInMinutes,
    dates,
  });
}

/** Mails a code, or books. @throws Problem NOT_FOUND for a private link that has just ended, BAD_REQUEST */
export async function takeBooking(
  { c, em }: OpenVisit,
  settings: BookingPagesSettings,
  offered: OfferedHere,
  form: URLSearchParams,
): Promise<Response | FilledIn> {
  const { state, request } = await readBooking(c, em, offered, form);
  const { eventType } = offered.shown;
  requireSignedIn(eventType, state.reader.callerId);
  const sendsCode = form.get('step') === 'send-code';
  // Before anything is booked: who agrees sends the form once more.
  if (!sendsCode && !form.has('withoutMail') && (await isWithoutMail(c, settings, request))) return { filledIn: form };
  if (!sendsCode) return book(c, settings, offered, request, form.get('code'));
  // Mistakes elsewhere in the form are better shown before a mail is sent than after.
  checkedRequest(eventType, request);
  const { email } = state.typed;
  const { locale } = state.reader.clock;
  const recipient = { email, address: settings.addressOf(c), locale };
  await requestBookerEmailCode(em, eventType, recipient, settings.verification);
  const filledIn = new URLSearchParams(form);
  filledIn.set('codeSent', 'yes');
  return { filledIn, note: bookingWords(locale).codeSent(email, CODE_MINUTES) };
}

/**
 * Leads a booker who has booked with this very form to the booking, though the private link is over. @throws Problem for
 * everybody else, whatever they have sent
 */
export async function repeatBooking(
  { c, em }: OpenVisit,
  settings: BookingPagesSettings,
  offered: OfferedHere,
  form: URLSearchParams,
): Promise<Response> {
  const { request } = await readBooking(c, em, offered, form);
  return book(c, settings, offered, request, form.get('code'));
}

/** The form comes back. @throws Problem where nothing of the event type may be shown, BAD_REQUEST */
async function showAgain(
  showing: OpenShowing<'book'>,
  settings: BookingPagesSettings,
  offered: OfferedHere,
  { form, problem, note }: FormBack,
): Promise<Response> {
  if (problem?.code === 'NOT_FOUND') throw problem;
  const { state } = await readBooking(showing.c, showing.em, offered, form);
  // A user who was signed out meanwhile has to sign in before anything else of the form counts.
  const signedOut = await problemOf(async () => requireSignedIn(offered.shown.eventType, state.reader.callerId));
  return answerWithForm(showing, settings, offered, { ...state, problem: signedOut ?? problem, notice: note });
}

/** @throws Problem BAD_REQUEST */
async function readBooking(c: BookingContext, em: Em, { shown, privateLinkToken }: OfferedHere, form: URLSearchParams) {
  const { eventType } = shown;
  const input = chosenIn(c.req.query(), form, c.get('isEmbedded'));
  // Whether it is still offered, the booking decides: it was when the form was made.
  const durationInMinutes = input.durationInMinutes ?? eventType.rules.durationInMinutes;
  const idempotencyKey = formKeyIn(form);
  const reader = await readerOf(em, c, input.timeZone, eventType.rules);
  const typed = typedBooking(form, eventType);
  const state = { input, reader, typed, durationInMinutes, idempotencyKey, codeSent: form.has('codeSent') };
  const { timeZone, locale } = reader.clock;
  const chosen = { start: input.start, durationInMinutes, timeZone, locale, idempotencyKey, privateLinkToken };
  return { state, request: requestOf(eventType, typed, chosen) };
}

/**
 * Whether no mail will come, as the line of this network is full; a receiver who is known to this service is mailed all
 * the same.
 */
async function isWithoutMail(
  c: BookingContext,
  settings: BookingPagesSettings,
  request: BookingRequest,
): Promise<boolean> {
  if ((await outlookFor(c, settings)) !== 'NOT_SENT') return false;
  const key = receiverKey(request.attendee.email);
  return !(await findReceivers(settings.em.fork(), [key])).has(key);
}

async function book(
  c: BookingContext,
  { em, addressOf: addressOfVisitor, verification, uids }: BookingPagesSettings,
  { shown: { eventType } }: OfferedHere,
  request: BookingRequest,
  code: string | null,
): Promise<Response> {
  const address = addressOfVisitor(c);
  const by = { userId: callerOf(c), network: networkOf(address) };
  const proof = { code, address, verification };
  const { key } = await createBooking(em.fork(), eventType, request, by, proof);
  const [mail] = await mailsOfBooked(em.fork(), key, by, verification.mailLimit);
  const away = eventType.successRedirectUrl;
  // Another site may refuse to be in a frame, and a booker who gets no mail yet has to see the link to keep. They come to the
  // booking's page, which has a link that leads on.
  if (away === null || c.get('isEmbedded') || mail?.outcome !== 'SENT')
    return seeOther(c, bookingPath(uids.of(key), c.get('isEmbedded')));
  // Its host has stored an https address; as a header, it must be written in ASCII.
  return seeOther(c, new URL(away).href);
}

/** An event type that somebody may book, and by what they may. */
export interface OfferedHere {
  readonly shown: EventTypeOnPage;
  readonly privateLinkToken: string | null;
}

/** How far a booker has come. */
interface FormState {
  readonly input: PageInput & { readonly start: Temporal.Instant };
  readonly reader: Reader;
  readonly typed: TypedBooking;
  readonly durationInMinutes: number;
  /** The dates of a series; looked up where they are left out. */
  readonly dates?: readonly SeriesDate[];
  /** A new one where it is left out. */
  readonly idempotencyKey?: string;
  readonly codeSent?: boolean;
  /** Why it is not booked. */
  readonly problem?: Problem | undefined;
  readonly notice?: string | undefined;
}

/** Shows the form, or shows it again; where the time is gone, with the others of that day. */
async function answerWithForm(
  { c, em, csrf, ...showing }: OpenShowing<'book'>,
  settings: BookingPagesSettings,
  { shown, privateLinkToken }: OfferedHere,
  state: FormState,
): Promise<Response> {
  const { input, reader, typed, problem, notice } = state;
  const { eventType } = shown;
  const { start } = input;
  const isGone = problem?.mistakes.some(isClosed) ?? false;
  const offered = stillOffered(eventType, state.durationInMinutes);
  const durationInMinutes = isGone ? offered : state.durationInMinutes;
  const question = { timeZone: reader.clock.timeZone, durationInMinutes, rescheduled: null, admit: reader.admit };
  const page = bookingFormPage({
    viewer: reader.viewer,
    shown,
    query: { ...input.query, start: start.toString(), durationInMinutes: String(offered) },
    clock: reader.clock,
    slot: { start, end: start.add({ minutes: durationInMinutes }) },
    otherSlots: isGone ? await findSlotsOfDay(em, eventType, start, question) : undefined,
    dates: state.dates ?? (await findSeriesDates(em, eventType, start, durationInMinutes)),
    typed,
    mistakes: problem ? mistakesOfForm(problem.mistakes, typed, eventType, reader.clock.locale) : [],
    notice,
    isWithoutMail: (await outlookFor(c, settings)) === 'NOT_SENT',
    signInPath: problem?.code === 'AUTHENTICATION_REQUIRED' ? '/auth/login' : undefined,
    emailStep: emailStepOf(eventType.requiresBookerEmailVerification, state.codeSent ?? false),
    csrf: csrf.book,
    idempotencyKey: state.idempotencyKey ?? showing.idempotencyKey,
  });
  const status = problem ? (isGone ? 409 : statusOf(problem)) : 200;
  return sendOpenPage(c, reader.viewer, page, status, {
    ...logoHeaders(shown.brand),
    ...(problem && retryHeaders(problem)),
    ...(privateLinkToken !== null && UNLISTED),
  });
}

/** Foresees the outcome of the mail to somebody new that this visitor books for. */
function outlookFor(c: BookingContext, settings: BookingPagesSettings): Promise<MailOutcome> {
  return expectedStatus(settings.em.fork(), actorOf(c, settings), settings.verification.mailLimit);
}

function emailStepOf(isRequired: boolean, codeSent: boolean): EmailStep {
  if (!isRequired) return null;
  return codeSent ? 'CODE_SENT' : 'NO_CODE_YET';
}
