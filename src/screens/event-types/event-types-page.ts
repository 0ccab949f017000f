import { html } from 'hono/html';
import { type OwnedId, publicOwnedId } from '../../core/id.ts';
import type { Page } from '../../core/page.ts';
import type { Mistake } from '../../core/problem.ts';
import {
  aboutFields,
  checkBox,
  formTitle,
  hiddenField,
  mistakeSummary,
  selectField,
  textField,
} from '../kit/form-parts.ts';
import { type Html, isolated, layout, type Viewer } from '../kit/layout.ts';
import { doneNotice, linkIf, nothingYet, pager, SEND_ONCE_HEAD } from '../kit/page-parts.ts';
import { duration } from '../kit/when.ts';
import { type PageLevel, settingOf } from '../teams/page-level.ts';
import type { ShownEventType, Values } from './form-part.ts';
import { eventTypeWords, hostWords } from './words/event-type-words.ts';

/** The name of these pages in addresses, of a user and of a team. */
export const EVENT_TYPES_NAME = 'event-types';
export const EVENT_TYPES_PATH = `/settings/${EVENT_TYPES_NAME}`;

/** The address of one event type, to change it. */
export function eventTypePath(eventType: OwnedId): string {
  return `${EVENT_TYPES_PATH}/${publicOwnedId('eventType', eventType)}`;
}

export interface EventTypesPage {
  readonly viewer: Viewer;
  readonly level: PageLevel;
  readonly eventTypes: Page<ShownEventType>;
  /** Where all of them are booked, and one by its slug. There is no such page as long as nothing is offered. */
  readonly placeUrl: string;
  readonly isPlaceOpen: boolean;
  readonly urlOf: (slug: string) => string;
  readonly typed: Values;
  readonly csrf: string;
  readonly idempotencyKey: string;
  readonly mistakes: readonly Mistake[];
  readonly done: string | undefined;
}

/** Lists what a user or a team offers to book, with a form for more. */
export function eventTypesPage(page: EventTypesPage): Html {
  const { viewer, level, eventTypes, urlOf, typed, csrf, idempotencyKey, done } = page;
  const { place, path } = level;
  const { locale } = viewer;
  const { list: words, fields, hints } = eventTypeWords(locale);
  const mistakes = aboutFields(['title', 'slug', 'durationInMinutes', 'schedulingType'], page.mistakes);
  const line = { autocomplete: 'off', locale };
  const content = html`${doneNotice(done)}
    ${mistakeSummary(mistakes, locale)}
    ${place ? html`<p class="aside top"><a href="${place.path}"><bdi>${place.shown.name}</bdi></a></p>` : ''}
    <h1>${titleOf(level, locale)}</h1>
    <p class="aside top">${(place ? words.introOfTeam : words.intro)(linkIf(page.isPlaceOpen, page.placeUrl))}</p>
    ${
      eventTypes.rows.length === 0
        ? nothingYet(html`<p>${place ? words.emptyOfTeam : words.empty}</p>`)
        : html`<ul class="rows">${eventTypes.rows.map((one) => html`<li>${rowOf(one, urlOf(one.slug), locale)}</li>`)}</ul>`
    }
    ${pager(eventTypes, ({ id }) => [id], { path, locale })}
    <article>
      <h2>${words.add}</h2>
      <form method="post" action="${path}" novalidate data-once>
        ${hiddenField('csrf', csrf)}
        ${hiddenField('idempotencyKey', idempotencyKey)}
        ${textField({ ...line, name: 'title', label: fields.title, hint: hints.title, value: typed['title'] ?? '' }, mistakes)}
        ${textField({ ...line, name: 'durationInMinutes', label: fields.durationInMinutes, inputMode: 'numeric', value: typed['durationInMinutes'] ?? '' }, mistakes)}
        ${textField({ ...line, name: 'slug', label: fields.slug, hint: words.slugHint, isOptional: true, value: typed['slug'] ?? '' }, mistakes)}
        ${place ? hostFields(typed, mistakes, locale) : ''}
        <button type="submit">${words.addButton}</button>
      </form>
    </article>`;
  const title = formTitle(titleOf(level, locale), mistakes, locale);
  return layout({
    title,
    content,
    corner: viewer,
    setting: settingOf(level, 'eventTypes'),
    shape: 'sheet',
    head: SEND_ONCE_HEAD,
    locale,
  });
}

/** The title of the list. */
export function titleOf({ place }: PageLevel, locale: string): string {
  const { title, titleOfTeam } = eventTypeWords(locale).list;
  return place ? titleOfTeam(isolated(place.shown.name)) : title;
}

/** The fields that say who takes part in a team's. */
function hostFields(typed: Values, mistakes: readonly Mistake[], locale: string): Html {
  const { fields, scheduling } = eventTypeWords(locale);
  const { scopes, chooseNext } = hostWords(locale);
  const [options, isEverybody] = [Object.entries(scheduling), typed['assignsAllMembers'] !== undefined];
  return html`${selectField({ name: 'schedulingType', label: fields.schedulingType, value: typed['schedulingType'] ?? 'ROUND_ROBIN', options }, mistakes)}
        ${checkBox({ name: 'assignsAllMembers', label: `${scopes.ALL}. ${chooseNext}`, isChecked: isEverybody })}`;
}

function rowOf(eventType: ShownEventType, bookingUrl: string, locale: string): Html {
  const { title, durationInMinutes, schedulingType, isHidden } = eventType;
  const { list: words, scheduling } = eventTypeWords(locale);
  const facts = [
    duration(durationInMinutes, locale),
    schedulingType && scheduling[schedulingType],
    isHidden && words.isHidden,
  ];
  return html`<h2><a href="${eventTypePath(eventType)}"><bdi>${title}</bdi></a></h2>
          <p>${facts.filter(Boolean).join(' · ')}${schedulingType === 'MANAGED' || isHidden ? '' : html` · <a href="${bookingUrl}">${words.bookingPage(title)}</a>`}</p>`;
}
