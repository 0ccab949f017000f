import { html } from 'hono/html';
import type { ScopeDefinition, ScopeLevel } from '../../scopes/create-catalog.ts';
import type { Html } from './layout.ts';

/** A permission of an app, to be shown in words. */
export interface ShownScope extends Pick<ScopeDefinition, 'level' | 'resource' | 'action' | 'words'> {
  /** Its name, where the reader works with names. */
  readonly name?: string;
  /** To be marked: what the reader has not decided about before. */
  readonly isNew: boolean;
}

const GROUPS = [
  { level: 'USER', title: 'account' },
  { level: 'TEAM', title: 'teams' },
  { level: 'ORGANIZATION', title: 'organizations' },
] as const satisfies readonly { readonly level: ScopeLevel; readonly title: string }[];

/** What a resource of the catalogue is called in a list of what an app may see and change. */
const RESOURCES: Readonly<Record<string, string>> = {
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
};

/** Where a level has more in it than the resource's name says: whole teams can be deleted, accounts made. */
const AT_LEVEL: Readonly<Record<string, string>> = {
  'TEAM PROFILE': 'The teams themselves',
  'ORGANIZATION PROFILE': 'The teams themselves',
  'ORGANIZATION MEMBERSHIP': 'Members and their accounts',
};

/** One line for each thing, by whose it is: whether it is seen, changed, or both. The scopes' own words unfold. */
export function scopeList(scopes: readonly ShownScope[], whose: 'Your' | 'Their'): Html {
  const groups = GROUPS.map(({ level, title }) => ({
    title,
    things: Map.groupBy(
      scopes.filter((scope) => scope.level === level),
      ({ resource }) => resource,
    ),
  }));
  return html`${groups
    .filter(({ things }) => things.size > 0)
    .map(
      ({ title, things }) => html`<h3>${whose} ${title}</h3>
      <ul class="scopes">${[...things.values()].map(scopeLine)}</ul>`,
    )}`;
}

function scopeLine(scopes: readonly ShownScope[]): Html {
  const actions = scopes.map(({ action }) => (action === 'READ' ? 'see' : 'change'));
  return html`<li><details>
          <summary><span><strong>${nameOf(scopes)}</strong>: ${actions.join(' and ')}${newMark(scopes)}</span></summary>
          <ul>${scopes.map(
            (scope) =>
              html`<li>${scope.words}${scope.name ? html` <code>${scope.name}</code>` : ''}${newMark([scope])}</li>`,
          )}</ul>
        </details></li>`;
}

function nameOf([scope]: readonly ShownScope[]): string {
  const { level = '', resource = '' } = scope ?? {};
  return AT_LEVEL[`${level} ${resource}`] ?? RESOURCES[resource] ?? resource;
}

function newMark(scopes: readonly ShownScope[]): Html | '' {
  return scopes.some(({ isNew }) => isNew) ? html` <mark>New</mark>` : '';
}
