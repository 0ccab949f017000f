import { html } from 'hono/html';
import { type Html, layout, type Viewer } from '../kit/layout.ts';

/** What a user sees once an account is connected. */
export function connectedPage(
  viewer: Viewer,
  title: string,
  next: { readonly path: string; readonly name: string },
): Html {
  const content = html`<article>
      <h1>${title} is connected</h1>
      <p>You can close this window, or go back to the app.</p>
      <p class="aside"><a href="${next.path}">${next.name}</a></p>
    </article>`;
  return layout({ title: 'Connected', content, corner: viewer, shape: 'card' });
}
