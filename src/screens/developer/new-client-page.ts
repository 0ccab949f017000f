import { html } from 'hono/html';
import type { Mistake } from '../../core/problem.ts';
import { formTitle, hiddenField, mistakeOf, mistakeSummary } from '../kit/form-parts.ts';
import { type Html, layout, type Viewer } from '../kit/layout.ts';
import { ENTER, furtherFields, nameField, purposeField, redirectUrisField, type TypedClient } from './client-form.ts';
import { CLIENTS_PATH } from './client-paths.ts';
import { CLIENT_FORM_HEAD } from './developer-head.ts';
import { scopeTable } from './scope-table.ts';

export interface NewClientPage {
  readonly viewer: Viewer;
  readonly typed: TypedClient;
  readonly csrf: string;
  /** The same for each time that this form is sent. */
  readonly idempotencyKey: string;
  readonly mistakes: readonly Mistake[];
}

/** RFC 6749 §2.1, in the words of somebody who has an app and no RFC. */
const TYPES = [
  {
    type: 'CONFIDENTIAL',
    label: 'Confidential: your server asks for tokens',
    hint: 'For web apps with a back end, services and integrations. It gets a secret, which never leaves your server.',
  },
  {
    type: 'PUBLIC',
    label: 'Public: the app itself asks for tokens',
    hint: 'For pages without a back end, mobile and desktop apps, and command line tools. Anyone could extract a secret from it, so it has none and uses PKCE.',
  },
] as const;

/** The form that registers a client. */
export function newClientPage({ viewer, typed, csrf, idempotencyKey, mistakes }: NewClientPage): Html {
  const content = html`<article>
      ${mistakeSummary(mistakes)}
      <h1>Register a client</h1>
      <p>This takes two minutes. An administrator reviews your client before anyone can give it access. You can change everything but the type later.</p>
      <form method="post" action="${CLIENTS_PATH}/new" novalidate data-once>
        ${ENTER}
        ${hiddenField('csrf', csrf)}
        ${hiddenField('idempotencyKey', idempotencyKey)}
        ${nameField(typed, mistakes, true)}
        <fieldset id="type" tabindex="-1">
          <legend>Type</legend>
          ${TYPES.map(
            ({ type, label, hint }) =>
              html`<label class="kind" for="type-${type}"><input type="radio" id="type-${type}" name="type" value="${type}" ${
                typed.type === type ? html`checked` : ''
              }><span><strong>${label}</strong> <small>${hint}</small></span></label>`,
          )}
          <small>You can’t change the type later. If your app is both, such as a page with a server behind it, choose confidential and let the server ask.</small>
          ${mistakeOf('type', mistakes)}
        </fieldset>
        ${redirectUrisField(typed, mistakes)}
        ${purposeField(typed, mistakes)}
        ${scopeTable(typed, mistakes, true)}
        ${furtherFields(typed, mistakes)}
        <button type="submit">Register client</button>
      </form>
      <p class="aside"><a href="${CLIENTS_PATH}">Your OAuth clients</a></p>
    </article>`;
  return layout({
    title: formTitle('Register a client', mistakes),
    content,
    corner: viewer,
    setting: 'developer',
    shape: 'sheet',
    head: CLIENT_FORM_HEAD,
  });
}
