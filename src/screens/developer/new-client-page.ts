import { html } from 'hono/html';
import type { Mistake } from '../../core/problem.ts';
import { formTitle, hiddenField, mistakeOf, mistakeSummary } from '../kit/form-parts.ts';
import { type Html, layout, type Viewer } from '../kit/layout.ts';
import { descriptionFields, pkceField, scopeFields, type TypedClient } from './client-form.ts';
import { CLIENTS_PATH } from './client-paths.ts';

export interface NewClientPage {
  readonly viewer: Viewer;
  readonly typed: TypedClient;
  readonly csrf: string;
  /** The same for each time that this form is sent. */
  readonly idempotencyKey: string;
  readonly mistakes: readonly Mistake[];
}

const TYPES = [
  { type: 'CONFIDENTIAL', label: 'Confidential', hint: 'runs on a server that can keep a secret' },
  {
    type: 'PUBLIC',
    label: 'Public',
    hint: 'runs in a browser, on a phone or a desktop; it has no secret and uses PKCE',
  },
] as const;

/** The form that registers a client. */
export function newClientPage({ viewer, typed, csrf, idempotencyKey, mistakes }: NewClientPage): Html {
  const content = html`<article>
      ${mistakeSummary(mistakes)}
      <h1>Register a client</h1>
      <p>An administrator reviews it before anybody can authorize it.</p>
      <form method="post" action="${CLIENTS_PATH}/new" novalidate>
        ${hiddenField('csrf', csrf)}
        ${hiddenField('idempotencyKey', idempotencyKey)}
        <fieldset id="type">
          <legend>Type</legend>
          ${TYPES.map(
            ({ type, label, hint }) =>
              html`<div class="check"><input type="radio" id="type-${type}" name="type" value="${type}" ${
                typed.type === type ? html`checked` : ''
              }><label for="type-${type}">${label}: ${hint}</label></div>`,
          )}
          ${mistakeOf('type', mistakes)}
        </fieldset>
        ${descriptionFields(typed, mistakes, true)}
        ${pkceField(typed)}
        ${scopeFields(typed, mistakes)}
        <button type="submit">Register the client</button>
      </form>
      <p class="aside"><a href="${CLIENTS_PATH}">Your OAuth clients</a></p>
    </article>`;
  return layout({ title: formTitle('Register a client', mistakes), content, corner: viewer, shape: 'sheet' });
}
