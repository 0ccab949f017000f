import { html } from 'hono/html';
import { inLanguages } from '../../core/language.ts';
import type { Mistake } from '../../core/problem.ts';
import type { ConnectionStatus } from '../../modules/calendars/connections/calendar-connection.rules.ts';
import { APPS, type AppSlug, isApp, isOAuthApp } from '../../modules/conferencing/conferencing-app.rules.ts';
import { aboutFields, formTitle, hiddenField, mistakeSummary } from '../kit/form-parts.ts';
import { type Html, isolated, layout, type Viewer } from '../kit/layout.ts';
import { doneNotice, nothingYet } from '../kit/page-parts.ts';
import { type PageLevel, settingOf } from '../teams/page-level.ts';
import { CONFERENCING_DE } from './conferencing-words.de.ts';
import { CONFERENCING_EN } from './conferencing-words.en.ts';

/** The words of the pages of conferencing apps, for a reader of this locale. */
export const conferencingWords = inLanguages(CONFERENCING_EN, { de: CONFERENCING_DE });

/** The forms of the page, each sent to an address of its own. */
export const CONFERENCING_FORMS = ['connect', 'default', 'disconnect'] as const;
export type ConferencingForm = (typeof CONFERENCING_FORMS)[number];

export interface ShownApp {
  /** The public id of the app's row. */
  readonly id: string;
  readonly app: string;
  readonly isDefault: boolean;
  /** `PENDING`: its provider has not answered in the time that a page may take. `NOT_OFFERED`: it is not configured any more. */
  readonly status: ConnectionStatus | 'PENDING' | 'NOT_OFFERED';
}

export interface ConferencingPage {
  readonly viewer: Viewer;
  readonly level: Pick<PageLevel, 'place' | 'path'>;
  /** The apps that are connected. */
  readonly apps: readonly ShownApp[];
  /** The apps that the operator has configured. */
  readonly offered: readonly AppSlug[];
  readonly csrf: Readonly<Record<ConferencingForm, string>>;
  readonly mistakes: readonly Mistake[];
  readonly done: ConferencingForm | undefined;
  /** BCP 47, the reader's. */
  readonly locale: string;
}

export function nameOfApp(app: string): string {
  return isApp(app) ? APPS[app] : app;
}

/** The apps in which a user or a team meets, and those that can be connected. */
export function conferencingPage(page: ConferencingPage): Html {
  const { viewer, level, apps, locale } = page;
  const words = conferencingWords(locale);
  const { place } = level;
  const mistakes = aboutFields([], page.mistakes);
  const title = place ? words.titleOfTeam(isolated(place.shown.name)) : words.title;
  const content = html`${doneNotice(page.done && words.done[page.done])}
    ${mistakeSummary(mistakes, locale)}
    ${place ? html`<p class="aside top"><a href="${place.path}">${words.backToTeam(html`<bdi>${place.shown.name}</bdi>`)}</a></p>` : ''}
    <h1>${title}</h1>
    <p class="aside top">${place ? words.introOfTeam : words.intro}</p>
    ${
      apps.length === 0
        ? nothingYet(
            html`<p>${page.offered.length === 0 ? words.noneOffered : place ? words.emptyOfTeam : words.empty}</p>`,
          )
        : html`<ul class="rows">${apps.map((app) => html`<li>${rowOf(app, page)}</li>`)}</ul>`
    }
    ${apps.length > 1 ? html`<p class="aside">${words.defaultHint}</p>` : ''}
    ${offersPart(page)}`;
  return layout({
    title: formTitle(title, mistakes, locale),
    content,
    corner: viewer,
    setting: settingOf(level, 'conferencing'),
    shape: 'sheet',
    locale,
  });
}

function rowOf({ id, app, isDefault, status }: ShownApp, { level, csrf, locale, offered }: ConferencingPage): Html {
  const words = conferencingWords(locale);
  const name = nameOfApp(app);
  const needsAccess = isOAuthApp(app) && offered.includes(app) && status === 'BROKEN';
  return html`<h2>${name} ${isDefault ? html`<mark>${words.isDefault}</mark>` : ''}</h2>
          <p>${words.states[status]}</p>
          <div class="actions">
            ${needsAccess ? connectForm(app, words.again(name), level, csrf.connect) : ''}
            ${
              isDefault
                ? ''
                : html`<form method="post" action="${level.path}/default">
              ${hiddenField('csrf', csrf.default)}
              ${hiddenField('app', id)}
              <button type="submit" class="quiet">${words.makeDefault(name)}</button>
            </form>`
            }
            <a class="button quiet danger" href="${level.path}/disconnect?app=${id}">${words.disconnect(name)}</a>
          </div>`;
}

/** The apps that can be connected besides, and those that cannot, as the operator has not configured them. */
function offersPart({ level, apps, offered, csrf, locale }: ConferencingPage): Html {
  const words = conferencingWords(locale);
  const others = (Object.keys(APPS) as AppSlug[]).filter((slug) => !apps.some(({ app }) => app === slug));
  const [open, missing] = [
    others.filter((slug) => offered.includes(slug)),
    others.filter((slug) => !offered.includes(slug)),
  ];
  if (others.length === 0) return html`<p class="aside">${words.all}</p>`;
  return html`<article>
      <h2>${words.more}</h2>
      ${open.map(
        (slug) => html`<h3>${APPS[slug]}</h3>
      <p>${words.offers[slug]}</p>
      ${connectForm(slug, words.connect(APPS[slug]), level, csrf.connect)}`,
      )}
      ${missing.map((slug) => html`<p class="aside">${words.notOffered(APPS[slug])}</p>`)}
    </article>`;
}

function connectForm(app: string, says: string, { path }: ConferencingPage['level'], csrf: string): Html {
  return html`<form method="post" action="${path}/connect">
        ${hiddenField('csrf', csrf)}
        ${hiddenField('app', app)}
        <button type="submit">${says}</button>
      </form>`;
}
