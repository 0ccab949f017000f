import { html } from 'hono/html';
import { type Html, layout } from './layout.ts';

export interface ErrorPage {
  /** The HTTP status, shown small. */
  readonly status: number;
  readonly title: string;
  /** What is wrong: a full sentence. */
  readonly message: string;
  /** What the reader can do about it. */
  readonly advice?: string;
  /** What follows: a way on, or details. */
  readonly more?: Html | undefined;
}

/** A request that cannot be carried out, told to the person in front of the browser. */
export function errorPage({ status, title, message, advice, more }: ErrorPage): Html {
  const content = html`<article>
      <p class="status">Error ${status}</p>
      <h1>${title}</h1>
      <p>${message}</p>
      ${advice === undefined ? '' : html`<p>${advice}</p>`}
      ${more ?? ''}
      <p class="aside"><a href="/">Go to the start page</a></p>
    </article>`;
  return layout({ title, content, shape: 'card' });
}
