import { html } from 'hono/html';
import { DEVELOPER_STYLE, hrefOf } from '../kit/assets.ts';

/** What the pages of clients need besides the style sheets of all pages. */
export const DEVELOPER_HEAD = html`<link rel="stylesheet" href="${hrefOf(DEVELOPER_STYLE)}">`;
