import { html } from 'hono/html';
import { CHECK_URIS_SCRIPT, DEVELOPER_STYLE, hrefOf } from '../kit/assets.ts';
import { COPY_HEAD, SEND_ONCE_HEAD } from '../kit/page-parts.ts';

/** The pages of clients need this besides the style sheets of all pages; send them with `SCRIPTED_HEADERS`. */
export const DEVELOPER_HEAD = html`<link rel="stylesheet" href="${hrefOf(DEVELOPER_STYLE)}">
    ${COPY_HEAD}
    ${SEND_ONCE_HEAD}`;

/** And those with the form of a client; send them with `ASKING_HEADERS`. */
export const CLIENT_FORM_HEAD = html`${DEVELOPER_HEAD}
    <script type="module" src="${hrefOf(CHECK_URIS_SCRIPT)}"></script>`;
