/**
 * workflows/ owns what teams have sent when something happens to their bookings or forms: the texts, when they go, and that each
 * goes once. It may import bookings, routing-forms, and every module that those may.
 */
import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../database/temporal-types.ts';
import { Team } from '../teams/team.entity.ts';
import type { WorkflowOffset, WorkflowStep, WorkflowTrigger } from './workflow.rules.ts';

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
      expression: "(event_offset is null) = (trigger <> all (array['BEFORE_EVENT'::text, 'AFTER_EVENT'::text]))",
    },
    {
      name: 'workflows_subject_check',
      expression: "case when trigger = 'FORM_SUBMITTED' then event_type_ids is null else routing_form_ids is null end",
    },
  ],
  properties: {
    team: () => p.manyToOne(Team).fieldNames('team_id').primary().deleteRule('cascade').index(false),
    id: p.uuid().primary(),
    name: p.text(),
    trigger: p.text().$type<WorkflowTrigger>(),
    /** The offset of BEFORE_EVENT and AFTER_EVENT; null for others. */
    eventOffset: p.json<WorkflowOffset>().nullable(),
    /** Event types of the team, without foreign keys: one that is deleted is not booked any more. Null: all. */
    eventTypeIds: p.array().columnType('uuid[]').nullable(),
    /** The forms of FORM_SUBMITTED, likewise. Null: all. */
    routingFormIds: p.array().columnType('uuid[]').nullable(),
    isActive: p.boolean(),
    steps: p.json<readonly WorkflowStep[]>(),
    createdAt: p.type(InstantType),
    updatedAt: p.type(InstantType),
  },
});
