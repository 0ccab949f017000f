import { inLanguages } from '../../core/language.ts';
import type { Mistake } from '../../core/problem.ts';
import { nameOf } from '../../core/text.ts';
import { EVENT_TYPE_FIELDS, type EventTypeFields } from './event-type.rules.ts';
import { MANAGING_TEAM_DE } from './managing-team-words.de.rules.ts';
import { MANAGING_TEAM_EN } from './managing-team-words.en.rules.ts';

/**
 * The fields that a child takes from its parent as they are. Its slug may need a number behind it, and its schedule is
 * its owner's.
 */
type InheritedField = Exclude<keyof EventTypeFields, 'slug' | 'scheduleId'>;

export const INHERITED_FIELDS: readonly InheritedField[] = (
  Object.keys(EVENT_TYPE_FIELDS) as (keyof EventTypeFields)[]
).filter((name) => name !== 'slug' && name !== 'scheduleId');

/** The team that decides title, text, places and links of a member's event type, as everybody may know it. */
export interface ManagingTeam {
  /** Not told to others. */
  readonly id: string;
  /** Null for a team that is private, itself or by its organization: who belongs to it is not told to others. */
  readonly name: string | null;
  readonly organizationName: string | null;
}

const wordsFor = inLanguages(MANAGING_TEAM_EN, { de: MANAGING_TEAM_DE });

/**
 * Finds the changes that a parent passes on to its children. Only fields that differ: an update that repeats the value
 * of `isHidden` does not show a child that its host has hidden.
 */
export function inheritedChanges(before: EventTypeFields, after: EventTypeFields): Partial<EventTypeFields> {
  const changed = INHERITED_FIELDS.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return Object.fromEntries(changed.map((name) => [name, after[name]]));
}

/** The owner of a child decides these fields. The team decides everything else. */
const OWNERS_FIELDS: readonly string[] = ['isHidden', 'scheduleId'] satisfies (keyof EventTypeFields)[];

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

/** Writes `the team Sales, Acme`, for the middle of a sentence. `locale` is the reader's. */
export function teamText(
  { name, organizationName }: Pick<ManagingTeam, 'name' | 'organizationName'>,
  locale: string,
): string {
  const { privateTeam, team } = wordsFor(locale);
  if (name === null) return privateTeam;
  return team(organizationName === null ? name : `${name}, ${organizationName}`);
}

/** A description for where there is no other place to say whose words it is, such as a calendar. */
export function attributed(description: string | null, managedBy: ManagingTeam | null, locale = 'en'): string | null {
  if (managedBy === null) return description;
  const author = wordsFor(locale).attribution(teamText(managedBy, locale));
  return description === null ? author : `${description}\n\n${author}`;
}
