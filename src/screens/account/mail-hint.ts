import { html } from 'hono/html';
import type { Html } from '../kit/layout.ts';
import { authWords } from './words/auth-words.ts';

/** Where no mail server is set, nothing arrives: mails lie in a folder, to which this page points. */
export function mailHint(folder: string | undefined, locale: string): Html | '' {
  return folder === undefined ? '' : html`<p class="aside">${authWords(locale).mailHint(folder)}</p>`;
}
