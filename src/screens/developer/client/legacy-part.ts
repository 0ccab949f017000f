import { html } from 'hono/html';
import type { ListedClient } from '../../../oauth/clients/oauth-client.queries.ts';
import type { Html } from '../../kit/layout.ts';
import { part } from '../../kit/page-parts.ts';
import { counted } from '../../kit/when.ts';

/** What is left of a client's time before scopes, and the way out of it (specification §5, rule 8). */
export function legacyPart({ legacy }: ListedClient, unrestrictedUsers: number): Html {
  return part(
    {
      id: 'legacy',
      title: legacy ? 'Legacy client: move it to scopes' : 'Still unrestricted',
      gist: counted(unrestrictedUsers, 'user'),
      isOpen: legacy,
    },
    html`<p>${holders(unrestrictedUsers)}</p>
      ${legacy ? steps() : ''}`,
  );
}

function holders(count: number): string {
  if (count === 0) return 'No user holds an unrestricted grant.';
  const users =
    count === 1
      ? '1 user still holds an unrestricted grant, which stays'
      : `${count} users still hold unrestricted grants, which stay`;
  return `${users} valid until that user authorizes the app again.`;
}

function steps(): Html {
  return html`<p>It was registered before scopes existed, so a request without <code>scope</code> is granted everything.</p>
      <ol>
        <li><strong>First</strong> add <code>scope</code> to every authorization URL of the app, and ship that. New grants then
          carry those scopes only.</li>
        <li><strong>Then</strong> choose the same scopes under “Edit” and save. From then on every request has to name its scopes.</li>
      </ol>
      <p class="warning"><strong>Not the other way round:</strong> if you save scopes first, users who come by an old address
        without <code>scope</code> are refused.</p>`;
}
