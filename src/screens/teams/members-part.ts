import { html } from 'hono/html';
import { publicId } from '../../core/id.ts';
import { instantOf } from '../../core/instant.ts';
import { INVITATION_DAYS } from '../../modules/memberships/invitation.rules.ts';
import type { MembershipRow } from '../../modules/memberships/membership.queries.ts';
import type { SentInvitationRow } from '../../modules/memberships/sent-invitation.queries.ts';
import { mayManage } from '../../modules/organizations/role.rules.ts';
import { hiddenField, selectField, textField } from '../kit/form-parts.ts';
import type { Html } from '../kit/layout.ts';
import { moment, pager } from '../kit/page-parts.ts';
import { CURSORS, type GroupPage } from './group-forms.ts';
import { ROLE_NAMES, ROLES_HINT } from './group-kinds.ts';
import { memberName, memberPath } from './member-page.ts';
import { type Place, rolesToGive } from './place.ts';

/** Who belongs to a group and who is invited, before somebody who administers it; before anybody else, nothing. */
export function membersPart(page: GroupPage): Html | '' {
  const { place, members, invitations } = page;
  if (!members || !invitations) return '';
  const { path } = place;
  return html`<article>
      <h2>Members</h2>
      <ul class="rows">${members.rows.map((one) => html`<li>${memberRow(one, place)}</li>`)}</ul>
      ${pager(members, ({ id }) => [id], { path, parameter: CURSORS.members })}
    </article>
    <article id="invitations">
      <h2>Invite somebody</h2>
      ${inviteForm(page)}
      ${
        invitations.rows.length === 0
          ? ''
          : html`<h2 class="next">Waiting for an answer</h2>
      <ul class="rows">${invitations.rows.map((one) => html`<li>${invitationRow(one, page)}</li>`)}</ul>`
      }
      ${pager(invitations, ({ id }) => [id], { path, parameter: CURSORS.invitations })}
    </article>`;
}

function memberRow(member: MembershipRow, place: Place): Html {
  const { role, accepted, user } = member;
  const about = [user.id === place.actorId ? 'you' : '', accepted ? '' : 'invited, has not answered yet'].filter(
    Boolean,
  );
  return html`<h3><a href="${memberPath(place, member)}"><bdi>${memberName(member)}</bdi></a>${about.length === 0 ? '' : ` (${about.join(', ')})`}</h3>
          <p>${ROLE_NAMES[role]}${accepted && user.email ? html` · <bdi>${user.email}</bdi>` : ''}</p>`;
}

function inviteForm({ place, invitation, idempotencyKey, csrf, mistakes }: GroupPage): Html {
  const options = rolesToGive(place).map((role) => [role, ROLE_NAMES[role]] as const);
  const isInOrganization = place.shown.organizationId != null;
  const hint = `They need no account yet. The link works for ${INVITATION_DAYS} days.${isInOrganization ? ' They have to be a member of the organization before they accept.' : ''}`;
  return html`<form method="post" action="${place.path}/invite" novalidate data-once>
        ${hiddenField('csrf', csrf.invite)}
        ${hiddenField('idempotencyKey', idempotencyKey)}
        ${textField({ name: 'email', label: 'E-mail', type: 'email', autocomplete: 'off', value: invitation.email, hint }, mistakes)}
        ${selectField({ name: 'role', label: 'Role', value: invitation.role, options, hint: ROLES_HINT }, mistakes)}
        <button type="submit">Send invitation</button>
      </form>`;
}

/** Resending and withdrawing take what giving the role takes. */
function invitationRow(
  { id, email, role, expiresAt }: SentInvitationRow,
  { place, idempotencyKey, csrf }: GroupPage,
): Html {
  const path = `${place.path}/invitations/${publicId('invitation', id)}`;
  const button = (
    form: 'resend' | 'withdraw',
    says: string,
  ) => html`<form method="post" action="${path}/${form}" data-once>
            ${hiddenField('csrf', csrf[form])}
            ${hiddenField('idempotencyKey', idempotencyKey)}
            <button type="submit" class="quiet" aria-label="${says}: ${email}">${says}</button>
          </form>`;
  return html`<h3><bdi>${email}</bdi></h3>
          <p>${ROLE_NAMES[role]}, until ${moment(instantOf(expiresAt))}</p>
          ${mayManage(place.standing, role) ? html`<div class="buttons">${button('resend', 'Send again')}${button('withdraw', 'Withdraw')}</div>` : ''}`;
}
