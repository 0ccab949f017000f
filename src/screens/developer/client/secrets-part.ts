import { html } from 'hono/html';
import { publicId } from '../../../core/id.ts';
import type { ListedSecret } from '../../../oauth/clients/oauth-client.queries.ts';
import { MAX_ACTIVE_SECRETS } from '../../../oauth/protocol/client.ts';
import type { Html } from '../../kit/layout.ts';
import { moment, part } from '../../kit/page-parts.ts';
import { clientPath } from '../client-paths.ts';

/** The secrets of a confidential client: enough to tell which one can go. */
export function secretsPart(clientId: string, secrets: readonly ListedSecret[]): Html {
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
