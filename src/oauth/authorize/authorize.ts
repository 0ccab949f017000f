/**
 * authorize/ is the browser's way to a code: the request is checked, kept sealed while the user signs in and decides,
 * and answered to the app (RFC 6749 §4.1). It may import clients/ and grants/.
 */
import { sha256Hex } from '../../core/secret.ts';
import type { Em } from '../../database/sql.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import { noteFailedRequest } from '../clients/failed-requests.ts';
import type { Access } from '../protocol/access.ts';
import {
  type AcceptedRequest,
  acceptRequest,
  CHECKS_BEFORE_CLIENT,
  CHECKS_BEFORE_REDIRECT,
  unknownClient,
} from '../protocol/authorize-checks.ts';
import {
  ACCESS_DENIED,
  CONSENT_REQUIRED,
  LOGIN_REQUIRED,
  parseAuthorizeRequest,
} from '../protocol/authorize-request.ts';
import { authorizationCode } from '../protocol/credentials.ts';
import { firstError, isOAuthError, type OAuthError, oauthError, toPerson } from '../protocol/oauth-error.ts';
import { codeAnswer, errorAnswer } from '../protocol/redirect-uri.ts';
import { type ConsentQuestion, consentQuestion } from './consent-question.ts';
import {
  browserIsTheOneThatBegan,
  INTERACTION_CHECKS,
  nextStep,
  OTHER_ACCOUNT,
  REQUEST_OVER,
  RESTART_CHECKS,
  refusalOfRequest,
  type Step,
} from './interaction.rules.ts';
import {
  bindUser,
  findClient,
  findInteraction,
  INTERACTION_MINUTES,
  insertInteraction,
  liveAccesses,
  openSealedRequest,
  type RequestOnItsWay,
  type StoredInteraction,
  sealRequest,
  storeDecision,
} from './interactions.ts';

/** A visitor who opens an address of the authorization. */
export interface Visit {
  /** The value of the browser's cookie; a new one when it had none. */
  readonly browserId: string;
  readonly session: { readonly id: string; readonly userId: string } | undefined;
  readonly address: string;
}

/** The answer to the browser. Only REDIRECT leaves our own pages. */
export type AuthorizeAnswer =
  | {
      readonly kind: 'REFUSED';
      readonly error: OAuthError;
      /** How the person goes on here, if they can: as the signed-in user, or by answering once more. */
      readonly wayOn?: 'OTHER_ACCOUNT' | 'ANSWER_AGAIN' | undefined;
    }
  | { readonly kind: 'REDIRECT'; readonly location: string }
  | {
      readonly kind: 'SIGN_IN';
      /** Where to go on: what is stored, or what is sealed because nobody is there yet to store it for. */
      readonly goOn: { readonly interactionId: string } | { readonly sealedRequest: string };
      readonly loginHint: string | null;
      /** Whether even a signed-in user may not just go on. */
      readonly mustSignIn: boolean;
    }
  | { readonly kind: 'CONSENT'; readonly question: ConsentQuestion };

/** Told on our own page, or through the redirect. */
type Refusal = Extract<AuthorizeAnswer, { readonly kind: 'REFUSED' | 'REDIRECT' }>;

/** An interaction that the visitor may go on with. */
interface Open {
  readonly interaction: StoredInteraction;
  readonly granted: readonly Access[];
  readonly step: Step;
  readonly visit: Visit;
}

/** Also for an address that names what is no interaction's id. */
export const UNKNOWN_INTERACTION: Refusal = {
  kind: 'REFUSED',
  error: toPerson(
    'UNKNOWN',
    oauthError(
      'invalid_request',
      'This page does not exist, or its request is over; go back to the app and start again.',
      404,
    ),
  ),
};

type Answering = Pick<AuthorizationServer, 'issuer' | 'keys'>;

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

/** The one dispatcher: every step of an authorization leads here, and what comes next is decided from what is stored. */
export async function advance(
  em: Em,
  server: AuthorizationServer,
  interactionId: string,
  visit: Visit,
): Promise<AuthorizeAnswer> {
  const open = await findOpen(em, server, interactionId, visit);
  return 'kind' in open ? open : take(em, server, open);
}

const FORGED = toPerson(
  'FORGED',
  oauthError(
    'access_denied',
    'Your answer did not come from the page that we showed, or that page is too old. Look at it once more, and answer there.',
  ),
);
const UNDECIDED = toPerson(
  'UNDECIDED',
  oauthError('invalid_request', 'Your answer was neither Allow nor Cancel; choose one of them.'),
);

/** The consent form. However often it is sent, and by both buttons at once: the first decision stands and is answered. */
export async function answerConsent(
  em: Em,
  server: AuthorizationServer,
  interactionId: string,
  visit: Visit,
  form: { readonly decision: string; readonly isForged: boolean },
): Promise<AuthorizeAnswer> {
  const open = await findOpen(em, server, interactionId, visit);
  if ('kind' in open) return open;
  if (form.isForged) return refused(FORGED, 'ANSWER_AGAIN');
  if (open.step !== 'CONSENT' && open.step !== 'ALLOW') return take(em, server, open);
  if (form.decision !== 'allow' && form.decision !== 'deny') return refused(UNDECIDED, 'ANSWER_AGAIN');
  return decide(em, server, open, { decision: form.decision === 'allow' ? 'ALLOW' : 'DENY', isRemembered: false });
}

function refused(error: OAuthError, wayOn?: Extract<Refusal, { kind: 'REFUSED' }>['wayOn']): Refusal {
  return { kind: 'REFUSED', error, wayOn };
}

/** Stores the request of a user who is signed in; of anybody else nothing is kept (`sealRequest`). */
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

/** The interaction, or the answer that ends it: on our own page, or what the app is told through the redirect. */
async function findOpen(
  em: Em,
  server: AuthorizationServer,
  interactionId: string,
  visit: Visit,
): Promise<Open | Refusal> {
  const { session, browserId } = visit;
  const interaction = await findInteraction(em, interactionId, session?.id);
  if (!interaction) return UNKNOWN_INTERACTION;
  const { hasSignedInSince } = interaction;
  const visitor = { browserHash: sha256Hex(browserId), userId: session?.userId, hasSignedInSince };
  const error = firstError(INTERACTION_CHECKS, interaction, visitor);
  if (error) return refused(error, error === OTHER_ACCOUNT ? 'OTHER_ACCOUNT' : undefined);
  const refusal = refusalOfRequest(interaction);
  const { clientId } = interaction.client;
  if (refusal) {
    noteFailedRequest(server, { clientId, endpoint: 'AUTHORIZE', error: refusal });
    return { kind: 'REDIRECT', location: errorLocation(server, interaction.request, refusal) };
  }
  const granted = session ? await liveAccesses(em, session.userId, clientId) : [];
  const step = nextStep(interaction, visitor, granted);
  const isAboutUser = step === 'CONSENT' || step === 'ALLOW';
  if (isAboutUser && session && interaction.userId === null && !(await bindUser(em, interactionId, session.userId))) {
    // Somebody else was bound at this very moment, or the request has ended: which it was, the checks will find.
    return findOpen(em, server, interactionId, visit);
  }
  return { interaction, granted, step, visit };
}

function errorLocation({ issuer }: Answering, request: AcceptedRequest, error: OAuthError): string {
  const { redirectUri, state } = request;
  return errorAnswer({ redirectUri, state, issuer }, error);
}

async function take(em: Em, server: AuthorizationServer, open: Open): Promise<AuthorizeAnswer> {
  const { interaction, granted, step } = open;
  switch (step) {
    case 'ANSWER':
      return { kind: 'REDIRECT', location: decisionLocation(server, interaction) };
    case 'LOGIN_REQUIRED':
      return { kind: 'REDIRECT', location: errorLocation(server, interaction.request, LOGIN_REQUIRED) };
    case 'CONSENT_REQUIRED':
      return { kind: 'REDIRECT', location: errorLocation(server, interaction.request, CONSENT_REQUIRED) };
    case 'SIGN_IN': {
      const { loginHint, prompts } = interaction.request;
      const goOn = { interactionId: interaction.id };
      return { kind: 'SIGN_IN', goOn, loginHint, mustSignIn: prompts.includes('login') };
    }
    case 'CONSENT':
      return { kind: 'CONSENT', question: await consentQuestion(em, interaction, granted) };
    default:
      return decide(em, server, open, { decision: 'ALLOW', isRemembered: true });
  }
}

/** The address to which the browser goes with the decision, the same each time that it is needed. */
function decisionLocation(server: Answering, interaction: StoredInteraction): string {
  if (interaction.decision === 'DENY') return errorLocation(server, interaction.request, ACCESS_DENIED);
  const { redirectUri, state } = interaction.request;
  return codeAnswer({ redirectUri, state, issuer: server.issuer }, codeOf(server, interaction));
}

/** The code of an interaction, which is derived from it and so the same each time. */
function codeOf({ keys }: Answering, { id }: StoredInteraction): string {
  return authorizationCode(keys.derivationKey, id);
}

const OVER = toPerson(
  'STUCK',
  oauthError('access_denied', 'This request cannot go on; go back to the app and start again.'),
);

/** Each attempt that fails means that the client was changed, or access has ended, at that very moment. */
const ATTEMPTS = 3;

async function decide(
  em: Em,
  server: AuthorizationServer,
  first: Open,
  made: { readonly decision: 'ALLOW' | 'DENY'; readonly isRemembered: boolean },
): Promise<AuthorizeAnswer> {
  let open = first;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const { interaction, visit } = open;
    const userId = userOf(visit);
    const isStored = await storeDecision(em, {
      ...made,
      interaction,
      userId,
      codeHash: sha256Hex(codeOf(server, interaction)),
      codeLifetimeInSeconds: server.codeLifetimeInSeconds,
      address: visit.address,
    });
    if (isStored && made.decision === 'ALLOW' && !made.isRemembered) {
      server.notices.userOfNewAccess(em, { userId, client: interaction.client, access: interaction.request.access });
    }
    // The database's decision counts, which may be that of another request.
    const after = await findOpen(em, server, interaction.id, visit);
    if ('kind' in after) return after;
    // The earlier grant has ended in the meantime: now the user has to consent.
    const isAnswered = after.step === 'ANSWER' || (made.isRemembered && after.step !== 'ALLOW');
    if (isAnswered) return take(em, server, after);
    open = after;
  }
  return refused(OVER);
}

function userOf({ session }: Visit): string {
  if (!session) throw new Error('A step that needs a user was reached without one.');
  return session.userId;
}
