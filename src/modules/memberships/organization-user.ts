import { checkedFields, type PatchOf } from '../../core/fields.ts';
import { idOf, publicId } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import { shown } from '../../core/text.ts';
import { changed, type Em, LATER, type RawBuilder, row, sql } from '../../database/sql.ts';
import { selectFrom, updateTable } from '../../database/statements.ts';
import { PROFILE_FIELDS, type ProfileFields, type TimeFormat } from '../accounts/account.rules.ts';
import { User } from '../accounts/user.entity.ts';
import { type GroupAdministrator, managesMember, refuseMember, requireRole } from '../organizations/group.ts';
import { OrganizationMembership } from '../organizations/organization.entity.ts';
import type { MembershipTarget } from './membership.commands.ts';

export const UPDATE_ORGANIZATION_USER_CODES = [
  'NOT_FOUND',
  'FORBIDDEN',
  'REQUIRED',
  'TOO_LONG',
  'INVALID_TEXT',
  'INVALID_TIME_ZONE',
  'INVALID_LOCALE',
] as const;

/** The part of a member's profile that administrators may set: nothing by which the member signs in, or is found. */
type MemberProfile = Pick<ProfileFields, 'name' | 'timeZone' | 'weekStart' | 'timeFormat' | 'locale'>;

const { name, timeZone, weekStart, timeFormat, locale } = PROFILE_FIELDS;
const MEMBER_FIELDS = { name, timeZone, weekStart, timeFormat, locale };

/**
 * Changes the profile of a member who has accepted, and who does not stand above the actor. A name is shown everywhere, on the
 * person's own booking page above all: it is theirs alone to change, unless the organization has made the account and they belong to
 * no other group.
 * @throws Problem NOT_FOUND, FORBIDDEN, and every mistake of the patch
 */
export async function updateOrganizationUser(
  em: Em,
  administrator: GroupAdministrator,
  userId: string,
  patch: PatchOf<MemberProfile>,
): Promise<void> {
  const { timeFormat: hours, ...checked } = checkedFields<MemberProfile, PatchOf<MemberProfile>>(patch, MEMBER_FIELDS);
  const values = { ...checked, ...(hours !== undefined && { timeFormat: hours as TimeFormat }), updatedAt: LATER };
  const isNamed = checked.name !== undefined;
  const mayBeNamed = isNamed ? isNamedBy(administrator.groupId) : sql<boolean>`true`;
  const count = await changed(
    em,
    updateTable(User, { id: userId }).set(values).where(managesMember(administrator, sql`item.id`)).where(mayBeNamed),
  );
  if (count > 0) return;
  await refuseMember(em, administrator, userId, noSuchUser(userId));
  if (!isNamed) throw noSuchUser(userId);
  const message =
    'The name is the member’s alone to change: an organization names people whose account was made by its invitation, and who belong to no team or organization outside of it; leave it out.';
  throw new Problem('FORBIDDEN', message, ['name']);
}

/** SQL, of `users item`: whether an organization has made the account, and they have accepted no membership outside of it and its teams. */
function isNamedBy(organizationId: string): RawBuilder<boolean> {
  return sql<boolean>`(
    item.made_by_id is not distinct from ${organizationId}::uuid
    and not exists (select from organization_memberships m
      where m.user_id = item.id and m.accepted and m.organization_id <> ${organizationId})
    and not exists (select from team_memberships m join teams t on t.id = m.team_id
      where m.user_id = item.id and m.accepted and t.organization_id is distinct from ${organizationId}))`;
}

/**
 * Removes somebody by `end`, which ends their membership, or their invitation if they have not accepted; the account
 * stays theirs.
 * @throws Problem NOT_FOUND, FORBIDDEN, and whatever `end` does
 */
export async function deleteOrganizationUser<Result>(
  em: Em,
  { group, groupId, actorId }: GroupAdministrator,
  userId: string,
  end: (target: MembershipTarget) => Promise<Result>,
): Promise<Result> {
  await requireRole(em, group, groupId, actorId, 'ADMIN');
  const found = await row(em, selectFrom(OrganizationMembership, { organizationId: groupId, userId }).select('id'));
  if (!found) throw noSuchUser(userId);
  return end({ groupId, actorId, membershipId: found.id }).catch((error: unknown) => {
    const isOfThem = error instanceof Problem && error.mistakes[0].path?.[0] === 'membershipId';
    if (!isOfThem) throw error;
    throw error.code === 'NOT_FOUND' ? noSuchUser(userId) : new Problem(error.code, error.message, ['userId']);
  });
}

/** The user whom an input names. @throws Problem NOT_FOUND for what cannot be the id of one */
export function requireUserNamed(named: string): string {
  const userId = idOf('user', named);
  if (userId === undefined) throw nobodyNamed(named);
  return userId;
}

function noSuchUser(userId: string): Problem {
  return nobodyNamed(publicId('user', userId));
}

function nobodyNamed(named: string): Problem {
  return new Problem('NOT_FOUND', `${shown(named)} is no member of this organization.`, ['userId']);
}
