import type { PatchOf } from '../../core/fields.ts';
import { newId } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import { inserted } from '../../database/changes.ts';
import { changed, type Em, row, sql } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
import { recordEvent } from '../../events/record-event.ts';
import type { Owner } from '../levels/reach.ts';
import { Team } from '../teams/team.entity.ts';
import { requireAsked } from './require-asked.ts';
import { MAX_WORKFLOWS, subjectOf } from './workflow.rules.ts';
import {
  checkedWorkflowFields,
  newSteps,
  offsetMistakes,
  requireNamed,
  requireSendable,
  requireVerified,
  subjectMistakes,
  WORKFLOW_FIELD_CODES,
  type WorkflowFields,
} from './workflow-fields.ts';
import type { StepPatch } from './workflow-steps.rules.ts';

export const CREATE_WORKFLOW_CODES = WORKFLOW_FIELD_CODES;

export type NewWorkflow = Pick<WorkflowFields, 'name' | 'trigger'> &
  PatchOf<WorkflowFields> & { readonly steps: readonly StepPatch[] };

/**
 * Has a team send something; `sendsSms` says whether there is a provider of SMS. @returns its id.
 * @throws Problem NOT_FOUND, FORBIDDEN, TOO_MANY, SMS_UNAVAILABLE, and every mistake of the input at once
 */
export async function createWorkflow(
  em: Em,
  owner: Owner,
  { steps: given, ...input }: NewWorkflow,
  sendsSms: boolean,
): Promise<string> {
  const { ownerId: teamId } = owner;
  const { values, mistakes } = checkedWorkflowFields({
    isActive: true,
    eventTypeIds: null,
    routingFormIds: null,
    offset: null,
    ...input,
  });
  const { steps, mistakes: ofSteps } = newSteps(given, subjectOf(input.trigger));
  const { offset = null, ...rest } = values;
  Problem.throwIfAny([
    ...mistakes,
    ...ofSteps,
    ...offsetMistakes(rest.trigger, offset),
    ...subjectMistakes(rest.trigger, rest),
  ]);
  requireSendable(steps, sendsSms, ['steps']);
  return em.transactional(async (inner) => {
    // One at a time for each team, so that the count below is true.
    const team = await row(
      inner,
      selectFrom(Team, { id: teamId }).where(owner.isInCharge).select('id').forNoKeyUpdate(),
    );
    if (!team) {
      await owner.refuse(inner);
      throw new Problem('NOT_FOUND', 'This team no longer exists.', ['teamId']);
    }
    const eventTypeIds = await requireNamed(inner, teamId, 'eventTypeIds', rest.eventTypeIds ?? null);
    const routingFormIds = await requireNamed(inner, teamId, 'routingFormIds', rest.routingFormIds ?? null);
    await requireVerified(inner, teamId, steps, ['steps']);
    await requireAsked(inner, teamId, routingFormIds, steps, ['steps']);
    const id = newId();
    const stored = inserted({
      ...rest,
      ...(offset && { eventOffset: offset }),
      eventTypeIds: sql`${eventTypeIds}::uuid[]`,
      routingFormIds: sql`${routingFormIds}::uuid[]`,
      steps,
      teamId,
      id,
    });
    const count = await changed(
      inner,
      sql`insert into workflows (${stored.columns}, created_at, updated_at)
          select ${stored.values}, now(), now()
          where (select count(*) from workflows where team_id = ${teamId}) < ${MAX_WORKFLOWS}::int`,
    );
    if (count > 0) {
      if (offset) await recordEvent(inner, teamId, { type: 'WORKFLOW_CHANGED', workflowId: id });
      return id;
    }
    throw new Problem(
      'TOO_MANY',
      `The team already has ${MAX_WORKFLOWS} workflows, which is the limit; delete one first.`,
    );
  });
}
