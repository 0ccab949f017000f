import type { PatchOf } from '../../core/fields.ts';
import { newId } from '../../core/id.ts';
import { type Mistake, Problem } from '../../core/problem.ts';
import { changed, type Em, LATER, sql } from '../../database/sql.ts';
import { updateTable } from '../../database/statements.ts';
import { inserted, stored } from '../../database/updates.ts';
import { recordEvent } from '../../events/record-event.ts';
import { hasRoom, type KeptRows, tooManyKept } from '../../limits/kept-rows.ts';
import { lockOwned } from '../levels/change-owned.ts';
import type { OwnedTable } from '../levels/owned.queries.ts';
import type { Owner } from '../levels/reach.ts';
import { lockOwnerAlone } from '../teams/lock-owner.ts';
import { Workflow } from './workflow.entity.ts';
import { isTimed, MAX_WORKFLOWS, subjectOf } from './workflow.rules.ts';
import {
  checkedWorkflowFields,
  newSteps,
  offsetMistakes,
  requireAsked,
  requireNamed,
  requireSendable,
  requireVerified,
  stepIdOf,
  subjectMistakes,
  triggerMistakes,
  WORKFLOW_FIELD_CODES,
  type WorkflowFields,
} from './workflow-fields.ts';
import { patchedSteps, type StepPatch, type StepsPatch } from './workflow-steps.rules.ts';

export const CREATE_WORKFLOW_CODES = WORKFLOW_FIELD_CODES;

export const UPDATE_WORKFLOW_CODES = WORKFLOW_FIELD_CODES;

const KEPT: KeptRows = { what: 'workflows', most: MAX_WORKFLOWS };

export const WORKFLOWS: OwnedTable<typeof Workflow> = { entity: Workflow, kind: 'workflow', owner: 'teamId' };

type NewWorkflow = Pick<WorkflowFields, 'name' | 'trigger'> &
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
    await lockOwnerAlone(inner, owner);
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
          where ${hasRoom(KEPT, sql`workflows where team_id = ${teamId}`)}`,
    );
    if (count > 0) {
      if (offset) await recordEvent(inner, teamId, { type: 'WORKFLOW_CHANGED', workflowId: id });
      return id;
    }
    throw tooManyKept(KEPT);
  });
}

type WorkflowPatch = PatchOf<WorkflowFields> & StepsPatch;

const LAST_STEP: Mistake = {
  code: 'REQUIRED',
  message: 'The workflow would have no step; leave one, or deactivate it.',
  path: ['stepsRemove'],
};

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
