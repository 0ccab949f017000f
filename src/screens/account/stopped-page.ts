import { html } from 'hono/html';
import { publicId } from '../../core/id.ts';
import { inLanguages } from '../../core/language.ts';
import type { Page } from '../../core/page.ts';
import type { Mistake } from '../../core/problem.ts';
import { TITLES as CALENDAR_TITLES } from '../../modules/calendars/connections/calendar-connection.rules.ts';
import { APPS } from '../../modules/conferencing/conferencing-app.rules.ts';
import type { ShownThing } from '../../oauth/stopped/stopped-thing.queries.ts';
import { STOPPED_DAYS, type StoppedKind } from '../../oauth/stopped/stopped-thing.rules.ts';
import { aboutFields, formTitle, hiddenField, mistakeSummary } from '../kit/form-parts.ts';
import { type Html, layout, type Viewer } from '../kit/layout.ts';
import { COPY_HEAD, copyable, doneNotice, nothingYet, pager } from '../kit/page-parts.ts';
import { type Clock, momentFor } from '../kit/when.ts';
import { STOPPED_DE } from './words/stopped-words.de.ts';
import { STOPPED_EN } from './words/stopped-words.en.ts';

export const STOPPED_PATH = '/settings/stopped';

/** The actions on one of them. */
export const STOPPED_ACTIONS = ['revive', 'delete'] as const;
export type StoppedAction = (typeof STOPPED_ACTIONS)[number];

export const stoppedWords = inLanguages(STOPPED_EN, { de: STOPPED_DE });

export interface StoppedPage {
  readonly viewer: Viewer;
  readonly things: Page<ShownThing>;
  readonly csrf: Readonly<Record<StoppedAction, string>>;
  readonly mistakes: readonly Mistake[];
  readonly done: string | undefined;
  /** How who reads it reads times, and in which language. */
  readonly clock: Clock;
}

/** Lists the things that have stopped in an account, each with where it leads: they come back one by one. */
export function stoppedPage({ viewer, things, csrf, mistakes, done, clock }: StoppedPage): Html {
  const { locale } = clock;
  const words = stoppedWords(locale);
  const content = html`${doneNotice(done)}
    ${mistakeSummary(aboutFields([], mistakes), locale)}
    <h1>${words.title}</h1>
    ${
      things.rows.length === 0
        ? nothingYet(html`<p>${words.none}</p>`)
        : html`<p>${words.what(STOPPED_DAYS)}</p>
    ${things.rows.map((thing) => thingPart(thing, csrf, clock))}`
    }
    ${pager(things, ({ id }) => [id], { path: STOPPED_PATH, locale })}`;
  return layout({
    title: formTitle(words.title, mistakes, locale),
    content,
    corner: viewer,
    setting: 'account',
    shape: 'sheet',
    locale,
  });
}

function thingPart(thing: ShownThing, csrf: StoppedPage['csrf'], clock: Clock): Html {
  const { id, kind, address, stoppedAt } = thing;
  const title = titleOf(thing);
  const words = stoppedWords(clock.locale);
  const action = (
    name: StoppedAction,
    button: string,
    style: string,
  ) => html`<form method="post" action="${STOPPED_PATH}/${name}">
          ${hiddenField('csrf', csrf[name])}
          ${hiddenField('id', publicId('stoppedThing', id))}
          ${address === null ? '' : hiddenField('address', address)}
          <button type="submit" class="${style}">${button}<span class="unseen">${words.about(title)}</span></button>
        </form>`;
  return html`<article>
      <h2><bdi>${title}</bdi></h2>
      <p class="facts"><span>${words.kinds[kind]}</span> <span>${words.deleted} ${momentFor(stoppedAt.add({ hours: STOPPED_DAYS * 24 }), clock)}</span></p>
      ${
        address === null || address === thing.title
          ? ''
          : html`<dl><dt>${words[MEANING[kind] ?? 'leadsTo']}</dt>${address.split(' ').map((one) => html`<dd><code><bdi>${one}</bdi></code></dd>`)}</dl>`
      }
      ${kind === 'INVITATION' ? html`<p class="aside">${words.invitation}</p>` : ''}
      <div class="actions">${action('revive', words.revive, '')}${action('delete', words.remove, 'quiet danger')}</div>
    </article>`;
}

/** Accounts elsewhere are kept by the code of their provider. */
const PROVIDERS: Readonly<Record<string, string>> = { ...CALENDAR_TITLES, ...APPS };

function titleOf({ kind, title }: Pick<ShownThing, 'kind' | 'title'>): string {
  return kind === 'CALENDAR_ACCOUNT' || kind === 'CONFERENCING_APP' ? (PROVIDERS[title] ?? title) : title;
}

/** The meaning of a thing's address, where it is not the place that the thing leads to. */
const MEANING: Readonly<Partial<Record<StoppedKind, 'letsIn' | 'slug'>>> = {
  GROUP: 'slug',
  MEMBERSHIP: 'slug',
  GROUP_MEMBER: 'letsIn',
  INVITATION: 'letsIn',
  EMBEDDING: 'letsIn',
};

/** The new secret of what was revived, this once. Send it with `SCRIPTED_HEADERS`. */
export function newSecretPage(
  viewer: Viewer,
  { kind, title, secret }: Pick<ShownThing, 'kind' | 'title'> & { readonly secret: string },
  locale: string,
): Html {
  const { secret: words, kinds } = stoppedWords(locale);
  const content = html`<article>
      <h1>${words.title}</h1>
      <p class="warning"><strong>${words.once}</strong></p>
      <dl class="credentials">
        <dt>${kinds[kind]}</dt><dd><bdi>${title}</bdi></dd>
        <dt>${words.secret}</dt><dd>${copyable(words.secret, secret, 'WORD', locale)}</dd>
      </dl>
      <p>${kind === 'OAUTH_CLIENT' ? words.client : words.webhook}</p>
      <p><a class="button" href="${STOPPED_PATH}">${words.onward}</a></p>
    </article>`;
  return layout({ title: words.title, content, corner: viewer, shape: 'sheet', head: COPY_HEAD, locale });
}
