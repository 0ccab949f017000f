import { html } from 'hono/html';
import type { Mistake } from '../../core/problem.ts';
import { MAX_REDIRECT_URIS } from '../../oauth/protocol/client.ts';
import { describeScope, scopesAtLevel } from '../../scopes/catalog.ts';
import { checkBox, mistakeOf, textArea, textField } from '../kit/form-parts.ts';
import type { Html } from '../kit/layout.ts';

/** What stands in the form of a client, right or wrong. */
export interface TypedClient {
  readonly name: string;
  readonly purpose: string;
  readonly type: string;
  readonly websiteUrl: string;
  readonly logoUrl: string;
  /** One a line. */
  readonly redirectUris: string;
  readonly scopes: readonly string[];
  readonly requirePkce: boolean;
}

const LEVELS = [
  { level: 'USER', title: 'The user’s own' },
  { level: 'TEAM', title: 'Teams' },
  { level: 'ORGANIZATION', title: 'Organizations' },
] as const;

/** The fields that describe an app: of a new client, and of an edit. */
export function descriptionFields(typed: TypedClient, mistakes: readonly Mistake[], isFirst = false): Html {
  return html`${textField(
    {
      name: 'name',
      label: 'Name',
      value: typed.name,
      autocomplete: 'off',
      hint: 'What users know the app by, at most 64 characters.',
    },
    mistakes,
    isFirst,
  )}
      ${textArea(
        {
          name: 'purpose',
          label: 'Purpose',
          value: typed.purpose,
          rows: 3,
          hint: 'For the reviewer: what the app does with the access. Users never see it.',
        },
        mistakes,
      )}
      ${textArea(
        {
          name: 'redirectUris',
          label: 'Redirect URIs',
          value: typed.redirectUris,
          rows: 3,
          hint: `One a line, at most ${MAX_REDIRECT_URIS}; each is compared character for character. https, or http on this device (localhost, 127.0.0.1, [::1]).`,
        },
        mistakes,
      )}
      ${textField({ name: 'websiteUrl', label: 'Website', type: 'url', value: typed.websiteUrl, autocomplete: 'off', isOptional: true }, mistakes)}
      ${textField({ name: 'logoUrl', label: 'Address of a logo', type: 'url', value: typed.logoUrl, autocomplete: 'off', isOptional: true }, mistakes)}`;
}

/** Whether the client may ever send an authorization request without PKCE. */
export function pkceField({ requirePkce }: TypedClient): Html {
  return checkBox({
    name: 'requirePkce',
    label: 'Refuse authorization requests without PKCE (public clients need it in any case)',
    isChecked: requirePkce,
  });
}

/** All scopes as boxes, in the catalogue's words, grouped by whose things they open. */
export function scopeFields({ scopes }: TypedClient, mistakes: readonly Mistake[], isRequired = true): Html {
  const chosen = new Set(scopes);
  const isWrong = mistakes.some(({ path }) => path?.[0] === 'scopes');
  return html`<div id="scopes" class="scope-fields" tabindex="-1" role="group" aria-labelledby="scopes-title">
        <strong id="scopes-title">Scopes</strong>
        <small id="scopes-hint">${isRequired ? 'At least one. ' : ''}An authorization request may ask for these and no others; ask for no more than
          the app needs.</small>
        ${mistakeOf('scopes', mistakes)}
        ${LEVELS.map(
          ({ level, title }) => html`<fieldset aria-describedby="scopes-hint${isWrong ? ' scopes-mistake' : ''}">
          <legend>${title}</legend>
          ${scopesAtLevel(level).map((scope) =>
            checkBox({
              name: 'scopes',
              value: scope,
              label: html`${describeScope(scope).words} <code>${scope}</code>`,
              isChecked: chosen.has(scope),
            }),
          )}
        </fieldset>`,
        )}
      </div>`;
}
