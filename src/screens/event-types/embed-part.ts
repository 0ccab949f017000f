import { html } from 'hono/html';
import { shown } from '../../core/text.ts';
import { EMBED_SCRIPT } from '../kit/assets.ts';
import { textArea } from '../kit/form-parts.ts';
import type { Html } from '../kit/layout.ts';
import { copyable, plainList } from '../kit/page-parts.ts';
import { pageWords } from '../kit/page-words.ts';
import type { FoldedPart, PartPage } from './form-part.ts';
import type { EventTypeWords } from './words/event-type-words.ts';

const NAME = 'embedOrigins';

/** The part about websites of others on which people can book it, and what to put there. */
export const EMBEDDING: FoldedPart = {
  id: 'websites',
  has: (name) => name === NAME,
  filled: ({ embedOrigins }) => ({ [NAME]: embedOrigins.join('\n') }),
  said: (form) => ({ embedOrigins: originsIn(form.text(NAME)) }),
  controlOf: ([name, index], values, words) => {
    if (name !== NAME) return undefined;
    const origin = index === undefined ? undefined : originsIn(values[NAME] ?? '')[Number(index)];
    return { name, subject: origin === undefined ? words.fields[NAME] : shown(origin) };
  },
  gist: ({ embedOrigins }, { websites }) => websites.gist(embedOrigins.length),
  content: (page) => html`<p>${page.words.websites.intro}</p>
        ${textArea(
          {
            name: NAME,
            label: html`${page.words.fields[NAME]} ${pageWords(page.locale).optional}`,
            value: page.values[NAME] ?? '',
            rows: 3,
            isOptional: true,
            hint: page.words.hints[NAME],
          },
          page.mistakes,
        )}
        ${putThere(page, page.words.websites.link)}`,
};

/** The same part for the owner of an event type that a team manages, which chooses the websites. */
export function embeddingOfTeam(page: PartPage, origins: readonly string[]): Html {
  const { intro, putThere: invitation } = page.words.websites;
  return html`<p>${intro}</p>
        ${plainList(origins)}
        ${putThere(page, invitation)}`;
}

function putThere({ values, choices: { bookingUrl }, words, locale }: PartPage, invitation: string): Html {
  const { websites } = words;
  if (values['isHidden'] !== undefined) return html`<p>${websites.isHidden}</p>`;
  return bookingUrl === undefined ? html`<p>${websites.ofHosts}</p>` : snippets(bookingUrl, invitation, words, locale);
}

function originsIn(text: string): string[] {
  return text.split(/[\s,]+/).filter((origin) => origin !== '');
}

/** HTML for the pages of a website: an address of ours has nothing in it that would have to be escaped there. */
function snippets(bookingUrl: string, invitation: string, { websites }: EventTypeWords, locale: string): Html {
  const script = new URL(EMBED_SCRIPT.path, bookingUrl);
  const link = `<a href="${bookingUrl}" data-gatehouse-embed>${websites.bookTime}</a>\n<script defer src="${script}"></script>`;
  const frame = `<iframe src="${bookingUrl}?embed=1" title="${websites.bookTime}" width="100%" height="700"></iframe>`;
  return html`<p>${invitation}</p>
        ${copyable(websites.linkName, link, 'BLOCK', locale)}
        <p>${websites.frame}</p>
        ${copyable(websites.frameName, frame, 'BLOCK', locale)}`;
}
