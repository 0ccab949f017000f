import { builder } from '../../../graphql/builder.ts';
import { describedValues } from '../../../graphql/descriptions.ts';
import { SCHEDULING_TYPES } from '../settings/event-type-scheduling.rules.ts';

export const SchedulingType = builder.enumType('SchedulingType', {
  description:
    'Who attends: one host in turn and the mandatory ones; all hosts; or, MANAGED, each host by themselves: it is not booked itself, but every host has an event type of their own that follows it.',
  values: describedValues(SCHEDULING_TYPES, {
    ROUND_ROBIN: 'One host in turn, by priority and weight, and the mandatory ones.',
    COLLECTIVE: 'All hosts together: a slot is offered when all of them are free.',
    MANAGED: 'Each host by themselves, with an event type of their own that follows this one: see `children`.',
  }),
});
