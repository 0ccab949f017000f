import { sha256Hex } from '../core/secret.ts';
import type { Em } from '../database/sql.ts';
import { type AuthorizeAnswer, advance, type Refusal, UNKNOWN_INTERACTION, type Visit } from './advance.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { RESTART_CHECKS } from './interaction.rules.ts';
import { findClient, findInteraction, insertInteraction } from './interactions.ts';
import { noteFailedRequest } from './note-failed-request.ts';
import { errorAnswer } from './protocol/authorize-answer.ts';
import {
  type AcceptedRequest,
  acceptRequest,
  CHECKS_BEFORE_CLIENT,
  CHECKS_BEFORE_REDIRECT,
} from './protocol/authorize-checks.ts';
import { unknownClient } from './protocol/authorize-page-checks.ts';
import { parseAuthorizeRequest } from './protocol/authorize-request.ts';
import { firstError, isOAuthError, type OAuthError } from './protocol/oauth-error.ts';

/** Begins an authorization (RFC 6749 §4.1.1): a good request is stored, and goes on at `advance`. */
export async function beginAuthorization(
  em: Em,
  server: AuthorizationServer,
  rawQuery: string,
  visit: Visit,
): Promise<AuthorizeAnswer> {
  const checked = await checkAuthorization(em, server, rawQuery);
  if ('kind' in checked) return checked;
  return advance(em, server, await insertInteraction(em, checked, visit.browserId), visit);
}

/** Begins the same request anew, for whoever is signed in now: the way to another account. */
export async function restartAuthorization(
  em: Em,
  server: AuthorizationServer,
  interactionId: string,
  visit: Visit,
): Promise<AuthorizeAnswer> {
  const interaction = await findInteraction(em, interactionId, undefined);
  if (!interaction) return refused(UNKNOWN_INTERACTION);
  const visitor = { browserHash: sha256Hex(visit.browserId), userId: undefined, hasSignedInSince: false };
  const error = firstError(RESTART_CHECKS, interaction, visitor);
  if (error) return refused(error);
  // The hint and prompt=login were about the account that is being left.
  const prompts = interaction.request.prompts.filter((prompt) => prompt !== 'login');
  const request = { ...interaction.request, prompts, loginHint: null };
  return advance(em, server, await insertInteraction(em, request, visit.browserId), visit);
}

/**
 * The checks alone, in the order that keeps an error from being sent to an address that nobody has vouched for: parse,
 * client, redirect URI, and only then whatever the client may be told through the redirect.
 */
export async function checkAuthorization(
  em: Em,
  server: AuthorizationServer,
  rawQuery: string,
): Promise<AcceptedRequest | Refusal> {
  const request = parseAuthorizeRequest(rawQuery);
  if (isOAuthError(request)) return refused(request);
  const unusable = firstError(CHECKS_BEFORE_CLIENT, request);
  if (unusable) return refused(unusable);
  const client = await findClient(em, request.clientId);
  if (!client) return refused(unknownClient(request));
  const { clientId } = client;
  const note = (error: OAuthError): void => noteFailedRequest(em, server, { clientId, endpoint: 'AUTHORIZE', error });

  const untrusted = firstError(CHECKS_BEFORE_REDIRECT, request, client, server.issuer);
  if (untrusted) {
    note(untrusted);
    return refused(untrusted);
  }
  const accepted = acceptRequest(request, client, server.issuer);
  if (!isOAuthError(accepted)) return accepted;
  note(accepted);
  const { redirectUri, state } = request;
  return { kind: 'REDIRECT', location: errorAnswer({ redirectUri, state, issuer: server.issuer }, accepted) };
}

function refused(error: OAuthError): Refusal {
  return { kind: 'REFUSED', error };
}
