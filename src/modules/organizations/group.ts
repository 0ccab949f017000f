import { isId } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import { shown } from '../../core/text.ts';
import { type Em, type RawBuilder, row, sql } from '../../database/sql.ts';
import { isAtLeast, type Role } from './role.rules.ts';

/** What people are members of: an organization or a team. Both keep the same rules of membership. */
export interface Group {
  readonly kind: 'organization' | 'team';
  /** Where its members are, and the column that names the group there. */
  readonly table: RawBuilder<unknown>;
  readonly memberships: RawBuilder<unknown>;
  readonly column: RawBuilder<unknown>;
  /** What somebody may do in it; undefined when they cannot even see it, or when there is no such group. */
  readonly findRole: (em: Em, groupId: string, userId: string) => Promise<Role | undefined>;
  /** Adds somebody who is not a member yet and can become one; false when they are or cannot. */
  readonly insertMembership: (em: Em, groupId: string, added: NewMembership) => Promise<boolean>;
}

/**
 * What whoever has joined a group is given there, in the same transaction; modules further up own it. It is asked for
 * invitations too, and gives nothing before they are accepted.
 */
export type FurnishMember = (em: Em, groupId: string, userId: string) => Promise<unknown>;

export interface NewMembership {
  readonly id: string;
  readonly userId: string;
  readonly role: Role;
}

export const ORGANIZATION: Group = {
  kind: 'organization',
  table: sql`organizations`,
  memberships: sql`organization_memberships`,
  column: sql`organization_id`,

  async findRole(em, organizationId, userId) {
    const found = await row<{ role: Role }>(
      em,
      sql`select role from organization_memberships
          where organization_id = ${organizationId} and user_id = ${userId} and accepted`,
    );
    return found?.role;
  },

  // Nobody becomes a member of an organization without their own consent: its administrators see what its members do.
  async insertMembership(em, organizationId, { id, userId, role }) {
    const inserted = await row(
      em,
      sql`insert into organization_memberships (id, organization_id, user_id, role, accepted, created_at)
          select ${id}, ${organizationId}, u.id, ${role}, false, now() from users u where u.id = ${userId}
          on conflict (organization_id, user_id) do nothing returning id`,
    );
    return inserted !== undefined;
  },
};

/** @throws Problem NOT_FOUND for who cannot see the group, FORBIDDEN for a member whose role does not suffice */
export async function requireRole(em: Em, group: Group, groupId: string, userId: string, needed: Role): Promise<Role> {
  const role = isId(group.kind, groupId) ? await group.findRole(em, groupId, userId) : undefined;
  if (role === undefined) throw groupNotFound(group, groupId);
  if (isAtLeast(role, needed)) return role;
  const path = [`${group.kind}Id`];
  throw new Problem('FORBIDDEN', `This takes the role ${needed} in the ${group.kind}; yours is ${role}.`, path);
}

/** The same answer for a group that is not there and for one that the caller cannot see. */
export function groupNotFound({ kind }: Group, groupId: string): Problem {
  return new Problem('NOT_FOUND', `There is no ${kind} ${shown(groupId)} that you can see.`, [`${kind}Id`]);
}
