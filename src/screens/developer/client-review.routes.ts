import { type Context, Hono } from 'hono';
import { pageRequest } from '../../core/page.ts';
import { type Mistake, Problem } from '../../core/problem.ts';
import type { FoundSession } from '../../modules/accounts/sign-in/sessions.ts';
import type { Aftermath } from '../../oauth/authorization-server.ts';
import {
  countUsersOf,
  findClientHistory,
  findClientsToReview,
  findListedClient,
  type ListedClient,
} from '../../oauth/clients/oauth-client.queries.ts';
import { ClientReplaced, reviewClient } from '../../oauth/clients/review-client.ts';
import type { ReviewAction, ReviewedContent } from '../../oauth/protocol/client-review.ts';
import type { AuthorizeSettings } from '../consent/authorize.ts';
import { signedIn } from '../kit/page.ts';
import { seeOther, sendPage } from '../kit/page-response.ts';
import { answerNotFound, problemOf, sendForm } from '../kit/problem-response.ts';
import { type FormLimits, largeForm } from '../kit/request.ts';
import { asViewer } from '../kit/visitors.ts';
import { REVIEWS_PATH, reviewPath } from './client-paths.ts';
import { requireClient } from './developer-client.routes.ts';
import { reviewPage } from './review-page.ts';
import { REASON_FIELDS } from './review-parts.ts';
import { reviewQueuePage } from './review-queue-page.ts';

const FORM = 'review-client';
const REVIEW = `${REVIEWS_PATH}/:clientId`;

const ACTIONS: ReadonlyMap<string, { readonly action: ReviewAction; readonly done: string }> = new Map([
  ['APPROVE', { action: 'APPROVE', done: 'Approved. We’re e-mailing the developer.' }],
  ['REJECT', { action: 'REJECT', done: 'Rejected. We’re e-mailing the developer the reason.' }],
  ['SUSPEND', { action: 'SUSPEND', done: 'Client suspended. Its tokens no longer work.' }],
  ['REINSTATE', { action: 'REINSTATE', done: 'Client reinstated. Its grants work again.' }],
]);

/** `/admin/oauth`: the review queue, and deciding about a client. For everybody but administrators there is nothing here. */
export function clientReviewRoutes(settings: AuthorizeSettings, after: Aftermath): Hono {
  const { em, visitors, addressOf } = settings;
  const routes = new Hono();
  routes.get(REVIEWS_PATH, forAdministrators(showQueue));
  routes.get(
    REVIEW,
    forAdministrators(async (c, session) => show(c, session, await requireClient(c, session, settings))),
  );
  routes.post(REVIEW, forAdministrators(decide, largeForm()));
  return routes;

  function forAdministrators(handle: (c: Context, session: FoundSession) => Promise<Response>, limits?: FormLimits) {
    const handled = (c: Context, session: FoundSession) =>
      session.isAdministrator ? handle(c, session) : answerNotFound(c);
    return signedIn(visitors, handled, limits);
  }

  async function showQueue(c: Context, session: FoundSession): Promise<Response> {
    const { after: cursor, client_id: typedId = '' } = c.req.query();
    const done = visitors.doneBefore(c);
    const clientId = typedId.trim();
    const found = clientId === '' ? undefined : await findListedClient(em.fork(), clientId, session.userId);
    if (found) return seeOther(c, reviewPath(found.clientId));
    const mistakes = clientId === '' ? [] : [NO_SUCH_CLIENT];
    const waiting = await findClientsToReview(
      em.fork(),
      session.userId,
      pageRequest({ after: cursor }, ['TIME', 'TEXT']),
    );
    const page = reviewQueuePage({
      viewer: asViewer(session),
      waiting,
      typedId,
      mistakes,
      done: ACTIONS.get(done)?.done,
    });
    return sendPage(c, page, mistakes.length === 0 ? 200 : 404);
  }

  async function decide(c: Context, session: FoundSession): Promise<Response> {
    const { form, forgery } = await visitors.readForm(c, FORM);
    const client = await requireClient(c, session, settings);
    const { clientId } = client;
    const chosen = ACTIONS.get(form.get('action') ?? '');
    const field = reasonField(chosen?.action);
    const reason = (field && form.get(field)) ?? '';
    const problem =
      forgery ??
      (await problemOf(() => {
        if (!chosen) throw new Problem('BAD_REQUEST', 'Choose what to do with the client.');
        const by = { actorId: session.userId, address: addressOf(c) };
        const { action } = chosen;
        if (action === 'SUSPEND' && reason.trim() === '') throw NO_REASON;
        const seenVersion = Number(form.get('version') || Number.NaN);
        if (!Number.isInteger(seenVersion))
          throw new Problem('BAD_REQUEST', 'The form doesn’t say which version it’s about. Reload the page.');
        return reviewClient(em.fork(), after, { clientId, action, reason, seenVersion, ...by });
      }));
    // Looked up again: the next decision is about what is shown.
    const current = problem && (await requireClient(c, session, settings));
    if (current) {
      // Loaded here, as it brings the library of schemas, which hardly anybody needs.
      const { seenIn } = await import('./seen-content.ts');
      return show(c, session, current, {
        typedReason: reason,
        seen: seenIn(form),
        problem,
        open: chosen?.action,
      });
    }
    // A client that was waiting leads back to the next one that waits; a suspended one is looked at again.
    const isReview = chosen?.action === 'APPROVE' || chosen?.action === 'REJECT';
    return visitors.leadTo(c, isReview ? REVIEWS_PATH : reviewPath(clientId), `${chosen?.action}`);
  }

  async function show(
    c: Context,
    session: FoundSession,
    client: ListedClient,
    { typedReason = '', seen, problem, open }: Refused = {},
  ): Promise<Response> {
    const fork = em.fork();
    const page = reviewPage({
      viewer: asViewer(session),
      client,
      users: await countUsersOf(fork, client.clientId),
      history: await findClientHistory(fork, client),
      open,
      typedReason,
      csrf: visitors.formToken(c, FORM),
      mistakes: atField(problem?.mistakes ?? [], open),
      seen: problem instanceof ClientReplaced ? seen : undefined,
      done: problem ? undefined : ACTIONS.get(visitors.doneBefore(c))?.done,
    });
    return sendForm(c, page, problem);
  }
}

/** A decision that was not taken. */
interface Refused {
  readonly typedReason?: string;
  readonly seen?: ReviewedContent | undefined;
  readonly problem?: Problem | undefined;
  readonly open?: ReviewAction | undefined;
}

/** People are cut off from the app: its developer is told why, though the API would do without. */
const NO_REASON = new Problem('REASON_REQUIRED', 'Tell the developer the reason.', ['reason']);

function reasonField(action: ReviewAction | undefined): string | undefined {
  return action === 'REJECT' || action === 'SUSPEND' ? REASON_FIELDS[action] : undefined;
}

/** The reason's mistakes, at the field of the form that was sent. */
function atField(mistakes: readonly Mistake[], action: ReviewAction | undefined): readonly Mistake[] {
  const field = reasonField(action);
  return mistakes.map((mistake) =>
    field !== undefined && mistake.path?.[0] === 'reason' ? { ...mistake, path: [field] } : mistake,
  );
}

const NO_SUCH_CLIENT: Mistake = {
  code: 'NOT_FOUND',
  message: 'There is no OAuth client with this id; check it.',
  path: ['client_id'],
};
