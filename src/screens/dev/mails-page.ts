import { html } from 'hono/html';
import type { KeptAttachment, KeptMail } from '../../mail/kept-mails.ts';
import { type Html, isolated, type Viewer } from '../kit/layout.ts';
import { moment, nothingYet } from '../kit/page-parts.ts';
import { DEV_PATH } from '../kit/paths.ts';
import { crumbs, type DevFacts, devLayout, whereMailsAre } from './dev-parts.ts';

export const MAILS_PATH = `${DEV_PATH}/mails`;
/** The newest ones; older ones are in the folder. */
export const SHOWN_MAILS = 50;

export interface MailsPage {
  readonly viewer: Viewer | undefined;
  readonly facts: DevFacts;
  readonly mails: readonly KeptMail[];
}

/** Lists the mails that this service would have sent. */
export function mailsPage({ viewer, facts, mails }: MailsPage): Html {
  const content = html`${crumbs()}
    <h1>Mails</h1>
    ${whereMailsAre(facts)}
    ${mails.length === 0 ? nothingYet(html`<p>No e-mails yet. Create an account or book someone, and they’ll show up here.</p>`) : mailRows(mails)}
    ${mails.length < SHOWN_MAILS ? '' : html`<p class="aside">These are the newest ${SHOWN_MAILS}; the folder has the rest.</p>`}`;
  return devLayout('Mails', viewer, content);
}

export function mailRows(mails: readonly KeptMail[]): Html {
  return html`<ul class="rows">${mails.map(
    ({ handle, subject, to, sentAt }) => html`<li>
        <h3><a href="${MAILS_PATH}/${handle}"><bdi>${subject || 'No subject'}</bdi></a></h3>
        <p class="facts"><span>To <bdi>${to}</bdi></span> ${sentAt ? moment(sentAt) : ''}</p>
      </li>`,
  )}</ul>`;
}

/** One mail: its text with links that work, and what its HTML looks like. */
export function mailPage(viewer: Viewer | undefined, mail: KeptMail): Html {
  const { handle, subject, from, to, sentAt, text, html: rich, attachments } = mail;
  const content = html`${crumbs(html` / <a href="${MAILS_PATH}">Mails</a>`)}
    <h1><bdi>${subject || 'No subject'}</bdi></h1>
    <dl>
      <dt>From</dt><dd><bdi>${from}</bdi></dd>
      <dt>To</dt><dd><bdi>${to}</bdi></dd>
      ${sentAt ? html`<dt>Sent</dt><dd>${moment(sentAt)}</dd>` : ''}
    </dl>
    ${text === undefined ? '' : html`<article><h2>As text</h2><div class="mail-text">${withLinks(text.trimEnd())}</div></article>`}
    ${rich === undefined ? '' : htmlPart(handle)}
    ${attachments.map(attachmentPart)}`;
  return devLayout(isolated(subject || 'No subject'), viewer, content);
}

/** In a frame that runs nothing, sends nothing and loads nothing: `HTML_HEADERS` of its address say so too. */
function htmlPart(handle: string): Html {
  return html`<article>
      <h2>As HTML</h2>
      <p>Links don’t work in here; use those in the text.</p>
      <iframe class="mail-html" title="The e-mail as HTML" sandbox src="${MAILS_PATH}/${handle}/html"></iframe>
    </article>`;
}

function attachmentPart({ name, type, bytes, text }: KeptAttachment): Html {
  return html`<article>
      <h2>Attachment <bdi>${name}</bdi></h2>
      <p class="facts"><span>${type}</span> <span>${bytes} bytes</span></p>
      ${text === undefined ? '' : html`<details><summary>Show its contents</summary><pre class="shown" tabindex="0">${text}</pre></details>`}
    </article>`;
}

const ADDRESS = /(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)])/;

/** Every second piece is an address: the pattern has one group. */
function withLinks(text: string): Html[] {
  return text
    .split(ADDRESS)
    .map((piece, index) => (index % 2 === 1 ? html`<a href="${piece}">${piece}</a>` : html`${piece}`));
}
