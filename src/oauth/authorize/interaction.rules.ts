import type { Access } from '../protocol/access.ts';
import { type AcceptedRequest, CHECKS_BEFORE_ANSWER } from '../protocol/authorize/authorize-checks.ts';
import { mayConsentBeSkipped } from '../protocol/authorize/consent.ts';
import type { Client } from '../protocol/client.ts';
import { firstError, type OAuthError, oauthError, ofTheApp, toPerson } from '../protocol/oauth-error.ts';
import { isRegistered } from '../protocol/redirect-uri.ts';

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
export interface Visitor {
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

export const REQUEST_OVER = toPerson(
  'OVER',
  oauthError('access_denied', 'This request is over; go back to the app and start again.', 410),
);

/** Somebody else has signed in since the page was opened: in another tab, or the next person at this machine. */
export const OTHER_ACCOUNT = toPerson(
  'OTHER_ACCOUNT',
  oauthError('access_denied', 'This page was opened for another account than the one that is signed in.'),
);

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

/**
 * The error that the app itself gets, through the redirect: its developer has changed what it may ask for. A decision
 * stands.
 */
export function refusalOfRequest({ request, client, decision }: Interaction): OAuthError | undefined {
  return decision ? undefined : firstError(CHECKS_BEFORE_ANSWER, request, client);
}
