import { html } from 'hono/html';
import { publicId } from '../../core/id.ts';
import type { Page } from '../../core/page.ts';
import type { Mistake } from '../../core/problem.ts';
import type { InvitationRow } from '../../modules/memberships/invitation.queries.ts';
import { invitationWords } from '../../modules/memberships/invitation.rules.ts';
import type { Group } from '../../modules/organizations/group.ts';
import { aboutFields, formTitle, hiddenField, mistakeSummary, selectField, textField } from '../kit/form-parts.ts';
import { type Html, isolated, layout, type Viewer } from '../kit/layout.ts';
import { doneNotice, pager } from '../kit/page-parts.ts';
import { groupPath, KINDS, type ShownGroup, TEAMS_PATH } from './group-kinds.ts';
import { type TypedGroup, teamIn } from './new-group.ts';
import { teamWords } from './words/team-words.ts';

/** The query that goes on in the list of one kind. */
export const CURSOR_OF = { team: 'teams', organization: 'organizations' } as const satisfies Record<
  Group['kind'],
  string
>;

export const LIST_DONE = ['declined', 'left', 'deleted'] as const;

export interface TeamsPage {
  readonly viewer: Viewer;
  readonly groups: Readonly<Record<Group['kind'], Page<ShownGroup>>>;
  readonly invitations: readonly InvitationRow[];
  /** Organizations in which the reader may create a team. */
  readonly roofs: readonly ShownGroup[];
  readonly typed: TypedGroup;
  /** The key of the form. */
  readonly idempotencyKey: string;
  readonly csrf: Readonly<Record<'create' | 'accept' | 'decline', string>>;
  readonly mistakes: readonly Mistake[];
  readonly done: (typeof LIST_DONE)[number] | undefined;
  /** BCP 47, the reader's. */
  readonly locale: string;
}

/** The teams and organizations of a user, what invites them, and a form for another one. */
export function teamsPage(page: TeamsPage): Html {
  const { viewer, groups, invitations, csrf, done, locale } = page;
  const { list: words } = teamWords(locale);
  const mistakes = aboutFields(['what', 'name', 'slug'], page.mistakes);
  const content = html`${doneNotice(done && words.done[done])}
    ${mistakeSummary(mistakes, locale)}
    <h1>${words.title}</h1>
    <p class="aside top">${words.intro}</p>
    ${invitations.length === 0 ? '' : invitationsPart(invitations, csrf, locale)}
    ${(['team', 'organization'] as const).map((kind) => listPart(kind, groups[kind], locale))}
    ${createPart({ ...page, mistakes })}`;
  const title = formTitle(words.title, mistakes, locale);
  return layout({ title, content, corner: viewer, setting: 'teams', shape: 'sheet', locale });
}

function listPart(kind: Group['kind'], page: Page<ShownGroup>, locale: string): Html {
  const { list, roles } = teamWords(locale);
  const { title, none } = list.kinds[kind];
  const { group } = KINDS[kind];
  return html`<article>
      <h2>${title}</h2>
      ${
        page.rows.length === 0
          ? html`<p>${none}</p>`
          : html`<ul class="rows">${page.rows.map(
              ({ id, name, role }) => html`<li><h3><a href="${groupPath(group, id)}"><bdi>${name}</bdi></a></h3>
          <p>${roles[role]}</p></li>`,
            )}</ul>`
      }
      ${pager(page, ({ id }) => [id], { path: TEAMS_PATH, parameter: CURSOR_OF[kind], locale })}
    </article>`;
}

function invitationsPart(invitations: readonly InvitationRow[], csrf: TeamsPage['csrf'], locale: string): Html {
  const { list: words } = teamWords(locale);
  return html`<article>
      <h2>${words.invited}</h2>
      <p>${words.seen}</p>
      <ul class="rows">${invitations.map((one) => html`<li>${invitationPart(one, csrf, locale)}</li>`)}</ul>
    </article>`;
}

function invitationPart(invitation: InvitationRow, csrf: TeamsPage['csrf'], locale: string): Html {
  const { groupKind, groupId, groupName, membershipId, role } = invitation;
  const { list: words } = teamWords(locale);
  const path = groupPath({ kind: groupKind }, groupId);
  const button = (answer: 'accept' | 'decline') => html`<form method="post" action="${path}/${answer}">
            ${hiddenField('csrf', csrf[answer])}
            ${hiddenField('membership', publicId('membership', membershipId))}
            <button type="submit" class="${answer === 'accept' ? '' : 'quiet'}" aria-label="${words.answerTo[groupKind](words.answers[answer], isolated(groupName))}">${words.answers[answer]}</button>
          </form>`;
  return html`<h3><bdi>${groupName}</bdi></h3>
          <p>${words.join[groupKind](invitationWords(locale).roles[role])}</p>
          <div class="buttons">${button('accept')}${button('decline')}</div>`;
}

function createPart({ roofs, typed, idempotencyKey, csrf, mistakes, locale }: TeamsPage): Html {
  const { list: words, fields } = teamWords(locale);
  const options = [
    ['team', words.ownTeam] as const,
    ...roofs.map(({ id, name }) => [teamIn(id), words.teamOf(isolated(name))] as const),
    ['organization', words.organization] as const,
  ];
  return html`<article id="create">
      <h2>${words.create}</h2>
      <form method="post" action="${TEAMS_PATH}" novalidate>
        ${hiddenField('csrf', csrf.create)}
        ${hiddenField('idempotencyKey', idempotencyKey)}
        ${selectField({ name: 'what', label: fields.what, value: typed.what, options }, mistakes)}
        ${textField({ name: 'name', label: fields.name, autocomplete: 'off', value: typed.name }, mistakes)}
        ${textField({ name: 'slug', label: fields.slug, isOptional: true, autocomplete: 'off', value: typed.slug, hint: words.slugHint, locale }, mistakes)}
        <button type="submit">${words.createButton}</button>
      </form>
    </article>`;
}
