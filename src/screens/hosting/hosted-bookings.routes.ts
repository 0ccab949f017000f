import { type Context, Hono } from 'hono';
import { type OwnedId, ownedIdOf, publicId, publicOwnedId } from '../../core/id.ts';
import { instantAt, instantOf } from '../../core/instant.ts';
import { type Page, pageRequest } from '../../core/page.ts';
import { databaseNow } from '../../database/database-clock.ts';
import { Selection } from '../../database/selection.ts';
import type { Em } from '../../database/sql.ts';
import { once, wasCarriedOut } from '../../limits/at-most-once.ts';
import { networkOf } from '../../limits/network.ts';
import type { FoundSession } from '../../modules/accounts/sign-in/session.queries.ts';
import { findUser } from '../../modules/accounts/user.queries.ts';
import { Booking } from '../../modules/bookings/booking.entity.ts';
import { type BookingRow, findBooking } from '../../modules/bookings/booking.queries.ts';
import { BookingAttendee } from '../../modules/bookings/booking-attendee.entity.ts';
import { findHistory } from '../../modules/bookings/booking-history.queries.ts';
import { bookingKeyOf } from '../../modules/bookings/booking-key.rules.ts';
import { findSeriesNow } from '../../modules/bookings/booking-series.queries.ts';
import { findRestOfSeries, isCutShort, type RestOfSeries } from '../../modules/bookings/change/cancel-booking.ts';
import type { BookingFilter } from '../../modules/bookings/lists/booking-list.rules.ts';
import { BOOKER } from '../../modules/bookings/lists/booking-parts.queries.ts';
import { listHostBookings } from '../../modules/bookings/lists/host-booking.queries.ts';
import { isOver } from '../../modules/bookings/locked-booking.ts';
import { findUnsent } from '../../modules/bookings/mails/mail-outcomes.ts';
import { HELD_SLOT, listHeldSlots, releaseHeldSlot } from '../../modules/bookings/slots/holds/held-slot.queries.ts';
import { placeUrl } from '../../modules/event-types/booking-url.rules.ts';
import { findHosts } from '../../modules/event-types/event-type-host.queries.ts';
import {
  type BookableEventType,
  findEventTypeRules,
} from '../../modules/event-types/public/event-type-rules.queries.ts';
import { isPlaceOpen } from '../../modules/event-types/public/offers.queries.ts';
import { MAX_SEATS } from '../../modules/event-types/settings/scheduling-input.rules.ts';
import { countWaiting } from '../../modules/workflows/sendings/held-sendings.ts';
import { type BookingPagesSettings, UNLISTED } from '../booking/booking-visitor.ts';
import { signedIn } from '../kit/page.ts';
import { seeOther, sendPage } from '../kit/page-response.ts';
import { problemOf, sendError, sendForm } from '../kit/problem-response.ts';
import { largeForm } from '../kit/request.ts';
import { newFormKey, requestIn } from '../kit/sent-form.ts';
import { asViewer } from '../kit/visitors.ts';
import { clockOf } from '../kit/when.ts';
import { reasonName } from './actions-part.ts';
import { bookingsPage, type HostedRow } from './bookings-page.ts';
import { ACTIONS_OF_HOST, isDone, mistakesOf, possibleActions, type Refused } from './host-actions.ts';
import { hostedBookingPage } from './hosted-booking-page.ts';
import { findHostedEventTypes } from './hosted-event-types.queries.ts';
import {
  HELD_SLOT_PATH,
  HOST_ACTIONS,
  HOSTED_BOOKINGS_PATH,
  type HostAction,
  hostedBookingPath,
  SHOWN_BOOKINGS,
  type ShownBookings,
} from './hosting-paths.ts';
import { type BookingsWords, bookingsWords } from './words/hosting-words.ts';

/** The form that releases what is kept of a host's time. */
const RELEASE = 'release';
const RELEASED = `${HELD_SLOT_PATH}/:id/release`;
const NO_PAGE = { rows: [], hasNextPage: false, hasPreviousPage: false };

const BOOKING = `${HOSTED_BOOKINGS_PATH}/:uid{[\\w-]+}/host`;
/** Every attendee with a seat can be marked absent. */
const LIMITS = largeForm(MAX_SEATS);
const ACTION = `${BOOKING}/:action{${HOST_ACTIONS.join('|')}}`;

/** `/bookings`: a host's bookings; `/bookings/<uid>/host`: one of them, with what the host can do. */
export function hostedBookingsRoutes(settings: BookingPagesSettings): Hono {
  const { em: globalEm, publicUrl, visitors, addressOf } = settings;
  const routes = new Hono();
  routes.get(HOSTED_BOOKINGS_PATH, signedIn(visitors, list));
  routes.post(RELEASED, signedIn(visitors, release));
  // A visitor who had to sign in before the form was taken comes back here.
  routes.get(RELEASED, (c) => seeOther(c, HOSTED_BOOKINGS_PATH));
  routes.get(
    BOOKING,
    signedIn(visitors, (c, session) => show(c, session)),
  );
  routes.post(ACTION, signedIn(visitors, take, LIMITS));
  // A visitor who had to sign in before the form was taken comes back here.
  routes.get(ACTION, (c) =>
    seeOther(c, `${HOSTED_BOOKINGS_PATH}/${encodeURIComponent(c.req.param('uid') ?? '')}/host`),
  );
  return routes;

  async function list(c: Context, session: FoundSession): Promise<Response> {
    const em = globalEm.fork();
    const shown = SHOWN_BOOKINGS.find((one) => one === c.req.query('show')) ?? 'upcoming';
    const attendee = (c.req.query('attendee') ?? '').trim();
    const named = ownedIdOf('eventType', c.req.query('eventType') ?? '');
    const eventTypes = await findHostedEventTypes(em, session.userId, named);
    // An event type that one has never hosted narrows nothing.
    const eventType = eventTypes.find(({ ownerId, id }) => ownerId === named?.ownerId && id === named.id);
    const user = await findUser(em, session.userId);
    const isAll = shown === 'upcoming' && attendee === '' && !eventType;
    const done = visitors.doneBefore(c);
    const words = bookingsWords(session.userLocale);
    const page = bookingsPage({
      viewer: asViewer(session),
      shown,
      bookings: await findShown(em, session.userId, shown, { attendee, eventType, after: c.req.query('after') }),
      held: isAll ? await listHeldSlots(em, session.userId, pageRequest({}, ['TIME', 'UUID'])) : NO_PAGE,
      csrf: visitors.formToken(c, RELEASE),
      narrowed: { attendee, eventType: eventType ? publicOwnedId('eventType', eventType) : '' },
      eventTypes,
      clock: clockOf(user),
      bookingUrl: placeUrl(publicUrl, user?.username ?? ''),
      isPlaceOpen: await isPlaceOpen(em, user?.username ?? ''),
      // Whoever handed a booking over no longer sees it, and comes here.
      done: done === 'reassign' ? words.actions.reassign.done : done === RELEASE ? words.held.done : undefined,
    });
    return sendPage(c, page);
  }

  async function release(c: Context, session: FoundSession): Promise<Response> {
    const { forgery } = await visitors.readForm(c, RELEASE);
    if (forgery) throw forgery;
    const named = ownedIdOf(HELD_SLOT, c.req.param('id') ?? '');
    // A hold that is over by now is as the host wants it: the same button, pressed twice.
    const problem = await problemOf(async () => {
      if (named) await releaseHeldSlot(globalEm.fork(), named, { hostId: session.userId });
    });
    if (problem && problem.code !== 'NOT_FOUND') throw problem;
    return visitors.leadTo(c, HOSTED_BOOKINGS_PATH, RELEASE);
  }

  async function show(c: Context, session: FoundSession, refused?: Refused): Promise<Response> {
    const em = globalEm.fork();
    const found = await findHosted(em, c, session);
    if (!found) return answerNoBooking(c, session);
    const { booking, eventType } = found;
    const now = await databaseNow(em);
    const done = visitors.doneBefore(c);
    const words = bookingsWords(session.userLocale);
    const rest = await findRest(em, found, session);
    const possible = possibleActions(booking, eventType, now);
    const canCancel = possible.includes('cancel');
    const page = hostedBookingPage({
      unsent: await findUnsent(em, booking),
      waitingMessages: (await countWaiting(em, [booking.id])).get(booking.id) ?? 0,
      viewer: asViewer(session),
      booking,
      eventType,
      clock: clockOf(await findUser(em, session.userId)),
      isOver: isOver(booking, now),
      series: await findOthers(em, booking, session.userId, now),
      history: await findHistory(em, booking),
      forms: {
        possible: canCancel || rest.cancellable.length === 0 ? possible : [...possible, 'cancel'],
        path: hostedBookingPath(booking),
        csrf: visitors.formTokens(c, HOST_ACTIONS, purposeOf),
        idempotencyKey: newFormKey(),
        open: refused?.action,
        reason: refused?.form.get(reasonName(refused.action)) ?? '',
        canCancel,
        cancellable: rest.cancellable.length,
        isForSeries: refused !== undefined && isForSeries(refused),
        otherHosts: await findOtherHosts(em, found),
        hostId: session.userId,
      },
      mistakes: refused ? mistakesOf(refused, session.userLocale) : [],
      done: refused ? undefined : doneWords(done, booking, rest, words),
    });
    return sendForm(c, page, refused?.problem, UNLISTED);
  }

  async function take(c: Context, session: FoundSession): Promise<Response> {
    const action = c.req.param('action') as HostAction;
    const { form, forgery } = await visitors.readForm(c, purposeOf(action));
    const em = globalEm.fork();
    const found = await findHosted(em, c, session);
    const request = requestIn({ ...session, form }, ['host', action, c.req.param('uid') ?? ''], {});
    if (!found) {
      // A host who has handed it over and sends the form again does not host it any more.
      return !forgery && (await wasCarriedOut(em, request))
        ? seeOther(c, HOSTED_BOOKINGS_PATH)
        : answerNoBooking(c, session);
    }
    const { booking, eventType } = found;
    const { ownerId, id } = booking;
    const acting = { ownerId, id, hostId: session.userId, network: networkOf(addressOf(c)) };
    const reason = form.get(reasonName(action)) || null;
    const sent = { acting, booking, eventType, form, reason };
    const problem = forgery ?? (await problemOf(() => ACTIONS_OF_HOST[action].act(globalEm.fork(), sent)));
    const refused = problem && { action, problem, form };
    if (refused && !(await wasDone(c, session, refused))) return show(c, session, refused);
    // The host whose part it was no longer sees the booking.
    if (action === 'reassign') await once(em, request, async () => {});
    if (action === 'reassign') return visitors.leadTo(c, HOSTED_BOOKINGS_PATH, 'reassign');
    return visitors.leadTo(c, hostedBookingPath(booking), isForSeries({ action, form }) ? 'rest' : action);
  }

  /** Whether a refused form has already been carried out, sent twice at the same moment. Any other mistake is shown. */
  async function wasDone(c: Context, session: FoundSession, refused: Refused): Promise<boolean> {
    const { action, problem } = refused;
    const em = globalEm.fork();
    const now = await findHosted(em, c, session);
    if (!now) return action === 'reassign' && problem.code === 'NOT_FOUND';
    if (action === 'absence' || problem.code !== 'NOT_POSSIBLE') return false;
    return isForSeries(refused) ? isCutShort(await findRest(em, now, session)) : isDone(action, now.booking);
  }
}

/** Whether all that remains of the booking's series is to be cancelled. */
function isForSeries({ action, form }: Pick<Refused, 'action' | 'form'>): boolean {
  return action === 'cancel' && form.has('series');
}

/** Finds the rest of a booking's series that its host can cancel. */
function findRest(em: Em, { booking, eventType }: Hosted, { userId }: FoundSession): Promise<RestOfSeries> {
  return findRestOfSeries(em, eventType?.rules, booking, { key: booking, callerId: userId });
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

/** The other bookings of a series that this user hosts, each as it is now; those of other hosts are not theirs to see. */
async function findOthers(em: Em, { ownerId, id, recurringId }: BookingRow, hostId: string, now: number) {
  if (recurringId === null) return undefined;
  const meetings = await findSeriesNow(em, { ownerId, id: recurringId }, hostId);
  return meetings
    .filter((one) => one.id !== id && one.madeId !== id)
    .map((one) => ({ ...one, ownerId, isOver: instantOf(one.end).epochMilliseconds <= now }));
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
function answerNoBooking(c: Context, { userLocale: locale }: FoundSession): Response | Promise<Response> {
  return sendError(c, { status: 404, ...bookingsWords(locale).nothing }, UNLISTED);
}

/** Says what was done just before, as long as that is still how things stand. */
function doneWords(
  done: string,
  booking: BookingRow,
  rest: RestOfSeries,
  { actions, restCancelled }: BookingsWords,
): string | undefined {
  if (done === 'rest') return isCutShort(rest) ? restCancelled : undefined;
  const action = HOST_ACTIONS.find((one) => one === done);
  return action && isDone(action, booking) ? actions[action].done : undefined;
}

interface Wanted {
  readonly attendee: string;
  readonly eventType: OwnedId | undefined;
  readonly after: string | undefined;
}

const ROW = new Selection(
  Booking,
  ['ownerId', 'id', 'title', 'status', 'startsAt', 'endsAt', 'rescheduledToId'],
  [{ part: BOOKER, of: new Selection(BookingAttendee, ['name', 'email']) }],
);

/** A page of one of the lists. @throws Problem BAD_INPUT for a cursor that is none */
async function findShown(em: Em, hostId: string, shown: ShownBookings, { attendee, eventType, after }: Wanted) {
  const now = instantAt(await databaseNow(em));
  const filters: Readonly<Record<ShownBookings, BookingFilter>> = {
    upcoming: { status: ['ACCEPTED', 'PENDING'], end: { from: now } },
    waiting: { status: ['PENDING'] },
    past: { status: ['ACCEPTED'], end: { to: now } },
    cancelled: { status: ['CANCELLED', 'REJECTED'] },
  };
  const filter = {
    ...filters[shown],
    attendeeEmail: attendee === '' ? null : attendee,
    eventTypeIds: eventType ? [eventType] : null,
  };
  const order = { by: 'START', isDescending: shown === 'past' || shown === 'cancelled' } as const;
  const page = await listHostBookings(em, hostId, filter, order, pageRequest({ after }, ['TIME', 'UUID']), ROW);
  return page as unknown as Page<HostedRow>;
}

function purposeOf(action: HostAction): string {
  return `host ${action}`;
}
