import { html } from 'hono/html';
import { publicId } from '../../core/id.ts';
import { instantOf } from '../../core/instant.ts';
import type { SentInvitationRow } from '../../modules/memberships/invitation.queries.ts';
import { INVITATION_DAYS } from '../../modules/memberships/invitation.rules.ts';
import type { MembershipRow } from '../../modules/memberships/membership.queries.ts';
import { mayManage } from '../../modules/organizations/role.rules.ts';
import { hiddenField, selectField, textField } from '../kit/form-parts.ts';
import { type Html, isolated } from '../kit/layout.ts';
import { pager } from '../kit/page-parts.ts';
import { momentFor } from '../kit/when.ts';
import { CURSORS, type GroupPage } from './group-forms.ts';
import { memberName, memberPath } from './member-page.ts';
import { type Place, rolesToGive } from './place.ts';
import { teamWords } from './words/team-words.ts';

/** The members of a group and its invitations, before somebody who administers it; before anybody else, nothing. */
export function membersPart(page: GroupPage): Html | '' {
  const { place, members, invitations, clock } = page;
  if (!members || !invitations) return '';
  const { path } = place;
  const { locale } = clock;
  const { members: words } = teamWords(locale);
  return html`<article>
      <h2>${words.title}</h2>
      <ul class="rows">${members.rows.map((one) => html`<li>${memberRow(one, place, locale)}</li>`)}</ul>
      ${pager(members, ({ id }) => [id], { path, parameter: CURSORS.members, locale })}
    </article>
    <article id="invitations">
      <h2>${words.invite}</h2>
      ${inviteForm(page)}
      ${
        invitations.rows.length === 0
          ? ''
          : html`<h2 class="next">${words.waiting}</h2>
      <ul class="rows">${invitations.rows.map((one) => html`<li>${invitationRow(one, page)}</li>`)}</ul>`
      }
      ${pager(invitations, ({ id }) => [id], { path, parameter: CURSORS.invitations, locale })}
    </article>`;
}

function memberRow(member: MembershipRow, place: Place, locale: string): Html {
  const { role, accepted, userId, user } = member;
  const { roles, members: words } = teamWords(locale);
  const about = [userId === place.actorId ? words.you : '', accepted ? '' : words.unanswered].filter(Boolean);
  return html`<h3><a href="${memberPath(place, member)}"><bdi>${memberName(member)}</bdi></a>${about.length === 0 ? '' : ` (${about.join(', ')})`}</h3>
          <p>${roles[role]}${user ? html` · <bdi>${user.email}</bdi>` : ''}</p>`;
}

function inviteForm({ place, invitation, idempotencyKey, csrf, mistakes, clock: { locale } }: GroupPage): Html {
  const { roles, rolesHint, fields, members: words } = teamWords(locale);
  const options = rolesToGive(place).map((role) => [role, roles[role]] as const);
  const isInOrganization = place.shown.organizationId != null;
  const hint = (isInOrganization ? words.inviteHintInOrganization : words.inviteHint)(INVITATION_DAYS);
  return html`<form method="post" action="${place.path}/invite" novalidate data-once>
        ${hiddenField('csrf', csrf.invite)}
        ${hiddenField('idempotencyKey', idempotencyKey)}
        ${textField({ name: 'email', label: fields.email, type: 'email', autocomplete: 'off', value: invitation.email, hint }, mistakes)}
        ${selectField({ name: 'role', label: fields.role, value: invitation.role, options, hint: rolesHint }, mistakes)}
        <button type="submit">${words.inviteButton}</button>
      </form>`;
}

/** Resending and withdrawing take what giving the role takes. */
function invitationRow(
  { id, email, role, expiresAt }: SentInvitationRow,
  { place, idempotencyKey, csrf, clock }: GroupPage,
): Html {
  const { roles, members: words } = teamWords(clock.locale);
  const path = `${place.path}/invitations/${publicId('invitation', id)}`;
  const button = (
    form: 'resend' | 'withdraw',
    says: string,
  ) => html`<form method="post" action="${path}/${form}" data-once>
            ${hiddenField('csrf', csrf[form])}
            ${hiddenField('idempotencyKey', idempotencyKey)}
            <button type="submit" class="quiet" aria-label="${says}: ${isolated(email)}">${says}</button>
          </form>`;
  return html`<h3><bdi>${email}</bdi></h3>
          <p>${words.until(roles[role], momentFor(instantOf(expiresAt), clock))}</p>
          ${mayManage(place.standing, role) ? html`<div class="buttons">${button('resend', words.resend)}${button('withdraw', words.withdraw)}</div>` : ''}`;
}
