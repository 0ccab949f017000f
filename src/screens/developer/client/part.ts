/** client/ is the page of one client, part by part. */
import { html } from 'hono/html';
import type { Html } from '../../kit/layout.ts';

export interface Part {
  /** Of what an address leads to: a browser opens the part for it. */
  readonly id: string;
  readonly title: string;
  /** How it stands, in a few words, for who does not open it. */
  readonly gist: Html | string;
  readonly isOpen?: boolean;
}

/** A part of a page that is a line until somebody opens it. */
export function part({ id, title, gist, isOpen = false }: Part, content: Html): Html {
  return html`<details class="part" ${isOpen ? html`open` : ''}>
      <summary><h2>${title}</h2> <span class="gist">${gist}</span></summary>
      <div id="${id}">${content}</div>
    </details>`;
}
