import { idOf, publicId, wrongKindInWords } from '../../core/id.ts';
import type { PageRequest } from '../../core/page.ts';
import { Problem } from '../../core/problem.ts';
import { shown } from '../../core/text.ts';
import { tableOf } from '../../database/columns.ts';
import { byKey } from '../../database/pages.ts';
import { type Em, type RawBuilder, row, sql } from '../../database/sql.ts';
import { throwIfTooManyKept } from '../../limits/kept-rows.ts';
import { Organization, OrganizationMembership } from './organization.entity.ts';
import { isAtLeast, mayManage, ROLES, type Role, rolesFrom, STANDINGS, type Standing } from './role.rules.ts';

/** An organization or a team, as a group with members. Both keep the same rules of membership. */
export interface Group {
  readonly kind: 'organization' | 'team';
  /**
   * The table of its members, and the column that names the group there. Statements about either kind are templates:
   * the builder is given one table.
   */
  readonly table: RawBuilder<unknown>;
  readonly memberships: RawBuilder<unknown>;
  readonly column: RawBuilder<unknown>;
  /**
   * SQL: where somebody stands in it; null for users who cannot even see it, and when there is no such group. Its tables have
   * names of their own, `standing_…`, so that it can stand in any statement and refer to that one's tables.
   */
  readonly standing: (groupId: RawBuilder<unknown>, userId: RawBuilder<unknown>) => RawBuilder<Standing | null>;
  /**
   * Keeps what a membership of somebody hangs on beside their account, which nothing deletes, until the transaction ends: of a team's,
   * that in its organization. It comes before any of their memberships here, as the deletion of that goes on to those.
   */
  readonly lockCandidate?: (em: Em, groupId: string, userId: string) => Promise<void>;
  /** Adds somebody who is not a member yet and can become one; false when they are or cannot, or the actor may not. */
  readonly insertMembership: (em: Em, groupId: string, added: NewMembership) => Promise<boolean>;
  /** Makes somebody a member who accepts an invitation; false when they are one already, or cannot be. */
  readonly insertInvited: (em: Em, groupId: string, joining: Joining) => Promise<boolean>;
}

/**
 * Gives a new member of a group their things in the same transaction; modules further up own it. It is called for
 * invitations too, and gives nothing before they are accepted.
 */
export type FurnishMember = (em: Em, groupId: string, userId: string) => Promise<unknown>;

interface NewMembership {
  readonly id: string;
  readonly userId: string;
  readonly role: Role;
  /** The user who adds them. */
  readonly actorId: string;
}

/** A person who joins by an invitation, with the id of their membership. */
type Joining = Omit<NewMembership, 'actorId'>;

/** SQL: ends the insertion of a joining member: a membership that waits to be accepted is accepted by that. */
export const OR_ACCEPTS = sql`do update set accepted = true, role = excluded.role, invited_by_id = null, joined_at = now(),
  updated_at = greatest(now(), m.updated_at + interval '1 millisecond') where not m.accepted`;

export const ORGANIZATION: Group = {
  kind: 'organization',
  table: tableOf(Organization),
  memberships: tableOf(OrganizationMembership),
  column: sql`organization_id`,

  standing: (organizationId, userId) => sql<Standing | null>`(
    select standing_om.role from organization_memberships standing_om
    where standing_om.organization_id = ${organizationId} and standing_om.user_id = ${userId} and standing_om.accepted
  )`,

  // Nobody becomes a member of an organization without their own consent: its administrators see what its members do. The
  // group's lock keeps the actor's role what it was found to be.
  async insertMembership(em, organizationId, { id, userId, role, actorId }) {
    const inserted = await row(
      em,
      sql`insert into organization_memberships (id, organization_id, user_id, role, accepted, invited_by_id, created_at)
          select ${id}, ${organizationId}, u.id, ${role}, false, ${actorId}, now() from users u where u.id = ${userId} for key share
          on conflict (organization_id, user_id) do nothing returning id`,
    );
    return inserted !== undefined;
  },

  async insertInvited(em, organizationId, { id, userId, role }) {
    const inserted = await row(
      em,
      sql`insert into organization_memberships as m (id, organization_id, user_id, role, accepted, created_at)
          select ${id}, ${organizationId}, u.id, ${role}, true, now() from users u where u.id = ${userId} for key share
          on conflict (organization_id, user_id) ${OR_ACCEPTS} returning m.id`,
    );
    return inserted !== undefined;
  },
};

/** SQL: the organization of an accepted membership `reached` whose user's things are not denormalized, as the index of these has it. */
export const SCATTERED_IN = sql`case when reached.accepted and not reached.denormalized then reached.organization_id end`;

/** The actor, as the administrator of a group. */
export interface GroupAdministrator {
  readonly group: Group;
  readonly groupId: string;
  readonly actorId: string;
}

/** Where somebody stands in a group; undefined for users who cannot see it. */
export async function findStanding(
  em: Em,
  group: Group,
  groupId: string,
  userId: string,
): Promise<Standing | undefined> {
  const found = await row(
    em,
    sql<{ standing: Standing | null }>`select ${group.standing(sql`${groupId}`, sql`${userId}`)} as standing`,
  );
  return found?.standing ?? undefined;
}

/**
 * @throws Problem NOT_FOUND for callers who cannot see the group, FORBIDDEN for a member whose role does not suffice
 */
export async function requireRole(
  em: Em,
  group: Group,
  groupId: string,
  userId: string,
  needed: Role,
): Promise<Standing> {
  return sufficient(group, groupId, await findStanding(em, group, groupId, userId), needed);
}

/** A standing in a group that was looked up. @throws Problem NOT_FOUND, FORBIDDEN, as `requireRole` */
export function sufficient(group: Group, groupId: string, standing: Standing | undefined, needed: Role): Standing {
  if (standing === undefined) throw groupNotFound(group, groupId);
  if (isAtLeast(standing, needed)) return standing;
  const path = [`${group.kind}Id`];
  throw new Problem(
    'FORBIDDEN',
    `You need the role ${needed} in the ${group.kind} for this; yours is ${standing}.`,
    path,
  );
}

/**
 * SQL over the memberships `mine`: a page of the groups that a user is a member of. Only the index of a user's own memberships begins
 * with what such a list is sorted by here: along an index of those that all have accepted, the planner might pass over everybody's.
 */
export function ownGroups(
  { column }: Pick<Group, 'column'>,
  userId: string,
  request: PageRequest,
): { readonly isOnPage: RawBuilder<boolean>; readonly orderAndLimit: RawBuilder<unknown> } {
  const places = { ...request, after: placeOf(request.after), before: placeOf(request.before) };
  const { within, orderAndLimit } = byKey([sql`mine.accepted`, sql`mine.${column}`], places);
  return { isOnPage: sql<boolean>`mine.user_id = ${userId} and mine.accepted >= true and ${within}`, orderAndLimit };
}

/** The key of a cursor of such a list, among all of the user's memberships. */
function placeOf(cursor: PageRequest['after']): PageRequest['after'] {
  return cursor && ['true', ...cursor];
}

/** Lists of members, of their schedules and of their absences are searched through. */
const MEMBERS = { what: 'members, with those who have yet to accept', most: 25_000 };

/** The caller has added a member, under the group's lock, and `advice` is for whoever asked for it. @throws Problem TOO_MANY */
export function throwIfTooManyMembers(
  em: Em,
  { memberships, column }: Group,
  groupId: string,
  advice: string,
): Promise<void> {
  return throwIfTooManyKept(em, { ...MEMBERS, advice }, sql`${memberships} where ${column} = ${groupId}`);
}

/**
 * Makes the changes of a group's memberships wait for each other until the transaction ends: two owners who step down at the same
 * moment would each see the other and leave nobody. It is a statement of its own, so that later reads see the result of the
 * change before. Where there is no such group, the statements that follow find no role in it, as in a group that the actor cannot
 * see.
 */
export async function lockGroup(em: Em, group: Group, groupId: string): Promise<void> {
  // "no key": new event types and bookings refer to the group and need not wait.
  await row(em, sql`select 1 from ${group.table} where id = ${groupId} for no key update`);
}

/** The group that a caller names. @throws Problem NOT_FOUND for what cannot be the id of one */
export function requireGroupId(group: Group, named: string): string {
  const groupId = idOf(group.kind, named);
  if (groupId === undefined) throw nothingNamed(group, named);
  return groupId;
}

/** The same answer for a group that is not there and for one that the caller cannot see. */
export function groupNotFound(group: Group, groupId: string): Problem {
  return nothingNamed(group, publicId(group.kind, groupId));
}

/**
 * SQL: `mayManage` for the actor and somebody else. It belongs into the statement that makes the change: a
 * member who is promoted at this moment is out of reach, and an actor who is demoted reaches nobody any more.
 */
export function manages(
  {
    group,
    groupId,
    actorId,
  }: Pick<GroupAdministrator, 'group'> & {
    readonly groupId: RawBuilder<unknown>;
    readonly actorId: string | RawBuilder<unknown>;
  },
  userId: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql<boolean>`coalesce((
    select ${rank(sql`actor`)} >= greatest(${rank(sql`target`)}, ${ROLES.indexOf('ADMIN') + 1}::int)
    from (select ${group.standing(groupId, sql`${actorId}`)} as actor, ${group.standing(groupId, userId)} as target) who
  ), false)`;
}

/** SQL: whether the actor may give somebody a role (`mayManage`). */
export function mayGive(
  {
    group,
    groupId,
    actorId,
  }: Pick<GroupAdministrator, 'group'> & Readonly<Record<'groupId' | 'actorId', RawBuilder<unknown>>>,
  role: RawBuilder<unknown>,
): RawBuilder<boolean> {
  const actor = rank(group.standing(groupId, actorId));
  return sql<boolean>`coalesce(${actor} >= greatest(${rank(role)}, ${ROLES.indexOf('ADMIN') + 1}::int), false)`;
}

/** SQL: whether a standing is that of nobody who administers the group: none, or a plain member's. */
export function isNoAdministrators(standing: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`coalesce(${standing}, 'MEMBER') = 'MEMBER'`;
}

/** SQL: whether somebody is a member of the group who has accepted, and whom the actor manages. */
export function managesMember(administrator: GroupAdministrator, userId: RawBuilder<unknown>): RawBuilder<boolean> {
  const groupId = sql`${administrator.groupId}`;
  return sql<boolean>`(${isMember(administrator, userId)} and ${manages({ ...administrator, groupId }, userId)})`;
}

/**
 * Says why an administrator may not change what is this user's; returns when that was not for the right. Only called after
 * the statement has decided. @throws Problem NOT_FOUND, FORBIDDEN; `notFound` for users who are no members
 */
export async function refuseMember(
  em: Em,
  administrator: GroupAdministrator,
  userId: string,
  notFound: Problem,
): Promise<void> {
  const { group, groupId, actorId } = administrator;
  const actor = await requireRole(em, group, groupId, actorId, 'ADMIN');
  const target = await row(
    em,
    sql<{ standing: Standing | null }>`
      select ${group.standing(sql`${groupId}`, sql`${userId}`)} as standing where ${isMember(administrator, sql`${userId}`)}`,
  );
  if (target?.standing == null) throw notFound;
  if (!mayManage(actor, target.standing)) throw standsAbove(group, notFound.mistakes[0].path ?? []);
}

export function standsAbove({ kind }: Pick<Group, 'kind'>, path: readonly string[]): Problem {
  const where = kind === 'team' ? 'the team or its organization' : 'the organization';
  const message = `Their role in ${where} stands above yours; ask them, or somebody whose role is as high.`;
  return new Problem('FORBIDDEN', message, path);
}

/** SQL: whether a user administers or owns an organization, which the statement around it names. */
export function administersOrganization(
  userId: string | RawBuilder<unknown>,
  organizationId: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select 1 from organization_memberships om
    where om.organization_id = ${organizationId} and om.user_id = ${userId} and om.accepted
      and om.role = any(${rolesFrom('ADMIN')}::text[])
  )`;
}

function nothingNamed({ kind }: Group, named: string): Problem {
  return new Problem(
    'NOT_FOUND',
    `There is no ${kind} ${shown(named)} that you can see.${wrongKindInWords(kind, named)}`,
    [`${kind}Id`],
  );
}

/** SQL: null for no standing; `greatest` ignores it. */
function rank(standing: RawBuilder<unknown>): RawBuilder<number | null> {
  return sql`array_position(${STANDINGS}::text[], ${standing})`;
}

function isMember({ group, groupId }: GroupAdministrator, userId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select 1 from ${group.memberships} standing_m
    where standing_m.${group.column} = ${groupId} and standing_m.user_id = ${userId} and standing_m.accepted
  )`;
}
