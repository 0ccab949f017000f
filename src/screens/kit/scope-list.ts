import { html } from 'hono/html';
import { inLanguages, listed } from '../../core/language.ts';
import { LEVELS, type ScopeDefinition } from '../../scopes/create-catalog.ts';
import type { Html } from './layout.ts';
import { SCOPE_DE } from './page-words.de.ts';
import { SCOPE_EN } from './page-words.en.ts';

/** The words for what apps may do, for a reader of this locale. */
const scopeWords = inLanguages(SCOPE_EN, { de: SCOPE_DE });

/** A permission of an app, to be shown in words. */
export interface ShownScope extends Pick<ScopeDefinition, 'level' | 'resource' | 'action' | 'words'> {
  /** Its name, where the reader works with names. */
  readonly name?: string;
  /** Whether the scope is marked, as the reader has not decided about it before. */
  readonly isNew: boolean;
}

/**
 * Lists scopes by the level that owns the data, one line for each resource: whether it is seen, changed, or both. The scopes' own
 * words unfold.
 */
export function scopeList(scopes: readonly ShownScope[], whose: 'your' | 'their', locale: string): Html {
  const groups = LEVELS.map((level) => ({
    title: scopeWords(locale).groups[whose][level],
    things: Map.groupBy(
      scopes.filter((scope) => scope.level === level),
      ({ resource }) => resource,
    ),
  }));
  return html`${groups
    .filter(({ things }) => things.size > 0)
    .map(
      ({ title, things }) => html`<h3>${title}</h3>
      <ul class="scopes">${[...things.values()].map((thing) => scopeLine(thing, locale))}</ul>`,
    )}`;
}

function scopeLine(scopes: readonly ShownScope[], locale: string): Html {
  const words = scopeWords(locale);
  const actions = listed(
    scopes.map(({ action }) => words.actions[action]),
    locale,
  );
  return html`<li><details>
          <summary><span><strong>${nameOf(scopes, locale)}</strong>: ${actions}${newMark(scopes, locale)}</span></summary>
          <ul>${scopes.map(
            (scope) =>
              html`<li>${scope.words}${scope.name ? html` <code>${scope.name}</code>` : ''}${newMark([scope], locale)}</li>`,
          )}</ul>
        </details></li>`;
}

function nameOf([scope]: readonly ShownScope[], locale: string): string {
  const { level = '', resource = '' } = scope ?? {};
  const names: Readonly<Record<string, string>> = scopeWords(locale).resources;
  return names[`${level} ${resource}`] ?? names[resource] ?? resource;
}

function newMark(scopes: readonly ShownScope[], locale: string): Html | '' {
  return scopes.some(({ isNew }) => isNew) ? html` <mark>${scopeWords(locale).isNew}</mark>` : '';
}
