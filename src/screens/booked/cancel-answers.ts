import { instantOf } from '../../core/instant.ts';
import type { Problem } from '../../core/problem.ts';
import { statusOf } from '../../database/failure.ts';
import type { Em } from '../../database/sql.ts';
import { cancelBooking, cancelSeries, isCutShort } from '../../modules/bookings/change/cancel-booking.ts';
import { type BookingForPage, findBookingForPage } from '../../modules/bookings/public/public-booking.queries.ts';
import { wordsOf } from '../booking/booking-mistakes.ts';
import { bookingPath } from '../booking/booking-page.ts';
import {
  actorOf,
  type BookingContext,
  type BookingPagesSettings,
  readerOfBooking,
  UNLISTED,
} from '../booking/booking-visitor.ts';
import { seeOther, sendPage } from '../kit/page-response.ts';
import { problemOf } from '../kit/problem-response.ts';
import { inLanguage, longTime } from '../kit/when.ts';
import { cancelPage } from './cancel-page.ts';

const FORM = 'cancel-booking';

/** The codes by which a form that comes a second time is refused: nothing is left to cancel, or it is too late for all that is left. */
const LATE: readonly string[] = ['NOT_POSSIBLE', 'CANCELLING_DISABLED'];

/** GET: asks once more. A booking that cannot be cancelled shows why on its own page. */
export async function showCancel(
  c: BookingContext,
  settings: BookingPagesSettings,
  em: Em,
  booking: BookingForPage,
): Promise<Response> {
  if (!booking.canCancel && booking.rest.cancellable.length === 0)
    return seeOther(c, bookingPath(booking.confirmation.uid));
  return answerWithQuestion(c, settings, em, booking);
}

/** POST: cancels it, or gives back the seat. */
export async function takeCancel(
  c: BookingContext,
  settings: BookingPagesSettings,
  em: Em,
  booking: BookingForPage,
): Promise<Response> {
  const { eventType, confirmation, key } = booking;
  const { uid } = confirmation;
  const { form, forgery } = await settings.visitors.readForm(c, FORM);
  const reason = form.get('reason') ?? '';
  const callerId = c.get('session')?.userId ?? null;
  const cancellation = { key, reason, callerId, by: actorOf(c, settings) };
  const isForAll = form.get('which') === 'all';
  const cancel = isForAll ? cancelSeries : cancelBooking;
  const problem = forgery ?? (await problemOf(() => cancel(settings.em.fork(), eventType?.rules, cancellation)));
  if (!problem) return settings.visitors.leadTo(c, bookingPath(uid), isForAll ? 'rest' : 'cancelled');
  // The same form, sent twice: what is cancelled by now is as its sender wants it.
  const now = LATE.includes(problem.code) && (await findBookingForPage(settings.em.fork(), key, callerId));
  if (now && isForAll && isCutShort(now.rest)) return settings.visitors.leadTo(c, bookingPath(uid), 'rest');
  if (now && !isForAll && now.confirmation.status === 'CANCELLED') return seeOther(c, bookingPath(uid));
  return answerWithQuestion(c, settings, em, booking, { reason, isForAll, problem });
}

/** The fields of a form that comes back, and the reason why it does. */
interface Typed {
  readonly reason: string;
  readonly isForAll: boolean;
  readonly problem?: Problem;
}

async function answerWithQuestion(
  c: BookingContext,
  { visitors }: BookingPagesSettings,
  em: Em,
  booking: BookingForPage,
  { reason, isForAll, problem }: Typed = { reason: '', isForAll: false },
): Promise<Response> {
  const { uid, title, start, end } = booking.confirmation;
  const { viewer, clock } = await readerOfBooking(em, c, booking);
  const page = cancelPage({
    viewer,
    brand: booking.brand,
    uid,
    title,
    when: inLanguage(longTime(instantOf(start), instantOf(end), clock), clock),
    canCancel: booking.canCancel,
    remaining: booking.rest.cancellable.map((one) =>
      inLanguage(longTime(instantOf(one.start), instantOf(one.end), clock), clock),
    ),
    isForAll,
    reason,
    needsReason: booking.actor === 'HOST',
    mistakes: (problem?.mistakes ?? []).map((mistake) => wordsOf(mistake, clock.locale)),
    csrf: visitors.formToken(c, FORM),
    locale: clock.locale,
  });
  return sendPage(c, page, problem ? statusOf(problem) : 200, UNLISTED);
}
