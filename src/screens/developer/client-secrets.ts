import { html } from 'hono/html';
import { idOf } from '../../core/id.ts';
import { type Mistake, Problem } from '../../core/problem.ts';
import { createSecretOnce, deleteSecret } from '../../oauth/clients/client-secret.commands.ts';
import { findSecrets, type ListedClient, type ListedSecret } from '../../oauth/clients/oauth-client.queries.ts';
import { aboutFields, formTitle, hiddenField, mistakeSummary, textField } from '../kit/form-parts.ts';
import { type Html, isolated, layout, type Viewer } from '../kit/layout.ts';
import { type DeclaredPage, page, type Visit } from '../kit/page.ts';
import { secretPage } from '../kit/page-parts.ts';
import { SCRIPTED_HEADERS, sendPage } from '../kit/page-response.ts';
import { question } from '../kit/question.ts';
import { requestIn } from '../kit/request.ts';
import { type DeveloperSettings, requireClient } from './client.ts';
import { CLIENTS_PATH, clientPath, DEVELOPER_HEAD } from './client-parts.ts';

const SECRETS = `${CLIENTS_PATH}/:clientId/secrets`;

/** Creates a secret of a client, which is shown once. */
export function newSecretPage({ addressOf, after }: DeveloperSettings): DeclaredPage {
  return page({
    path: SECRETS,
    language: 'en',
    find: requireClient,
    show: ({ viewer, csrf, idempotencyKey, back }, { clientId, name: clientName }) =>
      newSecretView({
        viewer,
        clientId,
        clientName,
        typedName: back?.form.get('name') ?? '',
        idempotencyKey,
        csrf: csrf.create,
        mistakes: back?.problem?.mistakes ?? [],
      }),
    headers: SCRIPTED_HEADERS,
    forms: {
      create: {
        at: '',
        run: async ({ c, em, session: { userId }, viewer }, { clientId }, form) => {
          const name = form.get('name') ?? '';
          const request = requestIn({ userId, form }, ['client secret', clientId], { name });
          const by = { actorId: userId, address: addressOf(c) };
          const created = await createSecretOnce(em, after, request, { clientId, name, ...by });
          if (!created) return { to: clientPath(clientId), done: 'secret-created-before' };
          const shown = clientSecretPage({
            viewer,
            title: 'The secret is created',
            clientId,
            secret: created.secret,
            advice: 'Switch the app to it. When the old secret is no longer used, delete it.',
          });
          return sendPage(c, shown, 201, SCRIPTED_HEADERS);
        },
      },
    },
  });
}

/** Asks before a secret is deleted. */
export function secretDeletionPage({ addressOf, after }: DeveloperSettings): DeclaredPage {
  return question({
    path: `${SECRETS}/:secretId/delete`,
    language: 'en',
    find: requireSecret,
    ask: (_, { client, secret }) => ({
      title: `Delete the secret ${isolated(secret.name)}?`,
      explanation: `Anything that still uses it (…${secret.hint}) stops working immediately. The app’s tokens stay valid.`,
      button: 'Delete secret',
      backPath: clientPath(client.clientId),
    }),
    run: async ({ c, em, session }, { client: { clientId }, secret }) => {
      await deleteSecret(em, after, { clientId, secretId: secret.id, actorId: session.userId, address: addressOf(c) });
      return { to: clientPath(clientId), done: 'secret-deleted' };
    },
  });
}

interface SecretOfClient {
  readonly client: ListedClient;
  readonly secret: ListedSecret;
}

async function requireSecret(visit: Visit): Promise<SecretOfClient> {
  const client = await requireClient(visit);
  const secrets = (await findSecrets(visit.em, [client.clientId])).get(client.clientId) ?? [];
  const secretId = idOf('secret', visit.param('secretId'));
  const secret = secrets.find(({ id }) => id === secretId);
  if (secret) return { client, secret };
  throw new Problem('NOT_FOUND', 'The client has no such secret; look at the list of its secrets.');
}

interface ClientSecret {
  readonly viewer: Viewer;
  readonly title: string;
  readonly clientId: string;
  readonly secret: string;
  /** Says what to do with it. */
  readonly advice: string;
}

/** A secret of a client, this once: it is stored as a hash only. */
export function clientSecretPage({ clientId, ...shown }: ClientSecret): Html {
  return secretPage({ ...shown, of: ['Client ID', clientId], onwardPath: clientPath(clientId) });
}

interface NewSecretView {
  readonly viewer: Viewer;
  readonly clientId: string;
  readonly clientName: string;
  readonly typedName: string;
  readonly idempotencyKey: string;
  readonly csrf: string;
  readonly mistakes: readonly Mistake[];
}

/** Asks for the name of a second secret. */
function newSecretView(page: NewSecretView): Html {
  const { viewer, clientId, clientName, typedName, idempotencyKey, csrf, mistakes } = page;
  const content = html`<article>
      ${mistakeSummary(aboutFields(['name'], mistakes))}
      <h1>Create a secret for <bdi>${clientName}</bdi></h1>
      <p>The old secret stays valid until you delete it.</p>
      <form method="post" action="${clientPath(clientId)}/secrets" novalidate data-once>
        ${hiddenField('csrf', csrf)}
        ${hiddenField('idempotencyKey', idempotencyKey)}
        ${textField(
          {
            name: 'name',
            label: 'Secret name',
            value: typedName,
            autocomplete: 'off',
            hint: 'Only you see it. For example, “production 2027”.',
          },
          mistakes,
          true,
        )}
        <button type="submit">Create the secret</button>
      </form>
      <p class="aside"><a href="${clientPath(clientId)}#secrets">Go back</a></p>
    </article>`;
  return layout({
    title: formTitle('Create a secret', mistakes),
    content,
    corner: viewer,
    shape: 'card',
    head: DEVELOPER_HEAD,
  });
}
