import { html } from 'hono/html';
import { inLanguages, listed } from '../../core/language.ts';
import { LEVELS, type ScopeAction, type ScopeDefinition, type ScopeLevel } from '../../scopes/create-catalog.ts';
import type { Html } from './layout.ts';

/** The name of a resource of the catalogue in a list of what an app may see and change. */
const RESOURCES = {
  EVENT_TYPE: 'Event types',
  BOOKING: 'Bookings',
  SCHEDULE: 'Working hours and absences',
  APPS: 'Calendars and video apps',
  PROFILE: 'Profile',
  WEBHOOK: 'Webhooks',
  VERIFIED_RESOURCES: 'Verified e-mail addresses and phone numbers',
  MEMBERSHIP: 'Members',
  ROUTING_FORM: 'Routing forms',
  WORKFLOW: 'Workflows',
  // Where a level has more in it than the resource's name says: whole teams can be deleted, accounts made.
  'TEAM PROFILE': 'The teams themselves',
  'ORGANIZATION PROFILE': 'The teams themselves',
  'ORGANIZATION MEMBERSHIP': 'Members and their accounts',
};

/** The owners of the things: the reader, or users about whom somebody else reads. */
const GROUPS: Readonly<Record<'your' | 'their', Readonly<Record<ScopeLevel, string>>>> = {
  your: { USER: 'Your account', TEAM: 'Your teams', ORGANIZATION: 'Your organizations' },
  their: { USER: 'Their account', TEAM: 'Their teams', ORGANIZATION: 'Their organizations' },
};

const ACTIONS: Readonly<Record<ScopeAction, string>> = { READ: 'see', WRITE: 'change' };

/** The words for what apps may do, in English. */
const SCOPE_EN = {
  resources: RESOURCES,
  groups: GROUPS,
  actions: ACTIONS,
  isNew: 'New',
};

/** In German. */
const SCOPE_DE: typeof SCOPE_EN = {
  resources: {
    EVENT_TYPE: 'Terminarten',
    BOOKING: 'Buchungen',
    SCHEDULE: 'Arbeitszeiten und Abwesenheiten',
    APPS: 'Kalender und Videodienste',
    PROFILE: 'Profil',
    WEBHOOK: 'Webhooks',
    VERIFIED_RESOURCES: 'Bestätigte E-Mail-Adressen und Telefonnummern',
    MEMBERSHIP: 'Mitglieder',
    ROUTING_FORM: 'Weiterleitungsformulare',
    WORKFLOW: 'Abläufe',
    'TEAM PROFILE': 'Die Teams selbst',
    'ORGANIZATION PROFILE': 'Die Teams selbst',
    'ORGANIZATION MEMBERSHIP': 'Mitglieder und ihre Konten',
  },
  groups: {
    your: { USER: 'Ihr Konto', TEAM: 'Ihre Teams', ORGANIZATION: 'Ihre Organisationen' },
    their: { USER: 'Eigenes Konto', TEAM: 'Eigene Teams', ORGANIZATION: 'Eigene Organisationen' },
  },
  actions: { READ: 'sehen', WRITE: 'ändern' },
  isNew: 'Neu',
};

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
