import type { Mistake } from '../../core/problem.ts';
import type { ProblemCode } from '../../core/problem-code.ts';
import { isAtLeast, mayManage, type Role, type Standing } from '../organizations/role.rules.ts';

/** A membership that somebody wants to change: their own, or another's. */
export interface MembershipInQuestion {
  readonly role: Role;
  /** Where the member stands in the group, their role in its organization included; an invitation counts as its role alone. */
  readonly standing: Standing;
  readonly isOwn: boolean;
  /** Where the actor stands in the group; undefined when their own membership does not count yet. */
  readonly actorRole: Standing | undefined;
}

/** An absent field stays as it is. */
export interface MembershipPatch {
  readonly role?: Role | null | undefined;
  readonly isAccepted?: boolean | null | undefined;
}

/** The group and the role of an invitation. */
export interface InvitedTo {
  readonly groupKind: 'organization' | 'team';
  readonly groupName: string;
  readonly role: Role;
}

/** Why somebody cannot be given this role. */
export function mistakesOfCreation(actorRole: Standing | undefined, role: Role): readonly Mistake[] {
  return mayManage(actorRole, role) ? [] : [mistake('FORBIDDEN', 'Only an owner can make somebody an owner.', 'role')];
}

/** Why a membership cannot be changed like this. */
export function mistakesOfUpdate(membership: MembershipInQuestion, patch: MembershipPatch): readonly Mistake[] {
  return [mistakeOfAcceptance(membership, patch), mistakeOfRole(membership, patch)].filter((one) => one !== undefined);
}

/** Why a membership cannot be ended. Anybody can leave. */
export function mistakesOfDeletion({ actorRole, isOwn, standing }: MembershipInQuestion): readonly Mistake[] {
  if (isOwn || mayManage(actorRole, standing)) return [];
  const message = 'Nobody can remove somebody whose role stands above their own.';
  return [mistake('FORBIDDEN', message, 'membershipId')];
}

function mistake(code: ProblemCode, message: string, field: string): Mistake {
  return { code, message, path: [field] };
}

function mistakeOfAcceptance({ isOwn }: MembershipInQuestion, { isAccepted }: MembershipPatch): Mistake | undefined {
  if (isAccepted === undefined) return undefined;
  if (!isAccepted) {
    const advice = 'leave it out, or delete the membership to leave or to decline';
    return mistake('BAD_INPUT', `isAccepted can only become true; ${advice}.`, 'isAccepted');
  }
  return isOwn ? undefined : mistake('FORBIDDEN', 'Only who was invited can accept the invitation.', 'isAccepted');
}

function mistakeOfRole(
  { role, standing, actorRole }: MembershipInQuestion,
  patch: MembershipPatch,
): Mistake | undefined {
  if (patch.role === null) return mistake('REQUIRED', 'role cannot be null; leave it out to keep it.', 'role');
  if (patch.role === undefined || patch.role === role) return undefined;
  if (!isAtLeast(actorRole, 'ADMIN')) {
    return mistake('FORBIDDEN', 'You need the role ADMIN or OWNER to change roles.', 'role');
  }
  if (mayManage(actorRole, standing) && mayManage(actorRole, patch.role)) return undefined;
  return mistake(
    'FORBIDDEN',
    'Nobody can give a role above their own, or change that of who stands above them.',
    'role',
  );
}
