import { html } from 'hono/html';
import { DEV_STYLE, hrefOf } from '../kit/assets.ts';
import { type Html, layout, type Viewer } from '../kit/layout.ts';
import { DEV_PATH } from '../kit/paths.ts';

export interface DemoAccount {
  readonly name: string;
  readonly email: string;
  /** The purpose of the account. */
  readonly role: string;
}

export interface DemoApp {
  readonly clientId: string;
  readonly name: string;
  readonly type: string;
  readonly status: string;
  /** Undefined of a public client. */
  readonly secret: string | undefined;
}

/** The facts about this service and its demo data; none of them is secret. */
export interface DevFacts {
  readonly version: string;
  /** In words. */
  readonly database: string;
  readonly publicUrl: string;
  /** Where mails are kept; undefined where they are sent, or kept nowhere. */
  readonly mailFolder: string | undefined;
  readonly sendsMail: boolean;
  readonly password: string;
  readonly accounts: readonly DemoAccount[];
  readonly apps: readonly DemoApp[];
}

const HEAD = html`<link rel="stylesheet" href="${hrefOf(DEV_STYLE)}">`;

/** A page of /dev, for anybody. */
export function devLayout(title: string, viewer: Viewer | undefined, content: Html): Html {
  return layout({ title, content, corner: viewer ?? 'signed out', shape: 'sheet', head: HEAD });
}

/** The way back to /dev, and what stands between. */
export function crumbs(rest: Html | '' = ''): Html {
  return html`<p class="crumbs"><a href="${DEV_PATH}">Development</a>${rest}</p>`;
}

/** Says where the mails of this service are. */
export function whereMailsAre({ mailFolder, sendsMail }: DevFacts): Html {
  if (sendsMail) return html`<p>They’re sent by the mail server of <code>SMTP_URL</code>, so none are kept here.</p>`;
  if (mailFolder === undefined)
    return html`<p>None are kept, because the data is in memory only (<code>DATA_DIR=memory:</code>).</p>`;
  return html`<p>No mail server is set (<code>SMTP_URL</code>), so none are sent: each one is a file in <code>${mailFolder}</code>, and
    anyone who can reach this service can read it here.</p>`;
}
