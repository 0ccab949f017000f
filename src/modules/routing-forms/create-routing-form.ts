import { newId } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import { type Em, row, sql } from '../../database/sql.ts';
import type { Owner } from '../levels/reach.ts';
import { lockGroup } from '../organizations/group.ts';
import type { GroupAdministrator } from '../organizations/standing.ts';
import { eventTypeMistakes } from './form-event-types.queries.ts';
import type { Asked } from './routing.rules.ts';
import { MAX_FORMS, type Target } from './routing-form.rules.ts';
import { checkedForm, type FormPatch, ROUTING_FORM_CODES } from './routing-form-fields.ts';

export const CREATE_ROUTING_FORM_CODES = [...ROUTING_FORM_CODES, 'NOT_FOUND', 'FORBIDDEN'] as const;

export interface NewRoutingForm extends FormPatch {
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
    await lockGroup(inner, group, ownerId);
    await owner.refuse(inner);
    Problem.throwIfAny(await eventTypeMistakes(inner, ownerId, targets));
    const { name = '', description = null, isActive = true } = plain;
    const created = await row(
      inner,
      sql<{ id: string }>`
        insert into routing_forms (owner_id, id, ${group.column}, name, description, is_active, version, fields, routes, fallback, created_at, updated_at)
        select ${ownerId}::uuid, ${id}::uuid, ${ownerId}::uuid, ${name}::text, ${description}::text, ${isActive}::boolean, 1,
          ${JSON.stringify(asked.fields)}::jsonb, ${JSON.stringify(asked.routes)}::jsonb, ${JSON.stringify(asked.fallback)}::jsonb, now(), now()
        where ${owner.isInCharge} and (select count(*) from routing_forms where owner_id = ${ownerId}) < ${MAX_FORMS}::int
        returning id`,
    );
    if (created) return created.id;
    await owner.refuse(inner);
    throw new Problem(
      'TOO_MANY',
      `There are already ${MAX_FORMS} routing forms, which is the limit; delete one first.`,
    );
  });
}
