import { html } from 'hono/html';
import { type Html, layout } from '../kit/layout.ts';

/** Where giving back a seat ends: nothing of it stays that could be shown. */
export function givenBackPage(): Html {
  const title = 'Your seat was given back';
  const content = html`<article>
      <h1>${title}</h1>
      <p>It is free for somebody else, and the others keep their booking.</p>
      <p class="aside"><a href="/">Go to the start page</a></p>
    </article>`;
  return layout({ title, content, shape: 'card' });
}
