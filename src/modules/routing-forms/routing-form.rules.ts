import { inOrder, replacedOrAdded } from '../../core/patched-list.ts';
import type { Mistake } from '../../core/problem.ts';
import {
  MAX_URL_LENGTH,
  type Path,
  shown,
  TEXT_CODES,
  textMistake,
  tidyText,
  URL_CODES,
  urlMistake,
} from '../../core/text.ts';
import { type Answers, type Condition, conditionMistakes, holds, tidyCondition } from './condition.rules.ts';
import type { FormField } from './form-field.rules.ts';

export const TARGET_TYPES = ['EVENT_TYPE', 'MESSAGE', 'URL'] as const;

/** Where answers lead. An event type is named by the UUIDs of its owner and its own. */
export type Target =
  | { readonly type: 'EVENT_TYPE'; readonly ownerId: string; readonly id: string }
  | { readonly type: 'MESSAGE'; readonly message: string }
  /** The answers go along as query parameters, by the slugs of the fields, if it passes them. */
  | { readonly type: 'URL'; readonly url: string; readonly passesAnswers?: boolean };

export const MATCHES = ['ALL', 'ANY'] as const;

/** One way through a form: where answers lead for which all or any of the conditions hold. */
export interface Route {
  readonly id: string;
  readonly match: (typeof MATCHES)[number];
  readonly conditions: readonly Condition[];
  readonly target: Target;
}

export const ROUTE_CODES = [
  ...TEXT_CODES,
  ...URL_CODES,
  'TOO_MANY',
  'DUPLICATE',
  'UNKNOWN_FIELD',
  'UNKNOWN_ROUTE',
  'NOT_POSSIBLE',
  'INVALID_RESPONSE',
  'BAD_INPUT',
] as const;

/** A team or an organization has this many at most. */
export const MAX_FORMS = 100;
export const MAX_NAME_LENGTH = 100;
export const MAX_DESCRIPTION_LENGTH = 2_000;
export const MAX_MESSAGE_LENGTH = 2_000;
export const MAX_ROUTES = 25;
/** All routes of a form together have this many at most, as JSON: each list of forms reads all of it. */
export const MAX_ROUTE_CHARACTERS = 50_000;

/** Changes to the routes of a form, by id. Whatever no change names stays as it is, where it is. */
export interface RoutesPatch {
  readonly set?: readonly RoutePatch[] | null | undefined;
  readonly remove?: readonly string[] | null | undefined;
  readonly order?: readonly string[] | null | undefined;
}

/** A route to add, or what is to change of the one that has this id; `id` is a UUID, or null for one that is unknown. */
export interface RoutePatch {
  readonly id?: string | null | undefined;
  readonly match?: Route['match'] | null | undefined;
  readonly conditions?: readonly Condition[] | null | undefined;
  readonly target?: Target | null | undefined;
}

/** Questions, and the answers to them. */
export interface Answered {
  readonly fields: readonly FormField[];
  readonly answers: Answers;
}

/** The questions of a form, and where the answers lead. */
export interface Asked {
  readonly fields: readonly FormField[];
  readonly routes: readonly Route[];
  readonly fallback: Target;
}

/** Where answers lead, and by which route; null is the fallback. */
export interface Routing {
  readonly routeId: string | null;
  readonly target: Target;
}

/** Where those lead who cannot be led where the form says. */
export const NOWHERE: Extract<Target, { type: 'MESSAGE' }> = {
  type: 'MESSAGE',
  message: 'What fits your answers can’t be booked at the moment. Please ask the people who gave you this form.',
};

/** Everything that is wrong with a target by itself; whether its event type is there, the database says. */
export function targetMistakes(path: Path, target: Target): readonly Mistake[] {
  if (target.type === 'EVENT_TYPE') return [];
  const mistake =
    target.type === 'MESSAGE'
      ? textMistake([...path, 'message'], target.message, { max: MAX_MESSAGE_LENGTH, multiline: true })
      : urlMistake([...path, 'url'], target.url);
  return mistake ? [mistake] : [];
}

/** Everything that is wrong with the routes of a form, each at the path that `pathOf` gives it. */
export function routeMistakes(
  routes: readonly Route[],
  fields: readonly FormField[],
  pathOf: (route: Route, index: number) => Path,
): readonly Mistake[] {
  if (routes.length > MAX_ROUTES) return [tooMany(['routes'], 'routes', routes.length, MAX_ROUTES)];
  const mistakes = routes.flatMap((route, index) => {
    const path = pathOf(route, index);
    return [
      ...conditionMistakes([...path, 'conditions'], route.conditions, fields),
      ...targetMistakes([...path, 'target'], route.target),
    ];
  });
  const characters = JSON.stringify(routes).length;
  if (mistakes.length > 0 || characters <= MAX_ROUTE_CHARACTERS) return mistakes;
  const message = `The routes have ${characters} characters together; ${MAX_ROUTE_CHARACTERS} are possible: shorten their messages and values.`;
  return [{ code: 'TOO_LONG', message, path: ['routes'] }];
}

interface PatchedRoutes {
  readonly routes: readonly Route[];
  /** Where those stand in the input that it names. */
  readonly places: ReadonlyMap<string, number>;
  readonly mistakes: readonly Mistake[];
}

/** The routes with the changes carried out; `setName` is the input's name for those to set. */
export function patchedRoutes(
  stored: readonly Route[],
  { set, remove, order }: RoutesPatch,
  setName: string,
  newRouteId: () => string,
): PatchedRoutes {
  const lists = { [setName]: set, routesRemove: remove, routesOrder: order };
  const excess = Object.entries(lists).flatMap(([name, list]) =>
    list && list.length > MAX_ROUTES ? [tooMany([name], 'entries', list.length, MAX_ROUTES)] : [],
  );
  if (excess.length > 0) return { routes: stored, places: new Map(), mistakes: excess };
  const kept = stored.filter(({ id }) => !remove?.includes(id));
  const mistakes: Mistake[] = [];
  const places = new Map<string, number>();
  const given = (set ?? []).flatMap((one, index): Route[] => {
    const path: Path = [setName, String(index)];
    const known = kept.find(({ id }) => id === one.id);
    const { conditions = known?.conditions, target = known?.target } = one;
    if (one.id !== undefined && !known) mistakes.push(unknownRoute([...path, 'id']));
    else if (known && places.has(known.id)) mistakes.push(repeated([...path, 'id']));
    else if (!conditions) mistakes.push(missing([...path, 'conditions'], 'conditions'));
    else if (!target) mistakes.push(missing([...path, 'target'], 'a target'));
    else {
      const id = known?.id ?? newRouteId();
      places.set(id, index);
      const match = one.match ?? known?.match ?? 'ALL';
      return [{ id, match, conditions: conditions.map(tidyCondition), target: tidyTarget(target) }];
    }
    return [];
  });
  const routes = inOrder(replacedOrAdded(kept, given, idOf), order ?? [], idOf);
  for (const [name, ids, among] of [
    ['routesRemove', remove, stored],
    ['routesOrder', order, routes],
  ] as const) {
    ids?.forEach((id, index) => {
      if (!among.some((route) => route.id === id)) mistakes.push(unknownRoute([name, String(index)]));
    });
  }
  return { routes, places, mistakes };
}

/**
 * Makes the address that these answers lead to by a target. Answers become parameters of the query and
 * nothing else: host and path are the form's, and so is a parameter that its address has already. An answer that would
 * make the address too long is left out.
 */
export function ledTo(target: Target, { fields, answers }: Answered): Target {
  if (target.type !== 'URL' || !target.passesAnswers) return target;
  const { origin, pathname, search, searchParams, hash } = new URL(target.url);
  const parameters = fields
    .filter(({ slug }) => !searchParams.has(slug) && Object.hasOwn(answers, slug))
    .flatMap(({ slug }) => [answers[slug]].flat().map((one) => `${encodeURIComponent(slug)}=${encoded(String(one))}`));
  const url = parameters.reduce((query, parameter) => {
    const longer = `${query === '' ? '?' : `${query}&`}${parameter}`;
    return origin.length + pathname.length + longer.length + hash.length > MAX_URL_LENGTH ? query : longer;
  }, search);
  return { ...target, url: `${origin}${pathname}${url}${hash}` };
}

export function tidyTarget(target: Target): Target {
  if (target.type === 'MESSAGE') return { ...target, message: tidyText(target.message) };
  return target.type === 'URL' ? { ...target, url: target.url.trim() } : target;
}

/** Where (checked) answers lead: along the first route whose conditions hold. */
export function routingOf({ fields, routes, fallback }: Asked, answers: Answers): Routing {
  const taken = routes.find(({ match, conditions }) => {
    const isSo = conditions.map((condition) => holds(condition, fields, answers));
    return match === 'ALL' ? !isSo.includes(false) : isSo.includes(true);
  });
  return taken ? { routeId: taken.id, target: taken.target } : { routeId: null, target: fallback };
}

function tooMany(path: Path, what: string, count: number, max: number): Mistake {
  return { code: 'TOO_MANY', message: `There are ${count} ${what}; at most ${max} are possible.`, path };
}

function unknownRoute(path: Path): Mistake {
  const message = `${shown(path.join('.'))} names no route of this form; read its routes, or leave the id out for a new one.`;
  return { code: 'UNKNOWN_ROUTE', message, path };
}

function repeated(path: Path): Mistake {
  return { code: 'DUPLICATE', message: 'The route is there twice; name it once.', path };
}

function missing(path: Path, what: string): Mistake {
  return { code: 'REQUIRED', message: `A new route needs ${what}; say it.`, path };
}

function idOf({ id }: Route): string {
  return id;
}

function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
