import { html } from 'hono/html';
import type { ListedClient, UserCount } from '../../../oauth/clients/oauth-client.queries.ts';
import type { Html } from '../../kit/layout.ts';
import { part } from '../../kit/page-parts.ts';
import { counted } from '../../kit/when.ts';

/** Shows what is left of a client's time before scopes, and the way out of it (specification §5, rule 8). */
export function legacyPart({ legacy }: ListedClient, unrestrictedUsers: UserCount): Html {
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
export function countedUsers({ users, isMore }: UserCount): string {
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
