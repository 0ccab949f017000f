import { type OAuthError, oauthError } from './oauth-error.ts';

/** The prompts that a client may ask of the page (OpenID Connect Core §3.1.2.1). */
export const PROMPTS = ['none', 'login', 'consent'] as const;
export type Prompt = (typeof PROMPTS)[number];

/** The prompts of a request, without duplicates; undefined when one is unknown or `none` stands with another. */
export function parsePrompt(text: string | undefined): readonly Prompt[] | undefined {
  const names = [...new Set((text ?? '').split(' ').filter((name) => name !== ''))];
  if (!names.every(isPrompt)) return undefined;
  return names.includes('none') && names.length > 1 ? undefined : names;
}

function isPrompt(name: string): name is Prompt {
  return PROMPTS.some((prompt) => prompt === name);
}

/** The answers to `prompt=none` when a page would have to be shown (OpenID Connect Core §3.1.2.6). */
export const LOGIN_REQUIRED: OAuthError = oauthError(
  'login_required',
  'Nobody is signed in, and prompt=none forbids asking; send the user again without prompt=none.',
);
export const CONSENT_REQUIRED: OAuthError = oauthError(
  'consent_required',
  'The user has not granted all of this yet, and prompt=none forbids asking; send the user again without prompt=none.',
);
export const ACCESS_DENIED: OAuthError = oauthError(
  'access_denied',
  'The user refused the access that was asked for; ask again only when they want it.',
);
