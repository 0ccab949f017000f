import { html } from 'hono/html';
import type { Html } from '../kit/layout.ts';

/** Where no mail server is set, nothing arrives: mails lie in a folder, to which this page points. */
export function mailHint(folder: string | undefined): Html | '' {
  if (folder === undefined) return '';
  return html`<p class="aside">This service sends no mail yet (<code>SMTP_URL</code>): each is a file in
      <code>${folder}</code>.</p>`;
}
