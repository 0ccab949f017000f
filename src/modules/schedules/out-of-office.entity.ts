import { defineEntity, p } from '@mikro-orm/core';
import { InstantType, instantCheck } from '../../database/temporal-types.ts';
import { User } from '../accounts/user.entity.ts';
import { denormalizedColumn, denormalizedIndex, denormalizingTrigger } from '../organizations/organization.entity.ts';

/** Time in which somebody cannot be booked. Sharded by its user, like their schedules. */
export const OutOfOffice = defineEntity({
  name: 'OutOfOffice',
  tableName: 'out_of_office',
  triggers: [denormalizingTrigger('out_of_office', 'PERSON')],
  indexes: [
    denormalizedIndex('out_of_office', 'user_id'),
    // This index finds who is away in a period, among the many who are not.
    { name: 'out_of_office_period_idx', properties: ['user', 'startsAt', 'endsAt'] },
    // This index serves the deletion of the colleague who receives the guests.
    {
      name: 'out_of_office_redirect_to_id_idx',
      expression:
        'create index out_of_office_redirect_to_id_idx on out_of_office (redirect_to_id) where redirect_to_id is not null',
    },
  ],
  checks: [
    { name: 'out_of_office_range_check', expression: 'starts_at < ends_at' },
    instantCheck('out_of_office', 'starts_at', 'ends_at'),
  ],
  properties: {
    user: () => p.manyToOne(User).fieldNames('user_id').primary().deleteRule('cascade').index(false),
    id: p.uuid().primary(),
    ...denormalizedColumn(),
    startsAt: p.type(InstantType),
    endsAt: p.type(InstantType),
    reason: p.text().nullable(),
    notes: p.text().nullable(),
    redirectTo: () => p.manyToOne(User).deleteRule('set null').nullable().index(false),
    createdAt: p.type(InstantType),
    updatedAt: p.type(InstantType),
  },
});
