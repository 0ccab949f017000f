import { html } from 'hono/html';
import type { Mistake } from '../../core/problem.ts';
import { aboutFields, formTitle, hiddenField, mistakeSummary } from './form-parts.ts';
import { type Html, layout, type Viewer } from './layout.ts';

export interface ConfirmPage {
  readonly viewer: Viewer;
  /** The question; texts of others in it are isolated. */
  readonly title: string;
  /** What will happen. */
  readonly explanation: string;
  /** What the button says: the deed, never "OK". */
  readonly button: string;
  readonly action: string;
  readonly csrf: string;
  /** What the form sends along: names and values. */
  readonly sent?: Readonly<Record<string, string>>;
  /** Where nothing is done. */
  readonly backPath: string;
  readonly mistakes: readonly Mistake[];
}

/** Asks once more before something that cannot be taken back. */
export function confirmPage(page: ConfirmPage): Html {
  const { viewer, title, explanation, button, action, csrf, sent = {}, backPath, mistakes } = page;
  const content = html`<article>
      ${mistakeSummary(aboutFields([], mistakes))}
      <h1>${title}</h1>
      <p>${explanation}</p>
      <form method="post" action="${action}">
        ${hiddenField('csrf', csrf)}
        ${Object.entries(sent).map(([name, value]) => hiddenField(name, value))}
        <button type="submit" class="danger">${button}</button>
      </form>
      <p class="aside"><a href="${backPath}">Go back</a></p>
    </article>`;
  return layout({ title: formTitle(title, mistakes), content, corner: viewer, shape: 'card' });
}
