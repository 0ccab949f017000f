/** Declares the parts of workflows, as callers see them. */
import { publicId } from '../../core/id.ts';
import { builder } from '../../graphql/builder.ts';
import { describedValues } from '../../graphql/descriptions.ts';
import { LONG_TEXT } from '../../graphql/limits/price.ts';
import { reads } from '../../scopes/declare.ts';
import {
  OFFSET_UNITS,
  WORKFLOW_ACTIONS,
  WORKFLOW_TRIGGERS,
  type WorkflowOffset as WorkflowOffsetShape,
  type WorkflowStep as WorkflowStepShape,
} from './workflow.rules.ts';

export const data = reads('WORKFLOW');

export const WorkflowTrigger = builder.enumType('WorkflowTrigger', {
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
    FORM_SUBMITTED: 'A response to a routing form of the team was stored.',
    BEFORE_EVENT: 'A booking that is agreed on begins after `offset`.',
    AFTER_EVENT: 'A booking that is agreed on has ended, `offset` ago.',
  }),
});

export const WorkflowOffsetUnit = builder.enumType('WorkflowOffsetUnit', {
  description: 'In what an offset is counted.',
  values: describedValues(OFFSET_UNITS, { MINUTE: 'Minutes.', HOUR: 'Hours.', DAY: 'Days of 24 hours.' }),
});

export const WorkflowOffset = builder.objectRef<WorkflowOffsetShape>('WorkflowOffset').implement({
  description: 'How long before the start of a booking, or after its end.',
  fields: (t) => ({
    value: t.exposeInt('value', { requires: data, description: 'How many of them.' }),
    unit: t.expose('unit', { type: WorkflowOffsetUnit, requires: data, description: 'Of what.' }),
  }),
});

export const WorkflowAction = builder.enumType('WorkflowAction', {
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

export const WorkflowStep = builder.objectRef<WorkflowStepShape>('WorkflowStep').implement({
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
    includeCalendarEvent: t.exposeBoolean('includeCalendarEvent', {
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
