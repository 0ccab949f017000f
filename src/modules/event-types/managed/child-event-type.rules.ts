import type { Mistake } from '../../../core/problem.ts';
import { nameOf } from '../../../core/text.ts';
import { EVENT_TYPE_FIELDS, type EventTypeFields } from '../event-type.rules.ts';

/**
 * The fields that a child takes from its parent as they are. Its slug may need a number behind it, and its schedule is
 * its owner's.
 */
export type InheritedField = Exclude<keyof EventTypeFields, 'slug' | 'scheduleId'>;

export const INHERITED_FIELDS: readonly InheritedField[] = (
  Object.keys(EVENT_TYPE_FIELDS) as (keyof EventTypeFields)[]
).filter((name) => name !== 'slug' && name !== 'scheduleId');

/** The owner of a child decides these fields. The team decides everything else. */
const OWNERS_FIELDS: readonly string[] = ['hidden', 'scheduleId'] satisfies (keyof EventTypeFields)[];

/**
 * Finds the changes that a parent passes on to its children. Only fields that differ: an update that repeats the value
 * of `hidden` does not show a child that its host has hidden.
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
