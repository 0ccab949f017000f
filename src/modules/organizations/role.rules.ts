/** Roles of organizations and of teams, weakest first: each holds what those before it hold. */
export const ROLES = ['MEMBER', 'ADMIN', 'OWNER'] as const;
export type Role = (typeof ROLES)[number];

/** Whether a role suffices; nobody's role (undefined) never does. */
export function isAtLeast(role: Role | undefined, needed: Role): boolean {
  return role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** The roles that suffice, for a condition in SQL. */
export function rolesFrom(needed: Role): readonly Role[] {
  return ROLES.slice(ROLES.indexOf(needed));
}

/** Whether somebody may give or take this role: administrators may, but only an owner makes or touches an owner. */
export function mayManage(actor: Role | undefined, role: Role): boolean {
  return isAtLeast(actor, 'ADMIN') && isAtLeast(actor, role);
}
