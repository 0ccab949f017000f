import { idOf, publicId } from '../../core/id.ts';
import { type Mistake, Problem } from '../../core/problem.ts';
import { shown } from '../../core/text.ts';
import { selectColumns } from '../../database/columns.ts';
import { changed, type Em, type RawBuilder, row, sql } from '../../database/sql.ts';
import { findStanding, type Group, lockGroup, requireRole } from '../organizations/group.ts';
import { OrganizationMembership } from '../organizations/organization-membership.entity.ts';
import { manages } from '../organizations/standing.ts';
import type { MembershipInQuestion } from './membership.rules.ts';

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

/**
 * SQL: whether a membership `m` is the actor's own, is an invitation, or belongs to somebody whom the actor manages. The lock of
 * a team does not cover the roles of its organization, which the changing statement compares once more.
 */
function isStillManaged(group: Group, { groupId, actorId }: MembershipTarget): RawBuilder<boolean> {
  return sql<boolean>`(m.user_id = ${actorId} or not m.accepted
    or ${manages({ group, groupId: sql`${groupId}`, actorId }, sql`m.user_id`)})`;
}

/**
 * Changes or ends a membership by a statement that holds under the group's lock. `mistakesOf` says what is wrong with that:
 * before it, and once more where the statement has found the actor's rights changed at this moment.
 * @throws Problem NOT_FOUND, FORBIDDEN, LAST_OWNER, and what `mistakesOf` says
 */
export async function changeLocked(
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

/** The membership that a caller names. @throws Problem NOT_FOUND for what cannot be the id of one */
export function requireMembershipId(group: Group, named: string): string {
  const membershipId = idOf('membership', named);
  if (membershipId === undefined) throw nothingNamed(group, named);
  return membershipId;
}

export function membershipNotFound(group: Group, membershipId: string): Problem {
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
