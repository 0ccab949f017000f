import { html } from 'hono/html';
import { type Html, layout, type Viewer } from '../kit/layout.ts';
import { connectWords } from './words/connect-words.ts';

/** The page that a user sees once an account is connected. */
export function connectedPage(
  viewer: Viewer,
  provider: string | undefined,
  next: { readonly path: string; readonly name: string },
  locale: string,
): Html {
  const { done: words } = connectWords(locale);
  const content = html`<article>
      <h1>${words.heading(provider)}</h1>
      <p>${words.what}</p>
      <p class="aside"><a href="${next.path}">${next.name}</a></p>
    </article>`;
  return layout({ title: words.title, content, corner: viewer, shape: 'card', locale });
}
