/** The words that attribute an event type's texts to the team that manages it. In English. */
export const MANAGING_TEAM_EN = {
  privateTeam: 'a private team',
  team: (name: string) => `the team ${name}`,
  attribution: (team: string) => `Title, text, location and links are by ${team}.`,
};
