import { isId, ownerOf } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import { type Em, type RawBuilder, row, sql } from '../../database/sql.ts';
import { administersOrganization } from '../organizations/administers-organization.ts';
import { type Group, groupNotFound, requireRole } from '../organizations/group.ts';
import { rolesFrom } from '../organizations/role.rules.ts';
import { teamRole } from '../teams/team-role.ts';

/** Whose schedules and out-of-office a command changes, and by what right: the statement that changes them decides it. */
export interface ScheduleOwner {
  readonly userId: string;
  /** SQL: whether the caller may change what is this user's. */
  readonly isInCharge: RawBuilder<boolean>;
  /** Says why nothing was changed. Only asked after the statement has decided; returns when that was not for the right. */
  readonly refuse: (em: Em) => Promise<void>;
}

/** One's own. */
export function ownSchedules(userId: string): ScheduleOwner {
  return { userId, isInCharge: sql`true`, refuse: async () => undefined };
}

/** Who acts, as the administrator of which group. */
export interface GroupAdministrator {
  readonly group: Group;
  readonly groupId: string;
  readonly actorId: string;
}

/** Those of a member of a group. @throws Problem NOT_FOUND for what cannot be the id of a group or a user */
export function memberSchedules(administrator: GroupAdministrator, userId: string): ScheduleOwner {
  const notFound = new Problem('NOT_FOUND', `There is no such member in the ${administrator.group.kind}.`, ['userId']);
  if (!isId('user', userId)) throw notFound;
  return schedulesOf(administrator, userId, notFound);
}

/** Those of the member of a group whose schedule this is. @throws Problem NOT_FOUND */
export function memberOfSchedule(administrator: GroupAdministrator, scheduleId: string): ScheduleOwner {
  const notFound = scheduleNotFound(scheduleId);
  return schedulesOf(administrator, ownerOf('schedule', scheduleId) ?? raise(notFound), notFound);
}

/** Those of the member of a group whose out-of-office this is. @throws Problem NOT_FOUND */
export function memberOfOutOfOffice(administrator: GroupAdministrator, outOfOfficeId: string): ScheduleOwner {
  const notFound = outOfOfficeNotFound(outOfOfficeId);
  return schedulesOf(administrator, ownerOf('outOfOffice', outOfOfficeId) ?? raise(notFound), notFound);
}

/** The same answer for a schedule that is not there and for somebody else's. */
export function scheduleNotFound(scheduleId: string): Problem {
  return new Problem('NOT_FOUND', `There is no schedule ${shownId(scheduleId)} here.`, ['scheduleId']);
}

/** The same answer for an out-of-office that is not there and for somebody else's. */
export function outOfOfficeNotFound(outOfOfficeId: string): Problem {
  return new Problem('NOT_FOUND', `There is no out-of-office ${shownId(outOfOfficeId)} here.`, ['outOfOfficeId']);
}

export function accountGone(): Problem {
  return new Problem('NOT_FOUND', 'This account does not exist any more.');
}

function schedulesOf(administrator: GroupAdministrator, userId: string, notFound: Problem): ScheduleOwner {
  const { group, groupId, actorId } = administrator;
  if (!isId(group.kind, groupId)) throw groupNotFound(group, groupId);
  const isMember = sql<boolean>`exists (
    select 1 from ${group.memberships} m
    where m.${group.column} = ${groupId} and m.user_id = ${userId} and m.accepted
  )`;
  return {
    userId,
    isInCharge: sql`${administers(administrator)} and ${isMember}`,
    async refuse(em) {
      await requireRole(em, group, groupId, actorId, 'ADMIN');
      if (!(await row(em, sql`select 1 where ${isMember}`))) throw notFound;
    },
  };
}

function administers({ group, groupId, actorId }: GroupAdministrator): RawBuilder<boolean> {
  if (group.kind === 'organization') return administersOrganization(actorId, sql`${groupId}`);
  return sql`exists (
    select 1 from teams t where t.id = ${groupId} and ${teamRole(actorId)} = any(${rolesFrom('ADMIN')}::text[])
  )`;
}

function shownId(id: string): string {
  return JSON.stringify(id.slice(0, 80));
}

function raise(problem: Problem): never {
  throw problem;
}
