import { idOf } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import type { Em } from '../../database/sql.ts';
import { once } from '../../limits/at-most-once.ts';
import {
  type InvitationMails,
  invite,
  resendInvitation,
  withdrawInvitation,
} from '../../modules/memberships/invite.ts';
import { ROLES, type Role } from '../../modules/organizations/role.rules.ts';
import { requestIn, savingOf, seenAt } from '../kit/request.ts';
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
  /** The id that the address names besides the group. */
  readonly invitation: string;
  readonly mails: InvitationMails;
}

/** @throws Problem */
type Action = (em: Em, sent: SentForm) => Promise<unknown>;

/** The action of each form. */
export const GROUP_ACTIONS: Readonly<Record<GroupForm, Action>> = {
  profile: (em, { place, form }) => {
    const { name, slug, bio, isPrivate } = typedProfile(form);
    const patch = { name, slug: slug.trim(), bio: bio.trim() || null, isPrivate };
    return once(em, savingOf(place.actorId, form, place.groupId), (inner) =>
      place.kind.update(inner, place, { ...patch, ifUpdatedAt: seenAt(form.get('updatedAt')) }),
    );
  },
  invite: (em, sent) => {
    const { place, form } = sent;
    const input = { email: typedInvitation(form).email, role: requireRoleIn(form) };
    return mailOnce(em, sent, ['page', 'invite', place.groupId], input, (inner) =>
      invite(inner, sent.mails, inviting(place), input),
    );
  },
  resend: (em, sent) => {
    const id = requireInvitation(sent.invitation);
    return mailOnce(em, sent, ['page', 'resend', sent.place.groupId, id], {}, (inner) =>
      resendInvitation(inner, sent.mails, inviting(sent.place), id),
    );
  },
  withdraw: (em, { place, invitation }) => withdrawInvitation(em, inviting(place), requireInvitation(invitation)),
};

/** Sends the mails of a form once, however often it is sent. @throws Problem */
function mailOnce(
  em: Em,
  { place: { actorId: userId }, form }: SentForm,
  operation: readonly string[],
  input: unknown,
  work: (inner: Em) => Promise<unknown>,
): Promise<unknown> {
  return once(em, requestIn({ userId, form }, operation, input), work);
}

function inviting({ kind: { group }, groupId, actorId }: Place) {
  return { group, groupId, actorId };
}

function requireInvitation(named: string): string {
  const id = idOf('invitation', named);
  if (id === undefined) throw new Problem('NOT_FOUND', 'There is no such invitation.', ['invitationId']);
  return id;
}
