import type { Problem } from '../../core/problem.ts';
import { retryHeaders, statusOf } from '../../database/failure.ts';
import { type MailOutcome, mailOutlook } from '../../modules/bookings/mails/mail-outcomes.ts';
import { findSeriesDates, type SeriesDate } from '../../modules/bookings/slots/availability.ts';
import { findSlotsOfDay } from '../../modules/bookings/slots/month-of-slots.queries.ts';
import { sendOpenPage } from '../kit/page-response.ts';
import { newFormKey } from '../kit/request.ts';
import { bookingFormPage, type EmailStep, type TypedBooking } from './booking-form-page.ts';
import { logoHeaders } from './booking-layout.ts';
import { isClosed, mistakesOfForm } from './booking-mistakes.ts';
import { actorOf, type BookingContext, type BookingPagesSettings, type Reader, UNLISTED } from './booking-visitor.ts';
import { stillOffered } from './calendar-answer.ts';
import type { EventTypeOnPage } from './event-type-facts.ts';
import type { PageInput } from './page-input.ts';

/** The purpose of the form, for its anti-forgery token. */
export const BOOKING_FORM = 'book';

/** An event type that somebody may book, and by what they may. */
export interface OfferedHere {
  readonly shown: EventTypeOnPage;
  readonly privateLinkToken: string | null;
}

/** How far a booker has come. */
export interface FormState {
  readonly input: PageInput & { readonly start: Temporal.Instant };
  readonly reader: Reader;
  readonly typed: TypedBooking;
  readonly lengthInMinutes: number;
  /** The dates of a series; looked up where they are left out. */
  readonly dates?: readonly SeriesDate[];
  /** A new one where it is left out. */
  readonly idempotencyKey?: string;
  readonly codeSent?: boolean;
  /** Why it is not booked. */
  readonly problem?: Problem;
  readonly notice?: string;
}

/** Shows the form, or shows it again; where the time is gone, with the others of that day. */
export async function answerWithForm(
  c: BookingContext,
  settings: BookingPagesSettings,
  { shown, privateLinkToken }: OfferedHere,
  state: FormState,
): Promise<Response> {
  const { em, visitors } = settings;
  const { input, reader, typed, problem, notice } = state;
  const { eventType } = shown;
  const { start } = input;
  const isGone = problem?.mistakes.some(isClosed) ?? false;
  const offered = stillOffered(eventType, state.lengthInMinutes);
  const lengthInMinutes = isGone ? offered : state.lengthInMinutes;
  const question = { timeZone: reader.clock.timeZone, lengthInMinutes, rescheduled: null, admit: reader.admit };
  const page = bookingFormPage({
    viewer: reader.viewer,
    shown,
    query: { ...input.query, start: start.toString(), lengthInMinutes: String(offered) },
    clock: reader.clock,
    slot: { start, end: start.add({ minutes: lengthInMinutes }) },
    otherSlots: isGone ? await findSlotsOfDay(em.fork(), eventType, start, question) : undefined,
    dates: state.dates ?? (await findSeriesDates(em.fork(), eventType, start, lengthInMinutes)),
    typed,
    mistakes: problem ? mistakesOfForm(problem.mistakes, typed, eventType, reader.clock.locale) : [],
    notice,
    isWithoutMail: (await outlookFor(c, settings)) === 'NONE',
    signInPath: problem?.code === 'AUTHENTICATION_REQUIRED' ? '/auth/login' : undefined,
    emailStep: emailStepOf(eventType.requiresBookerEmailVerification, state.codeSent ?? false),
    csrf: c.get('isEmbedded') ? '' : visitors.formToken(c, BOOKING_FORM),
    idempotencyKey: state.idempotencyKey ?? newFormKey(),
  });
  const status = problem ? (isGone ? 409 : statusOf(problem)) : 200;
  return sendOpenPage(c, reader.viewer, page, status, {
    ...logoHeaders(shown.brand),
    ...(problem && retryHeaders(problem)),
    ...(privateLinkToken !== null && UNLISTED),
  });
}

/** Foresees the outcome of the mail to somebody new that this visitor books for. */
export function outlookFor(c: BookingContext, settings: BookingPagesSettings): Promise<MailOutcome> {
  return mailOutlook(settings.em.fork(), actorOf(c, settings), settings.verification.mailLimit);
}

function emailStepOf(isRequired: boolean, codeSent: boolean): EmailStep {
  if (!isRequired) return null;
  return codeSent ? 'CODE_SENT' : 'NO_CODE_YET';
}
