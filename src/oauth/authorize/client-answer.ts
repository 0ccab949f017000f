import type { AuthorizationServer } from '../authorization-server.ts';
import { codeAnswer, errorAnswer } from '../protocol/authorize/authorize-answer.ts';
import type { AcceptedRequest } from '../protocol/authorize/authorize-checks.ts';
import { authorizationCode } from '../protocol/credentials.ts';
import type { OAuthError } from '../protocol/oauth-error.ts';
import { ACCESS_DENIED } from '../protocol/prompt.ts';
import type { StoredInteraction } from './interactions.ts';

type Answering = Pick<AuthorizationServer, 'issuer' | 'keys'>;

/** The address to which the browser goes with the decision, the same each time that it is needed. */
export function decisionLocation(server: Answering, interaction: StoredInteraction): string {
  if (interaction.decision === 'DENY') return errorLocation(server, interaction.request, ACCESS_DENIED);
  const { redirectUri, state } = interaction.request;
  return codeAnswer({ redirectUri, state, issuer: server.issuer }, codeOf(server, interaction));
}

export function errorLocation({ issuer }: Answering, request: AcceptedRequest, error: OAuthError): string {
  const { redirectUri, state } = request;
  return errorAnswer({ redirectUri, state, issuer }, error);
}

/** The code of an interaction, which is derived from it and so the same each time. */
export function codeOf({ keys }: Answering, { id }: StoredInteraction): string {
  return authorizationCode(keys.derivationKey, id);
}
