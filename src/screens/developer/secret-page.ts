import { html } from 'hono/html';
import { type Html, layout, type Viewer } from '../kit/layout.ts';
import { clientPath } from './client-paths.ts';

export interface SecretPage {
  readonly viewer: Viewer;
  readonly title: string;
  readonly clientId: string;
  readonly secret: string;
  /** What to do with it. */
  readonly advice: string;
}

/** A secret, this once: it is stored as a hash only. */
export function secretPage({ viewer, title, clientId, secret, advice }: SecretPage): Html {
  const content = html`<article>
      <h1>${title}</h1>
      <p class="warning"><strong>Copy the secret now.</strong> It is shown this once and cannot be looked up again.</p>
      <dl class="credentials">
        <dt>Client id</dt><dd><code>${clientId}</code></dd>
        <dt>Secret</dt><dd><code>${secret}</code></dd>
      </dl>
      <p>${advice}</p>
      <p><a class="button" href="${clientPath(clientId)}">I have copied it</a></p>
    </article>`;
  return layout({ title, content, corner: viewer, shape: 'sheet' });
}
