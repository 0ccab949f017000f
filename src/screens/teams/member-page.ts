import { html } from 'hono/html';
import { publicId } from '../../core/id.ts';
import type { Mistake } from '../../core/problem.ts';
import type { MembershipRow } from '../../modules/memberships/membership.queries.ts';
import { aboutFields, formTitle, hiddenField, mistakeSummary, selectField } from '../kit/form-parts.ts';
import { type Html, layout, type Viewer } from '../kit/layout.ts';
import { doneNotice } from '../kit/page-parts.ts';
import { ROLE_NAMES, ROLES_HINT } from './group-kinds.ts';
import { type Place, rolesToGive } from './place.ts';

/** A membership as its page shows it. */
export interface Member extends MembershipRow {
  readonly isOwn: boolean;
  /** Whether the reader may change and end it. */
  readonly isManaged: boolean;
  /** Whether the reader owns the group by their own membership, and so can hand it over. */
  readonly isOfOwner: boolean;
}

export interface MemberPage {
  readonly viewer: Viewer;
  readonly place: Place;
  readonly member: Member;
  /** As it is, or as it was chosen. */
  readonly role: string;
  readonly csrf: string;
  readonly mistakes: readonly Mistake[];
  readonly done: string | undefined;
}

export function memberPath({ path }: Place, { id }: Pick<MembershipRow, 'id'>): string {
  return `${path}/members/${publicId('membership', id)}`;
}

/** As administrators may name somebody: by name, or by their id before they have accepted. */
export function memberName({ accepted, user }: MembershipRow): string {
  return accepted ? user.name : publicId('user', user.id);
}

/** Somebody's membership, with what the reader may do about it. */
export function memberPage({ viewer, place, member, role, csrf, done, ...page }: MemberPage): Html {
  const { path, shown, kind } = place;
  const { accepted, user, isOwn, isManaged, isOfOwner } = member;
  const mistakes = aboutFields(['role'], page.mistakes);
  const own = memberPath(place, member);
  const name = memberName(member);
  const canHandOver = isOfOwner && accepted && !isOwn;
  const options = rolesToGive(place).map((one) => [one, ROLE_NAMES[one]] as const);
  const content = html`${doneNotice(done)}
    ${mistakeSummary(mistakes)}
    <p class="aside top"><a href="${path}"><bdi>${shown.name}</bdi></a></p>
    <h1><bdi>${name}</bdi></h1>
    <p>${ROLE_NAMES[member.role]}${isOwn ? ' (you)' : ''}${accepted ? '' : ', invited, has not answered yet'}${accepted && user.email ? html` · <bdi>${user.email}</bdi>` : ''}</p>
    ${
      isManaged
        ? html`<article>
      <form method="post" action="${own}" novalidate>
        ${hiddenField('csrf', csrf)}
        ${hiddenField('updatedAt', member.updatedAt)}
        ${selectField({ name: 'role', label: 'Role', value: role, options, hint: ROLES_HINT }, mistakes)}
        <button type="submit">Save</button>
      </form>
    </article>`
        : isOwn
          ? ''
          : html`<p>Their role stands above yours: you cannot change it.</p>`
    }
    ${canHandOver ? html`<p class="aside"><a href="${own}/owner">Hand the ${kind.group.kind} over to them</a>: they own it, and you administer it.</p>` : ''}
    ${isManaged || isOwn ? html`<p class="aside"><a href="${own}/remove">${isOwn ? `Leave this ${kind.group.kind}` : 'Remove them'}</a></p>` : ''}`;
  return layout({ title: formTitle(name, mistakes), content, corner: viewer, shape: 'sheet' });
}
