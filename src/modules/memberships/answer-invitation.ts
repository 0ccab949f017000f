import { Problem } from '../../core/problem.ts';
import { sha256Hex } from '../../core/secret.ts';
import { shown } from '../../core/text.ts';
import { selectColumns } from '../../database/columns.ts';
import { violatedConstraint } from '../../database/failure.ts';
import { changed, type Em, LATER, NOW, type RawBuilder, row, sql } from '../../database/sql.ts';
import { deleteFrom, selectFrom, updateTable } from '../../database/statements.ts';
import { sweepOf } from '../../database/sweep.ts';
import { isAsSeen, type LastSeen, throwIfChanged } from '../../database/updates.ts';
import type { AccountOrigin } from '../accounts/account.rules.ts';
import { requireVerifiedEmail } from '../accounts/require-verified-email.ts';
import { User } from '../accounts/user.entity.ts';
import {
  type FurnishMember,
  type Group,
  lockGroup,
  mayGive,
  ORGANIZATION,
  throwIfTooManyMembers,
} from '../organizations/group.ts';
import { TEAM } from '../teams/team-role.ts';
import { Invitation } from './invitation.entity.ts';
import type { InvitedTo } from './membership.rules.ts';

/** 256 random bits. */
const TOKEN = /^[0-9A-Za-z]{43}$/;

/** The proof by which somebody answers: the link that was mailed, or the account that has verified the address. */
type Proof =
  | { readonly kind: 'LINK'; readonly tokenHash: string }
  | { readonly kind: 'ADDRESS'; readonly userId: string; readonly invitationId: string; readonly lastSeen?: LastSeen };

interface FoundInvitation extends InvitedTo {
  readonly groupId: string;
  readonly email: string;
  /** The organization that invites, to itself or to one of its teams; null for a team of no organization. */
  readonly organizationId: string | null;
  /** RFC 3339 */
  readonly createdAt: string;
}

/** Finds the invitation of a link without using it up: programs open the links of mails before people do. */
export async function findInvitation(em: Em, token: string): Promise<FoundInvitation | undefined> {
  return TOKEN.test(token) ? findInvitationOf(em, sha256Hex(token)) : undefined;
}

/** The same by the hash of its token; undefined for one that was answered, withdrawn or sent again, too. */
export async function findInvitationOf(em: Em, tokenHash: string): Promise<FoundInvitation | undefined> {
  return row(
    em,
    sql<FoundInvitation>`
      select case when t.id is null then 'organization' else 'team' end as "groupKind",
        coalesce(item.team_id, item.organization_id) as "groupId", coalesce(t.name, o.name) as "groupName",
        coalesce(item.organization_id, t.organization_id) as "organizationId",
        ${selectColumns(Invitation, ['role', 'email', 'createdAt'], 'item')}
      from invitations item left join teams t on t.id = item.team_id left join organizations o on o.id = item.organization_id
      where ${proves({ kind: 'LINK', tokenHash })} and case when t.id is null
        then ${isGiven(ORGANIZATION, sql`item.organization_id`)} else ${isGiven(TEAM, sql`item.team_id`)} end`,
  );
}

/**
 * Makes the holder of a link a member: one statement uses the link up, so of any number at once one joins. Who reads the mail
 * has the address that it went to: where that is the account's, it is verified from now on, and `proven` does what follows
 * from that. An account that has another one, and has not verified it, joins nothing.
 * @returns what they have joined. @throws Problem LINK_OVER, ALREADY_MEMBER, NOT_IN_ORGANIZATION, EMAIL_NOT_VERIFIED, TOO_MANY
 */
export async function acceptByLink(
  em: Em,
  { token, userId }: { readonly token: string; readonly userId: string },
  furnishTeamMember: FurnishMember,
  proven: (em: Em) => Promise<unknown>,
): Promise<InvitedTo> {
  const found = await findInvitation(em, token);
  if (!found) throw invitationOver();
  const group = found.groupKind === 'team' ? TEAM : ORGANIZATION;
  const accepted = await em.transactional(async (inner) => {
    const furnish = group === TEAM ? furnishTeamMember : undefined;
    // Before the account, as by everybody who changes both.
    await lockGroup(inner, group, found.groupId);
    if (await verifiesEmail(inner, userId, found)) await proven(inner);
    await requireVerifiedEmail(inner, userId, 'A membership lets others in');
    return accept(inner, group, found.groupId, { kind: 'LINK', tokenHash: sha256Hex(token) }, userId, furnish);
  });
  if (!accepted) throw invitationOver();
  return found;
}

/**
 * Whether the address of an account is verified by this, and was not before. Not that of which another account has it: then the
 * reader of its mails is that one. Where there was no account before an organization invited the address, the organization has made it.
 */
async function verifiesEmail(
  em: Em,
  userId: string,
  { email, organizationId, createdAt }: FoundInvitation,
): Promise<boolean> {
  // A statement of its own, after which all that was inserted for the account is there (account-links.ts).
  const waiting = selectFrom(User, { id: userId, email, emailVerifiedAt: null }).select('id').forUpdate();
  if (!(await row(em, waiting))) return false;
  const isFree = sql<boolean>`not exists (select from users o where o.email = item.email and o.email_verified_at is not null)`;
  const verified = updateTable(User, { id: userId, suspendedAt: null })
    .set({ emailVerifiedAt: NOW, updatedAt: LATER, ...(organizationId !== null && madeBy(organizationId, createdAt)) })
    .where(isFree);
  return em
    .transactional(async (inner) => (await changed(inner, verified)) > 0)
    .catch((error: unknown) => {
      // Another account verifies the address at this moment.
      if (violatedConstraint(error) === 'users_verified_email_key') return false;
      throw error;
    });
}

/**
 * The columns to set for an account that was made after the organization's invitation; of an older one, nothing
 * changes.
 */
function madeBy(organizationId: string, invitedAt: string) {
  const isMade = sql`(item.origin = 'SIGN_UP' and item.created_at >= ${invitedAt}::timestamptz)`;
  return {
    origin: sql<AccountOrigin>`case when ${isMade} then 'ORGANIZATION' else item.origin end`,
    madeById: sql<string | null>`case when ${isMade} then ${organizationId}::uuid else item.made_by_id end`,
  };
}

/** The same for the user whose verified address is invited. @returns false where there is no such invitation. @throws Problem CONFLICT besides */
export async function acceptAsInvited(
  em: Em,
  group: Group,
  { groupId, actorId: userId, membershipId: invitationId, lastSeen }: InvitedPlace & { readonly lastSeen?: LastSeen },
  furnish: FurnishMember | undefined,
): Promise<boolean> {
  await lockGroup(em, group, groupId);
  return accept(em, group, groupId, { kind: 'ADDRESS', userId, invitationId, lastSeen }, userId, furnish);
}

interface InvitedPlace {
  readonly groupId: string;
  readonly actorId: string;
  readonly membershipId: string;
}

/** Whether it was there to decline. */
export async function declineByLink(em: Em, token: string): Promise<boolean> {
  if (!TOKEN.test(token)) return false;
  return (await changed(em, deleteFrom(Invitation).where(proves({ kind: 'LINK', tokenHash: sha256Hex(token) })))) > 0;
}

/** Whether it was there to decline, of the user whose verified address is invited. */
export async function declineAsInvited(
  em: Em,
  group: Group,
  { groupId, actorId: userId, membershipId: invitationId }: InvitedPlace,
): Promise<boolean> {
  const isTheirs = proves({ kind: 'ADDRESS', userId, invitationId });
  return (await changed(em, deleteFrom(Invitation, invitationsOf(group, groupId)).where(isTheirs))) > 0;
}

/** Takes away what else invites a member's verified address to the group. */
export async function forgetInvitations(em: Em, group: Group, groupId: string, userId: string): Promise<void> {
  await changed(em, deleteFrom(Invitation, invitationsOf(group, groupId)).where(isAddressOf(userId)));
}

/** Sweeps away invitations whose time is over. */
export const removeExpiredInvitations = sweepOf(Invitation, 'expiresAt');

/** The same for an invitation that was answered or withdrawn, and for one that is over. */
function invitationOver(): Problem {
  return new Problem('LINK_OVER', OVER_IN_WORDS);
}

export const OVER_IN_WORDS =
  'It was answered or withdrawn, has expired, was replaced by a newer e-mail, or the person who sent it can no longer invite people.';

/** Pages say so to whoever cannot make room. */
export const FULL_IN_WORDS = 'There is no room for another member. Ask whoever invited you to make some.';

export function invitationNotFound({ kind }: Group, named: string): Problem {
  return new Problem('NOT_FOUND', `There is no invitation ${shown(named)} to this ${kind}.`, ['invitationId']);
}

/** The group is locked. */
async function accept(
  em: Em,
  group: Group,
  groupId: string,
  proof: Proof,
  userId: string,
  furnish: FurnishMember | undefined,
): Promise<boolean> {
  const invitations = invitationsOf(group, groupId);
  const isTheirs = sql<boolean>`${proves(proof)} and ${isGiven(group, sql`${groupId}`)}`;
  const lastSeen = proof.kind === 'ADDRESS' ? proof.lastSeen : undefined;
  const accepted = deleteFrom(Invitation, invitations).where(isTheirs).where(isAsSeen(lastSeen));
  const used = await row(em, accepted.returning(['id', 'role']));
  if (!used) {
    await throwIfChanged(em, Invitation, invitations, lastSeen, isTheirs);
    return false;
  }
  if (await group.insertInvited(em, groupId, { ...used, userId })) {
    await throwIfTooManyMembers(em, group, groupId, 'ask whoever invited you to make room');
    await forgetInvitations(em, group, groupId, userId);
    await furnish?.(em, groupId, userId);
    return true;
  }
  const { column, memberships } = group;
  const member = await row(
    em,
    sql`select 1 from ${memberships} where ${column} = ${groupId} and user_id = ${userId} and accepted`,
  );
  if (member) throw new Problem('ALREADY_MEMBER', `You’re already a member of this ${group.kind}.`, ['membershipId']);
  const message = 'This team takes members of its organization only; ask to be invited to that first.';
  throw new Problem('NOT_IN_ORGANIZATION', message, ['membershipId']);
}

/** The columns that name the group of an invitation. */
export function invitationsOf({ kind }: Group, groupId: string) {
  return kind === 'team' ? { teamId: groupId } : { organizationId: groupId };
}

/** SQL: whether `item` can be answered by this. */
function proves(proof: Proof): RawBuilder<boolean> {
  if (proof.kind === 'LINK') return sql<boolean>`item.token_hash = ${proof.tokenHash} and item.expires_at > now()`;
  return sql<boolean>`item.id = ${proof.invitationId} and item.expires_at > now() and ${isAddressOf(proof.userId)}`;
}

/** SQL: whether it is the user whose address `item` was mailed to, as far as that is known. */
function isAddressOf(userId: string): RawBuilder<boolean> {
  return sql<boolean>`item.email = (select u.email from users u where u.id = ${userId} and u.email_verified_at is not null)`;
}

/** SQL: whether the sender of an invitation, `item` or under another alias, may still give its role; a membership that waits is one. */
export function isGiven(group: Group, groupId: RawBuilder<unknown>, alias = 'item'): RawBuilder<boolean> {
  const actorId = sql.ref(`${alias}.invited_by_id`);
  // This is one look-up for each invitation; an `exists` may be planned as a scan of all users.
  const isActive = sql`coalesce((select inviter.suspended_at is null from users inviter where inviter.id = ${actorId}), true)`;
  return sql`(${mayGive({ group, groupId, actorId }, sql.ref(`${alias}.role`))} and ${isActive})`;
}
