import { builder, type InputBuilder } from '../../../graphql/builder.ts';
import { HOST_DEFAULTS, MAX_PRIORITY, MAX_WEIGHT } from '../event-type-host.rules.ts';
import { SchedulingType } from '../values/scheduling-type.graphql.ts';

const EventTypeHostInput = builder.inputType('EventTypeHostInput', {
  description: 'A member of the team to book, or what is to change of one who is a host.',
  fields: (t) => ({
    userId: t.id({ required: true, description: 'The member of the team, by their id (`usr_…`).' }),
    isMandatory: t.boolean({ description: 'Attends every booking of a round-robin event type. False, if left out.' }),
    priority: t.int({
      description: `0 to ${MAX_PRIORITY}, the highest goes first. ${HOST_DEFAULTS.priority}, if left out.`,
    }),
    weight: t.int({
      description: `The share among hosts of one priority: 1 to ${MAX_WEIGHT}. ${HOST_DEFAULTS.weight}, if left out.`,
    }),
  }),
});

/** The inputs that say who is booked with a new event type of a team. */
export function newHostFields(t: InputBuilder) {
  return {
    schedulingType: t.field({ type: SchedulingType, description: 'ROUND_ROBIN, if left out.' }),
    assignAllMembers: t.boolean({
      description: 'Whether every member is a host, later ones too. If left out, when no hosts are named.',
    }),
    hosts: t.field({
      type: [EventTypeHostInput],
      description: 'Members to book. With assignAllMembers: those who are not mandatory, priority 2 and weight 100.',
    }),
  };
}

/** How those change who are booked with it. */
export function hostPatchFields(t: InputBuilder) {
  return {
    schedulingType: t.field({
      type: SchedulingType,
      description:
        'Who attends. Made MANAGED, each host gets an event type of their own; no longer MANAGED, these are deleted.',
    }),
    assignAllMembers: t.boolean({ description: 'Whether every member is a host, later ones too.' }),
    hostsSet: t.field({
      type: [EventTypeHostInput],
      description: 'Adds hosts and changes those who are. All others stay as they are.',
    }),
    hostsRemove: t.idList({
      description: 'The users who are no longer hosts, by their ids (`usr_…`); removed before others are set.',
    }),
  };
}
