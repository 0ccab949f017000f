import { html } from 'hono/html';
import type { Page } from '../../../core/page.ts';
import type { Mistake } from '../../../core/problem.ts';
import { MAX_PRIORITY } from '../../../modules/event-types/event-type-host.rules.ts';
import type { HostCandidate } from '../../../modules/event-types/event-type-hosts.ts';
import {
  checkBox,
  formTitle,
  hiddenField,
  mistakeOf,
  mistakeSummary,
  selectField,
  textField,
} from '../../kit/form-parts.ts';
import { type Html, isolated, layout, type Viewer } from '../../kit/layout.ts';
import { doneNotice, pager } from '../../kit/page-parts.ts';
import { eventTypePath } from '../event-types-page.ts';
import type { ShownEventType, Values } from '../form-part.ts';
import { eventTypeWords, type HostWords, hostWords } from '../words/event-type-words.ts';
import { fieldsOf, nameOf, SCOPES, takesTurns } from './hosts-form.ts';

export interface HostsPage {
  readonly viewer: Viewer;
  readonly eventType: ShownEventType;
  /** When it was last changed, as the form has seen it. */
  readonly updatedAt: string;
  readonly candidates: Page<HostCandidate>;
  /** The address of this page of the members, with its query. */
  readonly action: string;
  /** Nobody can be booked with it. */
  readonly hasNoHosts: boolean;
  readonly typed: Values;
  readonly csrf: string;
  readonly mistakes: readonly Mistake[];
  readonly done: string | undefined;
  /** BCP 47, the reader's. */
  readonly locale: string;
}

/** The address of the page that says who takes part in a team's event type. */
export function hostsPath(eventType: Parameters<typeof eventTypePath>[0]): string {
  return `${eventTypePath(eventType)}/hosts`;
}

/** The members of a team, and as what each of them takes part in one of its event types. */
export function hostsPage(page: HostsPage): Html {
  const { viewer, eventType, candidates, typed, mistakes, locale } = page;
  const words = hostWords(locale);
  const { fields, scheduling } = eventTypeWords(locale);
  const content = html`${doneNotice(page.done)}
    ${mistakeSummary(mistakes, locale)}
    <p class="aside top"><a href="${eventTypePath(eventType)}"><bdi>${eventType.title}</bdi></a></p>
    <h1>${words.titleOf(isolated(eventType.title))}</h1>
    ${page.hasNoHosts ? html`<p class="warning">${words.nobody}</p>` : ''}
    <form method="post" action="${page.action}" novalidate>
      ${hiddenField('csrf', page.csrf)}
      ${hiddenField('updatedAt', page.updatedAt)}
      <article>
        ${selectField({ name: 'schedulingType', label: fields.schedulingType, value: typed['schedulingType'] ?? '', options: Object.entries(scheduling), hint: words.schedulingHint }, mistakes)}
        <fieldset>
          <legend>${words.scope}</legend>
          ${SCOPES.map((value) => checkBox({ name: 'scope', type: 'radio', value, label: words.scopes[value], isChecked: typed['scope'] === value }))}
          ${mistakeOf('scope-ALL', mistakes)}
        </fieldset>
      </article>
      <article>
        <h2>${words.members}</h2>
        <p>${takesTurns(eventType) ? words.turnsHint : words.choiceHint}</p>
        ${candidates.rows.map((candidate) => memberPart(candidate, page, words))}
        ${pager(candidates, ({ userId }) => [userId], { path: hostsPath(eventType), locale })}
      </article>
      <button type="submit">${words.save}</button>
    </form>`;
  const title = formTitle(words.titleOf(isolated(eventType.title)), mistakes, locale);
  return layout({ title, content, corner: viewer, setting: 'teams', shape: 'sheet', locale });
}

function memberPart(candidate: HostCandidate, { eventType, typed, mistakes }: HostsPage, words: HostWords): Html {
  const name = nameOf(candidate);
  const fields = fieldsOf(candidate);
  if (!candidate.isManaged)
    return html`<p><strong><bdi>${name}</bdi></strong> · ${asText(candidate, eventType, words)}<br><small>${words.above}</small></p>`;
  const choice = typed[fields.host] ?? '';
  if (!takesTurns(eventType))
    return html`${checkBox({ name: fields.host, label: html`<bdi>${name}</bdi>`, isChecked: choice !== '' })}${mistakeOf(fields.host, mistakes)}`;
  const choices = Object.entries(words.choices).map(([value, says]) => [value === 'NOT' ? '' : value, says] as const);
  const priorities = Array.from({ length: MAX_PRIORITY + 1 }, (_, less) => MAX_PRIORITY - less);
  return html`<fieldset class="row three"><legend><bdi>${name}</bdi></legend>
          ${selectField({ name: fields.host, label: words.part, value: choice, options: choices }, mistakes)}
          ${selectField({ name: fields.priority, label: words.priority, value: typed[fields.priority] ?? '', options: priorities.map((one) => [String(one), words.priorities(one)]) }, mistakes)}
          ${textField({ name: fields.weight, label: words.weight, inputMode: 'numeric', autocomplete: 'off', value: typed[fields.weight] ?? '', placeholder: words.weightHint }, mistakes)}
        </fieldset>`;
}

/** The role of a member whom the reader does not manage, without fields. */
function asText({ host }: HostCandidate, eventType: ShownEventType, words: HostWords): string {
  if (!host) return eventType.assignsAllMembers ? words.part : words.choices.NOT;
  if (!takesTurns(eventType)) return words.part;
  const choice = words.choices[host.isMandatory ? 'ALWAYS' : 'TURN'];
  return `${choice} · ${words.priority} ${host.priority} · ${words.weight} ${host.weight}`;
}
