import { type Context, Hono } from 'hono';
import { idOf, publicId } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import type { FoundSession } from '../../modules/accounts/sign-in/sessions.ts';
import type { Aftermath } from '../../oauth/authorization-server.ts';
import { createSecretOnce, deleteSecret } from '../../oauth/clients/client-secret.commands.ts';
import { findSecrets, type ListedClient, type ListedSecret } from '../../oauth/clients/oauth-client.queries.ts';
import type { AuthorizeSettings } from '../consent/authorize.ts';
import { isolated } from '../kit/layout.ts';
import { signedIn } from '../kit/page.ts';
import { SCRIPTED_HEADERS, sendPage } from '../kit/page-response.ts';
import { outcomeOf, problemOf, sendForm } from '../kit/problem-response.ts';
import { confirmPage } from '../kit/question.ts';
import { newFormKey, requestIn } from '../kit/request.ts';
import { asViewer } from '../kit/visitors.ts';
import { CLIENTS_PATH, clientPath } from './client-paths.ts';
import { requireClient } from './developer-client.routes.ts';
import { newSecretPage } from './new-secret-page.ts';
import { secretPage } from './secret-page.ts';

const SECRETS = `${CLIENTS_PATH}/:clientId/secrets`;
const CREATE_FORM = 'create-secret';
const DELETE_FORM = 'delete-secret';

/** The secrets of a client: creating one, which is shown once, and deleting one. */
export function clientSecretsRoutes(settings: AuthorizeSettings, after: Aftermath): Hono {
  const { em, visitors, addressOf } = settings;
  const routes = new Hono();
  routes.get(
    SECRETS,
    signedIn(visitors, async (c, session) => askName(c, session, await requireClient(c, session, settings), '')),
  );
  routes.post(SECRETS, signedIn(visitors, create));
  routes.get(
    `${SECRETS}/:secretId/delete`,
    signedIn(visitors, async (c, session) => askToDelete(c, session, await requireSecret(c, session))),
  );
  routes.post(`${SECRETS}/:secretId/delete`, signedIn(visitors, remove));
  return routes;

  async function create(c: Context, session: FoundSession): Promise<Response> {
    const { form, forgery } = await visitors.readForm(c, CREATE_FORM);
    const client = await requireClient(c, session, settings);
    const { clientId } = client;
    const name = form.get('name') ?? '';
    const by = { actorId: session.userId, address: addressOf(c) };
    const request = requestIn({ userId: session.userId, form }, ['client secret', clientId], { name });
    const act = () => createSecretOnce(em.fork(), after, request, { clientId, name, ...by });
    const { problem, result: created } = await outcomeOf(forgery, act);
    if (problem) return askName(c, session, client, name, problem);
    if (!created) return visitors.leadTo(c, clientPath(clientId), 'secret-created-before');
    const page = secretPage({
      viewer: asViewer(session),
      title: 'The secret is created',
      clientId,
      secret: created.secret,
      advice: 'Switch the app to it. When the old secret is no longer used, delete it.',
    });
    return sendPage(c, page, 201, SCRIPTED_HEADERS);
  }

  async function remove(c: Context, session: FoundSession): Promise<Response> {
    const { forgery } = await visitors.readForm(c, DELETE_FORM);
    const { client, secret } = await requireSecret(c, session);
    const { clientId } = client;
    const request = { clientId, secretId: secret.id, actorId: session.userId, address: addressOf(c) };
    const problem = forgery ?? (await problemOf(() => deleteSecret(em.fork(), after, request)));
    if (problem) return askToDelete(c, session, { client, secret }, problem);
    return visitors.leadTo(c, clientPath(clientId), 'secret-deleted');
  }

  function askName(c: Context, session: FoundSession, client: ListedClient, typedName: string, problem?: Problem) {
    const page = newSecretPage({
      viewer: asViewer(session),
      clientId: client.clientId,
      clientName: client.name,
      typedName,
      idempotencyKey: newFormKey(),
      csrf: visitors.formToken(c, CREATE_FORM),
      mistakes: problem?.mistakes ?? [],
    });
    return sendForm(c, page, problem, SCRIPTED_HEADERS);
  }

  function askToDelete(c: Context, session: FoundSession, { client, secret }: SecretOfClient, problem?: Problem) {
    const path = clientPath(client.clientId);
    const page = confirmPage({
      viewer: asViewer(session),
      title: `Delete the secret ${isolated(secret.name)}?`,
      explanation: `Anything that still uses it (…${secret.hint}) stops working immediately. The app’s tokens stay valid.`,
      button: 'Delete secret',
      action: `${path}/secrets/${publicId('secret', secret.id)}/delete`,
      csrf: visitors.formToken(c, DELETE_FORM),
      backPath: path,
      mistakes: problem?.mistakes ?? [],
    });
    return sendForm(c, page, problem);
  }

  async function requireSecret(c: Context, session: FoundSession): Promise<SecretOfClient> {
    const client = await requireClient(c, session, settings);
    const secrets = (await findSecrets(em.fork(), [client.clientId])).get(client.clientId) ?? [];
    const secretId = idOf('secret', c.req.param('secretId') ?? '');
    const secret = secrets.find(({ id }) => id === secretId);
    if (secret) return { client, secret };
    throw new Problem('NOT_FOUND', 'The client has no such secret; look at the list of its secrets.');
  }
}

interface SecretOfClient {
  readonly client: ListedClient;
  readonly secret: ListedSecret;
}
