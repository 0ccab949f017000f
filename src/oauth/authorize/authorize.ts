/**
 * authorize/ is the browser's way to a code: the request is checked, kept sealed while the user signs in and decides,
 * and answered to the app (RFC 6749 §4.1). It may import clients/ and grants/.
 */
import { sha256Hex } from '../../core/secret.ts';
import type { Em } from '../../database/sql.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import { noteFailedRequest } from '../clients/note-failed-request.ts';
import { errorAnswer } from '../protocol/authorize/authorize-answer.ts';
import {
  type AcceptedRequest,
  acceptRequest,
  CHECKS_BEFORE_CLIENT,
  CHECKS_BEFORE_REDIRECT,
  unknownClient,
} from '../protocol/authorize/authorize-checks.ts';
import { parseAuthorizeRequest } from '../protocol/authorize/authorize-request.ts';
import { firstError, isOAuthError, type OAuthError } from '../protocol/oauth-error.ts';
import { LOGIN_REQUIRED } from '../protocol/prompt.ts';
import { type AuthorizeAnswer, advance, type Refusal, refused, UNKNOWN_INTERACTION, type Visit } from './advance.ts';
import { errorLocation } from './client-answer.ts';
import { browserIsTheOneThatBegan, REQUEST_OVER, RESTART_CHECKS } from './interaction.rules.ts';
import { findClient, findInteraction, INTERACTION_MINUTES, insertInteraction } from './interactions.ts';
import { openSealedRequest, type RequestOnItsWay, sealRequest } from './sealed-request.ts';

/** Begins an authorization (RFC 6749 §4.1.1): a good request is stored, and goes on at `advance`. */
export async function beginAuthorization(
  em: Em,
  server: AuthorizationServer,
  rawQuery: string,
  visit: Visit,
): Promise<AuthorizeAnswer> {
  const checked = await checkAuthorization(em, server, rawQuery);
  return 'kind' in checked ? checked : proceed(em, server, { request: checked }, visit);
}

/** Begins the same request anew, for the user who is signed in now: the way to another account. */
export async function restartAuthorization(
  em: Em,
  server: AuthorizationServer,
  interactionId: string,
  visit: Visit,
): Promise<AuthorizeAnswer> {
  const interaction = await findInteraction(em, interactionId, undefined);
  if (!interaction) return UNKNOWN_INTERACTION;
  const visitor = { browserHash: sha256Hex(visit.browserId), userId: undefined, hasSignedInSince: false };
  const error = firstError(RESTART_CHECKS, interaction, visitor);
  if (error) return refused(error);
  // The hint and prompt=login were about the account that is being left.
  const prompts = interaction.request.prompts.filter((prompt) => prompt !== 'login');
  const request = { ...interaction.request, prompts, loginHint: null };
  return proceed(em, server, { request }, visit);
}

/** Goes on with a request for which somebody had to sign in first. */
export async function continueAuthorization(
  em: Em,
  server: AuthorizationServer,
  sealedRequest: string,
  visit: Visit,
): Promise<AuthorizeAnswer> {
  const onItsWay = openSealedRequest(server.keys.derivationKey, sealedRequest);
  if (!onItsWay) return UNKNOWN_INTERACTION;
  const error = browserIsTheOneThatBegan(onItsWay, { browserHash: sha256Hex(visit.browserId) });
  if (error) return refused(error);
  const isOver = server.clock.now() >= onItsWay.askedAt + INTERACTION_MINUTES * 60_000;
  return isOver ? refused(REQUEST_OVER) : proceed(em, server, onItsWay, visit);
}

/** Stores the request of a user who is signed in; of anybody else nothing is kept (sealed-request.ts). */
async function proceed(
  em: Em,
  server: AuthorizationServer,
  { request, askedAt }: Pick<RequestOnItsWay, 'request'> & Partial<RequestOnItsWay>,
  visit: Visit,
): Promise<AuthorizeAnswer> {
  const browserHash = sha256Hex(visit.browserId);
  if (visit.session) {
    const id = await insertInteraction(em, { request, browserHash, askedAt });
    return id === undefined ? UNKNOWN_INTERACTION : advance(em, server, id, visit);
  }
  if (request.prompts.includes('none')) {
    return { kind: 'REDIRECT', location: errorLocation(server, request, LOGIN_REQUIRED) };
  }
  const onItsWay = { request, browserHash, askedAt: askedAt ?? server.clock.now() };
  const sealedRequest = sealRequest(server.keys.derivationKey, onItsWay);
  return {
    kind: 'SIGN_IN',
    goOn: { sealedRequest },
    loginHint: request.loginHint,
    mustSignIn: request.prompts.includes('login'),
  };
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
  const note = (error: OAuthError): void => noteFailedRequest(server, { clientId, endpoint: 'AUTHORIZE', error });

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
