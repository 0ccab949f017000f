import { html } from 'hono/html';
import type { Html } from './layout.ts';

const TABS = {
  clients: { name: 'OAuth clients', path: '/settings/developer/oauth' },
  webhooks: { name: 'Webhooks', path: '/settings/webhooks' },
} as const;

/** What “Developer” in the corner leads to: one list beside the other. */
export function developerTabs(current: keyof typeof TABS): Html {
  const tabs = Object.entries(TABS).map(
    ([key, { name, path }]) =>
      html`<li><a href="${path}" ${key === current ? html`aria-current="page"` : ''}>${name}</a></li>`,
  );
  return html`<nav class="tabs" aria-label="Developer">
      <ul>${tabs}</ul>
    </nav>`;
}
