import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../database/temporal-types.ts';
import type { Answers } from './condition.rules.ts';
import type { FormField } from './form-field.rules.ts';
import { RoutingForm } from './routing-form.entity.ts';
import type { Target } from './routing-form.rules.ts';

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
