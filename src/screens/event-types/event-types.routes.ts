/** event-types/ is where users, and administrators for their teams, say what can be booked. It may import account/, booking/, teams/ and kit/. */
import type { Hono } from 'hono';
import { pageRequest } from '../../core/page.ts';
import type { Em } from '../../database/sql.ts';
import { once, SAME_TEXT } from '../../limits/at-most-once.ts';
import { bookingUrl, placeUrl } from '../../modules/event-types/booking-url.rules.ts';
import { createEventType } from '../../modules/event-types/event-type.commands.ts';
import { EVENT_TYPES } from '../../modules/event-types/event-type.queries.ts';
import { isPlaceOpen } from '../../modules/event-types/public/public-event-type.queries.ts';
import { ownedPage } from '../../modules/levels/owned.queries.ts';
import { type DeclaredPage, page, routesOf } from '../kit/page.ts';
import { SCRIPTED_HEADERS } from '../kit/page-response.ts';
import { requestIn } from '../kit/request.ts';
import { levelOf, pathsOfLevels } from '../teams/page-level.ts';
import { answerNone } from '../teams/place.ts';
import { deletionPage, type EventTypePagesSettings, oneEventTypePage } from './event-type.routes.ts';
import { mistakesOf, newOf, typedIn } from './event-type-form.ts';
import { EVENT_TYPES_NAME, eventTypePath, eventTypesPage } from './event-types-page.ts';
import { SHOWN } from './form-part.ts';
import { hostsOfEventTypePage } from './hosts/hosts.routes.ts';
import { hostsPath } from './hosts/hosts-page.ts';
import { linksOfEventTypePage } from './links/links.routes.ts';
import { findPlaceOf } from './shown-event-types.queries.ts';
import { eventTypeWords } from './words/event-type-words.ts';

const EMPTY = { title: '', slug: '', durationInMinutes: '30', assignsAllMembers: 'on' };

/** `/settings/event-types`: what can be booked with a user; `/settings/teams/:id/event-types`, what a team offers; and one page for each. */
export function eventTypesRoutes(settings: EventTypePagesSettings): Hono {
  return routesOf(settings, [
    listPage(settings),
    oneEventTypePage(settings),
    deletionPage,
    hostsOfEventTypePage,
    linksOfEventTypePage(settings),
  ]);
}

function listPage({ publicUrl }: EventTypePagesSettings): DeclaredPage {
  return page({
    path: pathsOfLevels(EVENT_TYPES_NAME),
    find: (visit) => levelOf(visit, EVENT_TYPES_NAME, ['team']),
    none: answerNone,
    show: async (showing, level) => {
      const { c, session, locale, back, csrf, done } = showing;
      const { ownerId } = level.owner;
      const request = pageRequest({ after: c.req.query('after') });
      const place = await findPlaceOf(showing.em, ownerId);
      const typed = back ? typedIn(back.form) : EMPTY;
      return eventTypesPage({
        ...showing,
        level,
        eventTypes: await ownedPage(showing.em, EVENT_TYPES, ownerId, request, SHOWN),
        placeUrl: placeUrl(publicUrl, place),
        isPlaceOpen: await isPlaceOpen(showing.em, place, session.userId),
        urlOf: (slug) => bookingUrl(publicUrl, place, slug),
        typed,
        csrf: csrf.add,
        mistakes: mistakesOf(back?.problem, typed, locale),
        done: done === 'deleted' ? eventTypeWords(locale).done.deleted : undefined,
      });
    },
    headers: SCRIPTED_HEADERS,
    forms: {
      add: {
        at: '',
        run: async ({ em, session, locale }, { owner, place }, form) => {
          const typed = typedIn(form);
          const request = requestIn({ ...session, form }, ['event type add', owner.ownerId], typed);
          const make = (inner: Em) => createEventType(inner, owner, newOf(typed, place !== undefined, locale));
          const id = await once(em, request, make, SAME_TEXT);
          const eventType = { ownerId: owner.ownerId, id };
          // The page of hosts comes first where some are yet to be chosen.
          const isForAll = place === undefined || typed['assignsAllMembers'] !== undefined;
          return { to: isForAll ? eventTypePath(eventType) : hostsPath(eventType), done: 'added' };
        },
      },
    },
  });
}
