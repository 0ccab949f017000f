/** webhooks/ is where users have their own servers told of what happens. It may import account/, kit/ and http/. */
import { type Context, Hono } from 'hono';
import { instantOf } from '../../core/instant.ts';
import { pageRequest } from '../../core/page.ts';
import type { Problem } from '../../core/problem.ts';
import { databaseNow } from '../../database/database-clock.ts';
import type { Report } from '../../database/failure.ts';
import { SCRIPTED_HEADERS, seeOther, sendPage } from '../../http/page-response.ts';
import { answerErrors, problemOf, sendForm } from '../../http/problem-response.ts';
import { asViewer, type ReceivedForm, type Visitors } from '../../http/visitors.ts';
import type { FoundSession } from '../../modules/accounts/sign-in/session.queries.ts';
import { deleteOwned } from '../../modules/levels/change-owned.ts';
import { own } from '../../modules/levels/reach.ts';
import { OVERLAP_HOURS, WEBHOOKS_PATH } from '../../modules/webhooks/webhook.rules.ts';
import { firstSaltOf, webhookSecret } from '../../modules/webhooks/webhook-secret.rules.ts';
import { signedIn } from '../account/signed-in.ts';
import { confirmPage } from '../kit/confirm-page.ts';
import { errorPage } from '../kit/error-page.ts';
import { newFormKey } from '../kit/form-key.ts';
import { isolated } from '../kit/layout.ts';
import { secretPage } from '../kit/secret-page.ts';
import {
  findAppName,
  findEventTypes,
  findTitles,
  findWebhook,
  listDeliveries,
  listWebhooks,
} from './shown-webhooks.queries.ts';
import { addWebhook, changeWebhook, DEEDS, rotateSecret, tableOf, type WebhookDeedsSettings } from './webhook-deeds.ts';
import { inWords, NEW_WEBHOOK, type ShownWebhook, type TypedWebhook, typedIn, webhookPath } from './webhook-form.ts';
import { WEBHOOK_DEEDS, type WebhookDeed, webhookPage } from './webhook-page.ts';
import { webhooksPage } from './webhooks-page.ts';

export interface WebhookPagesSettings extends WebhookDeedsSettings {
  readonly visitors: Visitors;
  readonly report: Report;
}

const ONE = `${WEBHOOKS_PATH}/:id`;
const [ADD, CHANGE, ROTATE, DELETE] = ['webhook add', 'webhook change', 'webhook secret', 'webhook delete'];

/** `/settings/webhooks`: the addresses that are told of what happens to a user, one page for each. */
export function webhooksRoutes(settings: WebhookPagesSettings): Hono {
  const { em, visitors, webhooksKey, report } = settings;
  const routes = new Hono();
  routes.onError(answerErrors(report));
  routes.get(
    WEBHOOKS_PATH,
    signedIn(visitors, (c, session) => list(c, session)),
  );
  routes.post(WEBHOOKS_PATH, signedIn(visitors, add));
  routes.get(
    ONE,
    ofOne((visit) => show(visit)),
  );
  routes.post(ONE, formOfOne(CHANGE, change));
  routes.get(
    `${ONE}/secret`,
    ofOne((visit) => askToRotate(visit)),
  );
  routes.post(`${ONE}/secret`, formOfOne(ROTATE, rotate));
  routes.get(
    `${ONE}/delete`,
    ofOne((visit) => askToDelete(visit)),
  );
  routes.post(`${ONE}/delete`, formOfOne(DELETE, remove));
  for (const deed of WEBHOOK_DEEDS) {
    routes.post(
      `${ONE}/${deed}`,
      formOfOne(purposeOf(deed), (visit, sent) => take(visit, sent, deed)),
    );
    // For users who had to sign in before the form was taken, and come back.
    routes.get(`${ONE}/${deed}`, (c) => seeOther(c, `${WEBHOOKS_PATH}/${encodeURIComponent(c.req.param('id'))}`));
  }
  return routes;

  async function list(c: Context, session: FoundSession, refused?: Refused): Promise<Response> {
    const { userId } = session;
    const webhooks = await listWebhooks(em.fork(), userId, pageRequest({ after: c.req.query('after') }));
    const page = webhooksPage({
      viewer: asViewer(session),
      webhooks,
      titles: await findTitles(em.fork(), userId, webhooks.rows),
      eventTypes: await findEventTypes(em.fork(), userId),
      typed: refused?.typed ?? NEW_WEBHOOK,
      idempotencyKey: newFormKey(),
      csrf: visitors.formToken(c, ADD),
      mistakes: mistakesOf(refused?.problem),
      done: c.req.query('done') === 'deleted' && !refused ? 'The webhook is deleted.' : undefined,
    });
    return sendForm(c, page, refused?.problem);
  }

  async function add(c: Context, session: FoundSession): Promise<Response> {
    const { form, forgery } = await visitors.readForm(c, ADD);
    const { userId } = session;
    const typed = typedIn(form);
    let id = '';
    const act = async () => {
      id = await addWebhook(settings, { userId, form }, typed);
    };
    const problem = forgery ?? (await problemOf(act));
    if (problem) return list(c, session, { typed, problem });
    const webhook = await findWebhook(em.fork(), userId, id);
    // A form that is sent once more may find its webhook with another secret by now, or gone.
    if (webhook?.secretSalt !== firstSaltOf(webhook?.id ?? '')) return seeOther(c, `${WEBHOOKS_PATH}/${id}`);
    return showSecret({ c, session, webhook }, webhook.secretSalt, ADDED);
  }

  async function show({ c, session, webhook }: Visit, refused?: Partial<Refused>): Promise<Response> {
    const { userId } = session;
    const page = webhookPage({
      viewer: asViewer(session),
      webhook,
      titles: await findTitles(em.fork(), userId, [webhook]),
      appName: await findAppName(em.fork(), webhook),
      overlapsUntil: await overlapOf(webhook),
      typed: refused?.typed ?? { ...webhook, eventTypeId: '' },
      deliveries: await listDeliveries(em.fork(), webhook, c.req.query('before')),
      idempotencyKey: newFormKey(),
      csrf: tokensOf(c),
      mistakes: mistakesOf(refused?.problem),
      done: refused ? undefined : doneOf(webhook, c.req.query('done')),
    });
    return sendForm(c, page, refused?.problem);
  }

  async function change(visit: Visit, { form, forgery }: ReceivedForm): Promise<Response> {
    const { c, session, webhook } = visit;
    const typed = typedIn(form);
    let salt: string | undefined;
    const act = async () => {
      salt = await changeWebhook(settings, { userId: session.userId, form }, webhook, typed);
    };
    const problem = forgery ?? (await problemOf(act));
    if (problem) return show(visit, { typed, problem });
    if (salt !== undefined)
      return showSecret({ ...visit, webhook: { ...webhook, url: typed.url.trim() } }, salt, TAKEN_OVER);
    return seeOther(c, `${webhookPath(webhook)}?done=saved`);
  }

  async function take(visit: Visit, { form, forgery }: ReceivedForm, deed: WebhookDeed): Promise<Response> {
    const { c, session, webhook } = visit;
    const problem =
      forgery ?? (await problemOf(() => DEEDS[deed].act(settings, { userId: session.userId, form }, webhook)));
    return problem ? show(visit, { problem }) : seeOther(c, `${webhookPath(webhook)}?done=${deed}`);
  }

  async function askToRotate({ c, session, webhook }: Visit, problem?: Problem): Promise<Response> {
    const appName = await findAppName(em.fork(), webhook);
    const page = confirmPage({
      viewer: asViewer(session),
      title: 'Make a new secret?',
      explanation: `It is shown once. For ${OVERLAP_HOURS} hours, messages are signed by both, so that your server has the time to change; the one before that ends at once.${
        appName === undefined
          ? ''
          : ` The app ${isolated(appName)} has the old secret, and can check no message after that.`
      }`,
      button: 'Make a new secret',
      action: `${webhookPath(webhook)}/secret`,
      csrf: visitors.formToken(c, ROTATE),
      sent: { idempotencyKey: newFormKey() },
      backPath: webhookPath(webhook),
      mistakes: problem?.mistakes ?? [],
    });
    return sendForm(c, page, problem);
  }

  async function rotate(visit: Visit, { form, forgery }: ReceivedForm): Promise<Response> {
    let salt = '';
    const act = async () => {
      salt = await rotateSecret(settings, { userId: visit.session.userId, form }, visit.webhook);
    };
    const problem = forgery ?? (await problemOf(act));
    return problem ? askToRotate(visit, problem) : showSecret(visit, salt, ROTATED);
  }

  async function askToDelete({ c, session, webhook }: Visit, problem?: Problem): Promise<Response> {
    const page = confirmPage({
      viewer: asViewer(session),
      title: `Delete the webhook to ${isolated(new URL(webhook.url).host)}?`,
      explanation: 'Nothing is sent there any more, and the list of its messages goes with it.',
      button: 'Delete',
      action: `${webhookPath(webhook)}/delete`,
      csrf: visitors.formToken(c, DELETE),
      backPath: webhookPath(webhook),
      mistakes: problem?.mistakes ?? [],
    });
    return sendForm(c, page, problem);
  }

  async function remove(visit: Visit, { forgery }: ReceivedForm): Promise<Response> {
    const { c, session, webhook } = visit;
    const act = () => deleteOwned(em.fork(), tableOf(webhook), own(session.userId), webhook.id);
    const problem = forgery ?? (await problemOf(act));
    return problem ? askToDelete(visit, problem) : seeOther(c, `${WEBHOOKS_PATH}?done=deleted`);
  }

  /** The one answer to a form that is a page: nothing may keep the secret until a next request could show it. */
  function showSecret({ c, session, webhook }: Visit, salt: string, told: Told): Response | Promise<Response> {
    const page = secretPage({
      viewer: asViewer(session),
      ...told,
      of: ['Address', webhook.url],
      secret: webhookSecret(webhooksKey, webhook, salt),
      onwardPath: webhookPath(webhook),
    });
    return sendPage(c, page, told === ADDED ? 201 : 200, SCRIPTED_HEADERS);
  }

  async function overlapOf({ previousUntil }: ShownWebhook): Promise<Temporal.Instant | undefined> {
    const until = previousUntil === null ? undefined : instantOf(previousUntil);
    return until && until.epochMilliseconds > (await databaseNow(em.fork())) ? until : undefined;
  }

  function tokensOf(c: Context) {
    const tokens = WEBHOOK_DEEDS.map((deed) => [deed, visitors.formToken(c, purposeOf(deed))]);
    return { ...(Object.fromEntries(tokens) as Record<WebhookDeed, string>), change: visitors.formToken(c, CHANGE) };
  }

  /** A handler for the user's own webhook that the address names. */
  function ofOne(handle: (visit: Visit) => Promise<Response>) {
    return signedIn(visitors, async (c, session) => {
      const webhook = await findWebhook(em.fork(), session.userId, c.req.param('id') ?? '');
      return webhook ? handle({ c, session, webhook }) : answerNone(c);
    });
  }

  /** The same for a form. That of another site is told nothing, not even whether there is such a webhook. */
  function formOfOne(purpose: string, handle: (visit: Visit, sent: ReceivedForm) => Promise<Response>) {
    return signedIn(visitors, async (c, session) => {
      const sent = await visitors.readForm(c, purpose);
      const webhook = await findWebhook(em.fork(), session.userId, c.req.param('id') ?? '');
      return webhook ? handle({ c, session, webhook }, sent) : answerNone(c);
    });
  }
}

interface Visit {
  readonly c: Context;
  readonly session: FoundSession;
  readonly webhook: ShownWebhook;
}

interface Refused {
  readonly typed: TypedWebhook;
  readonly problem: Problem;
}

interface Told {
  readonly title: string;
  readonly advice: string;
}

const ADDED: Told = {
  title: 'The webhook is added',
  advice: 'Give it to your server, which checks with it that messages come from us. Then send a test.',
};
const ROTATED: Told = {
  title: 'The new secret',
  advice: `Put it in place within ${OVERLAP_HOURS} hours. Until then, messages are signed by the old one as well.`,
};
const TAKEN_OVER: Told = {
  title: 'The webhook is yours, with a new secret',
  advice: 'An app had set the address before, and knows the old secret, so that is over.',
};

function purposeOf(deed: WebhookDeed): string {
  return `webhook ${deed}`;
}

function mistakesOf(problem: Problem | undefined) {
  return (problem?.mistakes ?? []).map(inWords);
}

/** What the address says was done, as long as that is still how things stand: anybody may write such a link. */
function doneOf({ active }: ShownWebhook, done: string | undefined): string | undefined {
  if (done === 'saved') return 'Saved.';
  const deed = WEBHOOK_DEEDS.find((one) => one === done);
  return deed && active === (deed !== 'pause') ? DEEDS[deed].done : undefined;
}

/** The same for a text that is no id, for an unknown one, and for somebody else's. */
function answerNone(c: Context): Response | Promise<Response> {
  const message = 'There is no webhook of yours at this address. It may have been deleted.';
  const advice = `Your webhooks are at ${WEBHOOKS_PATH}.`;
  return sendPage(c, errorPage({ status: 404, title: 'No webhook of yours', message, advice }), 404);
}
