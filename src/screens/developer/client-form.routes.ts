import type { ListedClient } from '../../oauth/clients/oauth-client.queries.ts';
import type { ClientPatch, ClientType } from '../../oauth/protocol/client.ts';
import { registrationMistakes } from '../../oauth/protocol/client-registration.ts';
import { reviewedContent } from '../../oauth/protocol/client-review.ts';
import type { TypedClient } from './client-form.ts';

/** An empty form. */
export const NOTHING_TYPED: TypedClient = {
  name: '',
  purpose: '',
  type: 'CONFIDENTIAL',
  websiteUrl: '',
  logoUrl: '',
  redirectUris: '',
  scopes: [],
  requirePkce: false,
  documents: '',
};

/** The typed client, as it can be shown again. */
export function typedIn(form: URLSearchParams): TypedClient {
  const text = (name: string): string => form.get(name) ?? '';
  return {
    name: text('name'),
    purpose: text('purpose'),
    type: text('type'),
    websiteUrl: text('websiteUrl'),
    logoUrl: text('logoUrl'),
    redirectUris: text('redirectUris'),
    scopes: form.getAll('scopes'),
    requirePkce: form.has('requirePkce'),
    documents: text('documents'),
  };
}

/** The form of an edit before anybody typed: an edit adds to the revision that waits (protocol/client-review.ts). */
export function typedOf(client: ListedClient): TypedClient {
  const content = reviewedContent(client);
  return {
    ...content,
    type: client.type,
    websiteUrl: content.websiteUrl ?? '',
    logoUrl: content.logoUrl ?? '',
    redirectUris: content.redirectUris.join('\n'),
    documents: '',
  };
}

/** The fields as the commands take them: an empty address counts as none. */
export function fieldsOf({ name, purpose, websiteUrl, logoUrl, redirectUris, scopes, requirePkce }: TypedClient) {
  return {
    name,
    purpose,
    websiteUrl: websiteUrl.trim() || null,
    logoUrl: logoUrl.trim() || null,
    redirectUris: linesOf(redirectUris),
    scopes,
    requirePkce,
  } satisfies ClientPatch;
}

/** Finds the mistakes in redirect URIs by themselves, in the words that the form would be answered with. */
export function redirectUriMistakes(text: string, type: ClientType): readonly string[] {
  return registrationMistakes({ redirectUris: linesOf(text) }, type).map(({ message }) => message);
}

function linesOf(text: string): readonly string[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
