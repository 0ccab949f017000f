/**
 * booking/ is what bookers see until they have booked: the places, the calendar, the form. It may import account/ and kit/.
 */
import { Hono, type MiddlewareHandler } from 'hono';
import { pageRequest } from '../../core/page.ts';
import type { Em } from '../../database/sql.ts';
import { tidyName } from '../../modules/accounts/account.rules.ts';
import { findSuccessor } from '../../modules/accounts/claim-username.ts';
import { findOfferedEventType, type OfferedTo } from '../../modules/bookings/slots/bookable-event-type.queries.ts';
import {
  type BookingAddress,
  bookingAddress,
  organizationAddress,
} from '../../modules/event-types/booking-url.rules.ts';
import { findOncePrivatelyLinked, findPrivatelyLinked } from '../../modules/event-types/private-links.ts';
import {
  type EventTypeName,
  findBookingOwner,
  findPublicOrganization,
  listOffers,
  listPublicTeams,
} from '../../modules/event-types/public/public-event-type.queries.ts';
import { type DeclaredPage, type OpenVisit, openPage, routesOf } from '../kit/page.ts';
import { localeOf } from '../kit/page-locale.ts';
import { sendElsewhere, sendOpenPage } from '../kit/page-response.ts';
import { answerNotFound, sendError } from '../kit/problem-response.ts';
import { BOOKING_LIMITS, type OfferedHere, repeatBooking, showOffered, takeBooking } from './book.ts';
import { asEmbedded, logoHeaders, mayBeFramed, withoutLogo } from './booking-layout.ts';
import {
  admitVisitors,
  type BookingContext,
  type BookingEnv,
  type BookingPagesSettings,
  callerOf,
  UNLISTED,
} from './booking-visitor.ts';
import { bookingWords } from './booking-words.ts';
import type { EventTypeOnPage } from './calendar-page.ts';
import {
  type OrganizationPage,
  organizationPage,
  ownerName,
  type PlacePage,
  placePage,
  SHOWN_OF_ORGANIZATION,
  SHOWN_OF_TEAM,
} from './places.ts';

const BOOK = '/book/:path{.+}';

/** `/book/…`: what somebody offers, and booking it; `/private-links/…`: booking what is hidden. */
export function eventTypeRoutes(settings: BookingPagesSettings): Hono {
  const routes = new Hono<BookingEnv>();
  routes.use(BOOK, asEmbedded);
  for (const path of ['/book/*', '/private-links/*']) routes.use(path, admitVisitors(settings));
  routes.post(BOOK, refusedInFrame(settings));
  return new Hono().route('/', routes.route('/', routesOf(settings, [bookPage(settings), privateLinkPage(settings)])));
}

/** A form that is refused unread, as it is too large say, is refused in the frame that it came from. */
function refusedInFrame({ em }: BookingPagesSettings): MiddlewareHandler<BookingEnv> {
  return async (c, next) => {
    await next();
    const isUnread = c.get('isEmbedded') && c.get('embedOrigins') === undefined && c.res.status < 500;
    if (isUnread) await findToBook({ c, em: em.fork(), param: (name) => c.req.param(name) ?? '' });
  };
}

/** The thing at an address below `/book`. */
type AtAddress =
  | { readonly kind: 'ELSEWHERE'; readonly to: string; readonly status: 302 | 308 }
  | ({ readonly kind: 'ORGANIZATION' } & Pick<OrganizationPage, 'organization' | 'teams'>)
  | ({ readonly kind: 'PLACE' } & Pick<PlacePage, 'owner' | 'eventTypes'>)
  | ({ readonly kind: 'EVENT_TYPE' } & OfferedHere);

/** `/book/…`: an event type, somebody's booking page, or the teams of an organization. A form is about an event type. */
function bookPage(settings: BookingPagesSettings): DeclaredPage {
  return openPage({
    path: BOOK,
    find: (visit) => (visit.c.req.method === 'POST' ? findToBook(visit) : findAt(visit)),
    show: async (showing, found) => {
      const { c, reader } = showing;
      if (found.kind === 'ELSEWHERE') return sendElsewhere(c, found.to, found.status);
      if (found.kind === 'EVENT_TYPE') return showOffered(showing, settings, found);
      const { viewer, locale } = await reader();
      if (found.kind === 'PLACE')
        return sendOpenPage(c, viewer, placePage({ ...found, viewer, locale }), 200, logoHeaders(found.owner));
      const page = organizationPage({ ...found, viewer, locale });
      return sendOpenPage(c, viewer, page, 200, logoHeaders(found.organization));
    },
    forms: {
      book: {
        at: '',
        limits: BOOKING_LIMITS,
        run: async (visit, found, form) =>
          found.kind === 'EVENT_TYPE' ? takeBooking(visit, settings, found, form) : answerNotFound(visit.c),
      },
    },
  });
}

/** The event type that a private link leads to. */
interface Linked extends OfferedHere {
  /** The link is used up, and serves to find out whether it was by the same form. */
  readonly isOver?: boolean;
}

/** `/private-links/<token>`: booking what is hidden. A visitor who sends a form twice may have used the link up with the first one. */
function privateLinkPage(settings: BookingPagesSettings): DeclaredPage {
  return openPage<Linked, 'book'>({
    path: '/private-links/:token',
    find: async ({ c, em, param }) => {
      const offered = await findLinked(em, param('token'), findPrivatelyLinked);
      if (offered || c.req.method !== 'POST') return offered;
      const once = await findLinked(em, param('token'), findOncePrivatelyLinked);
      return once && { ...once, isOver: true };
    },
    none: answerLinkOver,
    show: async (showing, offered) => {
      // Nothing of the event type is shown to anybody whose form has not booked with the link, whatever they have sent.
      if (offered.isOver || showing.back?.problem?.code === 'NOT_FOUND') return undefined;
      return showOffered(showing, settings, offered);
    },
    forms: {
      book: {
        at: '',
        limits: BOOKING_LIMITS,
        run: (visit, offered, form) =>
          offered.isOver ? repeatBooking(visit, settings, offered, form) : takeBooking(visit, settings, offered, form),
      },
    },
  });
}

/** The event type that a form books. */
async function findToBook({ c, em, param }: Pick<OpenVisit, 'c' | 'em' | 'param'>): Promise<AtAddress | undefined> {
  const { owner, slug } = bookingAddress(param('path')) ?? {};
  return owner && slug !== undefined ? findBooked(c, em, { owner, slug }) : undefined;
}

async function findAt({ c, em, param }: OpenVisit): Promise<AtAddress | undefined> {
  const said = param('path');
  const path = tidyName(said.replace(/\/$/, ''));
  const [address, organization] = [bookingAddress(path), organizationAddress(path)];
  if (!address && organization === undefined) return undefined;
  // Slugs and usernames have no capitals, but people write them so.
  if (path !== said) return { kind: 'ELSEWHERE', to: `/book/${path}${new URL(c.req.url).search}`, status: 308 };
  if (!address) return findOrganization(c, em, organization ?? '');
  const { owner, slug } = address;
  const here = slug === undefined ? await findPlace(c, em, owner) : await findBooked(c, em, { owner, slug });
  return here ?? findOnward(c, em, address);
}

async function findOrganization(c: BookingContext, em: Em, slug: string): Promise<AtAddress | undefined> {
  const { viewerId } = asViewed(c);
  const organization = await findPublicOrganization(em, slug, SHOWN_OF_ORGANIZATION, viewerId);
  if (!organization) return undefined;
  const request = pageRequest({ after: c.req.query('after') }, ['TEXT']);
  const teams = await listPublicTeams(em, organization.id, request, SHOWN_OF_TEAM, viewerId);
  return { kind: 'ORGANIZATION', organization, teams };
}

/** An owner who offers nothing has no page, so that nobody learns who is there. */
async function findPlace(c: BookingContext, em: Em, owned: BookingAddress['owner']): Promise<AtAddress | undefined> {
  const eventTypes = await listOffers(em, owned, pageRequest({ after: c.req.query('after') }), asViewed(c).viewerId);
  const owner = eventTypes.rows.length > 0 ? await findBookingOwner(em, owned) : undefined;
  return owner && { kind: 'PLACE', owner, eventTypes };
}

/** An address with a username that its owner has given up leads on, as long as it is kept for them. */
async function findOnward(c: BookingContext, em: Em, { owner, slug }: BookingAddress): Promise<AtAddress | undefined> {
  const username = 'username' in owner ? await findSuccessor(em, owner.username) : undefined;
  if (username === undefined) return undefined;
  const there = slug === undefined ? await listOffers(em, { username }, pageRequest({ first: 1 })) : undefined;
  const isThere = there
    ? there.rows.length > 0
    : await findOffered(em, { owner: { username }, slug: slug ?? '' }, asViewed(c));
  if (!isThere) return undefined;
  const to = `/book/${[username, slug].filter(Boolean).join('/')}${new URL(c.req.url).search}`;
  return { kind: 'ELSEWHERE', to, status: 302 };
}

async function findBooked(c: BookingContext, em: Em, name: EventTypeName): Promise<AtAddress | undefined> {
  const offered = await findOffered(em, name, asViewed(c));
  mayBeFramed(c, offered?.shown.eventType);
  return offered && { kind: 'EVENT_TYPE', ...offered };
}

/** Without a private link, a visitor sees what is public, signed in or not. */
function asViewed(c: BookingContext): OfferedTo {
  return { viewerId: callerOf(c), privateLinkToken: null };
}

async function findLinked(
  em: Em,
  token: string,
  follow: NonNullable<OfferedTo['follow']>,
): Promise<OfferedHere | undefined> {
  const linked = await follow(em, token);
  const offered = linked && (await findOffered(em, linked, { viewerId: null, privateLinkToken: token, follow }));
  return offered && { ...offered, shown: { ...offered.shown, path: `/private-links/${token}` } };
}

/**
 * Finds an offered event type. A hidden one and one that is not there look alike; a managed one, which has copies for
 * its members, is not booked itself.
 */
async function findOffered(em: Em, name: EventTypeName, offeredTo: OfferedTo): Promise<OfferedHere | undefined> {
  const eventType = await findOfferedEventType(em, name, offeredTo);
  if (!eventType || eventType.rules.schedulingType === 'MANAGED') return undefined;
  const owner = await findBookingOwner(em, { id: eventType.ownerId });
  if (!owner) return undefined;
  const shown: EventTypeOnPage = {
    eventType,
    ownerName: ownerName(owner),
    brand: offeredTo.privateLinkToken === null ? owner : withoutLogo(owner),
    path: `/book/${owner.place}/${eventType.slug}`,
  };
  return { shown, privateLinkToken: offeredTo.privateLinkToken };
}

/** The same for a link that is over and for one that never was. */
function answerLinkOver({ c }: OpenVisit): Response | Promise<Response> {
  return sendError(c, { status: 404, ...bookingWords(localeOf(c)).linkOver }, UNLISTED);
}
