import type { PatchOf } from '../../core/fields.ts';
import { newId } from '../../core/id.ts';
import { type Mistake, Problem } from '../../core/problem.ts';
import { stored } from '../../database/changes.ts';
import { LATER } from '../../database/expressions.ts';
import { changed, type Em, sql } from '../../database/sql.ts';
import { updateTable } from '../../database/statements.ts';
import { recordEvent } from '../../events/record-event.ts';
import { lockOwned } from '../levels/change-owned.ts';
import type { Owner } from '../levels/reach.ts';
import { requireAsked } from './require-asked.ts';
import { Workflow } from './workflow.entity.ts';
import { WORKFLOWS } from './workflow.queries.ts';
import { isTimed, subjectOf } from './workflow.rules.ts';
import {
  checkedWorkflowFields,
  offsetMistakes,
  requireNamed,
  requireSendable,
  requireVerified,
  stepIdOf,
  subjectMistakes,
  triggerMistakes,
  WORKFLOW_FIELD_CODES,
  type WorkflowFields,
} from './workflow-fields.ts';
import { patchedSteps, type StepsPatch } from './workflow-steps.rules.ts';

export const UPDATE_WORKFLOW_CODES = WORKFLOW_FIELD_CODES;

export type WorkflowPatch = PatchOf<WorkflowFields> & StepsPatch;

/**
 * Changes what the patch names; steps keep their ids. `sendsSms` says whether there is a provider of SMS.
 * @throws Problem NOT_FOUND, FORBIDDEN, CONFLICT, SMS_UNAVAILABLE, and every mistake of the patch at once
 */
export async function updateWorkflow(
  em: Em,
  owner: Owner,
  id: string,
  patch: WorkflowPatch,
  sendsSms: boolean,
): Promise<undefined> {
  const { ownerId: teamId } = owner;
  const { stepsSet, stepsRemove, stepsOrder, ...fields } = patch;
  const { values, mistakes } = checkedWorkflowFields(fields);
  await em.transactional(async (inner) => {
    // Rules are about the whole: nobody else changes it while a patch is checked together with what stays.
    const before = await lockOwned(inner, WORKFLOWS, owner, id, ['steps', 'trigger', 'eventOffset', 'routingFormIds']);
    const patched = patchedSteps(
      before.steps,
      {
        stepsSet: stepsSet?.map((step) => ({ ...step, id: step.id == null ? null : stepIdOf(step.id) })),
        stepsRemove: stepsRemove?.map(stepIdOf),
        stepsOrder: stepsOrder?.map(stepIdOf),
      },
      { newStepId: newId, about: subjectOf(before.trigger) },
    );
    const { eventTypeIds: named, routingFormIds: namedForms, offset: givenOffset, ...given } = values;
    const trigger = given.trigger ?? before.trigger;
    // The offset of a trigger that goes by time goes with it.
    const offset = givenOffset === undefined ? (isTimed(trigger) ? before.eventOffset : null) : givenOffset;
    Problem.throwIfAny([
      ...mistakes,
      ...patched.mistakes,
      ...(patched.steps.length === 0 ? [LAST_STEP] : []),
      ...offsetMistakes(trigger, offset),
      ...triggerMistakes(before.trigger, trigger),
      ...subjectMistakes(before.trigger, { eventTypeIds: named, routingFormIds: namedForms }),
    ]);
    requireSendable(patched.set, sendsSms, ['stepsSet']);
    await requireVerified(inner, teamId, patched.set, ['stepsSet']);
    const eventTypeIds = named && (await requireNamed(inner, teamId, 'eventTypeIds', named));
    const routingFormIds = namedForms && (await requireNamed(inner, teamId, 'routingFormIds', namedForms));
    const forms = routingFormIds === undefined ? before.routingFormIds : routingFormIds;
    await requireAsked(inner, teamId, forms, patched.set, ['stepsSet']);
    const count = await changed(
      inner,
      updateTable(Workflow, { teamId, id })
        .set({
          ...stored({
            ...given,
            ...(eventTypeIds !== undefined && { eventTypeIds: sql`${eventTypeIds}::uuid[]` }),
            ...(routingFormIds !== undefined && { routingFormIds: sql`${routingFormIds}::uuid[]` }),
            eventOffset: offset,
            steps: patched.steps,
          }),
          updatedAt: LATER,
        } as never)
        .where(owner.isInCharge),
    );
    // The caller's role has ended since the row was locked: nothing of it is done.
    if (count === 0) return owner.refuse(inner);
    if (isTimed(trigger)) await recordEvent(inner, teamId, { type: 'WORKFLOW_CHANGED', workflowId: id });
  });
  return undefined;
}

const LAST_STEP: Mistake = {
  code: 'REQUIRED',
  message: 'The workflow would have no step; leave one, or deactivate it.',
  path: ['stepsRemove'],
};
