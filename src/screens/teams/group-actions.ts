import { idOf } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import type { Em } from '../../database/sql.ts';
import { sameOnce } from '../../limits/at-most-once.ts';
import { type InvitationMails, invite, resendInvitation } from '../../modules/memberships/invite.ts';
import { withdrawInvitation } from '../../modules/memberships/withdraw-invitation.ts';
import { ROLES, type Role } from '../../modules/organizations/role.rules.ts';
import { requestIn } from '../kit/form-key.ts';
import { seenAt } from '../kit/seen-at.ts';
import { type GroupForm, typedInvitation, typedProfile } from './group-forms.ts';
import type { Place } from './place.ts';

/** The role that a form names. @throws Problem BAD_INPUT */
export function requireRoleIn(form: URLSearchParams): Role {
  const role = ROLES.find((one) => one === form.get('role'));
  if (role === undefined) throw new Problem('BAD_INPUT', 'Choose one of the roles in the list.', ['role']);
  return role;
}

interface SentForm {
  readonly place: Place;
  readonly form: URLSearchParams;
  /** What the address names besides the group. */
  readonly invitation: string;
  readonly mails: InvitationMails;
}

interface Action {
  /** @throws Problem */
  readonly act: (em: Em, sent: SentForm) => Promise<unknown>;
  /** What the page then says. */
  readonly done: string;
}

/** What each form does. */
export const GROUP_ACTIONS: Readonly<Record<GroupForm, Action>> = {
  profile: {
    act: (em, { place, form }) => {
      const { name, slug, bio, isPrivate } = typedProfile(form);
      const patch = { name, slug: slug.trim(), bio: bio.trim() || null, isPrivate };
      return place.kind.update(em, place, { ...patch, ifUpdatedAt: seenAt(form.get('updatedAt')) });
    },
    done: 'Saved.',
  },
  invite: {
    act: (em, sent) => {
      const { place, form } = sent;
      const input = { email: typedInvitation(form).email, role: requireRoleIn(form) };
      return mailOnce(em, sent, ['page', 'invite', place.groupId], input, (inner, mails) =>
        invite(inner, mails, inviting(place), input),
      );
    },
    done: 'The invitation is on its way.',
  },
  resend: {
    act: (em, sent) => {
      const id = requireInvitation(sent.invitation);
      return mailOnce(em, sent, ['page', 'resend', sent.place.groupId, id], {}, (inner, mails) =>
        resendInvitation(inner, mails, inviting(sent.place), id),
      );
    },
    done: 'The invitation is on its way once more. The link of the mail before does not work any more.',
  },
  withdraw: {
    act: (em, { place, invitation }) => withdrawInvitation(em, inviting(place), requireInvitation(invitation)),
    done: 'The invitation is withdrawn; its link does not work any more.',
  },
};

/** What a form has mailed, it has mailed once however often it is sent; the mail leaves when all is stored. @throws Problem */
async function mailOnce(
  em: Em,
  { place: { actorId: userId }, form, mails }: SentForm,
  operation: readonly string[],
  input: unknown,
  work: (inner: Em, mails: InvitationMails) => Promise<unknown>,
): Promise<void> {
  const waiting: (() => void)[] = [];
  const send: InvitationMails['send'] = (...mail) => void waiting.push(() => mails.send(...mail));
  await sameOnce(em, requestIn({ userId, form }, operation, input), async (inner) => {
    await work(inner, { ...mails, send });
    return {};
  });
  for (const leave of waiting) leave();
}

function inviting({ kind: { group }, groupId, actorId }: Place) {
  return { group, groupId, actorId };
}

export const INVITATION_GONE =
  'This invitation is not there any more: it was answered or withdrawn, or its time is over.';

function requireInvitation(named: string): string {
  const id = idOf('invitation', named);
  if (id === undefined) throw new Problem('NOT_FOUND', INVITATION_GONE);
  return id;
}
