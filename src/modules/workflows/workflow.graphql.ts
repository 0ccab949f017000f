/** Declares the parts of workflows, as callers see them. */
import { publicId, publicOwnedId } from '../../core/id.ts';
import { batched } from '../../graphql/batch.ts';
import { builder, type InputBuilder } from '../../graphql/builder.ts';
import type { GraphQLContext } from '../../graphql/context.ts';
import { describedValues } from '../../graphql/descriptions.ts';
import { LONG_TEXT, SMALL } from '../../graphql/limits/price.ts';
import { among, containing, equal, listFilter } from '../../graphql/list-filter.ts';
import { addRowFields, rowType } from '../../graphql/row.ts';
import { reads, writes } from '../../scopes/declare.ts';
import { Booking as BookingEntity } from '../bookings/booking.entity.ts';
import { Booking } from '../bookings/lists/booking.graphql.ts';
import { resource } from '../levels/resource.graphql.ts';
import { RoutingFormResponse as ResponseEntity } from '../routing-forms/routing-form.entity.ts';
import { RoutingFormResponse } from '../routing-forms/routing-form-response.graphql.ts';
import { countWaiting } from './sendings/held-sendings.ts';
import {
  CREATE_WORKFLOW_CODES,
  createWorkflow,
  UPDATE_WORKFLOW_CODES,
  updateWorkflow,
  WORKFLOWS,
} from './workflow.commands.ts';
import { Workflow as WorkflowEntity } from './workflow.entity.ts';
import {
  MAX_EVENT_TYPES,
  MAX_LENGTH,
  MAX_OFFSET_DAYS,
  MAX_ROUTING_FORMS,
  MAX_SMS_PARTS,
  MAX_STEPS,
  MAX_WORKFLOWS,
  OFFSET_UNITS,
  subjectOf,
  WORKFLOW_ACTIONS,
  WORKFLOW_TRIGGERS,
  type WorkflowOffset as WorkflowOffsetShape,
  type WorkflowStep as WorkflowStepShape,
} from './workflow.rules.ts';
import { VARIABLES_IN_WORDS } from './workflow-variables.rules.ts';

const data = reads('WORKFLOW');

const WorkflowTrigger = builder.enumType('WorkflowTrigger', {
  description: 'What starts a workflow.',
  values: describedValues(WORKFLOW_TRIGGERS, {
    NEW_BOOKING:
      'A booking is agreed on: it was made and needs no confirmation, or a host has confirmed it. A series that is booked at once starts it once.',
    BOOKING_CANCELLED:
      'A booking, or one seat in it, was cancelled. What remains of a series and is cancelled at once starts it once.',
    BOOKING_RESCHEDULED: 'A booking has moved to another time.',
    BOOKING_REQUESTED: 'A booking was asked for, and waits for a host to confirm it.',
    BOOKING_REJECTED: 'A host has declined a booking.',
    BOOKING_ABSENCE_MARKED: 'A host has noted who did not come.',
    ROUTING_FORM_SUBMITTED: 'A response to a routing form of the team was stored.',
    BEFORE_BOOKING_START: 'A booking that is agreed on begins after `offset`.',
    AFTER_BOOKING_END: 'A booking that is agreed on has ended, `offset` ago.',
  }),
});

const WorkflowOffsetUnit = builder.enumType('WorkflowOffsetUnit', {
  description: 'In what an offset is counted.',
  values: describedValues(OFFSET_UNITS, { MINUTE: 'Minutes.', HOUR: 'Hours.', DAY: 'Days of 24 hours.' }),
});

const WorkflowOffset = builder.objectRef<WorkflowOffsetShape>('WorkflowOffset').implement({
  description: 'How long before the start of a booking, or after its end.',
  fields: (t) => ({
    value: t.exposeInt('value', { requires: data, description: 'How many units before or after the meeting.' }),
    unit: t.expose('unit', { type: WorkflowOffsetUnit, requires: data, description: 'The unit of `value`.' }),
  }),
});

const WorkflowAction = builder.enumType('WorkflowAction', {
  description: 'What a step of a workflow does.',
  values: describedValues(WORKFLOW_ACTIONS, {
    EMAIL_HOST: 'Mails each host, at the verified address of their account. Forms have none.',
    EMAIL_ATTENDEE:
      'Mails each attendee; of a seat, the one who has it. Of a form, the address that is answered to its first question of type EMAIL.',
    EMAIL_ADDRESS: 'Mails an address that is verified for the team, `sendTo`.',
    SMS_ATTENDEE:
      'Sends an SMS to each attendee, at the number that they gave where the booking form asks for one: the first answered field of type PHONE or, with ATTENDEE_PHONE, the number to call. Of a form, the number that is answered to its first question of type PHONE. Nobody else gets any.',
    SMS_NUMBER: 'Sends an SMS to a number that is verified for the team, `sendTo`.',
  }),
});

const WorkflowStep = builder.objectRef<WorkflowStepShape>('WorkflowStep').implement({
  description: 'A message that a workflow sends.',
  fields: (t) => ({
    id: t.id({ requires: data, resolve: ({ id }) => publicId('workflowStep', id) }),
    action: t.expose('action', { type: WorkflowAction, requires: data, description: 'What it does.' }),
    sendTo: t.exposeString('sendTo', {
      nullable: true,
      requires: data,
      description: 'Of EMAIL_ADDRESS, the address; of SMS_NUMBER, the number. Null for others.',
    }),
    subject: t.exposeString('subject', {
      nullable: true,
      requires: data,
      description: 'The subject of the mail, with its variables. Null for an SMS.',
    }),
    body: t.exposeString('body', { price: LONG_TEXT, requires: data, description: 'The text, with its variables.' }),
    includesCalendarEvent: t.exposeBoolean('includesCalendarEvent', {
      requires: data,
      description: 'Whether the booking comes along as a calendar object (iCalendar).',
    }),
    senderName: t.exposeString('senderName', {
      nullable: true,
      requires: data,
      description: 'The name before the service’s address in `From`. Null: the name of the service.',
    }),
  }),
});

const WorkflowOffsetInput = builder.inputType('WorkflowOffsetInput', {
  description: 'How long before the start of a booking, or after its end.',
  fields: (t) => ({
    value: t.int({
      required: true,
      description: `How many of them: at least 1, and no more than ${MAX_OFFSET_DAYS} days together.`,
    }),
    unit: t.field({ type: WorkflowOffsetUnit, required: true, description: 'The unit of `value`.' }),
  }),
});

const NAME = `What the team calls it, at most ${MAX_LENGTH.name} characters.`;
const STARTS = 'What starts it.';
const WorkflowStepInput = builder.inputType('WorkflowStepInput', {
  description: 'A message that a workflow sends.',
  fields: (t) => ({
    id: t.id({
      description: 'The step that changes, by its id (`wst_…`); what is left out of it stays. Left out: a new one.',
    }),
    action: t.field({ type: WorkflowAction, required: true, description: 'What it does.' }),
    subject: t.string({
      description: `Of a mail, which needs one, the subject: one line of at most ${MAX_LENGTH.subject} characters, with variables as in \`body\`.`,
    }),
    body: t.string({
      required: true,
      description: `The text: at most ${MAX_LENGTH.body} characters of plain text, of an SMS ${MAX_LENGTH.sms}. With its values, an SMS is cut off after ${MAX_SMS_PARTS} parts. Variables stand in it in braces. ${VARIABLES_IN_WORDS}.`,
    }),
    sendTo: t.string({
      description:
        'Of EMAIL_ADDRESS, one of `verifiedEmails` of the team; of SMS_NUMBER, one of `verifiedPhones`. Not for others, and null takes it away. It is looked at again when something is sent.',
    }),
    includesCalendarEvent: t.boolean({
      description: 'Of a mail: whether the booking comes along as a calendar object. Not, unless said otherwise.',
    }),
    senderName: t.string({
      description: `Of a mail: the name before the service’s address, at most ${MAX_LENGTH.senderName} characters and no web address; null for that of the service.`,
    }),
  }),
});

/** The input of a new workflow. */
function newWorkflowFields(t: InputBuilder) {
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
function workflowPatchFields(t: InputBuilder) {
  return {
    ...commonFields(t),
    name: t.string({ description: NAME }),
    trigger: t.field({
      type: WorkflowTrigger,
      description: `${STARTS} One about bookings stays so, and so does ROUTING_FORM_SUBMITTED.`,
    }),
    stepsSet: t.field({
      type: [WorkflowStepInput],
      description: `Adds steps, and changes those with these ids. The workflow can have ${MAX_STEPS}; those that are not named stay.`,
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
        'How long before or after a booking; needed for BEFORE_BOOKING_START and AFTER_BOOKING_END, and for no other trigger.',
    }),
    eventTypeIds: t.idList({
      description: `The event types of the team whose bookings start it, by their ids (\`evt_…\`): from 1 to ${MAX_EVENT_TYPES}. Null for all, as for a new one that names none. Of a MANAGED one, the bookings of its children.`,
    }),
    routingFormIds: t.idList({
      description: `Of ROUTING_FORM_SUBMITTED: the forms of the team whose responses start it, by their ids (\`frm_…\`): from 1 to ${MAX_ROUTING_FORMS}. Null for all, as for a new one that names none.`,
    }),
    isActive: t.boolean({ description: 'Whether it sends anything. A new one does, unless said otherwise.' }),
  };
}

const Workflow = rowType(WorkflowEntity, 'Workflow', {
  description: 'Messages that a team has sent when something happens to its bookings or forms.',
  fields: (t) => ({
    id: t.ownedId(['teamId', 'id'], 'workflow', { requires: data }),
    name: t.column('name', { requires: data, description: 'What the team calls it; receivers do not see it.' }),
    trigger: t.column('trigger', { type: WorkflowTrigger, requires: data, description: 'What starts it.' }),
    offset: t.column('eventOffset', {
      type: WorkflowOffset,
      requires: data,
      description:
        'How long before or after a booking, for BEFORE_BOOKING_START and AFTER_BOOKING_END. Null for others.',
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
        'Of ROUTING_FORM_SUBMITTED: the forms whose responses start it, by their ids (`frm_…`). Empty where it is for all of the team.',
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
    filter: listFilter('Workflow', {
      triggers: among('trigger', WorkflowTrigger, 'Started by one of these.'),
      isActive: equal('isActive', 'Boolean', 'Only active ones, or only others.'),
      text: containing(['name'], 'its name'),
    }),
    describes: { team: 'What the team has sent, oldest first. Null unless you administer it.' },
  },
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
    describes: { team: 'Deletes a workflow of a team that you administer, with what it has not sent yet.' },
  },
});

const load = batched(({ em }: GraphQLContext, ids: readonly string[]) => countWaiting(em, ids));

const resolve = async ({ id }: { readonly id: string }, _args: object, context: GraphQLContext): Promise<number> =>
  (await load(context, id, undefined)) ?? 0;

const description =
  'How many mails and SMS of workflows about it wait, because limits leave no room for them yet. They go out in order; those that make no sense any more by then are counted in `unsentMessageCount`.';

addRowFields(Booking, BookingEntity, (t) => ({
  waitingMessageCount: t.from(['id'], { type: 'Int', requires: reads('BOOKING'), description, resolve }),
}));

addRowFields(RoutingFormResponse, ResponseEntity, (t) => ({
  waitingMessageCount: t.from(['id'], { type: 'Int', requires: reads('ROUTING_FORM'), description, resolve }),
}));
