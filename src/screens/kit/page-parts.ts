import { html } from 'hono/html';
import { encodeCursor, type Page } from '../../core/page.ts';
import { hrefOf, NOTHING_YET, SEND_ONCE_SCRIPT } from './assets.ts';
import type { Html } from './layout.ts';
import { pageWords } from './words/page-words.ts';

/** For pages with forms that have `data-once`; send them with `SCRIPTED_HEADERS`. */
export const SEND_ONCE_HEAD = html`<script type="module" src="${hrefOf(SEND_ONCE_SCRIPT)}"></script>`;

/** A time to the minute, in UTC and saying so: a page does not know where its reader is. */
export function moment(at: Temporal.Instant): Html {
  const [date, time] = at.toString({ smallestUnit: 'minute' }).split(/[TZ]/);
  return html`<time datetime="${at.toString()}">${date} ${time} UTC</time>`;
}

/** Says what the form before this page has done: read out, and gone with the next page. */
export function doneNotice(message: string | undefined): Html | '' {
  return message === undefined ? '' : html`<p class="done" role="status">${message}</p>`;
}

interface Listed {
  /** The list's own, with its query. */
  readonly path: string;
  /** Takes the cursor. */
  readonly parameter?: string;
  /** BCP 47, the reader's. */
  readonly locale?: string;
}

/** The way on in a list that is longer than a page. */
export function pager<Row>(
  page: Page<Row>,
  keyOf: (row: Row) => readonly string[],
  { path, parameter = 'after', locale = 'en' }: Listed,
): Html | '' {
  const last = page.rows.at(-1);
  if (!page.hasPreviousPage && !page.hasNextPage) return '';
  const words = pageWords(locale);
  return html`<nav class="pager" aria-label="${words.pages}">
        ${page.hasPreviousPage ? html`<a href="${path}">${words.backToStart}</a>` : ''}
        ${page.hasNextPage && last ? html`<a href="${path}${path.includes('?') ? '&' : '?'}${parameter}=${encodeCursor(keyOf(last))}">${words.more}</a>` : ''}
      </nav>`;
}

/** Stands in the place of an empty list: says that it is empty, and what to do next. */
export function nothingYet(says: Html): Html {
  return html`<div class="empty pictured"><img src="${hrefOf(NOTHING_YET)}" alt="" width="96" height="72"><div>${says}</div></div>`;
}

/** An address as a link, where there is a page by now; otherwise as a text to copy. */
export function linkIf(isThere: boolean, url: string): Html {
  return isThere ? html`<a href="${url}">${url}</a>` : html`<bdi>${url}</bdi>`;
}

/** Addresses or names one below the other. */
export function plainList(items: readonly string[]): Html {
  return html`<ul class="plain">${items.map((item) => html`<li><code>${item}</code></li>`)}</ul>`;
}

export interface Part {
  /** The part of an address that leads to it: a browser opens the part for it. */
  readonly id: string;
  readonly title: string;
  /** Says in a few words how it stands, for readers who do not open it. */
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
