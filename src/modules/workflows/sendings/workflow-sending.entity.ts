import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../../database/temporal-types.ts';
import { Workflow } from '../workflow.entity.ts';
import type { SendingStatus } from '../workflow.rules.ts';

/** In the place of a receiver: all messages that were not tried, as those before them were too many. */
export const NOT_TRIED = '*';

/** A message of a workflow to one receiver, with what has become of it. Sharded by the team. */
export const WorkflowSending = defineEntity({
  name: 'WorkflowSending',
  tableName: 'workflow_sendings',
  uniques: [
    // Each goes once, however often and wherever its job is begun.
    {
      name: 'workflow_sendings_once_key',
      properties: ['teamId', 'aboutId', 'workflowId', 'stepId', 'receiver', 'occurrence'],
    },
  ],
  indexes: [
    { name: 'workflow_sendings_workflow_id_idx', properties: ['teamId', 'workflowId'] },
    { name: 'workflow_sendings_created_at_idx', properties: ['createdAt'] },
  ],
  properties: {
    teamId: p.uuid().primary(),
    id: p.uuid().primary(),
    workflow: () => p.manyToOne(Workflow).joinColumns('team_id', 'workflow_id').deleteRule('cascade').index(false),
    workflowId: p.uuid(),
    stepId: p.uuid(),
    /** The booking or the response to a form that it is about. */
    aboutId: p.uuid(),
    /** The mailbox in lower case, or `tel:` and the number; or NOT_TRIED. */
    receiver: p.text(),
    /** What it is sent for: the id of an event, or the time that it reminds of. */
    occurrence: p.text(),
    status: p.text().$type<SendingStatus>(),
    createdAt: p.type(InstantType),
  },
});
