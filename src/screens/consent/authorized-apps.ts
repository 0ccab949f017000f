import { html } from 'hono/html';
import { publicId } from '../../core/id.ts';
import { type Page, pageRequest } from '../../core/page.ts';
import { findUser } from '../../modules/accounts/user.queries.ts';
import type { Aftermath } from '../../oauth/authorization-server.ts';
import {
  type AuthorizedApp,
  type AuthorizedGrant,
  findAuthorizedApp,
  findAuthorizedApps,
  namedGrant,
  revokeApp,
} from '../../oauth/grants/authorized-apps.ts';
import { isScope } from '../../scopes/catalog.ts';
import { scopeSentences } from '../../scopes/scope-sentences.ts';
import { type Html, isolated, layout, type Viewer } from '../kit/layout.ts';
import { always, type DeclaredPage, page } from '../kit/page.ts';
import { doneNotice, nothingYet, pager } from '../kit/page-parts.ts';
import { seeOther } from '../kit/page-response.ts';
import { SETTINGS } from '../kit/paths.ts';
import { question } from '../kit/question.ts';
import type { AddressOf } from '../kit/visitors.ts';
import { type Clock, clockOf, momentFor } from '../kit/when.ts';
import { consentWords } from './consent-page.ts';

/** `/settings/apps`: the apps that a user let in. */
export const appsPage: DeclaredPage = page({
  path: SETTINGS.apps,
  find: always,
  show: async (showing) => {
    const { c, session, locale } = showing;
    const { after } = c.req.query();
    return appsView({
      ...showing,
      apps: await findAuthorizedApps(showing.em, session.userId, pageRequest({ after }, ['TEXT'])),
      done: showing.done === 'revoked' ? consentWords(locale).revoke.done : undefined,
      clock: { ...clockOf(await findUser(showing.em, session.userId)), locale },
    });
  },
});

/** Asks before one ends what an app was granted: one grant, or all of them. */
export function revokeAppPage({ addressOf }: { readonly addressOf: AddressOf }, after: Aftermath): DeclaredPage {
  return question({
    path: `${SETTINGS.apps}/:clientId/revoke`,
    // A form ends what is still on the way to a grant as well: a code, or a page that asks. The command finds it.
    find: async ({ c, em, session, param }): Promise<Revocable | undefined> => {
      const app = await findAuthorizedApp(em, session.userId, param('clientId'));
      return app ?? (c.req.method === 'POST' ? { name: undefined } : undefined);
    },
    // Ended already, in another tab or by the app itself: there is nothing left to confirm.
    none: ({ c }) => seeOther(c, SETTINGS.apps),
    ask: ({ c, param, locale, back }, { name }) => {
      if (name === undefined) {
        if (back?.problem && back.problem.code !== 'FORGED_FORM') throw back.problem;
        return seeOther(c, SETTINGS.apps);
      }
      const grantId = c.req.query('grant');
      const { revoke: words } = consentWords(locale);
      const { title, what } = grantId === undefined ? words.all : words.one;
      return {
        title: title(isolated(name)),
        explanation: what,
        button: words.button,
        action: revokePath(param('clientId'), grantId),
        backPath: SETTINGS.apps,
      };
    },
    run: async ({ c, em, session: { userId }, param }) => {
      const named = c.req.query('grant');
      const grantId = named === undefined ? undefined : namedGrant(named);
      await revokeApp(em, after, { clientId: param('clientId'), grantId, userId, address: addressOf(c) });
      return { to: SETTINGS.apps, done: 'revoked' };
    },
  });
}

interface Revocable {
  /** Undefined where the app has no grant. */
  readonly name: string | undefined;
}

interface AppsView {
  readonly viewer: Viewer;
  readonly apps: Page<AuthorizedApp>;
  readonly done: string | undefined;
  /** The clock and the language of the reader. */
  readonly clock: Clock;
}

/** Where a user ends what an app was granted: one grant, or all of them. */
function revokePath(clientId: string, grantId?: string): string {
  const path = `${SETTINGS.apps}/${encodeURIComponent(clientId)}/revoke`;
  return grantId === undefined ? path : `${path}?grant=${encodeURIComponent(grantId)}`;
}

/** The apps that a user let in, with what each may do. */
function appsView({ viewer, apps, done, clock }: AppsView): Html {
  const { locale } = clock;
  const { apps: words } = consentWords(locale);
  const content = html`${doneNotice(done)}
    <h1>${words.title}</h1>
    ${
      apps.rows.length === 0
        ? nothingYet(html`<p>${words.none}</p>`)
        : html`<p>${words.what}</p>
    ${apps.rows.map((app) => appPart(app, clock))}`
    }
    ${pager(apps, ({ clientId }) => [clientId], { path: SETTINGS.apps, locale })}`;
  return layout({ title: words.title, content, corner: viewer, setting: 'apps', shape: 'sheet', locale });
}

function appPart({ clientId, name, websiteUrl, isSuspended, grants }: AuthorizedApp, clock: Clock): Html {
  const { apps: words } = consentWords(clock.locale);
  return html`<article>
      <div class="title-row">
        <h2><bdi>${name}</bdi></h2>
        <a class="button quiet danger" href="${revokePath(clientId)}">${words.endAll(name)}</a>
      </div>
      ${websiteUrl === null ? '' : html`<p class="facts"><bdi>${websiteUrl}</bdi></p>`}
      ${isSuspended ? html`<p class="warning">${words.suspended}</p>` : ''}
      <ul class="rows">${grants.map((grant) => grantRow(clientId, grant, grants.length > 1, clock))}</ul>
    </article>`;
}

function grantRow(clientId: string, grant: AuthorizedGrant, isOneOfMany: boolean, clock: Clock): Html {
  const { apps: words } = consentWords(clock.locale);
  const sentences = scopeSentences(clock.locale);
  const { id, kind, scopes, createdAt, lastUsedAt } = grant;
  return html`<li>
          <p class="facts"><span>${words.allowed} ${momentFor(createdAt, clock)}</span> <span>${words.lastUsed} ${momentFor(lastUsedAt, clock)}</span>
            ${isOneOfMany ? html`<a href="${revokePath(clientId, publicId('grant', id))}">${words.endOne}</a>` : ''}</p>
          ${
            kind === 'UNRESTRICTED'
              ? html`<p class="warning">${words.everything}</p>`
              : html`<details ${scopes.length <= MOST_SHOWN_OPEN ? html`open` : ''}><summary>${words.may(scopes.length)}</summary>
            <ul>${scopes.map((scope) => html`<li>${isScope(scope) ? sentences[scope] : scope}</li>`)}</ul></details>`
          }
        </li>`;
}

/** More than this, and the list would push the next app out of sight. */
const MOST_SHOWN_OPEN = 6;
