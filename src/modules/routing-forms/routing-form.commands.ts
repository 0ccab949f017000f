import { lineField, linesField } from '../../core/field-rules.ts';
import { checkFields, type FieldRules, type PatchOf } from '../../core/fields.ts';
import { newId, type OwnedId, publicOwnedId } from '../../core/id.ts';
import { type Mistake, Problem } from '../../core/problem.ts';
import type { Path } from '../../core/text.ts';
import { Selection } from '../../database/columns.ts';
import { eachOf } from '../../database/each.ts';
import { type Em, row, rows, sql } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
import { forgetKeys } from '../../limits/at-most-once.ts';
import { hasRoom, type KeptRows, tooManyKept } from '../../limits/kept-rows.ts';
import { BOOKING_FIELD_CODES, type FieldChanges, patchedFields } from '../event-types/settings/booking-field.rules.ts';
import { deleteOwned, lockOwned, updateOwned } from '../levels/change-owned.ts';
import { isReachedBy, type Owner, REACH } from '../levels/reach.ts';
import type { GroupAdministrator } from '../organizations/group.ts';
import { lockOwnerAlone } from '../teams/lock-owner.ts';
import type { FormField } from './form-field.rules.ts';
import { RoutingForm } from './routing-form.entity.ts';
import { ROUTING_FORMS } from './routing-form.queries.ts';
import {
  type Asked,
  MAX_DESCRIPTION_LENGTH,
  MAX_FORMS,
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

const ROUTING_FORM_CODES = [...BOOKING_FIELD_CODES, ...ROUTE_CODES] as const;

export const CREATE_ROUTING_FORM_CODES = [...ROUTING_FORM_CODES, 'NOT_FOUND', 'FORBIDDEN'] as const;

export const UPDATE_ROUTING_FORM_CODES = [...ROUTING_FORM_CODES, 'NOT_FOUND', 'FORBIDDEN', 'CONFLICT'] as const;

interface Plain {
  readonly name: string;
  readonly description: string | null;
  readonly isActive: boolean;
}

/** Changes to a form. Parts that are left out stay. */
interface FormPatch extends PatchOf<Plain> {
  readonly fields?: FieldChanges;
  readonly routes?: RoutesPatch;
  readonly fallback?: Target | null | undefined;
}

/** Where a target stands in an input. */
interface PlacedTarget {
  readonly path: Path;
  readonly target: Target;
}

const KEPT: KeptRows = { what: 'routing forms', most: MAX_FORMS };

interface NewRoutingForm extends FormPatch {
  readonly name: string;
  readonly fallback: Target;
}

/** Makes a form of a group. @returns its id. @throws Problem NOT_FOUND, FORBIDDEN, TOO_MANY, and every mistake of the input at once */
export async function createRoutingForm(
  em: Em,
  owner: Owner & { readonly administrator: GroupAdministrator },
  input: NewRoutingForm,
): Promise<string> {
  const empty: Asked = { fields: [], routes: [], fallback: input.fallback };
  const { plain, asked = empty, targets } = checkedForm(empty, input, { fields: 'fields', routes: 'routes' });
  const { ownerId, administrator } = owner;
  const { group } = administrator;
  const id = newId();
  return em.transactional(async (inner) => {
    // One at a time for each group, so that the count below is true.
    await lockOwnerAlone(inner, owner);
    Problem.throwIfAny(await eventTypeMistakes(inner, ownerId, targets));
    const { name = '', description = null, isActive = true } = plain;
    const created = await row(
      inner,
      sql<{ id: string }>`
        insert into routing_forms (owner_id, id, ${group.column}, name, description, is_active, version, fields, routes, fallback, created_at, updated_at)
        select ${ownerId}::uuid, ${id}::uuid, ${ownerId}::uuid, ${name}::text, ${description}::text, ${isActive}::boolean, 1,
          ${JSON.stringify(asked.fields)}::jsonb, ${JSON.stringify(asked.routes)}::jsonb, ${JSON.stringify(asked.fallback)}::jsonb, now(), now()
        where ${owner.isInCharge} and ${hasRoom(KEPT, sql`routing_forms where owner_id = ${ownerId}`)}
        returning id`,
    );
    if (created) return created.id;
    await owner.refuse(inner);
    throw tooManyKept(KEPT);
  });
}

const NOTHING = new Selection(RoutingForm, []);

/**
 * Changes what the patch names, under the lock of the row: its rules are about the whole, and a response that is stored
 * meanwhile is one to the form before or after it. @throws Problem NOT_FOUND, FORBIDDEN, CONFLICT, and every mistake of the patch at once
 */
export async function updateRoutingForm(em: Em, owner: Owner, id: string, patch: FormPatch): Promise<void> {
  await em.transactional(async (inner) => {
    const before = await lockOwned(inner, ROUTING_FORMS, owner, id, ['fields', 'routes', 'fallback', 'version']);
    const { plain, asked, targets } = checkedForm(before, patch, { fields: 'fieldsSet', routes: 'routesSet' });
    Problem.throwIfAny(await eventTypeMistakes(inner, owner.ownerId, targets));
    const values = { ...plain, ...(asked && { ...asked, version: before.version + 1 }) };
    await updateOwned(inner, ROUTING_FORMS, owner, id, values, NOTHING);
  });
}

/** Deletes the form with its responses, and the keys by which those were sent. @throws Problem NOT_FOUND, FORBIDDEN */
export async function deleteRoutingForm(em: Em, owner: Owner, id: string): Promise<void> {
  const key = { ownerId: owner.ownerId, id };
  await em.transactional(async (inner) => {
    const locked = await row(inner, selectFrom(RoutingForm, key).where(owner.isInCharge).select('id').forUpdate());
    if (locked) await forgetResponseKeys(inner, key);
    await deleteOwned(inner, ROUTING_FORMS, owner, id);
  });
}

/**
 * Forgets the keys by which the responses to a form were sent, which is about to be deleted. It is locked: whoever fills it in
 * holds it until their key is stored.
 */
export function forgetResponseKeys(em: Em, { ownerId, id }: OwnedId): Promise<void> {
  return forgetKeys(
    em,
    ownerId,
    sql`result_id in (select r.id from routing_form_responses r where r.owner_id = ${ownerId} and r.form_id = ${id})`,
  );
}

const PLAIN_FIELDS: FieldRules<Plain> = {
  name: lineField(MAX_NAME_LENGTH),
  description: linesField(MAX_DESCRIPTION_LENGTH),
  isActive: {},
};

interface CheckedForm {
  readonly plain: Partial<Plain>;
  /** Left out where nothing of it is changed. */
  readonly asked?: Asked;
  /** The targets that the input has named. */
  readonly targets: readonly PlacedTarget[];
}

/** The names of an input's lists: a new form has `fields` and `routes`, a patch names those that are to be set. */
type SetNames = { readonly fields: 'fields' | 'fieldsSet'; readonly routes: 'routes' | 'routesSet' };

/** The changes as they are stored. @throws Problem with every mistake at once */
function checkedForm(stored: Asked, patch: FormPatch, names: SetNames): CheckedForm {
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

/**
 * Checks the event types to which the form of a group leads: they must be the team's, or those of the teams and members
 * of the organization. A managed one is not booked itself.
 */
async function eventTypeMistakes(em: Em, groupId: string, targets: readonly PlacedTarget[]): Promise<Mistake[]> {
  const named = targets.flatMap(({ path, target }) => (target.type === 'EVENT_TYPE' ? [{ path, ...target }] : []));
  if (named.length === 0) return [];
  const wanted = eachOf({ owner_id: named.map(({ ownerId }) => ownerId), id: named.map(({ id }) => id) });
  const isReached = isReachedBy(REACH.organization.OWNER, sql`${groupId}::uuid`, sql`e.owner_id`);
  const found = await rows(
    em,
    sql<{ id: string; isManaged: boolean }>`
      select e.id, e.scheduling_type is not distinct from 'MANAGED' as "isManaged"
      from ${wanted} join event_types e on e.owner_id = wanted.owner_id and e.id = wanted.id
      where e.owner_id = ${groupId} or ${isReached}`,
  );
  return named.flatMap(({ path, ownerId, id }): Mistake[] => {
    const own: Path = [...path, 'eventTypeId'];
    const eventType = found.find((one) => one.id === id);
    const shown = publicOwnedId('eventType', { ownerId, id });
    if (!eventType) {
      const message = `The form cannot lead to the event type ${shown}: name one of its team, or of a team or member of its organization.`;
      return [{ code: 'NOT_FOUND', message, path: own }];
    }
    if (!eventType.isManaged) return [];
    const message = `The event type ${shown} is managed and not booked itself; name another one.`;
    return [{ code: 'NOT_POSSIBLE', message, path: own }];
  });
}
