import { html } from 'hono/html';
import type { Page } from '../../core/page.ts';
import { MAX_BIO_LENGTH } from '../../modules/organizations/group-profile.rules.ts';
import type { Standing } from '../../modules/organizations/role.rules.ts';
import {
  aboutFields,
  checkBox,
  formTitle,
  hiddenField,
  mistakeSummary,
  textArea,
  textField,
} from '../kit/form-parts.ts';
import { type Html, layout } from '../kit/layout.ts';
import { doneNotice, pager, SEND_ONCE_HEAD } from '../kit/page-parts.ts';
import { CURSORS, type GroupPage } from './group-forms.ts';
import { groupPath, KINDS, ROLE_NAMES, type ShownGroup, TEAMS_PATH } from './group-kinds.ts';
import { memberPath } from './member-page.ts';
import { membersPart } from './members-part.ts';
import { teamIn } from './new-group.ts';
import { administersPlace, mayChange, mayDelete, type Place } from './place.ts';
import { SLUG_RULE } from './teams-page.ts';

const FIELDS = ['name', 'slug', 'bio', 'email', 'role'];

const STANDINGS_IN_WORDS: Readonly<Record<Standing, string>> = {
  MEMBER: 'You are a member.',
  ADMIN: 'You are an administrator.',
  OWNER: 'You are an owner.',
  ORGANIZATION_ADMIN: 'You administer it as an administrator of its organization.',
  ORGANIZATION_OWNER: 'You administer it as an owner of its organization.',
};

/** A team or an organization: what its reader sees of it, and may do. */
export function groupPage(page: GroupPage): Html {
  const { viewer, place, roof, bookingUrl, own, done } = page;
  const { kind, shown, standing } = place;
  const noun = kind.group.kind;
  const mistakes = aboutFields(FIELDS, page.mistakes);
  const content = html`${doneNotice(done)}
    ${mistakeSummary(mistakes)}
    <p class="aside top"><a href="${TEAMS_PATH}">Your teams</a>${roof ? html` · <a href="${groupPath(KINDS.organization.group, roof.id)}"><bdi>${roof.name}</bdi></a>` : ''}</p>
    <h1><bdi>${shown.name}</bdi></h1>
    <p>${STANDINGS_IN_WORDS[standing]} Its booking page is at <a href="${bookingUrl}">${bookingUrl}</a> once ${noun === 'team' ? 'it offers' : 'its teams offer'} something.</p>
    ${shown.bio === null || mayChange(place) ? '' : html`<article><p class="words">${shown.bio}</p></article>`}
    ${page.teams ? teamsPart(page.teams, place) : ''}
    ${membersPart({ ...page, mistakes })}
    ${mayChange(place) ? profilePart({ ...page, mistakes }) : ''}
    ${own ? html`<p class="aside"><a href="${memberPath(place, own)}/remove">Leave this ${noun}</a></p>` : ''}
    ${mayDelete(place) ? html`<p class="aside"><a href="${place.path}/delete">Delete this team</a></p>` : ''}`;
  const head = SEND_ONCE_HEAD;
  return layout({ title: formTitle(shown.name, mistakes), content, corner: viewer, shape: 'sheet', head });
}

function profilePart({ place, profile, csrf, mistakes }: GroupPage): Html {
  const { kind, shown, path } = place;
  const noun = kind.group.kind;
  const privacy =
    noun === 'team'
      ? 'Private: its booking page is for its members alone'
      : 'Private: the booking pages of its teams are for its members alone';
  return html`<article>
      <h2>Profile</h2>
      <form method="post" action="${path}" novalidate>
        ${hiddenField('csrf', csrf.profile)}
        ${hiddenField('updatedAt', shown.updatedAt)}
        ${textField({ name: 'name', label: 'Name', autocomplete: 'off', value: profile.name }, mistakes)}
        ${textField({ name: 'slug', label: 'Link name', autocomplete: 'off', value: profile.slug, hint: `The end of its address. ${SLUG_RULE} If you change it, links that were shared stop working.` }, mistakes)}
        ${textArea({ name: 'bio', label: 'About it (optional)', value: profile.bio, rows: 4, isOptional: true, hint: `Shown on its booking page; at most ${MAX_BIO_LENGTH} characters.` }, mistakes)}
        ${checkBox({ name: 'isPrivate', label: privacy, isChecked: profile.isPrivate })}
        <button type="submit">Save</button>
      </form>
    </article>`;
}

function teamsPart(teams: Page<ShownGroup>, place: Place): Html {
  const { path, groupId } = place;
  const isAdministered = administersPlace(place);
  const none = isAdministered ? 'It has no teams yet.' : 'You are in none of its teams.';
  return html`<article>
      <h2>${isAdministered ? 'Its teams' : 'Your teams in it'}</h2>
      ${
        teams.rows.length === 0
          ? html`<p>${none}</p>`
          : html`<ul class="rows">${teams.rows.map(
              ({
                id,
                name,
                role,
              }) => html`<li><h3><a href="${groupPath(KINDS.team.group, id)}"><bdi>${name}</bdi></a></h3>
          ${isAdministered ? '' : html`<p>${ROLE_NAMES[role]}</p>`}</li>`,
            )}</ul>`
      }
      ${pager(teams, ({ slug }) => [slug], { path, parameter: CURSORS.teams })}
      ${isAdministered ? html`<p class="aside"><a href="${TEAMS_PATH}?in=${teamIn(groupId)}#create">Add a team</a></p>` : ''}
    </article>`;
}
