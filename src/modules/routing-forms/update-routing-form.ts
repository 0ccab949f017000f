import type { OwnedId } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import { Selection } from '../../database/selection.ts';
import { type Em, row, sql } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
import { forgetKeys } from '../../limits/at-most-once.ts';
import { deleteOwned, lockOwned, updateOwned } from '../levels/change-owned.ts';
import type { Owner } from '../levels/reach.ts';
import { eventTypeMistakes } from './form-event-types.queries.ts';
import { RoutingForm } from './routing-form.entity.ts';
import { ROUTING_FORMS } from './routing-form.queries.ts';
import { checkedForm, type FormPatch, ROUTING_FORM_CODES } from './routing-form-fields.ts';

export const UPDATE_ROUTING_FORM_CODES = [...ROUTING_FORM_CODES, 'NOT_FOUND', 'FORBIDDEN', 'CONFLICT'] as const;

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
