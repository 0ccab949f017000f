import { publicOwnedId } from '../../core/id.ts';
import { SMALL } from '../../graphql/limits/price.ts';
import { rowType } from '../../graphql/row.ts';
import { writes } from '../../scopes/declare.ts';
import { deleteOwned } from '../levels/change-owned.ts';
import { resource } from '../levels/resource.graphql.ts';
import { CREATE_WORKFLOW_CODES, createWorkflow } from './create-workflow.ts';
import { UPDATE_WORKFLOW_CODES, updateWorkflow } from './update-workflow.ts';
import { Workflow as WorkflowEntity } from './workflow.entity.ts';
import { WORKFLOWS } from './workflow.queries.ts';
import { MAX_EVENT_TYPES, MAX_ROUTING_FORMS, MAX_STEPS, MAX_WORKFLOWS, subjectOf } from './workflow.rules.ts';
import { newWorkflowFields, workflowPatchFields } from './workflow-input.graphql.ts';
import { data, WorkflowOffset, WorkflowStep, WorkflowTrigger } from './workflow-values.graphql.ts';

const Workflow = rowType(WorkflowEntity, 'Workflow', {
  description: 'Messages that a team has sent when something happens to its bookings or forms.',
  fields: (t) => ({
    id: t.ownedId(['teamId', 'id'], 'workflow', { requires: data }),
    name: t.column('name', { requires: data, description: 'What the team calls it; receivers do not see it.' }),
    trigger: t.column('trigger', { type: WorkflowTrigger, requires: data, description: 'What starts it.' }),
    offset: t.column('eventOffset', {
      type: WorkflowOffset,
      requires: data,
      description: 'How long before or after a booking, for BEFORE_EVENT and AFTER_EVENT. Null for others.',
    }),
    eventTypeIds: t.from(['teamId', 'eventTypeIds'], {
      type: ['ID'],
      price: { max: MAX_EVENT_TYPES, weight: SMALL },
      requires: data,
      description:
        'The event types whose bookings start it, by their ids (`evt_…`). Empty where it is for all of the team.',
      resolve: ({ teamId: ownerId, eventTypeIds }) =>
        (eventTypeIds ?? []).map((id) => publicOwnedId('eventType', { ownerId, id })),
    }),
    isForAllEventTypes: t.from(['trigger', 'eventTypeIds'], {
      type: 'Boolean',
      requires: data,
      description: 'Whether the bookings of all event types of the team start it, also of those to come.',
      resolve: ({ trigger, eventTypeIds }) => subjectOf(trigger) === 'BOOKING' && eventTypeIds === null,
    }),
    routingFormIds: t.from(['teamId', 'routingFormIds'], {
      type: ['ID'],
      price: { max: MAX_ROUTING_FORMS, weight: SMALL },
      requires: data,
      description:
        'Of FORM_SUBMITTED: the forms whose responses start it, by their ids (`frm_…`). Empty where it is for all of the team.',
      resolve: ({ teamId: ownerId, routingFormIds }) =>
        (routingFormIds ?? []).map((id) => publicOwnedId('routingForm', { ownerId, id })),
    }),
    isForAllRoutingForms: t.from(['trigger', 'routingFormIds'], {
      type: 'Boolean',
      requires: data,
      description: 'Whether the responses to all forms of the team start it, also to those to come.',
      resolve: ({ trigger, routingFormIds }) => subjectOf(trigger) === 'FORM' && routingFormIds === null,
    }),
    isActive: t.column('isActive', { requires: data, description: 'Whether it sends anything.' }),
    steps: t.column('steps', {
      type: [WorkflowStep],
      price: { max: MAX_STEPS },
      requires: data,
      description: 'Its messages, in their order.',
    }),
    createdAt: t.column('createdAt', { requires: data }),
    updatedAt: t.column('updatedAt', { requires: data }),
  }),
});

resource({
  type: Workflow,
  owned: WORKFLOWS,
  belongsTo: 'OWNER',
  reads: data,
  writes: writes('WORKFLOW'),
  list: {
    name: 'workflows',
    describes: { team: 'What the team has sent, oldest first. Null unless you administer it.' },
  },
  lookUp: { name: 'workflow', describes: { team: 'A workflow of the team. Null unless you administer it.' } },
  create: {
    input: newWorkflowFields,
    errors: CREATE_WORKFLOW_CODES,
    run: (em, owner, input, { codesBySms }) => createWorkflow(em, owner, input, codesBySms !== undefined),
    describes: {
      team: `Creates a workflow of a team that you administer, which sends mails or SMS when something happens to its bookings or forms. It can have ${MAX_WORKFLOWS} workflows.`,
    },
  },
  update: {
    input: workflowPatchFields,
    errors: UPDATE_WORKFLOW_CODES,
    run: (em, owner, id, patch, _shown, { codesBySms }) =>
      updateWorkflow(em, owner, id, patch, codesBySms !== undefined),
    describes: {
      team: 'Changes a workflow of a team that you administer. What is left out stays; steps keep their ids.',
    },
  },
  delete: {
    run: (em, owner, id) => deleteOwned(em, WORKFLOWS, owner, id),
    describes: { team: 'Deletes a workflow of a team that you administer, with what it has not sent yet.' },
  },
});
