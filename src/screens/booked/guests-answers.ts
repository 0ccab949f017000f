import { instantOf } from '../../core/instant.ts';
import type { Problem } from '../../core/problem.ts';
import { statusOf } from '../../database/failure.ts';
import { bookingKeyOf, uidOf } from '../../modules/bookings/booking-key.rules.ts';
import {
  findHeldGuests,
  type GuestRelease,
  type HeldGuests,
  releaseGuests,
} from '../../modules/bookings/change/release-guests.ts';
import { findBrand } from '../../modules/teams/team.queries.ts';
import { wordsOf } from '../booking/booking-mistakes.ts';
import { bookingPath } from '../booking/booking-page.ts';
import {
  actorOf,
  type BookingContext,
  type BookingPagesSettings,
  readerOf,
  UNLISTED,
} from '../booking/booking-visitor.ts';
import { readPageInput } from '../booking/page-input.ts';
import { sendPage } from '../kit/page-response.ts';
import { inLanguage, longTime } from '../kit/when.ts';
import { guestsPage } from './guests-page.ts';

const FORM = 'invite-guests';

/** GET: asks. Undefined for an address that no mail has named; so with POST. */
export async function showGuests(c: BookingContext, settings: BookingPagesSettings): Promise<Response | undefined> {
  const link = linkIn(c);
  const held = link && (await findHeldGuests(settings.em.fork(), settings.linkKey, link));
  return held && answerWithQuestion(c, settings, held);
}

/** POST: invites them. */
export async function takeGuests(c: BookingContext, settings: BookingPagesSettings): Promise<Response | undefined> {
  const { em, linkKey, visitors } = settings;
  const link = linkIn(c);
  const held = link && (await findHeldGuests(em.fork(), linkKey, link));
  if (!held) return undefined;
  const { forgery } = await visitors.readForm(c, FORM);
  if (forgery) return answerWithQuestion(c, settings, held, forgery);
  const booking = await releaseGuests(em.fork(), linkKey, link, actorOf(c, settings));
  return settings.visitors.leadTo(c, bookingPath(uidOf(booking)), 'invited');
}

function linkIn(c: BookingContext): GuestRelease | undefined {
  const key = bookingKeyOf(c.req.param('uid') ?? '');
  return key && { key, token: c.req.param('token') ?? '' };
}

async function answerWithQuestion(
  c: BookingContext,
  { em, visitors }: BookingPagesSettings,
  { booking, guestEmails }: HeldGuests,
  problem?: Problem,
): Promise<Response> {
  const { title, start, end, attendees } = booking;
  const input = readPageInput({ timeZone: c.req.query('timeZone') });
  const timeZone = attendees[0]?.timeZone ?? 'UTC';
  const { viewer, clock } = await readerOf(em.fork(), c, input.timeZone, { timeZone, weekStart: 'MONDAY' });
  const page = guestsPage({
    viewer,
    brand: await findBrand(em.fork(), booking.ownerId),
    uid: uidOf(booking),
    title,
    when: inLanguage(longTime(instantOf(start), instantOf(end), clock), clock),
    guestEmails,
    path: c.req.path,
    mistakes: (problem?.mistakes ?? []).map((mistake) => wordsOf(mistake, clock.locale)),
    csrf: visitors.formToken(c, FORM),
    locale: clock.locale,
  });
  return sendPage(c, page, problem ? statusOf(problem) : 200, UNLISTED);
}
