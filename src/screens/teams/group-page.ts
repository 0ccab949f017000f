import { html } from 'hono/html';
import { publicOwnedId } from '../../core/id.ts';
import type { Page } from '../../core/page.ts';
import { MAX_BIO_LENGTH } from '../../modules/organizations/group-profile.rules.ts';
import { WEBHOOKS_PATH } from '../../modules/webhooks/webhook.rules.ts';
import {
  aboutFields,
  checkBox,
  formTitle,
  hiddenField,
  mistakeSummary,
  textArea,
  textField,
} from '../kit/form-parts.ts';
import { type Html, isolated, layout } from '../kit/layout.ts';
import { doneNotice, linkIf, pager, SEND_ONCE_HEAD } from '../kit/page-parts.ts';
import { CURSORS, type GroupPage } from './group-forms.ts';
import { groupPath, KINDS, type ShownGroup, TEAMS_PATH } from './group-kinds.ts';
import { memberPath } from './member-page.ts';
import { membersPart } from './members-part.ts';
import { teamIn } from './new-group.ts';
import { administersPlace, mayChange, mayDelete, type Place } from './place.ts';
import { memberWords, teamWords } from './words/team-words.ts';

const FIELDS = ['name', 'slug', 'bio', 'email', 'role'];

/** A team or an organization: what its reader sees of it, and may do. */
export function groupPage(page: GroupPage): Html {
  const { viewer, place, roof, bookingUrl, own, done, clock } = page;
  const { kind, shown, standing } = place;
  const { locale } = clock;
  const noun = kind.group.kind;
  const { group: words, list } = teamWords(locale);
  const mistakes = aboutFields(FIELDS, page.mistakes);
  const content = html`${doneNotice(done && words.done[done])}
    ${mistakeSummary(mistakes, locale)}
    <p class="aside top"><a href="${TEAMS_PATH}">${list.title}</a>${roof ? html` · <a href="${groupPath(KINDS.organization.group, roof.id)}"><bdi>${roof.name}</bdi></a>` : ''}</p>
    <h1><bdi>${shown.name}</bdi></h1>
    <p>${words.standings[standing]} ${words.bookingPage[noun](linkIf(page.isPlaceOpen, bookingUrl), page.isPlaceOpen)}</p>
    ${shown.bio === null || mayChange(place) ? '' : html`<article><p class="words">${shown.bio}</p></article>`}
    ${pausedWebhooksNote(page)}
    ${unansweredNote(page)}
    ${page.teams ? teamsPart(page.teams, place, locale) : ''}
    ${membersPart({ ...page, mistakes })}
    ${mayChange(place) ? profilePart({ ...page, mistakes }) : ''}
    ${noun === 'team' && administersPlace(place) ? html`<p class="aside"><a href="${place.path}/event-types">${words.eventTypes}</a></p>` : ''}
    ${noun === 'team' && administersPlace(place) ? html`<p class="aside"><a href="${place.path}/conferencing">${words.conferencing}</a></p>` : ''}
    ${administersPlace(place) ? html`<p class="aside"><a href="${place.path}/webhooks">${words.webhooks[noun]}</a></p>` : ''}
    ${own ? html`<p class="aside"><a href="${memberPath(place, own)}/remove">${memberWords(locale).leave[noun]}</a></p>` : ''}
    ${mayDelete(place) ? html`<p class="aside"><a href="${place.path}/delete">${words.delete}</a></p>` : ''}`;
  const head = SEND_ONCE_HEAD;
  const title = formTitle(isolated(shown.name), mistakes, locale);
  return layout({ title, content, corner: viewer, setting: 'teams', shape: 'sheet', head, locale });
}

/** To those who may take them over: after somebody has gone, nobody answers for their webhooks. */
function pausedWebhooksNote({ pausedWebhooks, clock: { locale } }: GroupPage): Html | '' {
  if (pausedWebhooks.length === 0) return '';
  const { group: words } = teamWords(locale);
  return html`<section class="warning" aria-labelledby="paused-webhooks">
      <h2 id="paused-webhooks">${words.pausedWebhooks.title(pausedWebhooks.length)}</h2>
      <p>${words.pausedWebhooks.advice(pausedWebhooks.length)}</p>
      <ul class="plain">${pausedWebhooks.map((one) => html`<li><a href="${WEBHOOKS_PATH}/${publicOwnedId(one.eventTypeId === null ? 'webhook' : 'eventTypeWebhook', one)}"><bdi>${one.url}</bdi></a></li>`)}</ul>
    </section>`;
}

/** To those who may verify them again: workflows send nothing to what nobody answers for. */
function unansweredNote({ unanswered, clock: { locale } }: GroupPage): Html | '' {
  if (unanswered.length === 0) return '';
  const { group: words } = teamWords(locale);
  return html`<section class="warning" aria-labelledby="unanswered">
      <h2 id="unanswered">${words.unanswered.title}</h2>
      <p>${words.unanswered.advice}</p>
      <ul class="plain">${unanswered.map((one) => html`<li><bdi>${one}</bdi></li>`)}</ul>
    </section>`;
}

function profilePart({ place, updatedAt, profile, csrf, mistakes, clock: { locale } }: GroupPage): Html {
  const { kind, path } = place;
  const { group: words, fields, save } = teamWords(locale);
  return html`<article>
      <h2>${words.profile}</h2>
      <form method="post" action="${path}" novalidate>
        ${hiddenField('csrf', csrf.profile)}
        ${hiddenField('updatedAt', updatedAt)}
        ${textField({ name: 'name', label: fields.name, autocomplete: 'off', value: profile.name }, mistakes)}
        ${textField({ name: 'slug', label: fields.slug, autocomplete: 'off', value: profile.slug, hint: words.slugHint }, mistakes)}
        ${textArea({ name: 'bio', label: words.bio, value: profile.bio, rows: 4, isOptional: true, hint: words.bioHint(MAX_BIO_LENGTH) }, mistakes)}
        ${checkBox({ name: 'isPrivate', label: words.isPrivate[kind.group.kind], isChecked: profile.isPrivate })}
        <button type="submit">${save}</button>
      </form>
    </article>`;
}

function teamsPart(teams: Page<ShownGroup>, place: Place, locale: string): Html {
  const { path, groupId } = place;
  const isAdministered = administersPlace(place);
  const { roles, group: words } = teamWords(locale);
  const { title, none } = isAdministered ? words.allTeams : words.ownTeams;
  return html`<article>
      <h2>${title}</h2>
      ${
        teams.rows.length === 0
          ? html`<p>${none}</p>`
          : html`<ul class="rows">${teams.rows.map(
              ({
                id,
                name,
                role,
              }) => html`<li><h3><a href="${groupPath(KINDS.team.group, id)}"><bdi>${name}</bdi></a></h3>
          ${isAdministered ? '' : html`<p>${roles[role]}</p>`}</li>`,
            )}</ul>`
      }
      ${pager(teams, ({ slug }) => [slug], { path, parameter: CURSORS.teams, locale })}
      ${isAdministered ? html`<p class="aside"><a href="${TEAMS_PATH}?in=${teamIn(groupId)}#create">${words.addTeam}</a></p>` : ''}
    </article>`;
}
