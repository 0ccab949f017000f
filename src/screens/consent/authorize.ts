/** consent/ is where a user lets an app in, and where they end its access. It may import account/ and kit/. */

import { type Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { idOf, publicId } from '../../core/id.ts';
import type { Report } from '../../database/failure.ts';
import { PutOut } from '../../database/on-behalf.ts';
import { countedAs, type RateLimit } from '../../limits/request-limit.ts';
import type { FoundSession } from '../../modules/accounts/sign-in/sessions.ts';
import type { AuthorizationServer } from '../../oauth/authorization-server.ts';
import {
  type AuthorizeAnswer,
  advance,
  answerConsent,
  beginAuthorization,
  checkAuthorization,
  continueAuthorization,
  restartAuthorization,
  UNKNOWN_INTERACTION,
  type Visit,
} from '../../oauth/authorize/authorize.ts';
import type { ConsentQuestion } from '../../oauth/authorize/consent-question.ts';
import { navigationRefusal } from '../../oauth/authorize/interaction.rules.ts';
import { ENDPOINTS } from '../../oauth/protocol/metadata.ts';
import type { OAuthError } from '../../oauth/protocol/oauth-error.ts';
import { describeScope, type Scope } from '../../scopes/catalog.ts';
import { scopeSentences } from '../../scopes/scope-sentences.ts';
import type { Html } from '../kit/layout.ts';
import { always, type DeclaredPage, openPage, type PageSettings, routesOf } from '../kit/page.ts';
import { knownViewer, localeOf } from '../kit/page-locale.ts';
import { PAGE_HEADERS, seeOther, sendPage } from '../kit/page-response.ts';
import { withReturn } from '../kit/paths.ts';
import { answerErrors, answerMethod, answerTooMany } from '../kit/problem-response.ts';
import { rawQuery } from '../kit/request.ts';
import type { ShownScope } from '../kit/scope-list.ts';
import { type AddressOf, asViewer } from '../kit/visitors.ts';
import { consentPage, refusedPage, wayOnPart } from './consent-page.ts';

export interface AuthorizeSettings extends PageSettings {
  readonly addressOf: AddressOf;
  readonly report: Report;
  /** The same as that of the API. Left out: nobody is limited. */
  readonly rateLimit?: RateLimit | undefined;
}

const INTERACTION = '/auth/oauth2/interactions/:id';
const REQUEST = '/auth/oauth2/requests/:sealed';
const RESTART = '/auth/oauth2/interactions/:id/restart';

/** The browser's way through an authorization: the endpoint, and our own pages between it and the code. */
export function authorizeRoutes(settings: AuthorizeSettings, server: AuthorizationServer): Hono {
  const { em, visitors, addressOf, report, rateLimit } = settings;
  const routes = new Hono();
  for (const path of [ENDPOINTS.authorize, REQUEST, INTERACTION, RESTART]) {
    routes.use(path, async (c, next) => {
      const refusal = navigationRefusal(c.req.raw.headers);
      if (refusal) return sendError(c, refusal);
      // A request for the head alone goes no step further.
      return isHead(c) && path !== ENDPOINTS.authorize ? c.body(null, 200, PAGE_HEADERS) : next();
    });
  }

  routes.get(ENDPOINTS.authorize, async (c) => {
    // A request for the head alone gets the checks, and never a code.
    if (isHead(c)) return sendHead(c, await checkAuthorization(em.fork(), server, rawQuery(c)));
    return begin(c, (visit) => beginAuthorization(em.fork(), server, rawQuery(c), visit));
  });
  routes.get(REQUEST, (c) =>
    begin(c, (visit) => continueAuthorization(em.fork(), server, c.req.param('sealed'), visit)),
  );
  routes.get(RESTART, (c) =>
    begin(c, (visit) => ofNamed(c, (id) => restartAuthorization(em.fork(), server, id, visit))),
  );
  routes.route('/', routesOf(settings, [interactionPage(settings, server)]));

  routes.all(ENDPOINTS.authorize, (c) => answerMethod(c, 'GET, HEAD'));
  routes.all(REQUEST, (c) => answerMethod(c, 'GET, HEAD'));
  routes.all(RESTART, (c) => answerMethod(c, 'GET, HEAD'));
  routes.all(INTERACTION, (c) => answerMethod(c, 'GET, HEAD, POST'));
  routes.onError(answerErrors(report));
  return routes;

  /** Requests of signed-in users are stored, so they are counted; anonymous ones are not stored. */
  async function begin(c: Context, authorize: (visit: Visit) => Promise<AuthorizeAnswer>) {
    const session = await visitors.sessionOf(c.req.raw);
    if (rateLimit && session) {
      const caller = { kind: 'session', sessionId: session.id, userId: session.userId } as const;
      const verdict = await rateLimit.requests.take(countedAs({ caller, address: addressOf(c) }, rateLimit.rates));
      if (!verdict.isAllowed) return answerTooMany(c, verdict);
    }
    return sendBegun(c, await authorize(visitOf(c, settings, session)));
  }
}

/** The page of an interaction: where it stands is decided from what is stored, each time that it is opened or answered. */
function interactionPage(settings: AuthorizeSettings, server: AuthorizationServer): DeclaredPage {
  return openPage({
    path: INTERACTION,
    find: always,
    show: async ({ c, em, csrf, back, reader }) => {
      const { session } = await reader();
      const visit = visitOf(c, settings, session);
      const forged = { decision: '', isForged: true };
      // A user who lost the account meanwhile signs in again; to answer once more would lead nowhere.
      const isForged = back?.problem?.code === 'FORGED_FORM' && !(back.problem instanceof PutOut);
      if (back?.problem && !isForged) throw back.problem;
      const answer = await ofNamed(c, (id) =>
        back ? answerConsent(em, server, id, visit, forged) : advance(em, server, id, visit),
      );
      if (answer.kind !== 'CONSENT') return sendAnswer(c, answer, session);
      if (!session) throw new Error('The consent page is for somebody who is signed in.');
      return sendConsentPage(c, answer.question, session, csrf.decision);
    },
    forms: {
      decision: {
        at: '',
        isBound: true,
        run: async ({ c, em, path, reader }, _, form) => {
          const { session } = await reader();
          const pressed = { decision: form.get('decision') ?? '', isForged: false };
          const visit = visitOf(c, settings, session);
          const answer = await ofNamed(c, (id) => answerConsent(em, server, id, visit, pressed));
          return answer.kind === 'CONSENT' ? { to: path } : sendAnswer(c, answer, session);
        },
      },
    },
  });
}

function visitOf(c: Context, { visitors, addressOf }: AuthorizeSettings, session: FoundSession | undefined): Visit {
  return { browserId: visitors.cookies.requireBrowserId(c), session, address: addressOf(c) };
}

/** The consent page has an address of its own, so that a reload does not begin anew. */
function sendBegun(c: Context, answer: AuthorizeAnswer) {
  return answer.kind === 'CONSENT'
    ? seeOther(c, interactionPath(answer.question.interactionId))
    : sendAnswer(c, answer);
}

function sendHead(c: Context, checked: Awaited<ReturnType<typeof checkAuthorization>>) {
  return 'kind' in checked ? sendAnswer(c, checked) : c.body(null, 200, PAGE_HEADERS);
}

function isHead(c: Context): boolean {
  return c.req.raw.method === 'HEAD';
}

/** Works on the interaction that the address names. */
async function ofNamed(c: Context, work: (interactionId: string) => Promise<AuthorizeAnswer>) {
  const id = interactionOf(c);
  return id === undefined ? UNKNOWN_INTERACTION : work(id);
}

function interactionOf(c: Context): string | undefined {
  return idOf('interaction', c.req.param('id') ?? '');
}

/** Where the page of an interaction is. */
function interactionPath(id: string): string {
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
function sendAnswer(c: Context, answer: Exclude<AuthorizeAnswer, { kind: 'CONSENT' }>, session?: FoundSession) {
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

function sendConsentPage(c: Context, question: ConsentQuestion, session: FoundSession, csrf: string) {
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

function sendError(c: Context, error: OAuthError, wayOn?: Html) {
  const { status, retryAfterSeconds } = error;
  const headers = retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) };
  return sendPage(
    c,
    refusedPage(error, { locale: localeOf(c), viewer: knownViewer(c) }, wayOn),
    status as ContentfulStatusCode,
    headers,
  );
}
