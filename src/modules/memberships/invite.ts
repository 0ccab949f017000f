import { idOf, newId, publicId } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import { randomBase62, sha256Hex } from '../../core/secret.ts';
import { EMAIL_CODES, emailMistake } from '../../core/text.ts';
import { type Em, fromNow, LATER, NOW, row, sql } from '../../database/sql.ts';
import { deleteFrom, updateTable } from '../../database/statements.ts';
import { type KeptRows, throwIfTooManyKept } from '../../limits/kept-rows.ts';
import type { MailLimit } from '../../limits/mail-limit.ts';
import type { Admission, Mail } from '../../mail/mailer.ts';
import { tidyName } from '../accounts/account.rules.ts';
import { requireVerifiedEmail } from '../accounts/require-verified-email.ts';
import { type Group, lockGroup, requireRole } from '../organizations/group.ts';
import { mayManage, type Role } from '../organizations/role.rules.ts';
import { invitationNotFound, invitationsOf } from './answer-invitation.ts';
import { Invitation } from './invitation.entity.ts';
import { INVITATION_DAYS, INVITATION_PATH, invitationMail } from './invitation.rules.ts';
import { type InvitedTo, mistakesOfCreation } from './membership.rules.ts';

const EXPIRY = fromNow(INVITATION_DAYS, 'days');

const KEPT: KeptRows = {
  what: 'invitations by mail that wait for an answer',
  most: 10_000,
  advice: 'withdraw one first',
};

const MAIL_CODES = ['EMAIL_NOT_VERIFIED', 'TOO_MANY_MAILS'] as const;

export const INVITE_CODES = [
  'NOT_FOUND',
  'FORBIDDEN',
  'ALREADY_MEMBER',
  'ALREADY_INVITED',
  'TOO_MANY',
  ...EMAIL_CODES,
  ...MAIL_CODES,
] as const;

export const RESEND_INVITATION_CODES = ['NOT_FOUND', 'FORBIDDEN', ...MAIL_CODES] as const;

/** The group, and the inviter. */
export interface InvitingTo {
  readonly group: Group;
  readonly groupId: string;
  readonly actorId: string;
}

/** A mail with an invitation's link, which is only sent while that link works. */
export interface InvitationMail {
  readonly mail: Mail;
  readonly tokenHash: string;
}

/** How invitations get to people. */
export interface InvitationMails {
  readonly mailLimit: MailLimit;
  readonly publicUrl: string;
  /** Has a mail sent once the transaction is committed. It lets in who reads it, so it is nowhere to be read until then. */
  readonly enqueue: (em: Em, mail: InvitationMail, admission: Admission) => Promise<void>;
}

export const WITHDRAW_INVITATION_CODES = ['NOT_FOUND', 'FORBIDDEN'] as const;

/**
 * Invites an address by mail and returns the invitation's id. Whether it has an account tells nothing but to its mailbox:
 * ALREADY_MEMBER is given for members alone, whose addresses administrators see. The token is in the mail and nowhere else.
 * @throws Problem NOT_FOUND, FORBIDDEN, INVALID_EMAIL, REQUIRED, ALREADY_MEMBER, ALREADY_INVITED, EMAIL_NOT_VERIFIED, TOO_MANY,
 * TOO_MANY_MAILS
 */
export async function invite(
  em: Em,
  mails: InvitationMails,
  to: InvitingTo,
  { email: typed, role }: { readonly email: string; readonly role: Role },
): Promise<string> {
  const { group, groupId, actorId } = to;
  const email = tidyName(typed);
  const mistake = emailMistake(['email'], email);
  Problem.throwIfAny(mistake ? [mistake] : []);
  const token = randomBase62(43);
  const id = newId();
  await em.transactional(async (inner) => {
    await lockGroup(inner, group, groupId);
    Problem.throwIfAny(mistakesOfCreation(await requireRole(inner, group, groupId, actorId, 'ADMIN'), role));
    if (await isMembersAddress(inner, group, groupId, email)) {
      throw new Problem('ALREADY_MEMBER', `Someone with this address is already a member of the ${group.kind}.`, [
        'email',
      ]);
    }
    // One that is over makes room, whether or not it was swept away yet.
    const made = await row(
      inner,
      sql`insert into invitations as i (id, ${group.column}, email, role, token_hash, invited_by_id, created_at, updated_at,
            expires_at)
          values (${id}, ${groupId}, ${email}, ${role}, ${sha256Hex(token)}, ${actorId}, now(), now(), ${EXPIRY})
          on conflict (${group.column}, email) do update set id = excluded.id, role = excluded.role,
            token_hash = excluded.token_hash, invited_by_id = excluded.invited_by_id, created_at = now(),
            updated_at = now(), expires_at = excluded.expires_at
          where i.expires_at <= now()
          returning i.id`,
    );
    if (!made) {
      const message = `This address is invited to the ${group.kind} already; send that invitation again, or withdraw it.`;
      throw new Problem('ALREADY_INVITED', message, ['email']);
    }
    await throwIfTooManyKept(inner, KEPT, sql`invitations where ${group.column} = ${groupId} and expires_at > now()`);
    await mailInvitation(inner, mails, to, { email, role }, token);
  });
  return id;
}

/**
 * Mails an invitation once more, by a new link that works as long as the first one did; the link before is dead. The
 * sender becomes the inviter.
 * @throws Problem NOT_FOUND, FORBIDDEN, EMAIL_NOT_VERIFIED, TOO_MANY_MAILS
 */
export async function resendInvitation(
  em: Em,
  mails: InvitationMails,
  to: InvitingTo,
  invitationId: string,
): Promise<void> {
  const { group, groupId, actorId } = to;
  const token = randomBase62(43);
  await em.transactional(async (inner) => {
    await lockGroup(inner, group, groupId);
    const standing = await requireRole(inner, group, groupId, actorId, 'ADMIN');
    const renewed = await row(
      inner,
      updateTable(Invitation, { id: invitationId, ...invitationsOf(group, groupId) })
        .set({ tokenHash: sha256Hex(token), invitedById: actorId, expiresAt: EXPIRY, updatedAt: LATER })
        .where('expiresAt', '>', NOW)
        .returning(['email', 'role']),
    );
    if (!renewed) throw invitationNotFound(group, publicId('invitation', invitationId));
    Problem.throwIfAny(
      mistakesOfCreation(standing, renewed.role).map((mistake) => ({ ...mistake, path: ['invitationId'] })),
    );
    await mailInvitation(inner, mails, to, renewed, token);
  });
}

/** Takes an invitation back: its link is dead. @throws Problem NOT_FOUND, FORBIDDEN (also where its role stands above the actor's) */
export async function withdrawInvitation(
  em: Em,
  { group, groupId, actorId }: InvitingTo,
  invitationId: string,
): Promise<void> {
  await em.transactional(async (inner) => {
    await lockGroup(inner, group, groupId);
    const standing = await requireRole(inner, group, groupId, actorId, 'ADMIN');
    const withdrawn = await row(
      inner,
      deleteFrom(Invitation, { id: invitationId, ...invitationsOf(group, groupId) })
        .where('expiresAt', '>', NOW)
        .returning('role'),
    );
    if (!withdrawn) throw invitationNotFound(group, publicId('invitation', invitationId));
    if (mayManage(standing, withdrawn.role)) return;
    throw new Problem('FORBIDDEN', 'You can’t withdraw an invitation to a higher role than yours.', ['invitationId']);
  });
}

/** The invitation that a caller names. @throws Problem NOT_FOUND for what cannot be the id of one */
export function requireInvitationId(group: Group, named: string): string {
  const id = idOf('invitation', named);
  if (id === undefined) throw invitationNotFound(group, named);
  return id;
}

async function isMembersAddress(em: Em, group: Group, groupId: string, email: string): Promise<boolean> {
  const found = await row(
    em,
    sql`select 1 from users u join ${group.memberships} m on m.user_id = u.id
        where u.email = ${email} and u.email_verified_at is not null and m.${group.column} = ${groupId} and m.accepted`,
  );
  return found !== undefined;
}

/** Runs in the transaction of the invitation that the mail is about. */
async function mailInvitation(
  em: Em,
  { mailLimit, publicUrl, enqueue }: InvitationMails,
  { group, groupId, actorId }: InvitingTo,
  { email, role }: { readonly email: string; readonly role: Role },
  token: string,
): Promise<void> {
  const inviter = await requireVerifiedEmail(em, actorId, 'People whom you invite are mailed in your name');
  // An address with an account is mailed in its language, any other in the inviter's.
  const found = await row(
    em,
    sql<{ name: string; locale: string }>`
      select name, coalesce(
        (select locale from users where email = ${email} and email_verified_at is not null),
        (select locale from users where id = ${actorId})) as locale
      from ${group.table} where id = ${groupId}`,
  );
  const cause = { kind: 'ACCOUNT', userId: actorId } as const;
  const admission: Admission = await mailLimit.require(em, { to: email, cause, purpose: 'NEWS', groupId });
  const to: InvitedTo = { groupKind: group.kind, groupName: found?.name ?? '', role };
  const link = `${publicUrl}${INVITATION_PATH}?token=${token}`;
  const content = invitationMail(to, { inviter, link, locale: found?.locale ?? 'en' });
  await enqueue(em, { mail: { to: email, ...content }, tokenHash: sha256Hex(token) }, admission);
}
