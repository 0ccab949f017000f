import { html } from 'hono/html';
import type { Html } from './layout.ts';
import { pageWords } from './words/page-words.ts';

export const SETTINGS_PATH = '/settings';

/** What a user can set beside the account itself, in the order of a first day. */
const SETTINGS = [
  ['/settings/event-types', 'eventTypes'],
  ['/settings/hours', 'hours'],
  ['/settings/absences', 'absences'],
  ['/settings/calendars', 'calendars'],
  ['/settings/conferencing', 'conferencing'],
  ['/settings/teams', 'teams'],
  ['/settings/apps', 'apps'],
  ['/settings/webhooks', 'webhooks'],
  ['/settings/developer/oauth', 'developer'],
] as const;

/** The ways to these pages. */
export function settingsList(locale: string): Html {
  const { settings } = pageWords(locale);
  const lines = SETTINGS.map(([path, key]) => {
    const [name, what] = settings[key];
    return html`<li><a href="${path}">${name}</a>: ${what}</li>`;
  });
  return html`<ul>${lines}</ul>`;
}
