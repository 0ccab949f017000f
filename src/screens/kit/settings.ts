import { html } from 'hono/html';
import { SETTINGS, type Setting } from './paths.ts';
import { pageWords } from './words/page-words.ts';

/** The pages are made with these, so they import nothing of them. */
type Html = ReturnType<typeof html>;

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

/** The list of settings with the purpose of each, for the start page. */
export function settingsList(locale: string): Html {
  const { settings } = pageWords(locale);
  const lines = Object.entries(SETTINGS).map(([key, path]) => {
    const [name, what] = settings[key as Setting];
    return html`<li><a href="${path}">${name}</a>: ${what}</li>`;
  });
  return html`<ul class="ways">${lines}</ul>`;
}
