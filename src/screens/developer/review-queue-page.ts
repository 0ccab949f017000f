import { html } from 'hono/html';
import type { Page } from '../../core/page.ts';
import type { Mistake } from '../../core/problem.ts';
import type { ListedClient } from '../../oauth/clients/oauth-client.queries.ts';
import { formTitle, mistakeSummary, textField } from '../kit/form-parts.ts';
import { type Html, layout, type Viewer } from '../kit/layout.ts';
import { doneNotice, moment, nothingYet, pager } from '../kit/page-parts.ts';
import { REVIEWS_PATH, reviewPath } from './client-paths.ts';
import { DEVELOPER_SUSPENDED_MARK } from './client-status.ts';

export interface ReviewQueuePage {
  readonly viewer: Viewer;
  readonly waiting: Page<ListedClient>;
  /** The client id that was looked for and not found. */
  readonly typedId: string;
  readonly mistakes: readonly Mistake[];
  readonly done: string | undefined;
}

/** Lists the clients that wait for an administrator, and leads to every other client. */
export function reviewQueuePage({ viewer, waiting, typedId, mistakes, done }: ReviewQueuePage): Html {
  const content = html`${doneNotice(done)}
    ${mistakeSummary(mistakes)}
    <h1>Reviews</h1>
    ${
      waiting.rows.length === 0
        ? nothingYet(
            html`<p>Nothing is waiting for review. We’ll e-mail you when a developer registers or changes a client.</p>`,
          )
        : html`<ul class="rows">${waiting.rows.map(waitingRow)}</ul>`
    }
    ${pager(waiting, ({ key }) => key, { path: REVIEWS_PATH })}
    <article>
      <h2>Any other client</h2>
      <form method="get" action="${REVIEWS_PATH}" novalidate>
        ${textField({ name: 'client_id', label: 'Client ID', value: typedId, autocomplete: 'off' }, mistakes)}
        <button type="submit" class="quiet">Open the client</button>
      </form>
    </article>`;
  return layout({ title: formTitle('Reviews', mistakes), content, corner: viewer, shape: 'sheet' });
}

function waitingRow(client: ListedClient): Html {
  const { clientId, name, status, isDeveloperSuspended, ownerName, ownerEmail, submittedAt, purpose } = client;
  return html`<li>
        <h2><a href="${reviewPath(clientId)}"><bdi>${name}</bdi></a>
          <mark class="pending">${status === 'PENDING' ? 'New client' : 'Change'}</mark>
          ${isDeveloperSuspended ? DEVELOPER_SUSPENDED_MARK : ''}</h2>
        <p class="words"><bdi>${purpose}</bdi></p>
        <p class="facts"><span><bdi>${ownerName}</bdi> (<bdi>${ownerEmail}</bdi>)</span> <span>Since ${moment(submittedAt)}</span></p>
      </li>`;
}
