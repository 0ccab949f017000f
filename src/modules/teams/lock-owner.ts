import { isTeam } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import { tableOf } from '../../database/columns.ts';
import { type Em, type RawBuilder, row, sql } from '../../database/sql.ts';
import { User } from '../accounts/user.entity.ts';
import { type GroupAdministrator, ORGANIZATION } from '../organizations/group.ts';
import { TEAM } from './team-role.ts';

const TABLES = { user: tableOf(User), team: TEAM.table, organization: ORGANIZATION.table };

/** An owner, and the right by which somebody changes what is theirs: an `Owner` of levels/, which imports this folder. */
interface InCharge {
  /** A user's, a team's or an organization's id. */
  readonly ownerId: string;
  readonly isInCharge: RawBuilder<boolean>;
  readonly refuse: (em: Em) => Promise<void>;
  readonly administrator?: GroupAdministrator;
}

/**
 * Lets one transaction at a time change what is an owner's in a way that looks at all of it: count it before one is added
 * (limits/kept-rows.ts), choose a default, or give each member of a team a copy. It is a statement of its own, so that the
 * next one sees what the one before has left, and like `lockOwner` it is taken before all other locks. `lockGroup`
 * (organizations/group.ts) locks the same row, so these transactions and those that change memberships wait for each other,
 * too. @throws Problem NOT_FOUND, FORBIDDEN
 */
export async function lockOwnerAlone(em: Em, owner: InCharge, notFound?: Problem): Promise<void> {
  const { ownerId, isInCharge } = owner;
  const kind = kindOf(owner);
  // "no key": what is made anew of an owner's, such as bookings, refers to the owner and need not wait.
  const locking = sql`select 1 from ${TABLES[kind]} o where o.id = ${ownerId} and ${isInCharge} for no key update of o`;
  if (await row(em, locking)) return;
  await owner.refuse(em);
  const noun = kind === 'user' ? 'account' : kind;
  throw notFound ?? new Problem('NOT_FOUND', `This ${noun} no longer exists.`);
}

/** Only those who act for the organization itself say that an owner is one. */
function kindOf({ ownerId, administrator }: InCharge): 'user' | 'team' | 'organization' {
  if (administrator?.groupId === ownerId) return administrator.group.kind;
  return isTeam(ownerId) ? 'team' : 'user';
}

/**
 * Keeps the owner of bookings, event types or accounts from being deleted until the transaction ends; false when the owner is gone
 * already. A deletion goes through all that is an owner's in an order of its own, and would deadlock with a transaction that is
 * changing some of it. So this lock is taken before all others.
 */
export async function lockOwner(em: Em, ownerId: string, also: RawBuilder<unknown> = sql`1`): Promise<boolean> {
  return (await row(em, lockingOwner(ownerId, also))) !== undefined;
}

/** SQL: of an owner `o` under this lock, the organization in whose lists bookings of theirs stand, if any. */
export function organizationOf(ownerId: string): RawBuilder<unknown> {
  return isTeam(ownerId) ? sql`o.organization_id` : sql`o.denormalized_in_id as organization_id`;
}

/** SQL: the same as a part of a statement; no row when the owner is gone. */
export function lockingOwner(ownerId: string, also: RawBuilder<unknown> = sql`1`): RawBuilder<unknown> {
  const owners = isTeam(ownerId) ? sql`teams` : sql`users`;
  return sql`select ${also} from ${owners} o where o.id = ${ownerId} for key share of o`;
}
