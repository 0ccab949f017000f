/** consent/ is where a user lets an app in, and where they end its access. It may import account/ and kit/. */
import { type Context, Hono } from 'hono';
import { idOf } from '../../core/id.ts';
import type { Report } from '../../database/failure.ts';
import type { Em } from '../../database/sql.ts';
import { countedAs, type RateLimit } from '../../graphql/rate-limit.ts';
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
import { navigationRefusal } from '../../oauth/authorize/interaction.rules.ts';
import { ENDPOINTS } from '../../oauth/protocol/metadata.ts';
import { PAGE_HEADERS, seeOther } from '../kit/page-response.ts';
import { answerErrors, answerMethod, answerTooMany } from '../kit/problem-response.ts';
import { rawQuery } from '../kit/request.ts';
import type { AddressOf, Visitors } from '../kit/visitors.ts';
import { interactionPath, sendAnswer, sendConsentPage, sendError } from './authorize-answer.routes.ts';

export interface AuthorizeSettings {
  /** The global EntityManager; each request works on a fork. */
  readonly em: Em;
  readonly addressOf: AddressOf;
  readonly report: Report;
  readonly visitors: Visitors;
  /** The same as that of the API. Left out: nobody is limited. */
  readonly rateLimit?: RateLimit | undefined;
}

/** Somebody in front of a browser. */
interface Person {
  readonly visit: Visit;
  readonly session: FoundSession | undefined;
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
      return refusal ? sendError(c, refusal) : next();
    });
  }

  routes.get(ENDPOINTS.authorize, async (c) => {
    // A request for the head alone gets the checks, and never a code.
    if (isHead(c)) return sendHead(c, await checkAuthorization(em.fork(), server, rawQuery(c)));
    return begin(c, (visit) => beginAuthorization(em.fork(), server, rawQuery(c), visit));
  });
  routes.get(REQUEST, async (c) => {
    if (isHead(c)) return c.body(null, 200, PAGE_HEADERS);
    return begin(c, (visit) => continueAuthorization(em.fork(), server, c.req.param('sealed'), visit));
  });
  routes.get(RESTART, async (c) => {
    if (isHead(c)) return c.body(null, 200, PAGE_HEADERS);
    return begin(c, (visit) => ofNamed(c, (id) => restartAuthorization(em.fork(), server, id, visit)));
  });
  routes.get(INTERACTION, async (c) => {
    if (isHead(c)) return c.body(null, 200, PAGE_HEADERS);
    const person = await personAt(c);
    return sendStep(c, await ofNamed(c, (id) => advance(em.fork(), server, id, person.visit)), person);
  });
  routes.post(INTERACTION, async (c) => {
    const { form, forgery } = await visitors.readForm(c, formPurpose(interactionOf(c)));
    const person = await personAt(c);
    const pressed = { decision: form.get('decision') ?? '', isForged: forgery !== undefined };
    return sendStep(c, await ofNamed(c, (id) => answerConsent(em.fork(), server, id, person.visit, pressed)), person);
  });

  routes.all(ENDPOINTS.authorize, (c) => answerMethod(c, 'GET, HEAD'));
  routes.all(REQUEST, (c) => answerMethod(c, 'GET, HEAD'));
  routes.all(RESTART, (c) => answerMethod(c, 'GET, HEAD'));
  routes.all(INTERACTION, (c) => answerMethod(c, 'GET, HEAD, POST'));
  routes.onError(answerErrors(report));
  return routes;

  /** Requests of signed-in users are stored, so they are counted; anonymous ones are not stored. */
  async function begin(c: Context, authorize: (visit: Visit) => Promise<AuthorizeAnswer>) {
    const { visit, session } = await personAt(c);
    if (rateLimit && session) {
      const caller = { kind: 'session', sessionId: session.id, userId: session.userId } as const;
      const verdict = await rateLimit.requests.take(countedAs({ caller, address: addressOf(c) }, rateLimit.rates));
      if (!verdict.isAllowed) return answerTooMany(c, verdict);
    }
    return sendBegun(c, await authorize(visit));
  }

  async function personAt(c: Context): Promise<Person> {
    const session = await visitors.sessionOf(c.req.raw);
    return { visit: { browserId: visitors.cookies.requireBrowserId(c), session, address: addressOf(c) }, session };
  }

  function sendStep(c: Context, answer: AuthorizeAnswer, { session }: Person) {
    if (answer.kind !== 'CONSENT') return sendAnswer(c, answer, session);
    if (!session) throw new Error('The consent page is for somebody who is signed in.');
    const csrf = visitors.formToken(c, formPurpose(answer.question.interactionId));
    return sendConsentPage(c, answer.question, session, csrf);
  }
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

function formPurpose(interactionId: string | undefined): string {
  return `consent ${interactionId}`;
}
