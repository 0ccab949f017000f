import { CATALOG, type Scope } from '../../scopes/catalog.ts';
import { scopeSetOf } from '../../scopes/create-catalog.ts';
import { heldScopes, unrestrictedScopes } from '../../scopes/held-scopes.ts';
import { covers, NO_SCOPES, type ScopeSet, union } from '../../scopes/scope-set.ts';
import type { Access } from '../protocol/access.ts';
import { type AcceptedRequest, CHECKS_BEFORE_ANSWER } from '../protocol/authorize-checks.ts';
import type { Client } from '../protocol/client.ts';
import { firstError, type OAuthError, oauthError, ofTheApp, toPerson } from '../protocol/oauth-error.ts';
import { hasPrivateUseScheme, isRegistered, leadsToLoopback } from '../protocol/redirect-uri.ts';

/** An authorization request on its way through sign-in and consent, as it stands now. */
export interface Interaction {
  readonly request: AcceptedRequest;
  /** SHA-256 of the cookie of the browser that began it. */
  readonly browserHash: string;
  /** The user who decides, once somebody was signed in. */
  readonly userId: string | null;
  readonly decision: 'ALLOW' | 'DENY' | null;
  /** It was open for too long, or from before its client was suspended and reinstated. */
  readonly isOver: boolean;
  /** Whether its answer may be given again; see `mayAnswerAgain` in interactions.ts. */
  readonly mayAnswerAgain: boolean;
  /** As it is now, which may not be as it was when the request came. */
  readonly client: Client;
}

/** The visitor who opens the page of an interaction. */
interface Visitor {
  readonly browserHash: string | undefined;
  readonly userId: string | undefined;
  /** Whether the user has signed in after the interaction began. */
  readonly hasSignedInSince: boolean;
}

type Check = (interaction: Interaction, visitor: Visitor) => OAuthError | undefined;

/** Each of them ends the way with our own page; nobody is redirected. */
export const INTERACTION_CHECKS: readonly Check[] = [
  browserIsTheOneThatBegan,
  userIsTheOneThatBegan,
  answerMayBeGiven,
  clientIsStillApproved,
  redirectUriIsStillRegistered,
];

/** For beginning the same request anew, as somebody else. */
export const RESTART_CHECKS: readonly Check[] = [browserIsTheOneThatBegan, answerMayBeGiven];

/** The next step. The checks above have passed. */
export type Step = 'ANSWER' | 'SIGN_IN' | 'LOGIN_REQUIRED' | 'CONSENT' | 'CONSENT_REQUIRED' | 'ALLOW';

export const REQUEST_OVER = toPerson(
  'OVER',
  oauthError('access_denied', 'This request is over; go back to the app and start again.', 410),
);

/** Somebody else has signed in since the page was opened: in another tab, or the next person at this machine. */
export const OTHER_ACCOUNT = toPerson(
  'OTHER_ACCOUNT',
  oauthError('access_denied', 'This page was opened for another account than the one that is signed in.'),
);

/** Decides from what is stored, so that a reload, a second tab or a double click finds its way. `granted`: the user's live grants. */
export function nextStep(interaction: Interaction, visitor: Visitor, granted: readonly Access[]): Step {
  const { decision, request } = interaction;
  const mayAsk = !request.prompts.includes('none');
  // Also once it is decided: the code is for its user, not for the next person at the same machine.
  if (visitor.userId === undefined) return mayAsk ? 'SIGN_IN' : 'LOGIN_REQUIRED';
  if (decision) return 'ANSWER';
  // OpenID Connect Core §3.1.2.1: prompt=login wants a fresh proof of the person in front of it.
  if (request.prompts.includes('login') && !visitor.hasSignedInSince) return 'SIGN_IN';
  if (mayConsentBeSkipped(request, granted)) return 'ALLOW';
  return mayAsk ? 'CONSENT' : 'CONSENT_REQUIRED';
}

/** An attacker who learns the address must not continue another user's request, or plant one of their own in that user's browser. */
export function browserIsTheOneThatBegan(
  { browserHash }: Pick<Interaction, 'browserHash'>,
  visitor: Pick<Visitor, 'browserHash'>,
): OAuthError | undefined {
  if (visitor.browserHash === browserHash) return undefined;
  return toPerson(
    'OTHER_BROWSER',
    oauthError(
      'access_denied',
      'This page belongs to another browser, or cookies are off; go back to the app and start again.',
    ),
  );
}

/**
 * The error that the app itself gets, through the redirect: its developer has changed what it may ask for. A decision
 * stands.
 */
export function refusalOfRequest({ request, client, decision }: Interaction): OAuthError | undefined {
  return decision ? undefined : firstError(CHECKS_BEFORE_ANSWER, request, client);
}

/**
 * Those of the requested scopes that the user has not granted to this client yet, in catalogue order. `granted` are the
 * live grants; an ORG scope among them covers its TEAM scope, and unrestricted access covers every scope.
 */
export function newScopes(requested: Access, granted: readonly Access[]): readonly Scope[] {
  if (requested.kind === 'UNRESTRICTED') return [];
  const held = granted.map(heldBy).reduce(union, NO_SCOPES);
  return requested.scopes.filter((scope) => !covers(held, scopeSetOf([scope], CATALOG)));
}

/** Whether consent can be skipped: the request brings nothing new, does not insist, and goes where only the app can be. */
export function mayConsentBeSkipped(
  { access, redirectUri, prompts }: Pick<AcceptedRequest, 'access' | 'redirectUri' | 'prompts'>,
  granted: readonly Access[],
): boolean {
  if (prompts.includes('consent')) return false;
  // Another program could answer there in the app's name, and only the user's click stands in its way (RFC 8252 §8.6).
  if (leadsToLoopback(redirectUri) || hasPrivateUseScheme(redirectUri)) return false;
  // All 46 scopes one by one are less than "any resource": only the same consent counts.
  if (access.kind === 'UNRESTRICTED') return granted.some(({ kind }) => kind === 'UNRESTRICTED');
  return newScopes(access, granted).length === 0;
}

/**
 * Why an address of the authorization may not be opened like that; undefined when a person can be in front of it. A code
 * is given to somebody who sees where it goes: not to a page that loads ahead, lies in a frame of another page, or is
 * fetched by a script or an image. Programs that are no browser send none of these headers.
 */
export function navigationRefusal(headers: Headers): OAuthError | undefined {
  const purpose = headers.get('sec-purpose') ?? headers.get('purpose') ?? headers.get('x-moz') ?? '';
  // A browser throws away what it loaded ahead with an error, and asks again when the page is really opened.
  if (/prefetch|prerender/i.test(purpose)) {
    return toPerson('LOADED_AHEAD', oauthError('invalid_request', 'This page is not loaded ahead; open it.', 503));
  }
  const destination = headers.get('sec-fetch-dest');
  if (destination === null || destination === 'document') return undefined;
  return toPerson(
    'FRAMED',
    oauthError('access_denied', 'This page is not shown inside of another page; open it in a window of its own.'),
  );
}

function userIsTheOneThatBegan({ userId }: Interaction, visitor: Visitor): OAuthError | undefined {
  const isTheOne = userId === null || visitor.userId === undefined || visitor.userId === userId;
  return isTheOne ? undefined : OTHER_ACCOUNT;
}

function answerMayBeGiven({ decision, isOver, mayAnswerAgain }: Interaction): OAuthError | undefined {
  if (decision && !mayAnswerAgain) {
    return toPerson(
      'ANSWERED',
      oauthError('access_denied', 'You have answered this request already; go back to the app.', 410),
    );
  }
  if (decision || !isOver) return undefined;
  return REQUEST_OVER;
}

function clientIsStillApproved({ client }: Interaction): OAuthError | undefined {
  if (client.status === 'APPROVED') return undefined;
  const description = 'The OAuth client may not be used at the moment; its page in the developer settings says why.';
  return ofTheApp('client_id', oauthError('unauthorized_client', description, 403));
}

/** Neither a code nor an error may go to an address that the client has removed in the meantime. */
function redirectUriIsStillRegistered({ client, request }: Interaction): OAuthError | undefined {
  if (isRegistered(client.redirectUris, request.redirectUri)) return undefined;
  const description = 'The redirect_uri was removed from the client since the request began; send a registered one.';
  return ofTheApp('redirect_uri', oauthError('invalid_request', description));
}

function heldBy(access: Access): ScopeSet {
  return access.kind === 'UNRESTRICTED' ? unrestrictedScopes() : heldScopes(access.scopes);
}
