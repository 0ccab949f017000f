import { html } from 'hono/html';
import { type Page, pageRequest } from '../../core/page.ts';
import { type Mistake, Problem } from '../../core/problem.ts';
import {
  countUsersOf,
  findClientHistory,
  findClientsToReview,
  findListedClient,
  type ListedClient,
} from '../../oauth/clients/oauth-client.queries.ts';
import { ClientReplaced, reviewClient } from '../../oauth/clients/review-client.ts';
import type { ReviewAction } from '../../oauth/protocol/client-review.ts';
import { formTitle, mistakeSummary, textField } from '../kit/form-parts.ts';
import { type Html, layout, type Viewer } from '../kit/layout.ts';
import { always, type DeclaredPage, page, type Showing, type Visit } from '../kit/page.ts';
import { doneNotice, moment, nothingYet, pager } from '../kit/page-parts.ts';
import { seeOther, sendPage } from '../kit/page-response.ts';
import { largeForm } from '../kit/request.ts';
import { type DeveloperSettings, requireClient } from './client.ts';
import { DEVELOPER_SUSPENDED_MARK, REVIEWS_PATH, reviewPath } from './client-parts.ts';
import { REASON_FIELDS, reviewView } from './review-page.ts';

const REVIEW = `${REVIEWS_PATH}/:clientId`;

const ACTIONS: ReadonlyMap<string, { readonly action: ReviewAction; readonly done: string }> = new Map([
  ['APPROVE', { action: 'APPROVE', done: 'Approved. We’re e-mailing the developer.' }],
  ['REJECT', { action: 'REJECT', done: 'Rejected. We’re e-mailing the developer the reason.' }],
  ['SUSPEND', { action: 'SUSPEND', done: 'Client suspended. Its tokens no longer work.' }],
  ['REINSTATE', { action: 'REINSTATE', done: 'Client reinstated. Its grants work again.' }],
]);

/** `/admin/oauth`: the review queue. For everybody but administrators there is nothing here. */
export const reviewsPage: DeclaredPage = page({
  path: REVIEWS_PATH,
  language: 'en',
  isFor: isAdministrator,
  find: always,
  show: async (showing) => {
    const { c, em, session } = showing;
    const { after, client_id: typedId = '' } = c.req.query();
    const clientId = typedId.trim();
    const found = clientId === '' ? undefined : await findListedClient(em, clientId, session.userId);
    if (found) return seeOther(c, reviewPath(found.clientId));
    const mistakes = clientId === '' ? [] : [NO_SUCH_CLIENT];
    const waiting = await findClientsToReview(showing.em, session.userId, pageRequest({ after }, ['TIME', 'TEXT']));
    const view = reviewsView({ ...showing, waiting, typedId, mistakes, done: ACTIONS.get(showing.done)?.done });
    return mistakes.length === 0 ? view : sendPage(c, view, 404);
  },
});

/** `/admin/oauth/:clientId`: deciding about a client. */
export function decisionPage({ addressOf, after }: DeveloperSettings): DeclaredPage {
  return page({
    path: REVIEW,
    language: 'en',
    isFor: isAdministrator,
    find: requireClient,
    show,
    forms: {
      decide: {
        at: '',
        limits: largeForm(),
        run: async ({ c, em, session }, { clientId }, form) => {
          const { chosen, reason } = decisionIn(form);
          if (!chosen) throw new Problem('BAD_REQUEST', 'Choose what to do with the client.');
          const by = { actorId: session.userId, address: addressOf(c) };
          const { action } = chosen;
          if (action === 'SUSPEND' && reason.trim() === '') throw NO_REASON;
          const seenVersion = Number(form.get('version') || Number.NaN);
          if (!Number.isInteger(seenVersion))
            throw new Problem('BAD_REQUEST', 'The form doesn’t say which version it’s about. Reload the page.');
          await reviewClient(em, after, { clientId, action, reason, seenVersion, ...by });
          // A client that was waiting leads back to the next one that waits; a suspended one is looked at again.
          const isReview = action === 'APPROVE' || action === 'REJECT';
          return { to: isReview ? REVIEWS_PATH : reviewPath(clientId), done: action };
        },
      },
    },
  });
}

function isAdministrator({ session }: Visit): boolean {
  return session.isAdministrator;
}

async function show(showing: Showing<'decide'>, client: ListedClient): Promise<Html> {
  const { em, csrf, back } = showing;
  const { chosen, reason: typedReason } = decisionIn(back?.form);
  const open = chosen?.action;
  return reviewView({
    ...showing,
    client,
    users: await countUsersOf(em, client.clientId),
    history: await findClientHistory(em, client),
    open,
    typedReason,
    csrf: csrf.decide,
    mistakes: atField(back?.problem?.mistakes ?? [], open),
    // Loaded here, as it brings the library of schemas, which hardly anybody needs.
    seen: back?.problem instanceof ClientReplaced ? (await import('./seen-content.ts')).seenIn(back.form) : undefined,
    done: ACTIONS.get(showing.done)?.done,
  });
}

/** The decision that was chosen, undefined for none of those that there are, and its reason. */
function decisionIn(form: URLSearchParams | undefined) {
  const chosen = ACTIONS.get(form?.get('action') ?? '');
  const field = reasonField(chosen?.action);
  return { chosen, reason: (field && form?.get(field)) ?? '' };
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

interface ReviewsView {
  readonly viewer: Viewer;
  readonly waiting: Page<ListedClient>;
  /** The client id that was looked for and not found. */
  readonly typedId: string;
  readonly mistakes: readonly Mistake[];
  readonly done: string | undefined;
}

/** Lists the clients that wait for an administrator, and leads to every other client. */
function reviewsView({ viewer, waiting, typedId, mistakes, done }: ReviewsView): Html {
  const content = html`${doneNotice(done)}
    ${mistakeSummary(mistakes)}
    <h1>Reviews</h1>
    ${
      waiting.rows.length === 0
        ? nothingYet(
            html`<p>Nothing is waiting for review. We’ll e-mail you when a developer registers or changes a client.</p>`,
          )
        : html`<ul class="rows">${waiting.rows.map(waitingRow)}</ul>`
    }
    ${pager(waiting, ({ key }) => key, { path: REVIEWS_PATH })}
    <article>
      <h2>Any other client</h2>
      <form method="get" action="${REVIEWS_PATH}" novalidate>
        ${textField({ name: 'client_id', label: 'Client ID', value: typedId, autocomplete: 'off' }, mistakes)}
        <button type="submit" class="quiet">Open the client</button>
      </form>
    </article>`;
  return layout({ title: formTitle('Reviews', mistakes), content, corner: viewer, shape: 'sheet' });
}

function waitingRow(client: ListedClient): Html {
  const { clientId, name, status, isDeveloperSuspended, ownerName, ownerEmail, submittedAt, purpose } = client;
  return html`<li>
        <h2><a href="${reviewPath(clientId)}"><bdi>${name}</bdi></a>
          <mark class="pending">${status === 'PENDING' ? 'New client' : 'Change'}</mark>
          ${isDeveloperSuspended ? DEVELOPER_SUSPENDED_MARK : ''}</h2>
        <p class="words"><bdi>${purpose}</bdi></p>
        <p class="facts"><span><bdi>${ownerName}</bdi> (<bdi>${ownerEmail}</bdi>)</span> <span>Since ${moment(submittedAt)}</span></p>
      </li>`;
}
