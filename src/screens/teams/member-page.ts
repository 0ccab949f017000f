import { html } from 'hono/html';
import { publicId } from '../../core/id.ts';
import type { Mistake } from '../../core/problem.ts';
import type { MembershipRow } from '../../modules/memberships/membership.queries.ts';
import { aboutFields, formTitle, hiddenField, mistakeSummary, selectField } from '../kit/form-parts.ts';
import { type Html, isolated, layout, type Viewer } from '../kit/layout.ts';
import { doneNotice } from '../kit/page-parts.ts';
import { type Place, rolesToGive } from './place.ts';
import { memberWords, teamWords } from './words/team-words.ts';

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
  /** When it was last changed, as its form has seen it. */
  readonly updatedAt: string;
  readonly csrf: string;
  readonly mistakes: readonly Mistake[];
  readonly isDone: boolean;
  /** BCP 47, the reader's. */
  readonly locale: string;
}

export function memberPath({ path }: Place, { id }: Pick<MembershipRow, 'id'>): string {
  return `${path}/members/${publicId('membership', id)}`;
}

/** As administrators may name somebody: by name, or by their id before they have accepted. */
export function memberName({ userId, user }: MembershipRow): string {
  return user?.name ?? publicId('user', userId);
}

/** Somebody's membership, with what the reader may do about it. */
export function memberPage({ viewer, place, member, role, csrf, isDone, locale, ...page }: MemberPage): Html {
  const words = memberWords(locale);
  const { roles, rolesHint, fields, save, members } = teamWords(locale);
  const { path, shown, kind } = place;
  const { accepted, user, isOwn, isManaged, isOfOwner } = member;
  const mistakes = aboutFields(['role'], page.mistakes);
  const own = memberPath(place, member);
  const name = memberName(member);
  const canHandOver = isOfOwner && accepted && !isOwn;
  const options = rolesToGive(place).map((one) => [one, roles[one]] as const);
  const content = html`${doneNotice(isDone ? words.saved : undefined)}
    ${mistakeSummary(mistakes, locale)}
    <p class="aside top"><a href="${path}"><bdi>${shown.name}</bdi></a></p>
    <h1><bdi>${name}</bdi></h1>
    <p>${roles[member.role]}${isOwn ? ` (${members.you})` : ''}${accepted ? '' : `, ${members.unanswered}`}${user ? html` · <bdi>${user.email}</bdi>` : ''}</p>
    ${
      isManaged
        ? html`<article>
      <form method="post" action="${own}" novalidate>
        ${hiddenField('csrf', csrf)}
        ${hiddenField('updatedAt', page.updatedAt)}
        ${selectField({ name: 'role', label: fields.role, value: role, options, hint: rolesHint }, mistakes)}
        <button type="submit">${save}</button>
      </form>
    </article>`
        : isOwn
          ? ''
          : html`<p>${words.isAbove}</p>`
    }
    ${canHandOver ? html`<p class="aside">${words.handOver.way[kind.group.kind](`${own}/owner`)}</p>` : ''}
    ${isManaged || isOwn ? html`<p class="aside"><a href="${own}/remove">${isOwn ? words.leave[kind.group.kind] : words.remove}</a></p>` : ''}`;
  return layout({
    title: formTitle(isolated(name), mistakes, locale),
    content,
    corner: viewer,
    setting: 'teams',
    shape: 'sheet',
    locale,
  });
}
