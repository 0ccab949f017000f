import type { Mistake } from '../../../core/problem.ts';
import { nameOf } from '../../../core/text.ts';
import { EVENT_TYPE_FIELDS, type EventTypeFields } from '../event-type.rules.ts';

/** What a child has from its parent as it is. Its slug may need a number behind it, and its schedule is its owner's. */
export type InheritedField = Exclude<keyof EventTypeFields, 'slug' | 'scheduleId'>;

export const INHERITED_FIELDS: readonly InheritedField[] = (
  Object.keys(EVENT_TYPE_FIELDS) as (keyof EventTypeFields)[]
).filter((name) => name !== 'slug' && name !== 'scheduleId');

/** What the owner of a child decides. The team decides everything else. */
const OWNERS_FIELDS: readonly string[] = ['hidden', 'scheduleId'] satisfies (keyof EventTypeFields)[];

/**
 * What a change of the parent changes of its children. Only what differs: an update that says of `hidden` what it was
 * already does not show what a host has hidden.
 */
export function inheritedChanges(before: EventTypeFields, after: EventTypeFields): Partial<EventTypeFields> {
  const changed = INHERITED_FIELDS.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return Object.fromEntries(changed.map((name) => [name, after[name]]));
}

/** One for each given field of a child that only the team can change. */
export function lockedMistakes(patch: object): readonly Mistake[] {
  const locked = Object.entries(patch).filter(([name, value]) => value !== undefined && !OWNERS_FIELDS.includes(name));
  return locked.map(([name]) => {
    const path = [name] as const;
    const advice = 'leave it out, or ask an administrator of the team to change it';
    const message = `The ${nameOf(path)} is what the team says that manages this event type; ${advice}.`;
    return { code: 'MANAGED_BY_TEAM', message, path };
  });
}
