import { idOf, newId, publicId } from '../../core/id.ts';
import { type Mistake, Problem } from '../../core/problem.ts';
import { shown } from '../../core/text.ts';
import { selectColumns } from '../../database/columns.ts';
import { changed, type Em, NOW, type RawBuilder, row, rows, sql } from '../../database/sql.ts';
import { changes, type LastSeen, throwIfNotAsSeen } from '../../database/updates.ts';
import { requireVerifiedEmail } from '../accounts/require-verified-email.ts';
import {
  type FurnishMember,
  findStanding,
  type Group,
  lockGroup,
  manages,
  requireRole,
  throwIfTooManyMembers,
} from '../organizations/group.ts';
import { OrganizationMembership } from '../organizations/organization.entity.ts';
import type { Role } from '../organizations/role.rules.ts';
import { acceptAsInvited, declineAsInvited, forgetInvitations, isGiven } from './answer-invitation.ts';
import {
  type MembershipInQuestion,
  type MembershipPatch,
  mistakesOfCreation,
  mistakesOfDeletion,
  mistakesOfUpdate,
} from './membership.rules.ts';

export const CREATE_MEMBERSHIP_CODES = [
  'NOT_FOUND',
  'FORBIDDEN',
  'ALREADY_MEMBER',
  'EMAIL_NOT_VERIFIED',
  'TOO_MANY',
] as const;

export const UPDATE_MEMBERSHIP_CODES = [
  'NOT_FOUND',
  'FORBIDDEN',
  'LAST_OWNER',
  'BAD_INPUT',
  'REQUIRED',
  'ALREADY_MEMBER',
  'NOT_IN_ORGANIZATION',
  'EMAIL_NOT_VERIFIED',
  'TOO_MANY',
] as const;

export const DELETE_MEMBERSHIP_CODES = ['NOT_FOUND', 'FORBIDDEN', 'LAST_OWNER'] as const;

/** A member whose membership ends. */
export interface Leaver {
  readonly group: Group;
  readonly groupId: string;
  readonly userId: string;
}

export const HAND_OVER_OWNERSHIP_CODES = ['NOT_FOUND', 'FORBIDDEN', 'NOT_POSSIBLE', 'EMAIL_NOT_VERIFIED'] as const;

/** Which membership somebody wants to change. */
export interface MembershipTarget {
  readonly groupId: string;
  readonly actorId: string;
  readonly membershipId: string;
}

/** A membership that is about to change, and what the actor may do in its group. */
interface LockedMembership extends MembershipInQuestion {
  readonly id: string;
  readonly userId: string;
  readonly accepted: boolean;
  readonly updatedAt: string;
}

interface MembershipInput {
  readonly userId: string;
  readonly role: Role;
}

/**
 * Adds somebody to a group and returns the membership's id. It counts once they accept it; at once only where an
 * administrator of an organization adds one of its members to its team. @throws Problem NOT_FOUND, FORBIDDEN,
 * ALREADY_MEMBER, EMAIL_NOT_VERIFIED, TOO_MANY
 */
export async function createMembership(
  em: Em,
  group: Group,
  { groupId, actorId }: { readonly groupId: string; readonly actorId: string },
  { userId, role }: MembershipInput,
  furnish?: FurnishMember,
): Promise<string> {
  return em.transactional(async (inner) => {
    await lockGroup(inner, group, groupId);
    Problem.throwIfAny(mistakesOfCreation(await requireRole(inner, group, groupId, actorId, 'ADMIN'), role));
    await requireVerifiedEmail(inner, actorId, 'A membership lets somebody in');
    await group.lockCandidate?.(inner, groupId, userId);
    await forgetVoid(inner, group, groupId, userId);
    const id = newId();
    const added = { id, userId, role, actorId };
    if (await group.insertMembership(inner, groupId, added)) {
      await throwIfTooManyMembers(inner, group, groupId, 'remove one first');
      await furnish?.(inner, groupId, userId);
      return id;
    }
    // In its organization, the actor may have lost their role at this moment.
    await requireRole(inner, group, groupId, actorId, 'ADMIN');
    if (!(await isMember(inner, group, groupId, userId))) throw nobody(publicId('user', userId));
    throw new Problem('ALREADY_MEMBER', `${publicId('user', userId)} is a member already, or is invited.`, ['userId']);
  });
}

/** The user whom a caller wants to add. @throws Problem NOT_FOUND for a text that is not a user's id */
export function requirePersonId(named: string): string {
  const userId = idOf('user', named);
  if (userId === undefined) throw nobody(named);
  return userId;
}

/**
 * Changes a role, or accepts one's own invitation: the membership that waits, or the one that an invitation to one's
 * address becomes. Either counts as long as the inviter may still invite so; then it is NOT_FOUND.
 * @throws Problem NOT_FOUND, FORBIDDEN, CONFLICT, BAD_INPUT, LAST_OWNER, ALREADY_MEMBER, NOT_IN_ORGANIZATION,
 * EMAIL_NOT_VERIFIED, TOO_MANY
 */
export async function updateMembership(
  em: Em,
  group: Group,
  target: MembershipTarget & { readonly lastSeen?: LastSeen },
  patch: MembershipPatch,
  furnish?: FurnishMember,
): Promise<void> {
  await em.transactional(async (inner) => {
    if (patch.isAccepted && (await acceptAsInvited(inner, group, target, furnish))) return refuseRole(patch);
    const locked = await changeLocked(inner, group, target, {
      before: async ({ role, accepted }) => {
        const letsIn = (patch.isAccepted && !accepted) || (patch.role ?? role) !== role;
        if (letsIn) await requireVerifiedEmail(inner, target.actorId, 'A membership lets somebody in');
      },
      mistakesOf: (membership) => {
        throwIfNotAsSeen(membership.updatedAt, target.lastSeen);
        return mistakesOfUpdate(membership, patch);
      },
      staysOwner: ({ role }) => (patch.role ?? role) === 'OWNER',
      statement: (locked) => {
        const [role, accepted] = [patch.role ?? locked.role, patch.isAccepted ?? locked.accepted];
        const joinedAt = accepted && !locked.accepted ? NOW : undefined;
        // An actor who gives an invitation another role is its inviter from then on; one who repeats the role that it
        // has need not be able to give it.
        const invitedById = accepted ? null : role === locked.role ? undefined : target.actorId;
        return sql`update ${group.memberships} m set ${changes({ role, accepted, invitedById, joinedAt })}`;
      },
      ...(patch.isAccepted && {
        condition: sql<boolean>`(m.accepted or ${isGiven(group, sql`${target.groupId}`, 'm')})`,
      }),
    });
    // Nobody accepts for somebody else, so the actor is the one who joins.
    if (!patch.isAccepted || locked.accepted) return;
    await forgetInvitations(inner, group, target.groupId, target.actorId);
    await furnish?.(inner, target.groupId, target.actorId);
  });
}

/**
 * A further end in the transaction of a membership's; modules further up own it. It is called while they are a member,
 * and returns the step for when they are not: nothing of that can be given to them any more.
 */
type Settle<Result> = (em: Em, leaver: Leaver) => Promise<() => Promise<Result>>;

/**
 * Removes somebody from a group, or lets oneself leave or decline. A person who leaves an organization leaves its
 * teams, too: the database deletes those memberships with this one.
 * @returns what `settle` gives; undefined if they had not accepted yet
 * @throws Problem NOT_FOUND, FORBIDDEN, LAST_OWNER
 */
export async function deleteMembership<Result>(
  em: Em,
  group: Group,
  target: MembershipTarget,
  settle?: Settle<Result>,
): Promise<Result | undefined> {
  return em.transactional(async (inner) => {
    if (await declineAsInvited(inner, group, target)) return undefined;
    let afterwards: (() => Promise<Result>) | undefined;
    await changeLocked(inner, group, target, {
      mistakesOf: mistakesOfDeletion,
      staysOwner: () => false,
      async before({ userId, accepted }) {
        if (accepted) afterwards = await settle?.(inner, { group, groupId: target.groupId, userId });
      },
      statement: () => sql`delete from ${group.memberships} m`,
    });
    return afterwards?.();
  });
}

/**
 * Makes another member an owner and the actor, who is one, an administrator: one statement, so that there is no moment
 * without an owner. The group's lock does not keep members from leaving with its organization or with their account. @throws Problem NOT_FOUND, FORBIDDEN,
 * NOT_POSSIBLE, EMAIL_NOT_VERIFIED
 */
export async function handOverOwnership(em: Em, group: Group, target: MembershipTarget): Promise<void> {
  const { groupId, actorId, membershipId } = target;
  const { memberships, column } = group;
  await em.transactional(async (inner) => {
    await lockGroup(inner, group, groupId);
    await requireRole(inner, group, groupId, actorId, 'ADMIN');
    await requireVerifiedEmail(inner, actorId, 'Who owns a group lets others in');
    const updated = await rows(
      inner,
      sql<{ id: string }>`with mine as (
            select id from ${memberships}
            where ${column} = ${groupId} and user_id = ${actorId} and role = 'OWNER' and accepted
          ), theirs as (
            select their.id from ${memberships} their join users u on u.id = their.user_id
            where their.${column} = ${groupId} and their.id = ${membershipId} and their.user_id <> ${actorId}
              and their.accepted and u.suspended_at is null
          )
          update ${memberships} m set role = case when m.id = ${membershipId} then 'OWNER' else 'ADMIN' end,
            updated_at = greatest(now(), m.updated_at + interval '1 millisecond')
          where m.id in (select id from mine union all select id from theirs)
            and exists (select 1 from mine) and exists (select 1 from theirs)
          returning m.id`,
    );
    if (updated.length === 0) throw await whyNot(inner, group, target);
    // The update waits for a membership that is being deleted, and passes over it: the actor must stay what they are.
    if (!updated.some(({ id }) => id === membershipId)) throw membershipNotFound(group, membershipId);
  });
}

/** The membership that a caller names. @throws Problem NOT_FOUND for what cannot be the id of one */
export function requireMembershipId(group: Group, named: string): string {
  const membershipId = idOf('membership', named);
  if (membershipId === undefined) throw nothingNamed(group, named);
  return membershipId;
}

/**
 * An invitation whose sender may not invite any more cannot be accepted: it makes room for another one. A membership that has
 * stopped (stop-things.ts) is nobody's invitation, and waits for its member.
 */
async function forgetVoid(em: Em, group: Group, groupId: string, userId: string): Promise<void> {
  await changed(
    em,
    sql`delete from ${group.memberships} m
        where m.${group.column} = ${groupId} and m.user_id = ${userId} and not m.accepted and m.invited_by_id is not null
          and not ${isGiven(group, sql`${groupId}`, 'm')}`,
  );
}

async function isMember(em: Em, { memberships, column }: Group, groupId: string, userId: string): Promise<boolean> {
  const found = await row(em, sql`select 1 from ${memberships} where ${column} = ${groupId} and user_id = ${userId}`);
  return found !== undefined;
}

function nobody(named: string): Problem {
  return new Problem('NOT_FOUND', `There is nobody ${shown(named)} who can be added.`, ['userId']);
}

/** Nobody chooses their role on the way in. @throws Problem FORBIDDEN, which undoes the acceptance */
function refuseRole({ role }: MembershipPatch): void {
  if (role === undefined) return;
  throw new Problem('FORBIDDEN', 'The invitation says what your role is; leave it out.', ['role']);
}

interface MembershipChange {
  readonly mistakesOf: (locked: LockedMembership) => readonly Mistake[];
  /** Whether an owner by it still owns the group afterwards. */
  readonly staysOwner: (locked: LockedMembership) => boolean;
  /** A further step under the lock, once the change is found possible. */
  readonly before?: (locked: LockedMembership) => Promise<void>;
  /** SQL over the memberships, as `m`, up to its condition. */
  readonly statement: (locked: LockedMembership) => RawBuilder<unknown>;
  /** SQL over `m`: what else must hold, or there is no such membership. */
  readonly condition?: RawBuilder<boolean>;
}

/**
 * Changes or ends a membership by a statement that holds under the group's lock. `mistakesOf` says what is wrong with that:
 * before it, and once more where the statement has found the actor's rights changed at this moment.
 * @throws Problem NOT_FOUND, FORBIDDEN, LAST_OWNER, and what `mistakesOf` says
 */
async function changeLocked(
  em: Em,
  group: Group,
  target: MembershipTarget,
  { mistakesOf, staysOwner, before, statement, condition = sql<boolean>`true` }: MembershipChange,
): Promise<LockedMembership> {
  const locked = await lockMembership(em, group, target);
  Problem.throwIfAny(mistakesOf(locked));
  if (!staysOwner(locked)) await requireAnotherOwner(em, group, target.groupId, locked);
  await before?.(locked);
  const count = await changed(
    em,
    sql`${statement(locked)} where m.id = ${locked.id} and ${isStillManaged(group, target)} and ${condition}`,
  );
  if (count > 0) return locked;
  Problem.throwIfAny(mistakesOf(await lockMembership(em, group, target)));
  throw membershipNotFound(group, target.membershipId);
}

/**
 * A membership under the group's lock: one's own, or anybody's for administrators.
 * @throws Problem NOT_FOUND, FORBIDDEN (the same for a member whether or not there is such a membership)
 */
async function lockMembership(em: Em, group: Group, target: MembershipTarget): Promise<LockedMembership> {
  const { groupId, actorId, membershipId } = target;
  await lockGroup(em, group, groupId);
  const found = await findMembership(em, group, groupId, membershipId);
  const isOwn = found?.userId === actorId;
  const actorRole = isOwn
    ? await findStanding(em, group, groupId, actorId)
    : await requireRole(em, group, groupId, actorId, 'ADMIN');
  if (!found) throw membershipNotFound(group, membershipId);
  return { ...found, isOwn, actorRole };
}

// Memberships of teams have the same columns.
const MEMBERSHIP = selectColumns(OrganizationMembership, ['id', 'userId', 'role', 'accepted', 'updatedAt'], 'm');

async function findMembership(
  em: Em,
  { memberships, column, standing }: Group,
  groupId: string,
  membershipId: string,
): Promise<Pick<LockedMembership, 'id' | 'userId' | 'role' | 'standing' | 'accepted' | 'updatedAt'> | undefined> {
  return row(
    em,
    sql`select ${MEMBERSHIP},
          case when m.accepted then ${standing(sql`${groupId}`, sql`m.user_id`)} else m.role end as standing
        from ${memberships} m where m.id = ${membershipId} and m.${column} = ${groupId}`,
  );
}

function membershipNotFound(group: Group, membershipId: string): Problem {
  return nothingNamed(group, publicId('membership', membershipId));
}

function nothingNamed({ kind }: Group, named: string): Problem {
  return new Problem('NOT_FOUND', `There is no membership ${shown(named)} in this ${kind}.`, ['membershipId']);
}

/**
 * Somebody who is suspended owns nothing that anybody could do: they do not count among those who remain. An administrator
 * may still suspend the last one. @throws Problem LAST_OWNER when nobody would own the group without this membership
 */
async function requireAnotherOwner(em: Em, group: Group, groupId: string, locked: LockedMembership): Promise<void> {
  if (locked.role !== 'OWNER' || !locked.accepted) return;
  const other = await row(
    em,
    sql`select 1 from ${group.memberships} m join users u on u.id = m.user_id
        where m.${group.column} = ${groupId} and m.role = 'OWNER' and m.accepted and m.id <> ${locked.id}
          and u.suspended_at is null
        limit 1`,
  );
  if (other) return;
  const advice = `make somebody else an owner first${group.kind === 'team' ? ', or delete the team' : ''}`;
  const message = `This is the last owner of the ${group.kind}, those who are suspended aside; ${advice}.`;
  throw new Problem('LAST_OWNER', message, ['membershipId']);
}

/**
 * SQL: whether a membership `m` is the actor's own, is an invitation, or belongs to somebody whom the actor manages. The lock of
 * a team does not cover the roles of its organization, which the changing statement compares once more.
 */
function isStillManaged(group: Group, { groupId, actorId }: MembershipTarget): RawBuilder<boolean> {
  return sql<boolean>`(m.user_id = ${actorId} or not m.accepted
    or ${manages({ group, groupId: sql`${groupId}`, actorId }, sql`m.user_id`)})`;
}

async function whyNot(em: Em, group: Group, { groupId, actorId, membershipId }: MembershipTarget): Promise<Problem> {
  const { kind, memberships, column } = group;
  const found = await row(
    em,
    sql<{ owns: boolean; isThere: boolean }>`select
      exists (select 1 from ${memberships} m where m.${column} = ${groupId} and m.user_id = ${actorId} and m.accepted
        and m.role = 'OWNER') as owns,
      exists (select 1 from ${memberships} m where m.${column} = ${groupId} and m.id = ${membershipId}) as "isThere"`,
  );
  if (!found?.owns) {
    return new Problem('FORBIDDEN', `Only an owner can hand over the ${kind}, and you’re not one.`, [`${kind}Id`]);
  }
  if (!found.isThere) return membershipNotFound(group, membershipId);
  const message = `${publicId('membership', membershipId)} is your own, was not accepted yet, or is of somebody who is suspended; name another member.`;
  return new Problem('NOT_POSSIBLE', message, ['membershipId']);
}
