import { html } from 'hono/html';
import { COPY_HEAD, copyable } from './copyable.ts';
import { type Html, layout, type Viewer } from './layout.ts';

export interface SecretPage {
  readonly viewer: Viewer;
  readonly title: string;
  /** The thing that the secret belongs to: its name, and its id or address. */
  readonly of: readonly [name: string, value: string];
  readonly secret: string;
  /** A text that says what to do with the secret. */
  readonly advice: string;
  /** The page of what it is for. */
  readonly onwardPath: string;
}

/** A secret, this once: nothing that is stored shows it again. Send it with `SCRIPTED_HEADERS`. */
export function secretPage({ viewer, title, of: [name, value], secret, advice, onwardPath }: SecretPage): Html {
  const content = html`<article>
      <h1>${title}</h1>
      <p class="warning"><strong>Copy the secret now.</strong> It is shown this once and cannot be looked up again.</p>
      <dl class="credentials">
        <dt>${name}</dt><dd>${copyable(name.toLowerCase(), value)}</dd>
        <dt>Secret</dt><dd>${copyable('the secret', secret)}</dd>
      </dl>
      <p>${advice}</p>
      <p><a class="button" href="${onwardPath}">I have copied it</a></p>
    </article>`;
  return layout({ title, content, corner: viewer, shape: 'sheet', head: COPY_HEAD });
}
