import { builder, type InputBuilder } from '../../graphql/builder.ts';
import {
  MAX_EVENT_TYPES,
  MAX_LENGTH,
  MAX_OFFSET_DAYS,
  MAX_ROUTING_FORMS,
  MAX_SMS_PARTS,
  MAX_STEPS,
} from './workflow.rules.ts';
import { WorkflowAction, WorkflowOffsetUnit, WorkflowTrigger } from './workflow-values.graphql.ts';
import { VARIABLES_IN_WORDS } from './workflow-variables.rules.ts';

const WorkflowOffsetInput = builder.inputType('WorkflowOffsetInput', {
  description: 'How long before the start of a booking, or after its end.',
  fields: (t) => ({
    value: t.int({
      required: true,
      description: `How many of them: at least 1, and no more than ${MAX_OFFSET_DAYS} days together.`,
    }),
    unit: t.field({ type: WorkflowOffsetUnit, required: true, description: 'Of what.' }),
  }),
});

const NAME = `What the team calls it, at most ${MAX_LENGTH.name} characters.`;
const STARTS = 'What starts it.';
const DOES = 'What it does.';
const SUBJECT = `Of a mail, which needs one, the subject: one line of at most ${MAX_LENGTH.subject} characters, with variables as in \`body\`.`;
const BODY = `The text: at most ${MAX_LENGTH.body} characters of plain text, of an SMS ${MAX_LENGTH.sms}. With its values, an SMS is cut off after ${MAX_SMS_PARTS} parts. Variables stand in it in braces. ${VARIABLES_IN_WORDS}.`;

function stepFields(t: InputBuilder) {
  return {
    sendTo: t.field({
      type: 'String',
      description:
        'Of EMAIL_ADDRESS, one of `verifiedEmails` of the team; of SMS_NUMBER, one of `verifiedPhones`. Not for others, and null takes it away. It is looked at again when something is sent.',
    }),
    includeCalendarEvent: t.boolean({
      description: 'Of a mail: whether the booking comes along as a calendar object. Not, unless said otherwise.',
    }),
    senderName: t.string({
      description: `Of a mail: the name before the service’s address, at most ${MAX_LENGTH.senderName} characters and no web address; null for that of the service.`,
    }),
  };
}

const WorkflowStepInput = builder.inputType('WorkflowStepInput', {
  description: 'A message that a workflow sends.',
  fields: (t) => ({
    action: t.field({ type: WorkflowAction, required: true, description: DOES }),
    subject: t.string({ description: SUBJECT }),
    body: t.string({ required: true, description: BODY }),
    ...stepFields(t),
  }),
});

const WorkflowStepPatchInput = builder.inputType('WorkflowStepPatchInput', {
  description:
    'A new step, which needs action, body and, for a mail, subject, or what is to change of the one that has this id.',
  fields: (t) => ({
    id: t.id({ description: 'The step that changes, by its id (`wst_…`). Left out: a new one, behind the others.' }),
    action: t.field({ type: WorkflowAction, description: DOES }),
    subject: t.string({ description: SUBJECT }),
    body: t.string({ description: BODY }),
    ...stepFields(t),
  }),
});

/** The input of a new workflow. */
export function newWorkflowFields(t: InputBuilder) {
  return {
    ...commonFields(t),
    name: t.string({ required: true, description: NAME }),
    trigger: t.field({ type: WorkflowTrigger, required: true, description: STARTS }),
    steps: t.field({
      type: [WorkflowStepInput],
      required: true,
      description: `Its messages, in their order: from 1 to ${MAX_STEPS}.`,
    }),
  };
}

/** The input of a change of a workflow. */
export function workflowPatchFields(t: InputBuilder) {
  return {
    ...commonFields(t),
    name: t.string({ description: NAME }),
    trigger: t.field({
      type: WorkflowTrigger,
      description: `${STARTS} One about bookings stays so, and so does FORM_SUBMITTED.`,
    }),
    stepsSet: t.field({
      type: [WorkflowStepPatchInput],
      description: `Steps to add or to change. The workflow can have ${MAX_STEPS}; those that are not named stay.`,
    }),
    stepsRemove: t.idList({ description: 'The steps to remove, by their ids (`wst_…`), before any is set.' }),
    stepsOrder: t.idList({
      description: 'Steps by their ids (`wst_…`): these come first, in this order, and the others follow in theirs.',
    }),
  };
}

function commonFields(t: InputBuilder) {
  return {
    offset: t.field({
      type: WorkflowOffsetInput,
      description:
        'How long before or after a booking; needed for BEFORE_EVENT and AFTER_EVENT, and for no other trigger.',
    }),
    eventTypeIds: t.idList({
      description: `The event types of the team whose bookings start it, by their ids (\`evt_…\`): from 1 to ${MAX_EVENT_TYPES}. Null for all, as for a new one that names none. Of a MANAGED one, the bookings of its children.`,
    }),
    routingFormIds: t.idList({
      description: `Of FORM_SUBMITTED: the forms of the team whose responses start it, by their ids (\`frm_…\`): from 1 to ${MAX_ROUTING_FORMS}. Null for all, as for a new one that names none.`,
    }),
    isActive: t.boolean({ description: 'Whether it sends anything. A new one does, unless said otherwise.' }),
  };
}
