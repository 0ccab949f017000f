/** Roles of organizations and of teams, weakest first: each holds what those before it hold. */
export const ROLES = ['MEMBER', 'ADMIN', 'OWNER'] as const;
export type Role = (typeof ROLES)[number];

/**
 * Where people stand in a group, lowest first: by their role in it; and in a team of an organization, the administrators
 * and owners of the organization stand above the team's own, whatever their role in the team.
 */
export const STANDINGS = [...ROLES, 'ORGANIZATION_ADMIN', 'ORGANIZATION_OWNER'] as const;
export type Standing = (typeof STANDINGS)[number];

/** Whether somebody's standing suffices; that of nobody (undefined) never does. */
export function isAtLeast(standing: Standing | undefined, needed: Standing): boolean {
  return standing !== undefined && STANDINGS.indexOf(standing) >= STANDINGS.indexOf(needed);
}

/** The roles that suffice, for a condition in SQL. */
export function rolesFrom(needed: Role): readonly Role[] {
  return ROLES.slice(ROLES.indexOf(needed));
}

/**
 * Whether somebody may give or take this standing, and change what belongs to its holder: administrators may, up to
 * their own. An equal may, as administrators may remove each other; nobody reaches above themselves.
 */
export function mayManage(actor: Standing | undefined, target: Standing): boolean {
  return isAtLeast(actor, 'ADMIN') && isAtLeast(actor, target);
}
