import { html } from 'hono/html';
import { hiddenField } from '../kit/form-parts.ts';
import { type Html, layout, type Viewer } from '../kit/layout.ts';

/** As it is encoded in the form to sign in, which may have 64 KiB and holds a few fields besides. No form of ours comes near. */
const MOST_CHARACTERS = 56 * 1024;

/** They do not go into a page once more: the form comes back and asks for them. */
const SECRETS = /password|secret/i;

/** What is carried through signing in of a form that was sent without a session; empty for one with nothing in it, or too much. */
export function keptText(form: URLSearchParams): string {
  const kept = new URLSearchParams([...form].filter(([name]) => !SECRETS.test(name)));
  const text = kept.toString();
  const isWorthIt = [...kept.keys()].some((name) => name !== 'csrf');
  return isWorthIt && encodeURIComponent(text).length <= MOST_CHARACTERS ? text : '';
}

export interface ResumePage {
  readonly viewer: Viewer;
  /** Where the form was going: a local path. */
  readonly path: string;
  readonly kept: string;
}

/** After signing in: what was typed before is sent when the user says so, and sees as whom. */
export function resumePage({ viewer, path, kept }: ResumePage): Html {
  const content = html`<article>
      <h1>Go on where you were</h1>
      <p>You were signed out when you sent the form, so nothing was saved. What you typed is still here.</p>
      <p>You are signed in as <strong><bdi>${viewer.name}</bdi></strong> (<bdi>${viewer.email}</bdi>).</p>
      <form method="post" action="${path}">
        ${[...new URLSearchParams(kept)].map(([name, value]) => hiddenField(name, value))}
        <button type="submit">Send it now</button>
      </form>
      <p class="aside"><a href="${path}">Leave it, and open the page anew</a></p>
    </article>`;
  return layout({ title: 'Go on where you were', content, shape: 'card' });
}
