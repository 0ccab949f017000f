import { idOf } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import type { Em } from '../../database/sql.ts';
import { type InvitationMails, invite, resendInvitation } from '../../modules/memberships/invite.ts';
import { withdrawInvitation } from '../../modules/memberships/withdraw-invitation.ts';
import { ROLES, type Role } from '../../modules/organizations/role.rules.ts';
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
    act: (em, { place, form, mails }) => {
      const role = requireRoleIn(form);
      return invite(em, mails, inviting(place), { email: typedInvitation(form).email, role });
    },
    done: 'The invitation is on its way.',
  },
  resend: {
    act: (em, { place, invitation, mails }) =>
      resendInvitation(em, mails, inviting(place), requireInvitation(invitation)),
    done: 'The invitation is on its way once more. The link of the mail before does not work any more.',
  },
  withdraw: {
    act: (em, { place, invitation }) => withdrawInvitation(em, inviting(place), requireInvitation(invitation)),
    done: 'The invitation is withdrawn; its link does not work any more.',
  },
};

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
