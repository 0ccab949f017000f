import { type Context, Hono } from 'hono';
import { publicId } from '../../core/id.ts';
import { instantAt } from '../../core/instant.ts';
import { type Page, pageRequest } from '../../core/page.ts';
import type { Mistake, Problem } from '../../core/problem.ts';
import { databaseNow } from '../../database/database-clock.ts';
import { Selection } from '../../database/selection.ts';
import type { Em } from '../../database/sql.ts';
import { seeOther, sendPage } from '../../http/page-response.ts';
import { problemOf, sendForm } from '../../http/problem-response.ts';
import { asViewer } from '../../http/visitors.ts';
import { networkOf } from '../../limits/network.ts';
import type { FoundSession } from '../../modules/accounts/sign-in/session.queries.ts';
import { findUser } from '../../modules/accounts/user.queries.ts';
import { Booking } from '../../modules/bookings/booking.entity.ts';
import { type BookingRow, findBooking } from '../../modules/bookings/booking.queries.ts';
import { BookingAttendee } from '../../modules/bookings/booking-attendee.entity.ts';
import { bookingKeyOf } from '../../modules/bookings/booking-key.rules.ts';
import type { BookingFilter } from '../../modules/bookings/lists/booking-list.rules.ts';
import { BOOKER } from '../../modules/bookings/lists/booking-parts.queries.ts';
import { listHostBookings } from '../../modules/bookings/lists/host-booking.queries.ts';
import { isOver } from '../../modules/bookings/locked-booking.ts';
import { placeUrl } from '../../modules/event-types/booking-url.rules.ts';
import { findHosts } from '../../modules/event-types/event-type-host.queries.ts';
import {
  type BookableEventType,
  findEventTypeRules,
} from '../../modules/event-types/public/event-type-rules.queries.ts';
import { signedIn } from '../account/signed-in.ts';
import { type BookingPagesSettings, UNLISTED } from '../booking/booking-visitor.ts';
import { errorPage } from '../kit/error-page.ts';
import { clockOf } from '../kit/when.ts';
import { bookingsPage, type HostedRow } from './bookings-page.ts';
import { reasonName } from './deeds-part.ts';
import { DEEDS_OF_HOST, possibleDeeds } from './host-deeds.ts';
import { hostedBookingPage } from './hosted-booking-page.ts';
import {
  HOST_DEEDS,
  HOSTED_BOOKINGS_PATH,
  type HostDeed,
  hostedBookingPath,
  SHOWN_BOOKINGS,
  type ShownBookings,
} from './hosting-paths.ts';

const BOOKING = `${HOSTED_BOOKINGS_PATH}/:uid{[\\w-]+}/host`;
const DEED = `${BOOKING}/:deed{${HOST_DEEDS.join('|')}}`;

/** `/bookings`: a host's bookings; `/bookings/<uid>/host`: one of them, with what the host can do. */
export function hostedBookingsRoutes(settings: BookingPagesSettings): Hono {
  const { em: globalEm, publicUrl, visitors, addressOf } = settings;
  const routes = new Hono();
  routes.get(HOSTED_BOOKINGS_PATH, signedIn(visitors, list));
  routes.get(
    BOOKING,
    signedIn(visitors, (c, session) => show(c, session)),
  );
  routes.post(DEED, signedIn(visitors, take));
  // For who had to sign in before the form was taken, and comes back.
  routes.get(DEED, (c) => seeOther(c, `${HOSTED_BOOKINGS_PATH}/${encodeURIComponent(c.req.param('uid') ?? '')}/host`));
  return routes;

  async function list(c: Context, session: FoundSession): Promise<Response> {
    const em = globalEm.fork();
    const shown = SHOWN_BOOKINGS.find((one) => one === c.req.query('show')) ?? 'upcoming';
    const attendee = (c.req.query('attendee') ?? '').trim();
    const user = await findUser(em, session.userId);
    const page = bookingsPage({
      viewer: asViewer(session),
      shown,
      bookings: await findShown(em, session.userId, shown, { attendee, after: c.req.query('after') }),
      attendee,
      clock: clockOf(user),
      bookingUrl: placeUrl(publicUrl, user?.username ?? ''),
    });
    return sendPage(c, page);
  }

  async function show(c: Context, session: FoundSession, refused?: Refused): Promise<Response> {
    const em = globalEm.fork();
    const found = await findHosted(em, c, session);
    if (!found) return answerNoBooking(c);
    const { booking, eventType } = found;
    const now = await databaseNow(em);
    const { done = '' } = c.req.query();
    const deed = HOST_DEEDS.find((one) => one === done);
    const tokens = HOST_DEEDS.map((one) => [one, visitors.formToken(c, purposeOf(one))]);
    const page = hostedBookingPage({
      viewer: asViewer(session),
      booking,
      eventType,
      clock: clockOf(await findUser(em, session.userId)),
      forms: {
        possible: possibleDeeds(booking, eventType, now),
        isOver: isOver(booking, now),
        csrf: Object.fromEntries(tokens),
        open: refused?.deed,
        reason: refused?.form.get(reasonName(refused.deed)) ?? '',
        otherHosts: await findOtherHosts(em, found),
        hostId: session.userId,
      },
      mistakes: refused ? mistakesOf(refused) : [],
      done: deed && !refused && isDone(deed, booking) ? DEEDS_OF_HOST[deed].done : undefined,
    });
    return sendForm(c, page, refused?.problem, UNLISTED);
  }

  async function take(c: Context, session: FoundSession): Promise<Response> {
    const deed = c.req.param('deed') as HostDeed;
    const { form, forgery } = await visitors.readForm(c, purposeOf(deed));
    const em = globalEm.fork();
    const found = await findHosted(em, c, session);
    if (!found) return answerNoBooking(c);
    const { booking, eventType } = found;
    const { ownerId, id } = booking;
    const acting = { ownerId, id, hostId: session.userId, network: networkOf(addressOf(c)) };
    const reason = form.get(reasonName(deed)) || null;
    const sent = { acting, booking, eventType, form, reason };
    const problem = forgery ?? (await problemOf(() => DEEDS_OF_HOST[deed].act(globalEm.fork(), sent)));
    if (problem) return show(c, session, { deed, problem, form });
    // Whose part it was no longer sees the booking.
    if (deed === 'reassign') return seeOther(c, `${HOSTED_BOOKINGS_PATH}?done=reassign`);
    return seeOther(c, `${hostedBookingPath(booking)}?done=${deed}`);
  }
}

interface Refused {
  readonly deed: HostDeed;
  readonly problem: Problem;
  readonly form: URLSearchParams;
}

/** What of a form is wrong, at its fields: the reason has another name in each. */
function mistakesOf({ deed, problem }: Refused): readonly Mistake[] {
  return problem.mistakes.map(({ code, message, path }) => {
    const field = path?.[0] === 'reason' ? reasonName(deed) : path?.[0] === 'toHost' ? 'toHost' : undefined;
    return { code, message, ...(field && { path: [field] }) };
  });
}

interface Hosted {
  readonly booking: BookingRow;
  readonly eventType: BookableEventType | undefined;
}

/** The booking that the address names, if this user hosts it. */
async function findHosted(em: Em, c: Context, { userId }: FoundSession): Promise<Hosted | undefined> {
  const key = bookingKeyOf(c.req.param('uid') ?? '');
  const booking = key && !key.isSeat ? await findBooking(em, key) : undefined;
  if (!booking?.hostIds.includes(userId)) return undefined;
  return { booking, eventType: await findEventTypeRules(em, { ownerId: booking.ownerId, id: booking.eventTypeId }) };
}

/** Those hosts of the event type who are named and do not host the booking yet. */
async function findOtherHosts(em: Em, { booking, eventType }: Hosted) {
  if (!eventType || eventType.hosts.length <= booking.hosts.length) return [];
  const named = (await findHosts(em, [eventType])).get(eventType.id) ?? [];
  return named
    .filter(({ userId }) => !booking.hostIds.includes(userId))
    .map(({ userId, name }) => ({ id: publicId('user', userId), name }));
}

/** The same for a text that is no uid, for an unknown one, and for what somebody else hosts. */
function answerNoBooking(c: Context): Response | Promise<Response> {
  const message = 'There is no booking of yours at this address. It may have been handed to another host.';
  const advice = `Your bookings are at ${HOSTED_BOOKINGS_PATH}.`;
  return sendPage(c, errorPage({ status: 404, title: 'No booking of yours', message, advice }), 404, UNLISTED);
}

/** What the address says was done, as long as that is still how things stand: anybody may write such a link. */
function isDone(deed: HostDeed, { status, rescheduleRequested }: BookingRow): boolean {
  if (deed === 'confirm') return status === 'ACCEPTED';
  if (deed === 'decline') return status === 'REJECTED';
  if (deed === 'cancel') return status === 'CANCELLED' && !rescheduleRequested;
  return deed === 'request-reschedule' ? status === 'CANCELLED' && rescheduleRequested : deed === 'absence';
}

interface Wanted {
  readonly attendee: string;
  readonly after: string | undefined;
}

const ROW = new Selection(
  Booking,
  ['ownerId', 'id', 'title', 'status', 'startsAt', 'endsAt', 'rescheduledToId'],
  [{ part: BOOKER, of: new Selection(BookingAttendee, ['name', 'email']) }],
);

/** A page of one of the lists. @throws Problem BAD_INPUT for a cursor that is none */
async function findShown(em: Em, hostId: string, shown: ShownBookings, { attendee, after }: Wanted) {
  const now = instantAt(await databaseNow(em));
  const filters: Readonly<Record<ShownBookings, BookingFilter>> = {
    upcoming: { status: ['ACCEPTED', 'PENDING'], end: { from: now } },
    waiting: { status: ['PENDING'] },
    past: { status: ['ACCEPTED'], end: { to: now } },
    cancelled: { status: ['CANCELLED', 'REJECTED'] },
  };
  const filter = { ...filters[shown], attendeeEmail: attendee === '' ? null : attendee };
  const order = { by: 'START', isDescending: shown === 'past' || shown === 'cancelled' } as const;
  const page = await listHostBookings(em, hostId, filter, order, pageRequest({ after }, ['TIME', 'UUID']), ROW);
  return page as unknown as Page<HostedRow>;
}

function purposeOf(deed: HostDeed): string {
  return `host ${deed}`;
}
