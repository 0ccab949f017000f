import type { Client } from '../client.ts';
import { type OAuthError, oauthError, quoted } from '../oauth-error.ts';
import { CODE_CHALLENGE_METHOD, isCodeChallenge } from '../pkce.ts';
import type { AuthorizeRequest } from './authorize-request.ts';

export function challengeIsPresentWhereRequired(
  { codeChallenge }: { readonly codeChallenge: string | null | undefined },
  client: Pick<Client, 'type' | 'requirePkce'>,
): OAuthError | undefined {
  if (typeof codeChallenge === 'string' || (client.type === 'CONFIDENTIAL' && !client.requirePkce)) return undefined;
  return oauthError(
    'invalid_request',
    'code_challenge is missing and this client must use PKCE; send an S256 challenge (RFC 7636).',
  );
}

export function challengeMethodHasChallenge({
  codeChallenge,
  codeChallengeMethod,
}: AuthorizeRequest): OAuthError | undefined {
  if (codeChallengeMethod === undefined || codeChallenge !== undefined) return undefined;
  return oauthError('invalid_request', 'code_challenge_method stands without a code_challenge; send both or neither.');
}

/** An absent method means S256. RFC 7636 §4.3 says `plain`, which we never accept, so nothing is weakened by the difference. */
export function challengeMethodIsS256({ codeChallengeMethod }: AuthorizeRequest): OAuthError | undefined {
  if (codeChallengeMethod === undefined || codeChallengeMethod === CODE_CHALLENGE_METHOD) return undefined;
  return oauthError(
    'invalid_request',
    `code_challenge_method is ${quoted(codeChallengeMethod)}; use ${CODE_CHALLENGE_METHOD}.`,
  );
}

export function challengeIsWellFormed({ codeChallenge }: AuthorizeRequest): OAuthError | undefined {
  if (codeChallenge === undefined || isCodeChallenge(codeChallenge)) return undefined;
  return oauthError(
    'invalid_request',
    'code_challenge is not 43 base64url characters; send the SHA-256 of the verifier, without padding.',
  );
}
