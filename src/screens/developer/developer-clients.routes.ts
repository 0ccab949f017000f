/**
 * developer/ is a developer's apps and an administrator's review of them. It may import account/, consent/ and kit/.
 */
import { type Context, Hono } from 'hono';
import { pageRequest } from '../../core/page.ts';
import { Problem } from '../../core/problem.ts';
import type { FoundSession } from '../../modules/accounts/sign-in/sessions.ts';
import type { Aftermath } from '../../oauth/authorization-server.ts';
import { createClientOnce } from '../../oauth/clients/client.commands.ts';
import { findOwnClients } from '../../oauth/clients/oauth-client.queries.ts';
import { CLIENT_TYPES } from '../../oauth/protocol/client.ts';
import { signedIn } from '../kit/page.ts';
import { ASKING_HEADERS, PAGE_HEADERS, SCRIPTED_HEADERS, sendPage } from '../kit/page-response.ts';
import { outcomeOf, sendForm } from '../kit/problem-response.ts';
import { formKeyIn, largeForm, newFormKey } from '../kit/request.ts';
import { asViewer } from '../kit/visitors.ts';
import { fieldsOf, NOTHING_TYPED, redirectUriMistakes, typedIn } from './client-form.routes.ts';
import type { TypedClient } from './client-form.ts';
import { CLIENTS_PATH, clientPath } from './client-paths.ts';
import { clientsPage } from './clients-page.ts';
import type { DeveloperSettings } from './developer-client.routes.ts';
import { newClientPage } from './new-client-page.ts';
import { asksForScopes, withScopesProposed } from './scope-proposal.ts';
import { secretPage } from './secret-page.ts';

const FORM = 'new-client';

/** Somebody went back to a form that had been sent, and changed it. */
const USED_FORM = new Problem(
  'IDEMPOTENCY_KEY_REUSED',
  'A client was registered by this form already: it is in the list of your clients. To register one more, send the form again.',
);

/** `/settings/developer/oauth`: a developer's clients, and registering one. */
export function developerClientsRoutes(settings: DeveloperSettings, after: Aftermath): Hono {
  const { em, visitors, addressOf, rules } = settings;
  const routes = new Hono();
  routes.get(
    CLIENTS_PATH,
    signedIn(visitors, async (c, session) => {
      const { after: cursor } = c.req.query();
      const clients = await findOwnClients(em.fork(), session.userId, pageRequest({ after: cursor }, ['TIME', 'TEXT']));
      const message = visitors.doneBefore(c) === 'deleted' ? 'The client was deleted.' : undefined;
      return sendPage(c, clientsPage({ viewer: asViewer(session), clients, done: message }));
    }),
  );
  routes.get(
    `${CLIENTS_PATH}/new`,
    signedIn(visitors, (c, session) => show(c, session, NOTHING_TYPED, newFormKey())),
  );
  // For the script that helps who types: the form is judged again when it comes.
  routes.get(
    `${CLIENTS_PATH}/new/redirect-uris`,
    signedIn(visitors, (c) => {
      const { type = '', redirectUris = '' } = c.req.query();
      return c.json({ mistakes: redirectUriMistakes(redirectUris, requireType(type)) }, 200, PAGE_HEADERS);
    }),
  );
  routes.post(`${CLIENTS_PATH}/new`, signedIn(visitors, register, largeForm()));
  return routes;

  async function register(c: Context, session: FoundSession): Promise<Response> {
    const { form, forgery } = await visitors.readForm(c, FORM);
    const typed = typedIn(form);
    const key = formKeyIn(form);
    if (asksForScopes(form)) {
      const { problem, result: proposed = typed } = await outcomeOf(undefined, async () =>
        withScopesProposed(rules, typed),
      );
      return show(c, session, proposed, key, forgery ?? problem);
    }
    const { problem, result: created } = await outcomeOf(forgery, async () => {
      const by = { actorId: session.userId, address: addressOf(c) };
      const client = { ...fieldsOf(typed), type: requireType(typed.type) };
      return createClientOnce(em.fork(), after, by, key, client);
    });
    if (problem?.code === 'IDEMPOTENCY_KEY_REUSED') return show(c, session, typed, newFormKey(), USED_FORM);
    if (problem) return show(c, session, typed, key, problem);
    const { clientId } = created;
    const secret = 'isRepeated' in created ? null : created.secret;
    if (secret === null) {
      const done = typed.type === 'PUBLIC' ? 'registered' : 'registered-before';
      return visitors.leadTo(c, clientPath(clientId), done);
    }
    // The one answer to a form that is a page: nothing may keep the secret until a next request could show it.
    const page = secretPage({
      viewer: asViewer(session),
      title: 'The client is registered',
      clientId,
      secret,
      advice: 'It waits for a review now. You will get a mail when it can be used.',
    });
    return sendPage(c, page, 201, SCRIPTED_HEADERS);
  }

  function show(c: Context, session: FoundSession, typed: TypedClient, idempotencyKey: string, problem?: Problem) {
    const page = newClientPage({
      viewer: asViewer(session),
      typed,
      idempotencyKey,
      csrf: visitors.formToken(c, FORM),
      mistakes: problem?.mistakes ?? [],
    });
    return sendForm(c, page, problem, ASKING_HEADERS);
  }
}

function requireType(text: string) {
  const type = CLIENT_TYPES.find((one) => one === text);
  if (type) return type;
  throw new Problem('REQUIRED', 'Choose the type: confidential or public.', ['type']);
}
