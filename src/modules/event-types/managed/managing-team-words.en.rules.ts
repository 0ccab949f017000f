/** Who has written what an event type says, where a team manages it. In English. */
export const MANAGING_TEAM_EN = {
  privateTeam: 'a private team',
  team: (name: string) => `the team ${name}`,
  attribution: (team: string) => `Title, text, location and links are by ${team}.`,
};
