import { html } from 'hono/html';
import { type Page, pageRequest } from '../../core/page.ts';
import { findOwnClients, type ListedClient } from '../../oauth/clients/oauth-client.queries.ts';
import { type Html, layout, type Viewer } from '../kit/layout.ts';
import { always, type DeclaredPage, page } from '../kit/page.ts';
import { doneNotice, nothingYet, pager } from '../kit/page-parts.ts';
import { CHANGE_MARK, CLIENTS_PATH, clientPath, statusMark } from './client-parts.ts';

/** `/settings/developer/oauth`: a developer's clients. */
export const clientsPage: DeclaredPage = page({
  path: CLIENTS_PATH,
  language: 'en',
  find: always,
  show: async ({ c, em, session, viewer, done }) => {
    const { after } = c.req.query();
    const clients = await findOwnClients(em, session.userId, pageRequest({ after }, ['TIME', 'TEXT']));
    return clientsView({ viewer, clients, done: done === 'deleted' ? 'The client was deleted.' : undefined });
  },
});

interface ClientsView {
  readonly viewer: Viewer;
  readonly clients: Page<ListedClient>;
  readonly done: string | undefined;
}

/** A developer's clients. */
function clientsView({ viewer, clients, done }: ClientsView): Html {
  const content = html`${doneNotice(done)}
    <div class="title-row">
      <h1>Your OAuth clients</h1>
      <a class="button" href="${CLIENTS_PATH}/new">Register a client</a>
    </div>
    ${clients.rows.length === 0 ? noClients() : html`<ul class="rows">${clients.rows.map(clientRow)}</ul>`}
    ${pager(clients, ({ key }) => key, { path: CLIENTS_PATH })}`;
  return layout({ title: 'Your OAuth clients', content, corner: viewer, setting: 'developer', shape: 'sheet' });
}

/** Says what to do first, and what comes then. */
function noClients(): Html {
  return nothingYet(html`<p><strong>You have no OAuth clients yet.</strong> A client is an app of yours that people can give access to their account,
        for example to show their bookings in a CRM, or to add their free times to e-mails.</p>
      <ol>
        <li><a href="${CLIENTS_PATH}/new">Register a client</a>: give it a name, say where people return to, and choose what it can ask for.</li>
        <li>An administrator reviews it, and we e-mail you. Until then, no one can give it access.</li>
        <li>Its page then shows the address to send people to, and the request that gets your app its first token.</li>
      </ol>`);
}

function clientRow({ clientId, name, status, type, scopes, legacy, pendingRevision }: ListedClient): Html {
  return html`<li>
        <h2><a href="${clientPath(clientId)}"><bdi>${name}</bdi></a> ${statusMark(status)}
          ${pendingRevision ? CHANGE_MARK : ''}</h2>
        <p class="facts"><code>${clientId}</code> <span>${type === 'PUBLIC' ? 'Public' : 'Confidential'}</span>
          <span>${legacy ? 'Legacy: no scopes yet' : scopeCount(scopes.length)}</span></p>
      </li>`;
}

function scopeCount(count: number): string {
  return count === 1 ? '1 scope' : `${count} scopes`;
}
