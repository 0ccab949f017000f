import { html } from 'hono/html';
import { publicId } from '../../core/id.ts';
import type { Page } from '../../core/page.ts';
import type { Mistake } from '../../core/problem.ts';
import { SLUG_IN_WORDS } from '../../core/text.ts';
import type { InvitationRow } from '../../modules/memberships/invitation.queries.ts';
import { ROLES_IN_WORDS } from '../../modules/memberships/invitation.rules.ts';
import type { Group } from '../../modules/organizations/group.ts';
import { aboutFields, formTitle, hiddenField, mistakeSummary, selectField, textField } from '../kit/form-parts.ts';
import { type Html, layout, type Viewer } from '../kit/layout.ts';
import { doneNotice, pager } from '../kit/page-parts.ts';
import { groupPath, KINDS, ROLE_NAMES, type ShownGroup, TEAMS_PATH } from './group-kinds.ts';
import { type TypedGroup, teamIn } from './new-group.ts';

/** What a list of groups of one kind is called, and the cursor of its pages. */
const LISTS = {
  team: { title: 'Teams', parameter: 'teams', none: 'You are in no team yet.' },
  organization: { title: 'Organizations', parameter: 'organizations', none: 'You are in no organization.' },
} as const satisfies Record<Group['kind'], unknown>;

/** The query that goes on in the list of one kind. */
export function cursorOf(kind: Group['kind']): string {
  return LISTS[kind].parameter;
}

export interface TeamsPage {
  readonly viewer: Viewer;
  readonly groups: Readonly<Record<Group['kind'], Page<ShownGroup>>>;
  readonly invitations: readonly InvitationRow[];
  /** Organizations in which the reader may create a team. */
  readonly roofs: readonly ShownGroup[];
  readonly typed: TypedGroup;
  readonly csrf: { readonly create: string; readonly answer: string };
  readonly mistakes: readonly Mistake[];
  readonly done: string | undefined;
}

/** The teams and organizations of a user, what invites them, and a form for another one. */
export function teamsPage(page: TeamsPage): Html {
  const { viewer, groups, invitations, csrf, done } = page;
  const mistakes = aboutFields(['what', 'name', 'slug'], page.mistakes);
  const content = html`${doneNotice(done)}
    ${mistakeSummary(mistakes)}
    <h1>Your teams</h1>
    <p class="aside top">A team is booked together: its members take turns, or all come. An organization is the roof over several teams.</p>
    ${invitations.length === 0 ? '' : invitationsPart(invitations, csrf.answer)}
    ${(['team', 'organization'] as const).map((kind) => listPart(kind, groups[kind]))}
    ${createPart({ ...page, mistakes })}`;
  return layout({ title: formTitle('Your teams', mistakes), content, corner: viewer, shape: 'sheet' });
}

function listPart(kind: Group['kind'], page: Page<ShownGroup>): Html {
  const { title, parameter, none } = LISTS[kind];
  const { group } = KINDS[kind];
  return html`<article>
      <h2>${title}</h2>
      ${
        page.rows.length === 0
          ? html`<p>${none}</p>`
          : html`<ul class="rows">${page.rows.map(
              ({ id, name, role }) => html`<li><h3><a href="${groupPath(group, id)}"><bdi>${name}</bdi></a></h3>
          <p>${ROLE_NAMES[role]}</p></li>`,
            )}</ul>`
      }
      ${pager(page, ({ id }) => [id], { path: TEAMS_PATH, parameter })}
    </article>`;
}

function invitationsPart(invitations: readonly InvitationRow[], csrf: string): Html {
  return html`<article>
      <h2>You are invited</h2>
      <p>Who administers it sees your name, your address, your schedules and what you are booked for through it. You can leave whenever you want.</p>
      <ul class="rows">${invitations.map((one) => html`<li>${invitationPart(one, csrf)}</li>`)}</ul>
    </article>`;
}

function invitationPart({ groupKind, groupId, groupName, membershipId, role }: InvitationRow, csrf: string): Html {
  const path = groupPath({ kind: groupKind }, groupId);
  const what = `the ${groupKind} ${groupName}`;
  const button = (answer: 'accept' | 'decline', says: string) => html`<form method="post" action="${path}/${answer}">
            ${hiddenField('csrf', csrf)}
            ${hiddenField('membership', publicId('membership', membershipId))}
            <button type="submit" class="${answer === 'accept' ? '' : 'quiet'}" aria-label="${says}: ${what}">${says}</button>
          </form>`;
  return html`<h3><bdi>${groupName}</bdi></h3>
          <p>Join this ${groupKind} as ${ROLES_IN_WORDS[role]}.</p>
          <div class="buttons">${button('accept', 'Accept')}${button('decline', 'Decline')}</div>`;
}

function createPart({ roofs, typed, csrf, mistakes }: TeamsPage): Html {
  const options = [
    ['team', 'A team of its own'] as const,
    ...roofs.map(({ id, name }) => [teamIn(id), `A team of ${name}`] as const),
    ['organization', 'An organization, which has teams'] as const,
  ];
  return html`<article id="create">
      <h2>Create a team or an organization</h2>
      <form method="post" action="${TEAMS_PATH}" novalidate>
        ${hiddenField('csrf', csrf.create)}
        ${hiddenField('once', typed.once)}
        ${selectField({ name: 'what', label: 'What', value: typed.what, options }, mistakes)}
        ${textField({ name: 'name', label: 'Name', autocomplete: 'off', value: typed.name }, mistakes)}
        ${textField({ name: 'slug', label: 'Link name', isOptional: true, autocomplete: 'off', value: typed.slug, hint: SLUG_HINT }, mistakes)}
        <button type="submit">Create</button>
      </form>
    </article>`;
}

export const SLUG_RULE = `Use ${SLUG_IN_WORDS.replaceAll('`', '')}.`;
const SLUG_HINT = `The end of its address. ${SLUG_RULE} Leave it empty, and it is made of the name.`;
