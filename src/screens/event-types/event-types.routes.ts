/** event-types/ is where users, and administrators for their teams, say what can be booked. It may import account/, booking/, teams/, kit/ and http/. */
import { type Context, Hono } from 'hono';
import { pageRequest } from '../../core/page.ts';
import type { Problem } from '../../core/problem.ts';
import { SCRIPTED_HEADERS } from '../../http/page-response.ts';
import { outcomeOf, sendForm } from '../../http/problem-response.ts';
import { asViewer } from '../../http/visitors.ts';
import { once } from '../../limits/at-most-once.ts';
import { bookingUrl, placeUrl } from '../../modules/event-types/booking-url.rules.ts';
import { createEventType } from '../../modules/event-types/change/create-event-type.ts';
import { EVENT_TYPES } from '../../modules/event-types/event-type.queries.ts';
import { isPlaceOpen } from '../../modules/event-types/public/offers.queries.ts';
import { ownedPage } from '../../modules/levels/owned.queries.ts';
import { newFormKey, requestIn } from '../kit/form-key.ts';
import { levelsOfPages, type PageLevel } from '../teams/page-level.ts';
import { eventTypeRoutes } from './event-type.routes.ts';
import { mistakesOf, newOf, typedIn } from './event-type-form.ts';
import { EVENT_TYPES_NAME, eventTypePath, eventTypesPage } from './event-types-page.ts';
import { SHOWN, type Values } from './form-part.ts';
import { hostsRoutes } from './hosts/hosts.routes.ts';
import { hostsPath } from './hosts/hosts-page.ts';
import { linksRoutes } from './links/links.routes.ts';
import { findPlaceOf } from './shown-event-types.queries.ts';
import type { EventTypePagesSettings } from './visits.ts';
import { eventTypeWords } from './words/event-type-words.ts';

const ADD = 'event type add';
const EMPTY = { title: '', slug: '', lengthInMinutes: '30', assignAllMembers: 'on' };

/** `/settings/event-types`: what can be booked with a user; `/settings/teams/:id/event-types`, what a team offers; and one page for each. */
export function eventTypesRoutes(settings: EventTypePagesSettings): Hono {
  const { em, visitors, publicUrl } = settings;
  const routes = new Hono();
  for (const route of levelsOfPages(settings, EVENT_TYPES_NAME, ['team'])) {
    routes.get(
      route.path,
      route.of((c, level) => list(c, level)),
    );
    routes.post(route.path, route.of(add));
  }
  routes.route('/', eventTypeRoutes(settings));
  routes.route('/', hostsRoutes(settings));
  routes.route('/', linksRoutes(settings));
  return routes;

  async function list(c: Context, level: PageLevel, refused?: Refused): Promise<Response> {
    const { ownerId } = level.owner;
    const request = pageRequest({ after: c.req.query('after') });
    const place = await findPlaceOf(em.fork(), ownerId);
    const { userLocale: locale } = level.session;
    const typed = refused?.typed ?? EMPTY;
    const page = eventTypesPage({
      viewer: asViewer(level.session),
      level,
      eventTypes: await ownedPage(em.fork(), EVENT_TYPES, ownerId, request, SHOWN),
      placeUrl: placeUrl(publicUrl, place),
      isPlaceOpen: await isPlaceOpen(em.fork(), place, level.session.userId),
      urlOf: (slug) => bookingUrl(publicUrl, place, slug),
      typed,
      csrf: visitors.formToken(c, ADD),
      idempotencyKey: newFormKey(),
      mistakes: mistakesOf(refused?.problem, typed, locale),
      done: visitors.doneBefore(c) === 'deleted' && !refused ? eventTypeWords(locale).done.deleted : undefined,
    });
    return sendForm(c, page, refused?.problem, SCRIPTED_HEADERS);
  }

  async function add(c: Context, level: PageLevel): Promise<Response> {
    const { form, forgery } = await visitors.readForm(c, ADD);
    const typed = typedIn(form);
    const { session, owner, place } = level;
    const request = requestIn({ userId: session.userId, form }, [ADD, owner.ownerId], typed);
    const act = () =>
      once(em.fork(), request, async (inner) => ({
        id: await createEventType(inner, owner, newOf(typed, place !== undefined, session.userLocale)),
      }));
    const { problem, result: created } = await outcomeOf(forgery, act);
    if (problem) return list(c, level, { typed, problem });
    const eventType = { ownerId: owner.ownerId, ...created };
    // The page of hosts comes first where some are yet to be chosen.
    const isForAll = place === undefined || typed['assignAllMembers'] !== undefined;
    return visitors.leadTo(c, isForAll ? eventTypePath(eventType) : hostsPath(eventType), 'added');
  }
}

interface Refused {
  readonly typed: Values;
  readonly problem: Problem;
}
