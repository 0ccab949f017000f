import { html } from 'hono/html';
import type { Mistake } from '../../core/problem.ts';
import { aboutFields, formTitle, hiddenField, mistakeSummary } from './form-parts.ts';
import { type Html, layout, type Viewer } from './layout.ts';
import { type DeclaredPage, type Page, page, type Run, type Showing } from './page.ts';
import { pageWords } from './page-words.ts';
import type { FormWords } from './problem-words.ts';

/** Asks once more before something that cannot be taken back. */
export interface Question
  extends Pick<ConfirmPage, 'title' | 'explanation' | 'details' | 'button' | 'sent' | 'backPath'> {
  /** Where its form goes: the address with its query, where it has one that counts. */
  readonly action?: string;
  /** The words of its own for mistakes. */
  readonly words?: FormWords;
}

/** A page that is nothing but a question, and its answer. Without `run`, another page has the form at this address. */
export function question<Found>({
  ask,
  run,
  ...rest
}: Pick<Page<Found, 'answer'>, 'path' | 'find' | 'none' | 'language'> & {
  readonly ask: (showing: Showing<'answer'>, found: Found) => Asked | Promise<Asked>;
  readonly run?: Run<Found>;
}): DeclaredPage {
  return page<Found, 'answer'>({
    ...rest,
    forms: { answer: { at: '', ...(run && { run }) } },
    show: async (showing, found) => {
      const asked = await ask(showing, found);
      return asked === undefined || asked instanceof Response ? asked : questionPage(showing, asked);
    },
  });
}

type Asked = Question | Response | undefined;

function questionPage({ viewer, locale, path, csrf, mistakes }: Showing<'answer'>, asked: Question): Html {
  const { words, ...question } = asked;
  return confirmPage({ action: path, ...question, viewer, locale, csrf: csrf.answer, mistakes: mistakes(words) });
}

interface ConfirmPage {
  readonly viewer: Viewer;
  /** The question; texts of other people in it are isolated. */
  readonly title: string;
  /** Says what will happen. */
  readonly explanation: string;
  /** Further text below the question, which says in detail what becomes of each thing. */
  readonly details?: Html;
  /** The label of the button: the action, never "OK". Undefined: it cannot be done as things stand. */
  readonly button: string | undefined;
  readonly action: string;
  readonly csrf: string;
  /** The names and values that the form sends along. */
  readonly sent?: Readonly<Record<string, string>>;
  /** The path of the link that goes back without doing anything. */
  readonly backPath: string;
  readonly mistakes: readonly Mistake[];
  /** BCP 47, the reader's. */
  readonly locale?: string;
}

/** Asks once more before something that cannot be taken back. */
function confirmPage(page: ConfirmPage): Html {
  const {
    viewer,
    title,
    explanation,
    details,
    button,
    action,
    csrf,
    sent = {},
    backPath,
    mistakes,
    locale = 'en',
  } = page;
  const content = html`<article>
      ${mistakeSummary(aboutFields([], mistakes), locale)}
      <h1>${title}</h1>
      <p>${explanation}</p>
      ${details ?? ''}
      ${
        button === undefined
          ? ''
          : html`<form method="post" action="${action}">
        ${hiddenField('csrf', csrf)}
        ${Object.entries(sent).map(([name, value]) => hiddenField(name, value))}
        <button type="submit" class="danger">${button}</button>
      </form>`
      }
      <p class="aside"><a href="${backPath}">${pageWords(locale).goBack}</a></p>
    </article>`;
  return layout({ title: formTitle(title, mistakes, locale), content, corner: viewer, shape: 'card', locale });
}
