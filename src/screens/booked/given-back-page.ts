import { html } from 'hono/html';
import { type Html, layout } from '../kit/layout.ts';
import { pageWords } from '../kit/page-words.ts';
import { bookedWords } from './booked-words.ts';

/** Where giving back a seat ends: nothing of it stays that could be shown. */
export function givenBackPage(locale: string): Html {
  const { title, message } = bookedWords(locale).givenBack;
  const content = html`<article>
      <h1>${title}</h1>
      <p>${message}</p>
      <p class="aside"><a href="/">${pageWords(locale).startPage}</a></p>
    </article>`;
  return layout({ title, content, shape: 'card', locale });
}
