/**
 * workflows/ owns what teams have sent when something happens to their bookings or forms: the texts, when they go, and that each
 * goes once. It may import bookings, routing-forms, and every module that those may.
 */
import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../database/temporal-types.ts';
import type { RecordedEvent } from '../../events/record-event.ts';
import { Booking } from '../bookings/booking.entity.ts';
import { Team } from '../teams/team.entity.ts';
import type { SendingStatus, WorkflowOffset, WorkflowStep, WorkflowTrigger } from './workflow.rules.ts';

/**
 * A workflow says what a team sends, and when. Sharded by the team. Steps stand in the row: they are read and checked
 * together.
 */
export const Workflow = defineEntity({
  name: 'Workflow',
  tableName: 'workflows',
  checks: [
    {
      name: 'workflows_offset_check',
      expression:
        "(event_offset is null) = (trigger <> all (array['BEFORE_BOOKING_START'::text, 'AFTER_BOOKING_END'::text]))",
    },
    {
      name: 'workflows_subject_check',
      expression:
        "case when trigger = 'ROUTING_FORM_SUBMITTED' then event_type_ids is null else routing_form_ids is null end",
    },
  ],
  properties: {
    team: () => p.manyToOne(Team).fieldNames('team_id').primary().deleteRule('cascade').index(false),
    id: p.uuid().primary(),
    name: p.text(),
    trigger: p.text().$type<WorkflowTrigger>(),
    /** The offset of BEFORE_BOOKING_START and AFTER_BOOKING_END; null for others. */
    eventOffset: p.json<WorkflowOffset>().nullable(),
    /** Event types of the team, without foreign keys: one that is deleted is not booked any more. Null: all. */
    eventTypeIds: p.array().columnType('uuid[]').nullable(),
    /** The forms of ROUTING_FORM_SUBMITTED, likewise. Null: all. */
    routingFormIds: p.array().columnType('uuid[]').nullable(),
    isActive: p.boolean(),
    steps: p.json<readonly WorkflowStep[]>(),
    createdAt: p.type(InstantType),
    updatedAt: p.type(InstantType),
  },
});

/** When a workflow is next to look at a booking, before or after it. Sharded by the team. */
export const WorkflowReminder = defineEntity({
  name: 'WorkflowReminder',
  tableName: 'workflow_reminders',
  indexes: [
    { name: 'workflow_reminders_due_at_idx', properties: ['dueAt'] },
    { name: 'workflow_reminders_booking_id_idx', properties: ['ownerId', 'bookingId'] },
  ],
  properties: {
    workflow: () => p.manyToOne(Workflow).joinColumns('team_id', 'workflow_id').deleteRule('cascade').index(false),
    teamId: p.uuid().primary(),
    workflowId: p.uuid().primary(),
    booking: () => p.manyToOne(Booking).joinColumns('owner_id', 'booking_id').deleteRule('cascade').index(false),
    /** The booking's shard. */
    ownerId: p.uuid(),
    bookingId: p.uuid().primary(),
    dueAt: p.type(InstantType),
  },
});

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
    {
      name: 'workflow_sendings_due_at_idx',
      expression: 'create index workflow_sendings_due_at_idx on workflow_sendings (due_at) where due_at is not null',
    },
    {
      name: 'workflow_sendings_line_idx',
      expression:
        "create index workflow_sendings_line_idx on workflow_sendings (team_id, line) where status = 'WAITING'",
    },
    {
      name: 'workflow_sendings_receiver_idx',
      expression:
        "create index workflow_sendings_receiver_idx on workflow_sendings (receiver) where status = 'WAITING'",
    },
    {
      name: 'workflow_sendings_waiting_about_idx',
      expression:
        "create index workflow_sendings_waiting_about_idx on workflow_sendings (about_id) where status = 'WAITING'",
    },
    {
      name: 'workflow_sendings_unsent_idx',
      expression:
        "create index workflow_sendings_unsent_idx on workflow_sendings (created_at) where status in ('NONE', 'EXPIRED')",
    },
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
    /** The occurrence that it is sent for: the id of an event, or the time that it reminds of. */
    occurrence: p.text(),
    status: p.text().$type<SendingStatus>(),
    /** The line of one that waits: its kind and its sender, hashed (line.ts). */
    line: p.text().nullable(),
    /** The event that one which waits tells of. */
    event: p.json<RecordedEvent>().nullable(),
    /** When to look at it again; null: never. */
    dueAt: p.type(InstantType).nullable(),
    createdAt: p.type(InstantType),
  },
});
