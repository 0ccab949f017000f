/** The team that decides title, text, places and links of a member's event type, as everybody may know it. */
export interface ManagingTeam {
  /** Not told to others. */
  readonly id: string;
  /** Null for a team that is private, itself or by its organization: who belongs to it is not told to others. */
  readonly name: string | null;
  readonly organizationName: string | null;
}

/** `the team Sales, Acme`, for the middle of a sentence. */
export function teamText({ name, organizationName }: Pick<ManagingTeam, 'name' | 'organizationName'>): string {
  if (name === null) return 'a private team';
  return `the team ${organizationName === null ? name : `${name}, ${organizationName}`}`;
}

/** A description for where there is no other place to say whose words it is, such as a calendar. */
export function attributed(description: string | null, managedBy: ManagingTeam | null): string | null {
  if (managedBy === null) return description;
  const author = `Title, text, place and links are those of ${teamText(managedBy)}.`;
  return description === null ? author : `${description}\n\n${author}`;
}
