import { Problem } from '../../core/problem.ts';
import { randomBase62 } from '../../core/secret.ts';
import { CODE_MINUTES, requestBookerEmailCode } from '../../modules/bookings/booker-email-code.ts';
import { checkedRequest } from '../../modules/bookings/booking-request.rules.ts';
import { createBooking } from '../../modules/bookings/create-booking.ts';
import { findSlotAt, findSlotsOfDay } from '../../modules/bookings/month-of-slots.queries.ts';
import { addressOf } from '../../pages/booking/booking-address.ts';
import { bookingFormPage, type EmailStep, type TypedBooking } from '../../pages/booking/booking-form-page.ts';
import { bookingPath } from '../../pages/booking/booking-page.ts';
import type { EventTypeOnPage } from '../../pages/booking/event-type-facts.ts';
import { withReturn } from '../../pages/sign-in-page.ts';
import { seeOther, sendPage } from '../page-response.ts';
import { retryHeaders, statusOf } from '../problem-response.ts';
import { type Asked, askedIn, chosenIn, onDayOf } from './asked.ts';
import { requestOf, typedBooking, untypedBooking } from './booking-form.ts';
import { GONE, isClosed, mistakesOfForm } from './booking-mistakes.ts';
import { type BookingContext, type BookingPagesSettings, type Reader, readerOf, UNLISTED } from './booking-visitor.ts';
import { answerWithCalendar, lengthAsked } from './calendar-answer.ts';

/** An event type that somebody may book, and by what they may. */
export interface OfferedHere {
  readonly shown: EventTypeOnPage;
  readonly privateLinkToken: string | null;
}

const FORM = 'book';
/** Fifty questions, some of them with a hundred boxes, and a text of five thousand characters for each. */
const FORM_LIMITS = { bytes: 1024 * 1024, fields: 5_000 };

/** GET: the calendar, or the form once a time is chosen. */
export async function showEventType(c: BookingContext, settings: BookingPagesSettings, offered: OfferedHere) {
  const em = settings.em.fork();
  const asked = askedIn(c.req.query());
  const { shown } = offered;
  const reader = await readerOf(em, c, asked.timeZone, shown.eventType.rules);
  const calendarFor = { shown, isUnlisted: offered.privateLinkToken !== null, moving: undefined };
  if (!asked.start) return answerWithCalendar(c, em, calendarFor, asked, reader);
  const lengthInMinutes = lengthAsked(shown, asked);
  const question = { timeZone: reader.clock.timeZone, lengthInMinutes, rescheduledUid: null };
  if (!(await findSlotAt(em, shown.eventType, asked.start, question))) {
    return answerWithCalendar(c, em, calendarFor, onDayOf(asked, asked.start, reader.clock.timeZone), reader, GONE);
  }
  if (shown.eventType.requiresAuthentication && reader.callerId === null) {
    return seeOther(c, withReturn('/auth/login', addressOf(shown.path, asked.query)));
  }
  const typed = untypedBooking(shown.eventType, asked.query.name ?? reader.name, asked.query.email ?? reader.email);
  return answerWithForm(c, settings, offered, { asked, reader, typed, start: asked.start, lengthInMinutes });
}

/** POST: a code, or the booking itself. */
export async function takeBooking(c: BookingContext, settings: BookingPagesSettings, offered: OfferedHere) {
  const { visitors, addressOf: addressOfVisitor, verification } = settings;
  const { shown, privateLinkToken } = offered;
  const { eventType } = shown;
  const { form, forgery } = await visitors.readForm(c, FORM, FORM_LIMITS);
  const em = settings.em.fork();
  const typed = typedBooking(form, eventType);
  const asked = chosenIn(c.req.query(), form);
  const reader = await readerOf(em, c, asked.timeZone, eventType.rules);
  const { start } = asked;
  const lengthInMinutes = lengthAsked(shown, asked);
  const idempotencyKey = form.get('idempotencyKey') ?? '';
  const state: FormState = {
    asked,
    reader,
    typed,
    start,
    lengthInMinutes,
    idempotencyKey,
    codeSent: form.has('codeSent'),
  };
  if (forgery) return answerWithForm(c, settings, offered, { ...state, problem: forgery });

  const { timeZone } = reader.clock;
  const request = requestOf(eventType, typed, { start, lengthInMinutes, timeZone, idempotencyKey, privateLinkToken });
  const address = addressOfVisitor(c);
  try {
    if (form.get('step') === 'send-code') {
      // What is wrong elsewhere is better said before a mail is sent than after.
      checkedRequest(
        { rules: eventType.rules, locations: eventType.locations, bookingFields: eventType.bookingFields },
        request,
      );
      await requestBookerEmailCode(em, eventType, { email: typed.email, address }, verification);
      return await answerWithForm(c, settings, offered, { ...state, codeSent: true, notice: codeNotice(typed.email) });
    }
    const proof = { code: form.get('code'), address, verification };
    const { uid } = await createBooking(em, eventType, request, reader.callerId, proof);
    return seeOther(
      c,
      eventType.successRedirectUrl === null ? bookingPath(uid) : new URL(eventType.successRedirectUrl).href,
    );
  } catch (error) {
    if (!(error instanceof Problem) || error.code === 'NOT_FOUND') throw error;
    return answerWithForm(c, settings, offered, { ...state, problem: error });
  }
}

interface FormState {
  readonly asked: Asked;
  readonly reader: Reader;
  readonly typed: TypedBooking;
  readonly start: Temporal.Instant;
  readonly lengthInMinutes: number;
  readonly idempotencyKey?: string;
  readonly codeSent?: boolean;
  readonly problem?: Problem;
  readonly notice?: string;
}

async function answerWithForm(
  c: BookingContext,
  settings: BookingPagesSettings,
  { shown, privateLinkToken }: OfferedHere,
  state: FormState,
): Promise<Response> {
  const { asked, reader, typed, start, lengthInMinutes, problem, notice } = state;
  const { eventType } = shown;
  const isGone = problem?.mistakes.some(isClosed) ?? false;
  const question = { timeZone: reader.clock.timeZone, lengthInMinutes, rescheduledUid: null };
  const page = bookingFormPage({
    viewer: reader.viewer,
    shown,
    query: { ...asked.query, start: start.toString() },
    clock: reader.clock,
    slot: { start, end: start.add({ minutes: lengthInMinutes }) },
    otherSlots: isGone ? await findSlotsOfDay(settings.em.fork(), eventType, start, question) : undefined,
    typed,
    mistakes: problem ? mistakesOfForm(problem.mistakes, typed, eventType) : [],
    notice,
    signInPath: problem?.code === 'AUTHENTICATION_REQUIRED' ? '/auth/login' : undefined,
    emailStep: emailStepOf(eventType.requiresBookerEmailVerification, state.codeSent ?? false),
    csrf: settings.visitors.formToken(c, FORM),
    idempotencyKey: state.idempotencyKey ?? randomBase62(22),
  });
  const status = problem ? (isGone ? 409 : statusOf(problem)) : 200;
  return sendPage(c, page, status, {
    ...(problem && retryHeaders(problem)),
    ...(privateLinkToken !== null && UNLISTED),
  });
}

function emailStepOf(isRequired: boolean, codeSent: boolean): EmailStep {
  if (!isRequired) return null;
  return codeSent ? 'CODE_SENT' : 'NO_CODE_YET';
}

function codeNotice(email: string): string {
  return `A code was sent to ${email}; it is valid for ${CODE_MINUTES} minutes.`;
}
