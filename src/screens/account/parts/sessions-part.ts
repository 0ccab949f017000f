import { html } from 'hono/html';
import { publicId } from '../../../core/id.ts';
import type { ListedSession } from '../../../modules/accounts/sign-in/session.queries.ts';
import { browserName } from '../../kit/browser-name.ts';
import { hiddenField } from '../../kit/form-parts.ts';
import type { Html } from '../../kit/layout.ts';
import { moment, pager } from '../../kit/page-parts.ts';
import { ACCOUNT_PATH, type AccountPage, accountFormPath } from '../account-forms.ts';

export function sessionsPart({ sessions, currentSessionId, csrf }: AccountPage): Html {
  const hasOthers = sessions.rows.some(({ id }) => id !== currentSessionId);
  return html`<article id="sessions">
      <h2>Where you are signed in</h2>
      <form method="post" action="${accountFormPath('sessions')}">
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
            ${isCurrent ? '' : html`<button type="submit" name="end" value="${publicId('session', id)}" class="link">Sign out there</button>`}</p>
        </li>`;
}
