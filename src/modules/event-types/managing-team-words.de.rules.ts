/** The words that attribute an event type's texts to its team, in German. */
import type { MANAGING_TEAM_EN } from './managing-team-words.en.rules.ts';

export const MANAGING_TEAM_DE: typeof MANAGING_TEAM_EN = {
  privateTeam: 'ein privates Team',
  team: (name) => `Team ${name}`,
  attribution: (team) => `Titel, Text, Ort und Links stammen von: ${team}.`,
};
