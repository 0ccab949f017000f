import { html } from 'hono/html';
import type { Html } from './layout.ts';
import { pageWords } from './words/page-words.ts';

export const SETTINGS_PATH = '/settings';

/** What a user can set: the account itself, then the rest in the order of a first day. */
const SETTINGS = {
  account: '/settings/account',
  eventTypes: '/settings/event-types',
  hours: '/settings/hours',
  absences: '/settings/absences',
  calendars: '/settings/calendars',
  conferencing: '/settings/conferencing',
  teams: '/settings/teams',
  apps: '/settings/apps',
  webhooks: '/settings/webhooks',
  developer: '/settings/developer/oauth',
} as const;

/** One of these pages, or a page below it. */
export type Setting = keyof typeof SETTINGS;

/**
 * The ways from one page of settings to all others, above it. On a phone there is no room for them: there the page of the
 * account lists them, and from the others one link leads to it.
 */
export function settingsNav(current: Setting, locale: string): Html {
  const { settings, settingsTitle } = pageWords(locale);
  const links = Object.entries(SETTINGS).map(([key, path]) => {
    const [name] = settings[key as Setting];
    return html`<li><a href="${path}" ${key === current ? html`aria-current="true"` : ''}>${name}</a></li>`;
  });
  return html`<nav class="settings tabs${current === 'account' ? ' all' : ''}" aria-label="${settingsTitle}">
        ${current === 'account' ? '' : html`<a class="back" href="${SETTINGS.account}">${settingsTitle}</a>`}
        <ul>${links}</ul>
      </nav>`;
}

/** The same with what each is for, on the start page. */
export function settingsList(locale: string): Html {
  const { settings } = pageWords(locale);
  const lines = Object.entries(SETTINGS).map(([key, path]) => {
    const [name, what] = settings[key as Setting];
    return html`<li><a href="${path}">${name}</a>: ${what}</li>`;
  });
  return html`<ul class="ways">${lines}</ul>`;
}
