import { html } from 'hono/html';
import type { Page } from '../core/page.ts';
import type { Mistake } from '../core/problem.ts';
import type { ListedSession } from '../modules/accounts/session.queries.ts';
import { browserName } from './browser-name.ts';
import { checkBox, formTitle, hiddenField, mistakeSummary, textField } from './form-parts.ts';
import { type Html, layout, type Viewer } from './layout.ts';
import { doneNotice, moment, pager } from './page-parts.ts';

export const ACCOUNT_PATH = '/settings/account';

export interface AccountPage {
  readonly viewer: Viewer;
  readonly sessions: Page<ListedSession>;
  readonly currentSessionId: string;
  readonly csrf: { readonly password: string; readonly sessions: string };
  readonly mistakes: readonly Mistake[];
  readonly done: string | undefined;
}

/** A user's password, and where the user is signed in. */
export function accountPage(page: AccountPage): Html {
  const { viewer, mistakes, done } = page;
  const content = html`${doneNotice(done)}
    ${mistakeSummary(mistakes)}
    <h1>Your account</h1>
    ${passwordPart(page)}
    ${sessionsPart(page)}`;
  return layout({ title: formTitle('Your account', mistakes), content, corner: viewer, shape: 'sheet' });
}

function passwordPart({ viewer, csrf, mistakes }: AccountPage): Html {
  return html`<article>
      <h2>Password</h2>
      <form method="post" action="${ACCOUNT_PATH}/password" class="narrow" novalidate>
        ${hiddenField('csrf', csrf.password)}
        <input type="hidden" name="username" autocomplete="username" value="${viewer.email}">
        ${textField({ name: 'currentPassword', label: 'Current password', type: 'password', autocomplete: 'current-password' }, mistakes)}
        ${textField(
          {
            name: 'newPassword',
            label: 'New password',
            type: 'password',
            autocomplete: 'new-password',
            hint: 'At least 8 characters; a few words in a row make a good one.',
          },
          mistakes,
        )}
        ${checkBox({ name: 'endOtherSessions', label: 'Sign out my other browsers', isChecked: true })}
        ${checkBox({ name: 'revokeApps', label: 'End the access of all apps that I authorized', isChecked: false })}
        <button type="submit">Change the password</button>
      </form>
    </article>`;
}

function sessionsPart({ sessions, currentSessionId, csrf }: AccountPage): Html {
  const hasOthers = sessions.rows.some(({ id }) => id !== currentSessionId);
  return html`<article>
      <h2>Where you are signed in</h2>
      <form method="post" action="${ACCOUNT_PATH}/sessions">
        ${hiddenField('csrf', csrf.sessions)}
        <ul class="rows">${sessions.rows.map((session) => sessionRow(session, session.id === currentSessionId))}</ul>
        ${hasOthers ? html`<button type="submit" name="end" value="others" class="quiet">Sign out everywhere else</button>` : ''}
      </form>
      ${pager(sessions, ({ key }) => key, { path: ACCOUNT_PATH })}
    </article>`;
}

function sessionRow({ id, userAgent, address, createdAt, lastSeenAt }: ListedSession, isCurrent: boolean): Html {
  return html`<li>
          <h3><bdi>${browserName(userAgent)}</bdi> ${isCurrent ? html`<mark>This browser</mark>` : ''}</h3>
          <p class="facts"><span>From ${address}</span> <span>Signed in ${moment(createdAt)}</span>
            <span>Last seen ${moment(lastSeenAt)}</span>
            ${isCurrent ? '' : html`<button type="submit" name="end" value="${id}" class="link">Sign out there</button>`}</p>
        </li>`;
}
