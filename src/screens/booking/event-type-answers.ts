import { Problem } from '../../core/problem.ts';
import { findReceivers, receiverKey } from '../../limits/mail-receivers.ts';
import { networkOf } from '../../limits/network.ts';
import { createBooking } from '../../modules/bookings/book/book.ts';
import { requestBookerEmailCode } from '../../modules/bookings/book/booker-email-code.ts';
import { uidOf } from '../../modules/bookings/booking-key.rules.ts';
import { type BookingRequest, checkedRequest } from '../../modules/bookings/booking-request.rules.ts';
import { mailsOfBooked } from '../../modules/bookings/mails/mail-outcomes.ts';
import { findSeriesDates } from '../../modules/bookings/slots/availability.ts';
import { findSlotAt } from '../../modules/bookings/slots/month-of-slots.queries.ts';
import { requireSignedIn } from '../../modules/bookings/slots/offered-event-type.queries.ts';
import { privateLinkNotFound } from '../../modules/event-types/private-links.ts';
import { MAX_FIELDS, MAX_OPTIONS } from '../../modules/event-types/settings/booking-field.rules.ts';
import { CODE_MINUTES } from '../../modules/verified-resources/verified-resource.rules.ts';
import { seeOther } from '../kit/page-response.ts';
import { withReturn } from '../kit/paths.ts';
import { formKeyIn, largeForm } from '../kit/request.ts';
import { addressOf } from './booking-address.ts';
import { requestOf, typedBooking, untypedBooking } from './booking-form.ts';
import { mistakeWords } from './booking-mistakes.ts';
import { bookingPath } from './booking-page.ts';
import { type BookingContext, type BookingPagesSettings, readerOf } from './booking-visitor.ts';
import { answerWithCalendar, requestedLength } from './calendar-answer.ts';
import { answerWithForm, BOOKING_FORM, type FormState, type OfferedHere, outlookFor } from './form-answer.ts';
import { chosenIn, onDayOf, readPageInput } from './page-input.ts';
import { bookingWords } from './words/booking-words.ts';

/** Every box of every question ticked, and all else that a form may ask for. */
const LIMITS = largeForm(MAX_FIELDS * MAX_OPTIONS);

/** GET: the calendar, or the form once a time is chosen. @throws Problem for an address that cannot be */
export async function showEventType(
  c: BookingContext,
  settings: BookingPagesSettings,
  offered: OfferedHere,
): Promise<Response> {
  const em = settings.em.fork();
  const { start, ...input } = readPageInput(c.req.query(), c.get('isEmbedded'));
  const { shown, privateLinkToken } = offered;
  const reader = await readerOf(em, c, input.timeZone, shown.eventType.rules);
  const calendarFor = { shown, isUnlisted: privateLinkToken !== null, moving: undefined };
  if (!start || input.unknownZone !== undefined) {
    return answerWithCalendar(c, em, calendarFor, { ...input, start }, reader);
  }

  const lengthInMinutes = requestedLength(shown, { ...input, start });
  const { timeZone } = reader.clock;
  const dates = await findSeriesDates(em, shown.eventType, start, lengthInMinutes);
  const question = { timeZone, lengthInMinutes, rescheduled: null, admit: reader.admit };
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
  return answerWithForm(c, settings, offered, { input: { ...input, start }, reader, typed, lengthInMinutes, dates });
}

/** POST: mails a code, or books. @throws Problem NOT_FOUND for a private link that has just ended, BAD_REQUEST */
export async function takeBooking(
  c: BookingContext,
  settings: BookingPagesSettings,
  offered: OfferedHere,
): Promise<Response> {
  const { form, forgery, state, request } = await readBooking(c, settings, offered);
  try {
    // A user who was signed out meanwhile has to sign in before anything else of the form counts.
    requireSignedIn(offered.shown.eventType, state.reader.callerId);
    if (forgery) throw forgery;
    // Before anything is booked: who agrees sends the form once more.
    if (form.get('step') !== 'send-code' && !form.has('withoutMail') && (await isWithoutMail(c, settings, request)))
      return answerWithForm(c, settings, offered, state);
    return form.get('step') === 'send-code'
      ? await sendCode(c, settings, offered, state, request)
      : await book(c, settings, offered, request, { callerId: state.reader.callerId, code: form.get('code') });
  } catch (error) {
    if (!(error instanceof Problem) || error.code === 'NOT_FOUND') throw error;
    return answerWithForm(c, settings, offered, { ...state, problem: error });
  }
}

/**
 * POST by a private link that is over: leads a booker who has booked with this very form to the booking, and shows nothing
 * of the event type to anybody else. @throws Problem for everybody else, whatever they have sent
 */
export async function repeatBooking(
  c: BookingContext,
  settings: BookingPagesSettings,
  offered: OfferedHere,
): Promise<Response> {
  const { form, forgery, state, request } = await readBooking(c, settings, offered);
  if (forgery) throw privateLinkNotFound();
  return book(c, settings, offered, request, { callerId: state.reader.callerId, code: form.get('code') });
}

async function readBooking(c: BookingContext, settings: BookingPagesSettings, offered: OfferedHere) {
  const { eventType } = offered.shown;
  const { visitors } = settings;
  visitors.limitForm(c.req.raw, LIMITS);
  const { form, forgery } = await visitors.readForm(c, BOOKING_FORM);
  const input = chosenIn(c.req.query(), form, c.get('isEmbedded'));
  // Whether it is still offered, the booking decides: it was when the form was made.
  const lengthInMinutes = input.lengthInMinutes ?? eventType.rules.lengthInMinutes;
  const idempotencyKey = formKeyIn(form);
  const state: FormState = {
    input,
    reader: await readerOf(settings.em.fork(), c, input.timeZone, eventType.rules),
    typed: typedBooking(form, eventType),
    lengthInMinutes,
    idempotencyKey,
    codeSent: form.has('codeSent'),
  };
  const { typed, reader } = state;
  const { timeZone, locale } = reader.clock;
  const { privateLinkToken } = offered;
  const chosen = { start: input.start, lengthInMinutes, timeZone, locale, idempotencyKey, privateLinkToken };
  return { form, forgery, state, request: requestOf(eventType, typed, chosen) };
}

/** Sends a code. Mistakes elsewhere in the form are better shown before a mail is sent than after. */
async function sendCode(
  c: BookingContext,
  settings: BookingPagesSettings,
  offered: OfferedHere,
  state: FormState,
  request: BookingRequest,
): Promise<Response> {
  const { eventType } = offered.shown;
  checkedRequest(eventType, request);
  const { email } = state.typed;
  const address = settings.addressOf(c);
  await requestBookerEmailCode(
    settings.em.fork(),
    eventType,
    { email, address, locale: state.reader.clock.locale },
    settings.verification,
  );
  const notice = bookingWords(state.reader.clock.locale).codeSent(email, CODE_MINUTES);
  return answerWithForm(c, settings, offered, { ...state, codeSent: true, notice });
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
  if ((await outlookFor(c, settings)) !== 'NONE') return false;
  const key = receiverKey(request.attendee.email);
  return !(await findReceivers(settings.em.fork(), [key])).has(key);
}

async function book(
  c: BookingContext,
  { em, addressOf: addressOfVisitor, verification }: BookingPagesSettings,
  { shown: { eventType } }: OfferedHere,
  request: BookingRequest,
  { callerId, code }: { readonly callerId: string | null; readonly code: string | null },
): Promise<Response> {
  const address = addressOfVisitor(c);
  const by = { userId: callerId, network: networkOf(address) };
  const proof = { code, address, verification };
  const { key } = await createBooking(em.fork(), eventType, request, by, proof);
  const [mail] = await mailsOfBooked(em.fork(), key, by, verification.mailLimit);
  const away = eventType.successRedirectUrl;
  // Another site may not want to be in a frame, and a booker who gets no mail yet has to see the link to keep: there
  // the booking's page has a link that leads on.
  if (away === null || c.get('isEmbedded') || mail?.outcome !== 'SENT')
    return seeOther(c, bookingPath(uidOf(key), c.get('isEmbedded')));
  // Its host has stored an https address; as a header, it must be written in ASCII.
  return seeOther(c, new URL(away).href);
}
