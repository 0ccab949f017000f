import { scopeText } from './access.ts';
import type { AcceptedRequest } from './authorize-checks.ts';

/**
 * The query of an authorization request that asks for the same as an accepted one, to begin it anew for another account.
 * The hint and `prompt=login` are left out: they were about the account that is being left.
 */
export function authorizeQuery(request: AcceptedRequest): string {
  const { clientId, redirectUri, state, access, codeChallenge, prompts } = request;
  const prompt = prompts.filter((one) => one !== 'login').join(' ');
  const parameters: readonly (readonly [string, string])[] = [
    ['response_type', 'code'],
    ['client_id', clientId],
    ['redirect_uri', redirectUri],
    ['scope', scopeText(access)],
    ['state', state ?? ''],
    ['code_challenge', codeChallenge ?? ''],
    ['prompt', prompt],
  ];
  return parameters
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
}
