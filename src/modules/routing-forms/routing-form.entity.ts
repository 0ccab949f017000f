/**
 * routing-forms/ owns forms of teams and organizations: what they ask, where the answers lead, and what was answered. It may
 * import event-types and bookings.
 */
import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../database/temporal-types.ts';
import { Organization } from '../organizations/organization.entity.ts';
import { Team } from '../teams/team.entity.ts';
import type { Answers } from './condition.rules.ts';
import type { FormField } from './form-field.rules.ts';
import type { Route, Target } from './routing-form.rules.ts';

/** Questions, and where the answers to them lead. What is read and checked as a whole stands in the row. */
export const RoutingForm = defineEntity({
  name: 'RoutingForm',
  tableName: 'routing_forms',
  checks: [
    {
      name: 'routing_forms_owner_check',
      expression: 'num_nonnulls(team_id, organization_id) = 1 and owner_id = coalesce(team_id, organization_id)',
    },
  ],
  // For the deletion of an owner. Lists need none: ids are made in the order of time, so the primary key is their order.
  indexes: [
    {
      name: 'routing_forms_team_id_idx',
      expression: 'create index routing_forms_team_id_idx on routing_forms (team_id) where team_id is not null',
    },
    {
      name: 'routing_forms_organization_id_idx',
      expression:
        'create index routing_forms_organization_id_idx on routing_forms (organization_id) where organization_id is not null',
    },
  ],
  properties: {
    ownerId: p.uuid().primary(),
    id: p.uuid().primary(),
    team: () => p.manyToOne(Team).deleteRule('cascade').nullable().index(false),
    organization: () => p.manyToOne(Organization).deleteRule('cascade').nullable().index(false),
    name: p.text(),
    description: p.text().nullable(),
    isActive: p.boolean(),
    /** Grows with each change of what it asks and where that leads: a response names the one that it was given to. */
    version: p.integer(),
    fields: p.json<readonly FormField[]>(),
    routes: p.json<readonly Route[]>(),
    fallback: p.json<Target>(),
    createdAt: p.type(InstantType),
    updatedAt: p.type(InstantType),
  },
});

/**
 * The answers to a form, and where they led. A response keeps the questions as they were asked: a form that is changed
 * later changes nothing of it.
 */
export const RoutingFormResponse = defineEntity({
  name: 'RoutingFormResponse',
  tableName: 'routing_form_responses',
  // For the list of a form.
  indexes: [{ name: 'routing_form_responses_created_at_idx', properties: ['ownerId', 'form', 'createdAt', 'id'] }],
  properties: {
    form: () => p.manyToOne(RoutingForm).joinColumns('owner_id', 'form_id').deleteRule('cascade').index(false),
    ownerId: p.uuid().primary(),
    id: p.uuid().primary(),
    /** The version of the form, as it was answered. */
    formVersion: p.integer(),
    fields: p.json<readonly FormField[]>(),
    answers: p.json<Answers>(),
    /** Null: no route was taken, but the fallback. */
    routeId: p.uuid().nullable(),
    target: p.json<Target>(),
    /** How many messages of workflows about the response were not sent. */
    unsentMails: p.integer().defaultRaw('0'),
    createdAt: p.type(InstantType),
    updatedAt: p.type(InstantType),
  },
});
