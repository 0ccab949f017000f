import { inLanguages } from '../../../core/language.ts';
import { MANAGING_TEAM_DE } from './managing-team-words.de.rules.ts';
import { MANAGING_TEAM_EN } from './managing-team-words.en.rules.ts';

/** The team that decides title, text, places and links of a member's event type, as everybody may know it. */
export interface ManagingTeam {
  /** Not told to others. */
  readonly id: string;
  /** Null for a team that is private, itself or by its organization: who belongs to it is not told to others. */
  readonly name: string | null;
  readonly organizationName: string | null;
}

const wordsFor = inLanguages(MANAGING_TEAM_EN, { de: MANAGING_TEAM_DE });

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
