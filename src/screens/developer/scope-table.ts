import { html } from 'hono/html';
import type { Mistake } from '../../core/problem.ts';
import { CATALOG } from '../../scopes/catalog.ts';
import type { ScopeDefinition } from '../../scopes/create-catalog.ts';
import { mistakeOf, textArea } from '../kit/form-parts.ts';
import type { Html } from '../kit/layout.ts';
import type { TypedClient } from './client-form.ts';

const LEVELS = [
  { level: 'USER', title: 'Own', explained: 'what belongs to the user' },
  { level: 'TEAM', title: 'Teams', explained: 'what belongs to their teams' },
  {
    level: 'ORGANIZATION',
    title: html`Organi&shy;zations`,
    explained: 'everything in an organization; each one includes the teams scope next to it',
  },
] as const;
const ACTIONS = [
  { action: 'READ', title: 'Read' },
  { action: 'WRITE', title: 'Write' },
] as const;
const COLUMNS = LEVELS.flatMap(({ level }) => ACTIONS.map(({ action }) => ({ level, action })));

const RESOURCES = [...Map.groupBy(CATALOG.definitions, ({ resource }) => resource)];

/** All scopes as a table of boxes: a resource is a row, whose it is and what is done with it a column. */
export function scopeTable(typed: TypedClient, mistakes: readonly Mistake[], isRequired: boolean): Html {
  const chosen = new Set(typed.scopes);
  const isWrong = mistakes.some(({ path }) => path?.[0] === 'scopes');
  return html`<fieldset id="scopes" class="scope-fields" tabindex="-1" aria-describedby="scopes-hint${isWrong ? ' scopes-mistake' : ''}">
        <legend>Scopes</legend>
        <small id="scopes-hint">${isRequired ? 'At least one. ' : ''}An authorization request can only ask for these. People are asked for each one, so only tick what
          your app needs. ${LEVELS.map(({ title, explained }, index) => html`${index === 0 ? '' : '; '}<strong>${title}</strong>: ${explained}`)}.</small>
        ${mistakeOf('scopes', mistakes)}
        ${documentsPart(typed, mistakes)}
        <table class="scope-table">
          <thead>
            <tr><th rowspan="2" scope="col">What</th>${LEVELS.map(({ title }) => html`<th colspan="2" scope="colgroup">${title}</th>`)}</tr>
            <tr>${COLUMNS.map(({ action }) => html`<th scope="col">${titleOf(action)}</th>`)}</tr>
          </thead>
          <tbody>
            ${RESOURCES.map(
              ([resource, definitions]) =>
                html`<tr><th scope="row">${inWords(resource)}</th>${COLUMNS.map(({ level, action }) =>
                  cell(
                    definitions.find((one) => one.level === level && one.action === action),
                    chosen,
                  ),
                )}</tr>
            `,
            )}
          </tbody>
        </table>
        <details>
          <summary>What each scope allows</summary>
          <dl class="scope-words">${CATALOG.definitions.map(({ name, words }) => html`<dt><code>${name}</code></dt><dd>${words}</dd>`)}</dl>
        </details>
      </fieldset>`;
}

/** Helps developers who do not know what scopes the app needs, but have its queries. */
function documentsPart({ documents: value, advice }: TypedClient, mistakes: readonly Mistake[]): Html {
  const hint = 'Paste the queries and mutations your app sends, one after the other. We don’t store them.';
  return html`<details class="apart" ${value === '' && mistakes.every(({ path }) => path?.[0] !== 'documents') ? '' : html`open`}>
          <summary>Not sure? Find the scopes your queries need</summary>
          ${textArea({ name: 'documents', label: 'Your app’s GraphQL', value, rows: 6, placeholder: '{ me { bookings(first: 10) { nodes { uid } } } }', hint, isOptional: true }, mistakes)}
          <button type="submit" name="action" value="propose" formaction="#scopes" class="quiet">Tick the scopes they need</button>
          ${advice === undefined ? '' : html`<p class="done" role="status">${advice}</p>`}
        </details>`;
}

function cell(scope: ScopeDefinition | undefined, chosen: ReadonlySet<string>): Html {
  if (!scope) return html`<td></td>`;
  const { name, words } = scope;
  const id = `scopes-${name}`;
  return html`<td><label for="${id}" title="${name}: ${words}"><input type="checkbox" id="${id}" name="scopes" value="${name}" ${
    chosen.has(name) ? html`checked` : ''
  }><span class="unseen">${words} <code>${name}</code></span></label></td>`;
}

function titleOf(action: string): string {
  return ACTIONS.find((one) => one.action === action)?.title ?? '';
}

/** `Event type`, of EVENT_TYPE: the word that stands in the names of scopes. */
function inWords(resource: string): string {
  return resource.charAt(0) + resource.slice(1).toLowerCase().replaceAll('_', ' ');
}
