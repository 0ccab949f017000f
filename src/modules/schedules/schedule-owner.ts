import { isId, ownerOf } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import { type Em, type RawBuilder, sql } from '../../database/sql.ts';
import { groupNotFound } from '../organizations/group.ts';
import { type GroupAdministrator, managesMember, refuseMember } from '../organizations/standing.ts';
import { type AbsentUser, areColleagues } from './colleague.ts';

/** Whose schedules and out-of-office a command changes, and by what right: the statement that changes them decides it. */
export interface ScheduleOwner extends AbsentUser {
  /** SQL: whether the caller may change what is this user's. */
  readonly isInCharge: RawBuilder<boolean>;
  /** Says why nothing was changed. Only asked after the statement has decided; returns when that was not for the right. */
  readonly refuse: (em: Em) => Promise<void>;
}

/** One's own. */
export function ownSchedules(userId: string): ScheduleOwner {
  return {
    userId,
    isInCharge: sql`true`,
    refuse: async () => undefined,
    mayRedirectTo: (otherId) => areColleagues(userId, otherId),
  };
}

/** Those of a member of a group who does not stand above its administrator. @throws Problem NOT_FOUND for what cannot be the id of a group or a user */
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
  const { group, groupId } = administrator;
  if (!isId(group.kind, groupId)) throw groupNotFound(group, groupId);
  return {
    userId,
    isInCharge: managesMember(administrator, sql`${userId}`),
    refuse: (em) => refuseMember(em, administrator, userId, notFound),
    mayRedirectTo: (otherId) => managesMember(administrator, sql`${otherId}`),
  };
}

function shownId(id: string): string {
  return JSON.stringify(id.slice(0, 80));
}

function raise(problem: Problem): never {
  throw problem;
}
