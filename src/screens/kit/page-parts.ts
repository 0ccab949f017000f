import { html } from 'hono/html';
import { encodeCursor, type Page } from '../../core/page.ts';
import { awaitedLink, type BookedLocation } from '../../modules/bookings/booking-location.rules.ts';
import { type AnsweredQuestion, answerText } from '../../modules/bookings/booking-request.rules.ts';
import { COPY_SCRIPT, hrefOf, NOTHING_YET, SEND_ONCE_SCRIPT } from './assets.ts';
import { type Html, layout, type Viewer } from './layout.ts';
import { pageWords } from './page-words.ts';

/** For pages with forms that have `data-once`; send them with `SCRIPTED_HEADERS`. */
export const SEND_ONCE_HEAD = html`<script type="module" src="${hrefOf(SEND_ONCE_SCRIPT)}"></script>`;

/** A time to the minute, in UTC and saying so: a page does not know where its reader is. */
export function moment(at: Temporal.Instant): Html {
  const [date, time] = at.toString({ smallestUnit: 'minute' }).split(/[TZ]/);
  return html`<time datetime="${at.toString()}">${date} ${time} UTC</time>`;
}

/** Says what the form before this page has done: read out, and gone with the next page. */
export function doneNotice(message: string | undefined): Html | '' {
  return message === undefined ? '' : html`<p class="done" role="status">${message}</p>`;
}

interface Listed {
  /** The list's own, with its query. */
  readonly path: string;
  /** Takes the cursor. */
  readonly parameter?: string;
  /** BCP 47, the reader's. */
  readonly locale?: string;
}

/** The way on in a list that is longer than a page. */
export function pager<Row>(
  page: Page<Row>,
  keyOf: (row: Row) => readonly string[],
  { path, parameter = 'after', locale = 'en' }: Listed,
): Html | '' {
  const last = page.rows.at(-1);
  if (!page.hasPreviousPage && !page.hasNextPage) return '';
  const words = pageWords(locale);
  return html`<nav class="pager" aria-label="${words.pages}">
        ${page.hasPreviousPage ? html`<a href="${path}">${words.backToStart}</a>` : ''}
        ${page.hasNextPage && last ? html`<a href="${path}${path.includes('?') ? '&' : '?'}${parameter}=${encodeCursor(keyOf(last))}">${words.more}</a>` : ''}
      </nav>`;
}

/** Stands in the place of an empty list: says that it is empty, and what to do next. */
export function nothingYet(says: Html): Html {
  return html`<div class="empty pictured"><img src="${hrefOf(NOTHING_YET)}" alt="" width="96" height="72"><div>${says}</div></div>`;
}

/** An address as a link, where there is a page by now; otherwise as a text to copy. */
export function linkIf(isThere: boolean, url: string): Html {
  return isThere ? html`<a href="${url}">${url}</a>` : html`<bdi>${url}</bdi>`;
}

/** Addresses or names one below the other. */
export function plainList(items: readonly string[]): Html {
  return html`<ul class="plain">${items.map((item) => html`<li><code>${item}</code></li>`)}</ul>`;
}

export interface Part {
  /** The part of an address that leads to it: a browser opens the part for it. */
  readonly id: string;
  readonly title: string;
  /** Says in a few words how it stands, for readers who do not open it. */
  readonly gist: Html | string;
  readonly isOpen?: boolean;
}

/** A part of a page that is a line until somebody opens it. */
export function part({ id, title, gist, isOpen = false }: Part, content: Html): Html {
  return html`<details class="part" ${isOpen ? html`open` : ''}>
      <summary><h2>${title}</h2> <span class="gist">${gist}</span></summary>
      <div id="${id}">${content}</div>
    </details>`;
}

/** Goes into the head of a page with texts to be copied; send it with `SCRIPTED_HEADERS`. */
export const COPY_HEAD = html`<script type="module" src="${hrefOf(COPY_SCRIPT)}"></script>`;

/** A text to be copied: a click selects it whole, and the script of `COPY_HEAD` puts a button beside it, which is about `what`. */
export function copyable(what: string, text: string, shape: 'WORD' | 'BLOCK' = 'WORD', locale = 'en'): Html {
  const { button, about, copied, selected } = pageWords(locale).copy;
  const code = html`<code data-copy="${what}" data-button="${button}" data-about="${about(what)}" data-copied="${copied}" data-selected="${selected}">${text}</code>`;
  return shape === 'WORD'
    ? html`<span class="copyable">${code}</span>`
    : html`<div class="copyable"><pre>${code}</pre></div>`;
}

interface SecretPage {
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

/**
 * The place of a booking; `leaving` are more attributes of a link. Text from an attendee is never made a link: only hosts' links
 * were checked to be https.
 */
export function placeOf(location: BookedLocation, locale = 'en', leaving: Html | '' = ''): Html {
  const { type, value, url } = location;
  if (url !== undefined) return linkTo(url, leaving);
  if (type === 'LINK' && value !== null) return linkTo(value, leaving);
  if (type === 'PHONE' && value !== null) return html`<a href="tel:${value}">${value}</a>`;
  const awaited = awaitedLink(location, locale);
  if (awaited !== undefined) return html`${awaited}`;
  return type === 'CONFERENCING'
    ? html`${pageWords(locale).videoCall(value)}`
    : html`<bdi class="words">${value}</bdi>`;
}

function linkTo(url: string, leaving: Html | ''): Html {
  return html`<a href="${url}"${leaving || html` rel="noreferrer"`}><bdi>${url}</bdi></a>`;
}

/** The booker's answers, within a `dl`. */
export function answersPart(answers: readonly AnsweredQuestion[], locale = 'en'): readonly Html[] {
  return answers.map(
    ({ question, answer }) =>
      html`<dt><bdi>${question}</bdi></dt><dd class="words"><bdi>${answerText(answer, locale)}</bdi></dd>`,
  );
}
