import { html } from 'hono/html';
import { type ClientRevision, type ReviewedContent, revisionChanges } from '../../oauth/protocol/client-review.ts';
import { describeScope, isScope } from '../../scopes/catalog.ts';
import type { Html } from '../kit/layout.ts';

const TEXTS = [
  { field: 'name', label: 'Name' },
  { field: 'developerName', label: 'Made by' },
  { field: 'websiteUrl', label: 'Website' },
  { field: 'logoUrl', label: 'Logo' },
] as const;

const LISTS = [
  { field: 'redirectUris', label: 'Redirect URIs' },
  { field: 'scopes', label: 'Scopes' },
] as const;

const pkce = (isRequired: boolean): string => (isRequired ? 'required' : 'not required');

/** Shows what a developer has changed while an administrator looked at the client. */
export function changesSince(seen: ReviewedContent, current: ReviewedContent): Html {
  const { purpose, requirePkce } = seen;
  return html`${changeList(seen, current)}
      <dl class="changes">
        ${purpose === current.purpose ? '' : textChange('Purpose', purpose, current.purpose)}
        ${requirePkce === current.requirePkce ? '' : textChange('PKCE', pkce(requirePkce), pkce(current.requirePkce))}
      </dl>`;
}

/** Shows what a revision changes: old and new side by side, and for lists what is added and removed. */
export function changeList(live: ClientRevision, target: ClientRevision): Html {
  const changes = revisionChanges(live, target);
  return html`<dl class="changes">
        ${TEXTS.filter(({ field }) => field in changes).map(({ field, label }) =>
          textChange(label, live[field], target[field]),
        )}
        ${LISTS.filter(({ field }) => field in changes).map(
          ({ field, label }) => html`<dt>${label}</dt>
        <dd>${difference(live[field], target[field])}</dd>`,
        )}
      </dl>`;
}

function textChange(label: string, before: string | null, after: string | null): Html {
  return html`<dt>${label}</dt>
        <dd class="words">Before <del>${shown(before)}</del>
After <ins>${shown(after)}</ins></dd>`;
}

function shown(text: string | null): Html {
  return html`${text === null ? 'none' : html`<bdi>${text}</bdi>`}`;
}

function difference(live: readonly string[], target: readonly string[]): Html {
  const added = target.filter((item) => !live.includes(item));
  const removed = live.filter((item) => !target.includes(item));
  return html`<ul class="plain">
          ${added.map((item) => html`<li>Add <ins><code>${item}</code></ins>${inWords(item)}</li>`)}
          ${removed.map((item) => html`<li>Remove <del><code>${item}</code></del>${inWords(item)}</li>`)}
        </ul>`;
}

/** Says what a scope allows; a redirect URI speaks for itself. */
function inWords(item: string): string {
  return isScope(item) ? ` ${describeScope(item).words}` : '';
}
