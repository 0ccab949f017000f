/** Roles of organizations and of teams, weakest first: each holds what those before it hold. */
export const ROLES = ['MEMBER', 'ADMIN', 'OWNER'] as const;
export type Role = (typeof ROLES)[number];

/** Whether a role suffices; nobody's role (undefined) never does. */
export function isAtLeast(role: Role | undefined, needed: Role): boolean {
  return role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(needed);
}
