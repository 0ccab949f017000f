import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../../database/temporal-types.ts';
import { Booking } from '../../bookings/booking.entity.ts';
import { Workflow } from '../workflow.entity.ts';

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
