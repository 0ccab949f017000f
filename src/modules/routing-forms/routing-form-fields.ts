import { lineField, linesField } from '../../core/field-rules.ts';
import { checkFields, type FieldRules, type PatchOf } from '../../core/fields.ts';
import { newId } from '../../core/id.ts';
import { type Mistake, Problem } from '../../core/problem.ts';
import type { Path } from '../../core/text.ts';
import { BOOKING_FIELD_CODES, type FieldChanges, patchedFields } from '../event-types/settings/booking-field.rules.ts';
import type { PlacedTarget } from './form-event-types.queries.ts';
import type { FormField } from './form-field.rules.ts';
import type { Asked } from './routing.rules.ts';
import {
  MAX_DESCRIPTION_LENGTH,
  MAX_NAME_LENGTH,
  patchedRoutes,
  ROUTE_CODES,
  type Route,
  type RoutesPatch,
  routeMistakes,
  type Target,
  targetMistakes,
  tidyTarget,
} from './routing-form.rules.ts';

export const ROUTING_FORM_CODES = [...BOOKING_FIELD_CODES, ...ROUTE_CODES] as const;

interface Plain {
  readonly name: string;
  readonly description: string | null;
  readonly isActive: boolean;
}

const PLAIN_FIELDS: FieldRules<Plain> = {
  name: lineField(MAX_NAME_LENGTH),
  description: linesField(MAX_DESCRIPTION_LENGTH),
  isActive: {},
};

/** Changes to a form. Parts that are left out stay. */
export interface FormPatch extends PatchOf<Plain> {
  readonly fields?: FieldChanges;
  readonly routes?: RoutesPatch;
  readonly fallback?: Target | null | undefined;
}

export interface CheckedForm {
  readonly plain: Partial<Plain>;
  /** Left out where nothing of it is changed. */
  readonly asked?: Asked;
  /** The targets that the input has named. */
  readonly targets: readonly PlacedTarget[];
}

/** The names of an input's lists: a new form has `fields` and `routes`, a patch names those that are to be set. */
type SetNames = { readonly fields: 'fields' | 'fieldsSet'; readonly routes: 'routes' | 'routesSet' };

/** The changes as they are stored. @throws Problem with every mistake at once */
export function checkedForm(stored: Asked, patch: FormPatch, names: SetNames): CheckedForm {
  const { values: plain, mistakes } = checkFields<Plain, PatchOf<Plain>>(patch, PLAIN_FIELDS);
  const fieldNames = { set: names.fields, remove: 'fieldsRemove', order: 'fieldsOrder', field: 'field of this form' };
  const patched = patchedFields(stored.fields, patch.fields ?? {}, fieldNames);
  const fields = patched.fields as readonly FormField[];
  const {
    routes,
    places,
    mistakes: patchMistakes,
  } = patchedRoutes(stored.routes, patch.routes ?? {}, names.routes, newId);
  // A route that the input does not name may have lost its field to it.
  const pathOf = ({ id }: Route, index: number): Path =>
    places.has(id) ? [names.routes, String(places.get(id))] : ['routes', String(index)];
  const fallback = patch.fallback == null ? stored.fallback : tidyTarget(patch.fallback);
  const formMistakes: Mistake[] = [...patched.mistakes, ...patchMistakes];
  Problem.throwIfAny([
    ...mistakes,
    ...formMistakes,
    ...(formMistakes.length > 0 ? [] : routeMistakes(routes, fields, pathOf)),
    ...(patch.fallback === null ? [noFallback()] : targetMistakes(['fallback'], fallback)),
  ]);
  const targets = routes
    .filter(({ id }) => places.has(id))
    .map((route, index): PlacedTarget => ({ path: [...pathOf(route, index), 'target'], target: route.target }));
  if (patch.fallback != null) targets.push({ path: ['fallback'], target: fallback });
  const isAsked = [patch.fields, patch.routes].some(
    (lists) => lists && Object.values(lists).some((list) => list != null),
  );
  return { plain, targets, ...((isAsked || patch.fallback != null) && { asked: { fields, routes, fallback } }) };
}

function noFallback(): Mistake {
  return { code: 'REQUIRED', message: 'fallback cannot be null; leave it out to keep what it is.', path: ['fallback'] };
}
