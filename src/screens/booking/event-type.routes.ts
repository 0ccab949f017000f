/**
 * booking/ is what bookers see until they have booked: the places, the calendar, the form. It may import account/ and kit/.
 */
import { Hono } from 'hono';
import { pageRequest } from '../../core/page.ts';
import { Problem } from '../../core/problem.ts';
import type { Em } from '../../database/sql.ts';
import { tidyName } from '../../modules/accounts/account.rules.ts';
import { findSuccessor } from '../../modules/accounts/claim-username.ts';
import { findOfferedEventType, type OfferedTo } from '../../modules/bookings/slots/offered-event-type.queries.ts';
import {
  type BookingAddress,
  bookingAddress,
  organizationAddress,
} from '../../modules/event-types/booking-url.rules.ts';
import { findOncePrivatelyLinked, findPrivatelyLinked } from '../../modules/event-types/private-links.ts';
import type { EventTypeName } from '../../modules/event-types/public/event-type-rules.queries.ts';
import {
  type BookingOwner,
  findBookingOwner,
  findPublicOrganization,
  listOffers,
  listPublicTeams,
} from '../../modules/event-types/public/public-event-type.queries.ts';
import { localeOf } from '../kit/page-locale.ts';
import { sendElsewhere, sendOpenPage } from '../kit/page-response.ts';
import { answerNotFound, sendError } from '../kit/problem-response.ts';
import { logoHeaders, withoutLogo } from './booking-layout.ts';
import {
  admitVisitors,
  type BookingContext,
  type BookingEnv,
  type BookingPagesSettings,
  UNLISTED,
} from './booking-visitor.ts';
import { asEmbedded, mayBeFramed } from './embedding/embedding.ts';
import { repeatBooking, showEventType, takeBooking } from './event-type-answers.ts';
import type { EventTypeOnPage } from './event-type-facts.ts';
import type { OfferedHere } from './form-answer.ts';
import { organizationPage, ownerName, placePage, SHOWN_OF_ORGANIZATION, SHOWN_OF_TEAM } from './place-page.ts';
import { bookingWords } from './words/booking-words.ts';

const BOOK = '/book/:path{.+}';
const PRIVATE_LINK = '/private-links/:token';

/** `/book/…`: what somebody offers, and booking it; `/private-links/…`: booking what is hidden. */
export function eventTypeRoutes(settings: BookingPagesSettings): Hono<BookingEnv> {
  const routes = new Hono<BookingEnv>();
  routes.use(BOOK, asEmbedded);
  for (const path of ['/book/*', '/private-links/*']) routes.use(path, admitVisitors(settings));
  routes.get(BOOK, (c) => showPlace(c, settings));
  routes.post(BOOK, async (c) => {
    const { owner, slug } = bookingAddress(c.req.param('path')) ?? {};
    const offered = owner && slug !== undefined ? await findBooked(c, settings.em.fork(), { owner, slug }) : undefined;
    return offered ? takeBooking(c, settings, offered) : answerNotFound(c);
  });

  routes.get(PRIVATE_LINK, async (c) => {
    const offered = await findLinked(settings.em.fork(), c.req.param('token'), findPrivatelyLinked);
    return offered ? showEventType(c, settings, offered) : answerLinkOver(c);
  });
  routes.post(PRIVATE_LINK, (c) => takeLinked(c, settings));
  return routes;
}

/** An event type, or somebody's booking page. */
async function showPlace(c: BookingContext, settings: BookingPagesSettings): Promise<Response> {
  const em = settings.em.fork();
  const said = c.req.param('path') ?? '';
  const path = tidyName(said.replace(/\/$/, ''));
  const [address, organization] = [bookingAddress(path), organizationAddress(path)];
  if (!address && organization === undefined) return answerNotFound(c);
  // Slugs and usernames have no capitals, but people write them so.
  if (path !== said) return sendElsewhere(c, `/book/${path}${new URL(c.req.url).search}`, 308);
  if (!address) return (await sendOrganization(c, settings, organization ?? '')) ?? answerNotFound(c);
  return (await sendAddress(c, settings, address)) ?? (await sendOnward(c, em, address)) ?? answerNotFound(c);
}

async function sendOrganization(
  c: BookingContext,
  { em: database, visitors }: BookingPagesSettings,
  slug: string,
): Promise<Response | undefined> {
  const [em, { viewerId }] = [database.fork(), asViewed(c)];
  const organization = await findPublicOrganization(em, slug, SHOWN_OF_ORGANIZATION, viewerId);
  if (!organization) return undefined;
  const request = pageRequest({ after: c.req.query('after') }, ['TEXT']);
  const teams = await listPublicTeams(em, organization.id, request, SHOWN_OF_TEAM, viewerId);
  const viewer = await visitors.viewerOf(c.req.raw);
  const page = organizationPage({ viewer, organization, teams, locale: localeOf(c) });
  return sendOpenPage(c, viewer, page, 200, logoHeaders(organization));
}

async function sendAddress(
  c: BookingContext,
  settings: BookingPagesSettings,
  { owner, slug }: BookingAddress,
): Promise<Response | undefined> {
  const em = settings.em.fork();
  if (slug !== undefined) {
    const offered = await findBooked(c, em, { owner, slug });
    return offered && showEventType(c, settings, offered);
  }
  const eventTypes = await listOffers(em, owner, pageRequest({ after: c.req.query('after') }), asViewed(c).viewerId);
  const found = eventTypes.rows.length > 0 ? await findBookingOwner(em, owner) : undefined;
  // An owner who offers nothing has no page, so that nobody learns who is there.
  return found && sendPlace(c, settings, found, eventTypes);
}

/** An address with a username that its owner has given up, as long as it is kept for them. */
async function sendOnward(c: BookingContext, em: Em, { owner, slug }: BookingAddress): Promise<Response | undefined> {
  const username = 'username' in owner ? await findSuccessor(em, owner.username) : undefined;
  if (username === undefined) return undefined;
  const there = slug === undefined ? await listOffers(em, { username }, pageRequest({ first: 1 })) : undefined;
  const isThere = there
    ? there.rows.length > 0
    : await findOffered(em, { owner: { username }, slug: slug ?? '' }, asViewed(c));
  if (!isThere) return undefined;
  return sendElsewhere(c, `/book/${[username, slug].filter(Boolean).join('/')}${new URL(c.req.url).search}`, 302);
}

async function sendPlace(
  c: BookingContext,
  { visitors }: BookingPagesSettings,
  owner: BookingOwner,
  eventTypes: Parameters<typeof placePage>[0]['eventTypes'],
): Promise<Response> {
  const viewer = await visitors.viewerOf(c.req.raw);
  const page = placePage({ viewer, owner, eventTypes, locale: localeOf(c) });
  return sendOpenPage(c, viewer, page, 200, logoHeaders(owner));
}

async function findBooked(c: BookingContext, em: Em, name: EventTypeName): Promise<OfferedHere | undefined> {
  const offered = await findOffered(em, name, asViewed(c));
  mayBeFramed(c, offered?.shown.eventType);
  return offered;
}

/** Without a private link, a visitor sees what is public, signed in or not. */
function asViewed(c: BookingContext): OfferedTo {
  return { viewerId: c.get('session')?.userId ?? null, privateLinkToken: null };
}

/** Takes a booking by a private link. A visitor who sends a form twice may have used the link up with the first one. */
async function takeLinked(c: BookingContext, settings: BookingPagesSettings): Promise<Response> {
  const [em, token] = [settings.em.fork(), c.req.param('token') ?? ''];
  const offered = await findLinked(em, token, findPrivatelyLinked);
  if (offered) return takeBooking(c, settings, offered).catch(linkOver(c, ({ code }) => code === 'NOT_FOUND'));
  const once = await findLinked(em, token, findOncePrivatelyLinked);
  return once ? repeatBooking(c, settings, once).catch(linkOver(c, () => true)) : answerLinkOver(c);
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

function linkOver(c: BookingContext, isMeant: (problem: Problem) => boolean) {
  return (error: unknown): Response | Promise<Response> => {
    if (error instanceof Problem && isMeant(error)) return answerLinkOver(c);
    throw error;
  };
}

/** The same for a link that is over and for one that never was. */
function answerLinkOver(c: BookingContext): Response | Promise<Response> {
  return sendError(c, { status: 404, ...bookingWords(localeOf(c)).linkOver }, UNLISTED);
}
