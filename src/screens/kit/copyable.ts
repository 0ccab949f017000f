import { html } from 'hono/html';
import { COPY_SCRIPT, hrefOf } from './assets.ts';
import type { Html } from './layout.ts';
import { pageWords } from './words/page-words.ts';

/** Goes into the head of a page with texts to be copied; send it with `SCRIPTED_HEADERS`. */
export const COPY_HEAD = html`<script type="module" src="${hrefOf(COPY_SCRIPT)}"></script>`;

/** A text to be copied: a click selects it whole, and the script of `COPY_HEAD` puts a button beside it, which is about `what`. */
export function copyable(what: string, text: string, shape: 'WORD' | 'BLOCK' = 'WORD', locale = 'en'): Html {
  const { button, about, copied, selected } = pageWords(locale).copy;
  const code = html`<code data-copy="${what}" data-button="${button}" data-about="${about(what)}" data-copied="${copied}" data-selected="${selected}">${text}</code>`;
  return shape === 'WORD'
    ? html`<span class="copyable">${code}</span>`
    : html`<div class="copyable"><pre>${code}</pre></div>`;
}
