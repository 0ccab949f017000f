import { html } from 'hono/html';
import type { Mistake } from '../../core/problem.ts';
import { MAX_REDIRECT_URIS } from '../../oauth/protocol/client.ts';
import { MAX_NAME_LENGTH } from '../../oauth/protocol/client-registration.ts';
import { checkBox, textArea, textField } from '../kit/form-parts.ts';
import type { Html } from '../kit/layout.ts';

/** The contents of a client's form, right or wrong. */
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
  /** GraphQL, from which scopes are proposed; no part of the client. */
  readonly documents: string;
  /** The scopes that were found in it. */
  readonly advice?: string;
}

/** Enter in a field presses this button: else it would be the first one, which only proposes scopes. */
export const ENTER = html`<button type="submit" class="unseen" tabindex="-1" aria-hidden="true">Send</button>`;

export function nameField({ name: value }: TypedClient, mistakes: readonly Mistake[], isFirst = false): Html {
  const hint = `The name your users know. Up to ${MAX_NAME_LENGTH} characters.`;
  return textField({ name: 'name', label: 'Name', value, autocomplete: 'off', hint }, mistakes, isFirst);
}

/** Where people come back to, one address a line. */
export function redirectUrisField({ redirectUris: value }: TypedClient, mistakes: readonly Mistake[]): Html {
  const hint = `Where people return after they’ve decided. One per line, up to ${MAX_REDIRECT_URIS}; each has to match exactly. Use https, or http on this device (localhost, 127.0.0.1, [::1]).`;
  const placeholder = 'https://app.example.com/callback';
  return textArea({ name: 'redirectUris', label: 'Redirect URIs', value, rows: 3, placeholder, hint }, mistakes);
}

/** The purpose that the reviewer reads. */
export function purposeField(typed: TypedClient, mistakes: readonly Mistake[]): Html {
  return textArea(
    {
      name: 'purpose',
      label: 'Purpose',
      value: typed.purpose,
      rows: 3,
      hint: 'For the reviewer: what your app does with its access. Users never see this.',
    },
    mistakes,
  );
}

/** The fields that most apps leave as they are: open where something stands in them. */
export function furtherFields(typed: TypedClient, mistakes: readonly Mistake[]): Html {
  const { websiteUrl, logoUrl, requirePkce } = typed;
  const isWrong = mistakes.some(({ path: [name] = [] }) => name === 'websiteUrl' || name === 'logoUrl');
  const isOpen = isWrong || websiteUrl !== '' || logoUrl !== '' || requirePkce;
  return html`<details class="apart" ${isOpen ? html`open` : ''}>
        <summary>Website, logo, PKCE</summary>
        ${textField({ name: 'websiteUrl', label: 'Website', type: 'url', value: websiteUrl, autocomplete: 'off', isOptional: true }, mistakes)}
        ${textField({ name: 'logoUrl', label: 'Logo address', type: 'url', value: logoUrl, autocomplete: 'off', isOptional: true }, mistakes)}
        ${checkBox({
          name: 'requirePkce',
          label: 'Require PKCE (public clients always need it)',
          isChecked: requirePkce,
        })}
      </details>`;
}
