/**
 * hosting/ is a host's day: their bookings, and answering, moving, handing on and cancelling them; when they can be booked.
 * It may import account/, booking/,
 * event-types/ and kit/.
 */
import { Hono } from 'hono';
import { pageRequest } from '../../core/page.ts';
import { findUser } from '../../modules/accounts/user.queries.ts';
import { placeUrl } from '../../modules/event-types/booking-url.rules.ts';
import { listOffers } from '../../modules/event-types/public/offers.queries.ts';
import { STANDARD_HOURS } from '../../modules/schedules/create-schedule.ts';
import type { BookingPagesSettings } from '../booking/booking-visitor.ts';
import { signedIn } from '../kit/page.ts';
import { SCRIPTED_HEADERS, sendPage } from '../kit/page-response.ts';
import { WELCOME_PATH } from '../kit/paths.ts';
import { asViewer } from '../kit/visitors.ts';
import { absencesRoutes } from './absences.routes.ts';
import { answerRoutes } from './answer.routes.ts';
import { hostedBookingsRoutes } from './hosted-bookings.routes.ts';
import { hoursRoutes } from './hours.routes.ts';
import { schedulesRoutes } from './schedules.routes.ts';
import { findSchedule } from './shown-schedules.queries.ts';
import { welcomePage } from './welcome-page.ts';

/** The most event types that the page which greets a host shows. */
const NAMED_OFFERS = 5;

/** The pages of hosts. */
export function hostingRoutes(settings: BookingPagesSettings): Hono {
  const { em, publicUrl, visitors } = settings;
  const routes = new Hono();
  routes.get(
    WELCOME_PATH,
    signedIn(visitors, async (c, session) => {
      const user = await findUser(em.fork(), session.userId);
      const username = user?.username ?? '';
      const schedule = await findSchedule(em.fork(), session.userId, undefined);
      const offers = await listOffers(em.fork(), { username }, pageRequest({ first: NAMED_OFFERS }));
      const page = welcomePage({
        viewer: asViewer(session),
        bookingUrl: placeUrl(publicUrl, username),
        offers: offers.rows,
        hasMore: offers.hasNextPage,
        hours: schedule?.availability ?? STANDARD_HOURS,
        timeZone: schedule?.timeZone ?? user?.timeZone ?? 'UTC',
      });
      return sendPage(c, page, 200, SCRIPTED_HEADERS);
    }),
  );
  routes.route('/', answerRoutes(settings));
  routes.route('/', hostedBookingsRoutes(settings));
  routes.route('/', hoursRoutes(settings));
  routes.route('/', schedulesRoutes(settings));
  routes.route('/', absencesRoutes(settings));
  return routes;
}
