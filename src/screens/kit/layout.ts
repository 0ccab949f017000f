/**
 * kit/ stands below all screens, and below http/: it reads requests of browsers, knows their visitors, words mistakes and
 * sends pages, and has the parts of which pages are made. The template escapes texts that are not HTML.
 */
import { html } from 'hono/html';
import { languageOf } from '../../core/language.ts';
import { hrefOf, ICON, PICO, STYLE } from './assets.ts';
import { pageWords } from './page-words.ts';
import { SETTINGS, type Setting } from './paths.ts';

export type Html = ReturnType<typeof html>;

/** The signed-in user, for the corner of the page. */
export interface Viewer {
  readonly name: string;
  readonly email: string;
  /** BCP 47: the language of the account, which goes before that of the browser. */
  readonly locale: string;
  /** Nobody has shown to read mail at that address: pages say what does not work until then. */
  readonly isUnconfirmed?: boolean;
  /** Whether they administer the service: they see the way to the reviews. */
  readonly isAdministrator?: boolean;
}

export interface PageParts {
  /** Says what the page is for; comes before the name of the service in the window's title. */
  readonly title: string;
  readonly content: Html;
  /** Undefined leaves the corner empty: on a page that asks for one decision, nothing leads elsewhere. */
  readonly corner?: Viewer | 'signed out' | undefined;
  /** The setting of the signed-in user that it belongs to: above it are the ways to the others. */
  readonly setting?: Setting;
  /** `card`: one thing to do, in the middle. `sheet`: something to read. */
  readonly shape: 'card' | 'sheet';
  /** The tags that a page needs besides the style sheets. */
  readonly head?: Html;
  /** Whether our name and mark are left out, on the page of a team or user who hides them. */
  readonly isUnbranded?: boolean;
  /** In a frame of another website: without what stands above a page of its own. */
  readonly isEmbedded?: boolean;
  /** BCP 47: the reader's, for a page that is there in other languages than English. */
  readonly locale?: string;
}

/** In the place of our icon: none, and no request for one either. */
const NO_ICON = 'data:,';

/** The beginning of every page's `head`. */
export function headOf(title: string, isUnbranded = false): Html {
  return html`<meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${isUnbranded ? title : html`${title} – Gatehouse`}</title>
    ${isUnbranded ? html`<link rel="icon" href="${NO_ICON}">` : html`<link rel="icon" href="${hrefOf(ICON)}" type="image/svg+xml">`}`;
}

/** A whole page: landmarks, language, style. It works without JavaScript. */
export function layout(page: PageParts): Html {
  const { title, content, corner, shape, head, isUnbranded = false, isEmbedded = false, locale = 'en' } = page;
  return html`<!doctype html>
<html lang="${languageOf(locale)}">
  <head>
    ${headOf(title, isUnbranded)}
    <link rel="stylesheet" href="${hrefOf(PICO)}">
    <link rel="stylesheet" href="${hrefOf(STYLE)}">
    ${head ?? ''}
  </head>
  <body${isEmbedded ? html` class="embedded"` : ''}>
    ${isEmbedded ? '' : headerOf(page)}
    <main id="main" class="${shape}">
      ${corner !== undefined && corner !== 'signed out' && corner.isUnconfirmed ? unconfirmed(corner, locale) : ''}
      ${content}
    </main>
  </body>
</html>
`;
}

function headerOf({ corner, setting, isUnbranded = false, locale = 'en' }: PageParts): Html {
  return html`<a class="skip" href="#main">${pageWords(locale).skip}</a>
    <header>
      ${isUnbranded ? '' : html`<a class="brand" href="/"><img src="${hrefOf(ICON)}" alt="" width="28" height="28">Gatehouse</a>`}
      ${corner === undefined ? '' : cornerOf(corner, locale)}
      ${setting === undefined ? '' : settingsNav(setting, locale)}
    </header>`;
}

function cornerOf(corner: Viewer | 'signed out', locale: string): Html {
  const words = pageWords(locale);
  if (corner === 'signed out')
    return html`<nav aria-label="${words.account}"><a href="/auth/login">${words.signIn}</a></nav>`;
  return html`<nav aria-label="${words.account}">
        <a href="/bookings">${words.bookings}</a>
        <a href="/settings/event-types">${words.settings.eventTypes[0]}</a>
        <a href="/settings/developer/oauth">${words.developer}</a>
        ${corner.isAdministrator ? html`<a href="/admin/oauth">${words.reviews}</a>` : ''}
        <a class="who" href="/settings/account"><bdi>${corner.name}</bdi></a>
        <a href="/auth/logout">${words.signOut}</a>
      </nav>`;
}

/** A warning on every page of a user, their own booking pages included, until their address is confirmed. */
function unconfirmed({ email }: Viewer, locale: string): Html {
  return html`<p class="warning">${pageWords(locale).unconfirmed(email, '/settings/account#email')}</p>`;
}

/** Text of others in the window's title, where no markup goes: isolated, so that it cannot turn the rest around. */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`;
}

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
