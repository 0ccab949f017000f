import { html } from 'hono/html';
import { hiddenField } from '../kit/form-parts.ts';
import { type Html, layout, type Viewer } from '../kit/layout.ts';
import { keptFields } from '../kit/request.ts';
import { authWords } from './words/auth-words.ts';

export interface ResumePage {
  readonly viewer: Viewer;
  /** Where the form was going: a local path. */
  readonly path: string;
  readonly kept: string;
  /** BCP 47, the reader's. */
  readonly locale: string;
}

/** The page after signing in: the form that was typed before is sent when the user says so, and they see as whom. */
export function resumePage({ viewer, path, kept, locale }: ResumePage): Html {
  const { goOn: words, signedInAs } = authWords(locale);
  const content = html`<article>
      <h1>${words.title}</h1>
      <p>${words.kept}</p>
      <p>${signedInAs(viewer.name, viewer.email)}</p>
      <form method="post" action="${path}">
        ${keptFields(kept).map(([name, value]) => hiddenField(name, value))}
        <button type="submit">${words.send}</button>
      </form>
      <p class="aside"><a href="${path}">${words.leave}</a></p>
    </article>`;
  return layout({ title: words.title, content, shape: 'card', locale });
}
