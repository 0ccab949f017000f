import { html } from 'hono/html';
import { publicId } from '../../core/id.ts';
import type { Page } from '../../core/page.ts';
import type { Mistake } from '../../core/problem.ts';
import type { ListedFailedRequest } from '../../oauth/clients/failed-requests.ts';
import type { ListedClient, ListedSecret, UserCount } from '../../oauth/clients/oauth-client.queries.ts';
import { MAX_ACTIVE_SECRETS } from '../../oauth/protocol/client.ts';
import { ENDPOINTS } from '../../oauth/protocol/metadata.ts';
import { EXAMPLE_PKCE } from '../../oauth/protocol/pkce.ts';
import type { Scope } from '../../scopes/catalog.ts';
import { adviseClient } from '../../scopes/scope-advice.ts';
import { checkBox, formTitle, hiddenField, mistakeOf, mistakeSummary } from '../kit/form-parts.ts';
import { type Html, isolated, layout, type Viewer } from '../kit/layout.ts';
import { copyable, doneNotice, moment, pager, part } from '../kit/page-parts.ts';
import { counted } from '../kit/when.ts';
import {
  ENTER,
  furtherFields,
  nameField,
  purposeField,
  redirectUrisField,
  scopeTable,
  type TypedClient,
} from './client-form.ts';
import {
  CHANGE_MARK,
  CLIENT_FORM_HEAD,
  CLIENTS_PATH,
  changeList,
  clientPath,
  reviewPath,
  statusExplanation,
  statusMark,
} from './client-parts.ts';

interface ClientView {
  readonly viewer: Viewer;
  readonly client: ListedClient;
  /** The viewer owns it; else an administrator looks at it. */
  readonly isOwn: boolean;
  readonly secrets: readonly ListedSecret[];
  /** Somebody can review it. */
  readonly hasAdministrator: boolean;
  /** How many users hold grants from before the client had scopes. */
  readonly unrestrictedUsers: UserCount;
  readonly failedRequests: Page<ListedFailedRequest>;
  readonly userCount: UserCount;
  readonly typed: TypedClient;
  /** The form came back, or somebody was led to it. */
  readonly isEditing: boolean;
  /** The base address of the service, without a slash at its end. */
  readonly publicUrl: string;
  readonly csrf: string;
  /** When the client was last changed, as this page has seen it. */
  readonly updatedAt: string;
  readonly mistakes: readonly Mistake[];
  readonly done: string | undefined;
}

/** One client, for its developer: what is needed first, and parts to open. */
export function clientView(page: ClientView): Html {
  const { viewer, client, isOwn, secrets, unrestrictedUsers, failedRequests, mistakes, done } = page;
  const { clientId, name, status, type, legacy } = client;
  const content = html`${doneNotice(done)}
    ${mistakeSummary(mistakes)}
    <p class="aside top"><a href="${CLIENTS_PATH}">Your OAuth clients</a></p>
    <h1><bdi>${name}</bdi> ${statusMark(status)}${client.pendingRevision ? html` ${CHANGE_MARK}` : ''}</h1>
    ${factsOf(page)}
    ${isOwn ? '' : html`<p class="warning">This is a client of <bdi>${client.ownerName}</bdi> (<bdi>${client.ownerEmail}</bdi>). You see it as an administrator.</p>`}
    ${viewer.isAdministrator ? html`<p><a href="${reviewPath(clientId)}">Review this client</a></p>` : ''}
    ${statusExplanation(client, page.hasAdministrator)}
    ${isOwn && viewer.isUnconfirmed ? html`<p class="warning">People see “Not verified” when your app asks for access, until you <a href="/settings/account#email">confirm your e-mail address</a>.</p>` : ''}
    ${usagePart(client, page.publicUrl)}
    <article class="parts">
    ${revisionPart(client)}
    ${legacy || unrestrictedUsers.users > 0 ? legacyPart(client, unrestrictedUsers) : ''}
    ${type === 'CONFIDENTIAL' ? secretsPart(clientId, secrets) : ''}
    ${failedRequestsPart(clientId, failedRequests)}
    ${editPart(page)}
    ${part(
      { id: 'delete', title: 'Delete this client', gist: 'For everyone who uses it' },
      html`<p>Everyone who uses the app loses it immediately: its secrets, grants and tokens stop working.</p>
      <a class="button quiet danger" href="${clientPath(clientId)}/delete">Delete client …</a>`,
    )}
    </article>`;
  return layout({
    title: formTitle(isolated(name), mistakes),
    content,
    // The text above says what an unconfirmed address means here.
    corner: isOwn ? { ...viewer, isUnconfirmed: false } : viewer,
    setting: 'developer',
    shape: 'sheet',
    head: CLIENT_FORM_HEAD,
  });
}

function factsOf({ client: { type, legacy, scopes }, userCount }: ClientView): Html {
  const used = userCount.users === 0 ? 'No users yet' : countedUsers(userCount);
  return html`<p class="facts"><span>${type === 'PUBLIC' ? 'Public' : 'Confidential'} client</span> <span>${used}</span>
      <span>${legacy ? 'All scopes' : counted(scopes.length, 'scope')}</span></p>`;
}

function revisionPart(client: ListedClient): Html | '' {
  const { pendingRevision } = client;
  if (!pendingRevision) return '';
  return part(
    { id: 'revision', title: 'A change is waiting for review', gist: 'The approved version stays live', isOpen: true },
    html`<p>Your app keeps working. An administrator has to approve this first:</p>
      ${changeList(client, pendingRevision)}
      <p>The form under “Edit” shows this version. You can change it there, or undo your changes.</p>`,
  );
}

function editPart({ client, typed, csrf, updatedAt, mistakes, isEditing }: ClientView): Html {
  const { clientId, status, legacy } = client;
  return part(
    {
      id: 'edit',
      title: 'Edit',
      gist: 'Name, redirect URIs, scopes and more',
      isOpen: isEditing || status === 'REJECTED',
    },
    html`${status === 'APPROVED' ? html`<p>A new name, logo, website, redirect URI or scope is reviewed before it goes live. Removals, the purpose and PKCE change immediately.</p>` : ''}
      <form method="post" action="${clientPath(clientId)}" novalidate data-type="${client.type}">
        ${ENTER}
        ${hiddenField('csrf', csrf)}
        ${hiddenField('updatedAt', updatedAt)}
        ${nameField(typed, mistakes)}
        ${redirectUrisField(typed, mistakes)}
        ${purposeField(typed, mistakes)}
        ${scopeTable(typed, mistakes, !legacy)}
        ${furtherFields(typed, mistakes)}
        ${legacy ? legacyConsent(mistakes) : ''}
        <button type="submit">${status === 'REJECTED' ? 'Save and submit again' : 'Save'}</button>
      </form>`,
  );
}

/** Choosing scopes in the wrong order cuts users off, and cannot be taken back. */
function legacyConsent(mistakes: readonly Mistake[]): Html {
  return html`<div class="warning">
          <p>Leave all scopes empty to keep this a legacy client. If you choose some, requests without <code>scope</code> are
            refused from then on, and you can’t undo that.</p>
          ${checkBox({ name: 'sendsScope', label: 'Every authorization URL of my app already sends scope', isChecked: false })}
          ${mistakeOf('sendsScope', mistakes)}
        </div>`;
}

/**
 * Shows what a developer copies: the id, where users are sent, and what exchanges the code. `publicUrl` has no slash at
 * its end.
 */
function usagePart(client: ListedClient, publicUrl: string): Html {
  const { clientId, status } = client;
  const address = authorizeUrl(client, publicUrl);
  return html`<article>
      <h2>Use it</h2>
      <dl class="credentials"><dt>Client ID</dt><dd>${copyable('the client ID', clientId)}</dd></dl>
      <h3>1. Send people to this address</h3>
      ${copyable('the address', address, 'BLOCK')}
      <p class="aside">${addedToUrl(client)}</p>
      ${status === 'APPROVED' ? html`<p><a href="${address}">Try it yourself</a> to see what your users will see.</p>` : ''}
      <h3>2. Exchange the code they come back with</h3>
      ${copyable('the command', exchangeCommand(client, publicUrl), 'BLOCK')}
      <p class="aside">You’ll find the code in the parameter <code>code</code> of the address they come back to. It works once, within a few minutes.
        The command returns an access token and a refresh token.</p>
      <h3>3. Ask for what they allowed</h3>
      ${copyable('the query', queryCommand(client, publicUrl), 'BLOCK')}
      <p class="aside">Put the access token in place of <code>THE_TOKEN</code>. For everything else you can ask for, see
        <a href="/schema.graphql">the GraphQL schema</a> and <a href="/openapi">the REST paths</a>.</p>
    </article>`;
}

function needsPkce({ type, requiresPkce }: ListedClient): boolean {
  return type === 'PUBLIC' || requiresPkce;
}

/** For the first of the redirect URIs, with all scopes that are enabled; a legacy client is shown how to name one. */
function authorizeUrl(client: ListedClient, publicUrl: string): string {
  const { clientId, legacy, redirectUris } = client;
  const enabledScopes = legacy ? ['PROFILE_READ'] : client.scopes;
  const authorizationEndpoint = `${publicUrl}${ENDPOINTS.authorize}`;
  const known = { clientId, enabledScopes, redirectUri: redirectUris[0], authorizationEndpoint };
  const url = new URL(adviseClient(enabledScopes, known).authorizeUrl ?? authorizationEndpoint);
  if (needsPkce(client)) url.searchParams.set('code_challenge', EXAMPLE_PKCE.challenge);
  return url.href;
}

function addedToUrl(client: ListedClient): Html {
  const others = client.redirectUris.length > 1 ? 'It uses the first of your redirect URIs. ' : '';
  return html`${others}Leave out scopes you don’t need, and add a random <code>state</code>.
        ${needsPkce(client) ? html`<code>code_challenge</code> goes with the <code>code_verifier</code> below: they’re the example from RFC 7636, for trying it out. Your app has to create a new pair for each request.` : ''}`;
}

/** The command that exchanges a code, for a POSIX shell. */
function exchangeCommand(client: ListedClient, publicUrl: string): string {
  const { clientId, type, redirectUris } = client;
  return [
    `curl ${publicUrl}${ENDPOINTS.token}`,
    '  -d grant_type=authorization_code',
    `  --data-urlencode client_id=${quotedForShell(clientId)}`,
    ...(type === 'CONFIDENTIAL' ? ['  -d client_secret=YOUR_SECRET'] : []),
    `  --data-urlencode redirect_uri=${quotedForShell(redirectUris[0] ?? '')}`,
    ...(needsPkce(client) ? [`  -d code_verifier=${EXAMPLE_PKCE.verifier}`] : []),
    '  -d code=THE_CODE',
  ].join(' \\\n');
}

/** A first query for the first of these scopes that a client has. */
const QUERIES = [
  ['PROFILE_READ', '{ me { name } }'],
  ['EVENT_TYPE_READ', '{ me { eventTypes(first: 1) { nodes { title } } } }'],
  ['BOOKING_READ', '{ me { bookings(first: 1) { nodes { title } } } }'],
  ['SCHEDULE_READ', '{ me { schedules(first: 1) { nodes { name } } } }'],
] as const satisfies readonly (readonly [Scope, string])[];

/** Whoever has none of them sees at least that the token is taken. */
function queryCommand({ legacy, scopes }: ListedClient, publicUrl: string): string {
  const [, query = '{ __typename }'] = QUERIES.find(([scope]) => legacy || scopes.includes(scope)) ?? [];
  return [
    `curl ${publicUrl}/graphql`,
    "  -H 'Authorization: Bearer THE_TOKEN'",
    "  -H 'Content-Type: application/json'",
    `  -d '{"query":"${query}"}'`,
  ].join(' \\\n');
}

/** Texts of others, which must end no word: an administrator copies the command of any client. */
function quotedForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Shows what is left of a client's time before scopes, and the way out of it (specification §5, rule 8). */
function legacyPart({ legacy }: ListedClient, unrestrictedUsers: UserCount): Html {
  return part(
    {
      id: 'legacy',
      title: legacy ? 'Legacy client: move it to scopes' : 'Still unrestricted',
      gist: countedUsers(unrestrictedUsers),
      isOpen: legacy,
    },
    html`<p>${holders(unrestrictedUsers)}</p>
      ${legacy ? steps() : ''}`,
  );
}

/** "3 users", "More than 9998 users". */
function countedUsers({ users, isMore }: UserCount): string {
  return `${isMore ? 'More than ' : ''}${counted(users, 'user')}`;
}

function holders(count: UserCount): string {
  if (count.users === 0) return 'No user holds an unrestricted grant.';
  const users =
    count.users === 1 && !count.isMore
      ? '1 user still holds an unrestricted grant, which stays'
      : `${countedUsers(count)} still hold unrestricted grants, which stay`;
  return `${users} valid until that user authorizes the app again.`;
}

function steps(): Html {
  return html`<p>This client was registered before scopes existed, so a request without <code>scope</code> gets access to everything.</p>
      <ol>
        <li><strong>First</strong> add <code>scope</code> to every authorization URL of your app, and release that. New grants then
          have only those scopes.</li>
        <li><strong>Then</strong> choose the same scopes under “Edit” and save. From then on, every request has to include its scopes.</li>
      </ol>
      <p class="warning"><strong>Not the other way round:</strong> if you save scopes first, users who come from an old address
        without <code>scope</code> are refused.</p>`;
}

/** The secrets of a confidential client: enough to tell which one can go. */
function secretsPart(clientId: string, secrets: readonly ListedSecret[]): Html {
  const path = `${clientPath(clientId)}/secrets`;
  return part(
    { id: 'secrets', title: 'Secrets', gist: html`${secrets.length}, ${lastUse(secrets)}` },
    html`<p>To replace a secret without downtime, create a second one, switch your app to it, and delete the old one when it’s
        no longer used.</p>
      <ul class="rows">${secrets.map((secret) => secretRow(path, secret, secrets.length))}</ul>
      ${
        secrets.length < MAX_ACTIVE_SECRETS
          ? html`<a class="button quiet" href="${path}">Create a secret …</a>`
          : html`<p class="aside">You have ${MAX_ACTIVE_SECRETS} secrets, which is the limit. Delete one to create another.</p>`
      }`,
  );
}

function lastUse(secrets: readonly ListedSecret[]): Html {
  const [last] = secrets
    .flatMap(({ lastUsedAt }) => lastUsedAt ?? [])
    .toSorted((a, b) => Temporal.Instant.compare(b, a));
  return last ? html`last used ${moment(last)}` : html`never used`;
}

function secretRow(path: string, { id, name, hint, createdAt, lastUsedAt }: ListedSecret, count: number): Html {
  return html`<li>
          <h3><bdi>${name}</bdi> <code>…${hint}</code></h3>
          <p class="facts"><span>Created ${moment(createdAt)}</span>
            <span>${lastUsedAt ? html`Last used ${moment(lastUsedAt)}` : 'Never used'}</span>
            ${
              count > 1
                ? html`<a href="${path}/${publicId('secret', id)}/delete">Delete<span class="unseen"> the secret <bdi>${name}</bdi></span> …</a>`
                : html`<span>You can’t delete the last secret</span>`
            }</p>
        </li>`;
}

/** The commonest question of a developer: why was I refused? */
function failedRequestsPart(clientId: string, failed: Page<ListedFailedRequest>): Html {
  const { rows, hasPreviousPage } = failed;
  const [newest] = rows;
  const gist = newest ? html`<code>${newest.error}</code> ${moment(newest.occurredAt)}` : 'None in the last 7 days';
  return part(
    { id: 'refused', title: 'Recent failed requests', gist, isOpen: hasPreviousPage },
    html`${
      newest
        ? html`<p>Why requests of this client failed, newest first:</p>
      <ul class="rows">${rows.map(failedRow)}</ul>`
        : html`<p>No requests of this client have failed in the last 7 days. When one does, you’ll see why here within a second.</p>`
    }
      ${pager(failed, ({ key }) => key, { path: clientPath(clientId), parameter: 'refused_before' })}`,
  );
}

function failedRow({ endpoint, error, description, occurredAt }: ListedFailedRequest): Html {
  return html`<li>
          <p><strong><code>${error}</code></strong> <bdi>${description}</bdi></p>
          <p class="facts"><span>${moment(occurredAt)}</span> <span>${endpoint.toLowerCase()} endpoint</span></p>
        </li>`;
}
