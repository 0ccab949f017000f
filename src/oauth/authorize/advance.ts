import { sha256Hex } from '../../core/secret.ts';
import type { Em } from '../../database/sql.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import { noteFailedRequest } from '../clients/note-failed-request.ts';
import type { Access } from '../protocol/access.ts';
import { firstError, type OAuthError, oauthError, toPerson } from '../protocol/oauth-error.ts';
import { CONSENT_REQUIRED, LOGIN_REQUIRED } from '../protocol/prompt.ts';
import { codeOf, decisionLocation, errorLocation } from './client-answer.ts';
import { type ConsentQuestion, consentQuestion } from './consent-question.ts';
import { INTERACTION_CHECKS, nextStep, OTHER_ACCOUNT, refusalOfRequest, type Step } from './interaction.rules.ts';
import { bindUser, findInteraction, liveAccesses, type StoredInteraction, storeDecision } from './interactions.ts';

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
export type Refusal = Extract<AuthorizeAnswer, { readonly kind: 'REFUSED' | 'REDIRECT' }>;

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
const OVER = toPerson(
  'STUCK',
  oauthError('access_denied', 'This request cannot go on; go back to the app and start again.'),
);

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

export function refused(error: OAuthError, wayOn?: Extract<Refusal, { kind: 'REFUSED' }>['wayOn']): Refusal {
  return { kind: 'REFUSED', error, wayOn };
}

function userOf({ session }: Visit): string {
  if (!session) throw new Error('A step that needs a user was reached without one.');
  return session.userId;
}
