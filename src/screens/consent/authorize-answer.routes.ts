import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { publicId } from '../../core/id.ts';
import type { FoundSession } from '../../modules/accounts/sign-in/sessions.ts';
import type { AuthorizeAnswer } from '../../oauth/authorize/authorize.ts';
import type { ConsentQuestion } from '../../oauth/authorize/consent-question.ts';
import type { OAuthError } from '../../oauth/protocol/oauth-error.ts';
import { describeScope, type Scope } from '../../scopes/catalog.ts';
import { scopeSentences } from '../../scopes/scope-sentences.ts';
import type { Html } from '../kit/layout.ts';
import { knownViewer, localeOf } from '../kit/page-locale.ts';
import { seeOther, sendPage } from '../kit/page-response.ts';
import { withReturn } from '../kit/paths.ts';
import type { ShownScope } from '../kit/scope-list.ts';
import { asViewer } from '../kit/visitors.ts';
import { consentPage } from './consent-page.ts';
import { refusedPage, wayOnPart } from './refused-page.ts';

/** Where the page of an interaction is. */
export function interactionPath(id: string): string {
  return `/auth/oauth2/interactions/${publicId('interaction', id)}`;
}

/** Where a request goes on whose user has signed in. */
function requestPath(sealedRequest: string): string {
  return `/auth/oauth2/requests/${sealedRequest}`;
}

/**
 * Sends every answer but the consent page. After a POST too the browser goes on by GET: 303, never 307 (RFC 9700
 * §4.12). `session`: that of the visitor at the page of an interaction, where they may be able to go on.
 */
export function sendAnswer(c: Context, answer: Exclude<AuthorizeAnswer, { kind: 'CONSENT' }>, session?: FoundSession) {
  switch (answer.kind) {
    case 'REFUSED':
      return sendError(
        c,
        answer.error,
        answer.wayOn &&
          wayOnPart(answer.wayOn, { path: c.req.path, viewer: session && asViewer(session), locale: localeOf(c) }),
      );
    case 'REDIRECT':
      return seeOther(c, answer.location);
    default: {
      const { goOn } = answer;
      const next = 'interactionId' in goOn ? interactionPath(goOn.interactionId) : requestPath(goOn.sealedRequest);
      const path = withReturn('/auth/login', next);
      const hint = answer.loginHint === null ? '' : `&login_hint=${encodeURIComponent(answer.loginHint)}`;
      return seeOther(c, path + hint + (answer.mustSignIn ? '&prompt=login' : ''));
    }
  }
}

export function sendConsentPage(c: Context, question: ConsentQuestion, session: FoundSession, csrf: string) {
  const { interactionId, destination, access, newScopes, ...about } = question;
  const action = interactionPath(interactionId);
  const scopes = access.kind === 'SCOPED' ? access.scopes : [];
  const locale = localeOf(c);
  return sendPage(
    c,
    consentPage({
      ...about,
      redirectHost: destination,
      scopes: scopes.map((scope) => shownScope(scope, newScopes, locale)),
      isUnrestricted: access.kind === 'UNRESTRICTED',
      viewer: { name: session.userName, email: session.userEmail, locale: session.userLocale },
      otherAccountPath: withReturn('/auth/login', `${action}/restart`),
      action,
      csrf,
      locale,
    }),
  );
}

/** Describes a scope in words: the names of scopes are for developers. */
function shownScope(scope: Scope, newScopes: readonly string[] | undefined, locale: string): ShownScope {
  const { level, resource, action } = describeScope(scope);
  const words = scopeSentences(locale)[scope];
  return { level, resource, action, words, isNew: newScopes?.includes(scope) ?? false };
}

export function sendError(c: Context, error: OAuthError, wayOn?: Html) {
  const { status, retryAfterSeconds } = error;
  const headers = retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) };
  return sendPage(
    c,
    refusedPage(error, { locale: localeOf(c), viewer: knownViewer(c) }, wayOn),
    status as ContentfulStatusCode,
    headers,
  );
}
