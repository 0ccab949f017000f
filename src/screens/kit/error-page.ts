import { html } from 'hono/html';
import { type Html, layout, type Viewer } from './layout.ts';
import { pageWords } from './words/page-words.ts';

export interface ErrorPage {
  /** The HTTP status, shown small. */
  readonly status: number;
  readonly title: string;
  /** Says what is wrong: a full sentence. */
  readonly message: string;
  /** Says what the reader can do about it. */
  readonly advice?: string;
  /** Shows a way on, or details. */
  readonly more?: Html | undefined;
  /** Whether the page is in a frame of another website, out of which no link leads. */
  readonly isEmbedded?: boolean | undefined;
  /** The signed-in user, if that is known: then the page has their menu. */
  readonly viewer?: Viewer | undefined;
  /** BCP 47, the reader's. */
  readonly locale?: string;
}

/** A request that cannot be carried out, told to the person in front of the browser. */
export function errorPage(page: ErrorPage): Html {
  const { status, title, message, advice, more, isEmbedded = false, viewer, locale = 'en' } = page;
  const words = pageWords(locale);
  const content = html`<article>
      <p class="status">${words.errorStatus(status)}</p>
      <h1>${title}</h1>
      <p>${message}</p>
      ${advice === undefined ? '' : html`<p>${advice}</p>`}
      ${more ?? ''}
      ${isEmbedded ? '' : html`<p class="aside"><a href="/">${words.startPage}</a></p>`}
    </article>`;
  return layout({ title, content, corner: viewer, shape: 'card', isEmbedded, locale });
}
