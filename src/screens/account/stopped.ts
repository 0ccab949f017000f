import { html } from 'hono/html';
import { idOf, NO_ID, publicId } from '../../core/id.ts';
import { type Page, pageRequest } from '../../core/page.ts';
import type { Mistake } from '../../core/problem.ts';
import { findUser } from '../../modules/accounts/user.queries.ts';
import { TITLES as CALENDAR_TITLES } from '../../modules/calendars/connections/calendar-connection.rules.ts';
import { APPS } from '../../modules/conferencing/conferencing-app.rules.ts';
import { discardThing, type RevivalSettings, reviveThing } from '../../oauth/stopped/revive-thing.ts';
import { findStoppedThings, type ShownThing } from '../../oauth/stopped/stopped-thing.queries.ts';
import { STOPPED_DAYS, type StoppedKind } from '../../oauth/stopped/stopped-thing.rules.ts';
import { aboutFields, formTitle, hiddenField, mistakeSummary } from '../kit/form-parts.ts';
import { type Html, layout, type Viewer } from '../kit/layout.ts';
import { always, type DeclaredPage, page, type Visit } from '../kit/page.ts';
import { COPY_HEAD, copyable, doneNotice, nothingYet, pager } from '../kit/page-parts.ts';
import { SCRIPTED_HEADERS, sendPage } from '../kit/page-response.ts';
import type { AddressOf } from '../kit/visitors.ts';
import { type Clock, clockOf, momentFor } from '../kit/when.ts';
import { stoppedWords } from './account-words.ts';

export const STOPPED_PATH = '/settings/stopped';

/** The actions on one of them. */
const STOPPED_ACTIONS = ['revive', 'delete'] as const;
type StoppedAction = (typeof STOPPED_ACTIONS)[number];

export interface StoppedSettings extends RevivalSettings {
  readonly addressOf: AddressOf;
}

/** `/settings/stopped`: what has stopped since the address of an account was shown to be its owner's. */
export function stoppedPage(settings: StoppedSettings): DeclaredPage {
  const named = ({ c, session: { userId } }: Visit, form: URLSearchParams) => {
    const id = idOf('stoppedThing', form.get('id') ?? '') ?? NO_ID;
    return { userId, id, address: settings.addressOf(c) };
  };
  return page({
    path: STOPPED_PATH,
    find: always,
    show: async (showing) => {
      const { c, session, locale, done } = showing;
      const { after } = c.req.query();
      const words = stoppedWords(locale);
      return stoppedView({
        ...showing,
        things: await findStoppedThings(showing.em, session.userId, pageRequest({ after })),
        clock: { ...clockOf(await findUser(showing.em, session.userId)), locale },
        mistakes: showing.mistakes(),
        done: done === 'revived' || done === 'deleted' ? words.done[done] : undefined,
      });
    },
    forms: {
      revive: {
        run: async (visit, _, form) => {
          const thing = { ...named(visit, form), shown: form.get('address') };
          const { secret, ...revived } = await reviveThing(visit.em, settings, thing);
          if (secret === undefined) return { to: STOPPED_PATH, done: 'revived' };
          const shown = newSecretView(visit.viewer, { ...revived, secret }, visit.locale);
          return sendPage(visit.c, shown, 200, SCRIPTED_HEADERS);
        },
      },
      delete: {
        run: async (visit, _, form) => {
          await discardThing(visit.em, named(visit, form));
          return { to: STOPPED_PATH, done: 'deleted' };
        },
      },
    },
  });
}

interface StoppedView {
  readonly viewer: Viewer;
  readonly things: Page<ShownThing>;
  readonly csrf: Readonly<Record<StoppedAction, string>>;
  readonly mistakes: readonly Mistake[];
  readonly done: string | undefined;
  /** How who reads it reads times, and in which language. */
  readonly clock: Clock;
}

/** Lists the things that have stopped in an account, each with where it leads: they come back one by one. */
function stoppedView({ viewer, things, csrf, mistakes, done, clock }: StoppedView): Html {
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

function thingPart(thing: ShownThing, csrf: StoppedView['csrf'], clock: Clock): Html {
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
function newSecretView(
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
