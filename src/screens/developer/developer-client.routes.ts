import { type Context, Hono } from 'hono';
import { pageRequest } from '../../core/page.ts';
import { Problem } from '../../core/problem.ts';
import { onceApart } from '../../limits/at-most-once.ts';
import { findAdministrators } from '../../modules/accounts/administrators.ts';
import type { FoundSession } from '../../modules/accounts/sign-in/sessions.ts';
import type { Aftermath } from '../../oauth/authorization-server.ts';
import { deleteClient, updateClient } from '../../oauth/clients/client.commands.ts';
import { findFailedRequests } from '../../oauth/clients/failed-requests.ts';
import {
  countUsersOf,
  findListedClient,
  findSecrets,
  type ListedClient,
} from '../../oauth/clients/oauth-client.queries.ts';
import type { SchemaRules } from '../../scopes/schema-rules.ts';
import type { AuthorizeSettings } from '../consent/authorize.ts';
import { isolated } from '../kit/layout.ts';
import { signedIn } from '../kit/page.ts';
import { ASKING_HEADERS } from '../kit/page-response.ts';
import { outcomeOf, problemOf, sendForm } from '../kit/problem-response.ts';
import { confirmPage } from '../kit/question.ts';
import { type FormSent, largeForm, savingOf, seenAt, seenBy } from '../kit/request.ts';
import { asViewer } from '../kit/visitors.ts';
import { clientPage } from './client/client-page.ts';
import { fieldsOf, typedIn, typedOf } from './client-form.routes.ts';
import type { TypedClient } from './client-form.ts';
import { CLIENTS_PATH, clientPath } from './client-paths.ts';
import { asksForScopes, withScopesProposed } from './scope-proposal.ts';

const CLIENT = `${CLIENTS_PATH}/:clientId`;
const EDIT_FORM = 'edit-client';
const DELETE_FORM = 'delete-client';
const FAILED_REQUESTS_SHOWN = 20;

const DONE = new Map([
  ['registered', 'Your client is registered and waiting for review.'],
  [
    'registered-before',
    'The form was sent twice, and your client was registered once. We only showed its secret the first time: if you haven’t copied it, create another one under “Secrets” and delete the first.',
  ],
  ['saved', 'Your changes were saved.'],
  [
    'secret-created-before',
    'The form was sent twice, and one secret was created. We only showed it the first time: if you haven’t copied it, delete it under “Secrets” and create another one.',
  ],
  ['secret-deleted', 'Secret deleted. It no longer works.'],
]);

export interface DeveloperSettings extends AuthorizeSettings {
  /** The base address of the service, without a slash at its end. */
  readonly publicUrl: string;
  /** The rules of the schema that tokens see. */
  readonly rules: SchemaRules;
}

/** `/settings/developer/oauth/:clientId`: one client, editing it and deleting it. Its owner and administrators see it. */
export function developerClientRoutes(settings: DeveloperSettings, after: Aftermath): Hono {
  const { em, visitors, addressOf, publicUrl, rules } = settings;
  const routes = new Hono();
  routes.get(
    CLIENT,
    signedIn(visitors, async (c, session) => {
      const client = await requireClient(c, session, settings);
      return show(c, session, client, typedOf(client));
    }),
  );
  routes.post(CLIENT, signedIn(visitors, edit, largeForm()));
  routes.get(
    `${CLIENT}/delete`,
    signedIn(visitors, async (c, session) => askToDelete(c, session, await requireClient(c, session, settings))),
  );
  routes.post(`${CLIENT}/delete`, signedIn(visitors, remove));
  return routes;

  async function edit(c: Context, session: FoundSession): Promise<Response> {
    const { form, forgery } = await visitors.readForm(c, EDIT_FORM);
    const client = await requireClient(c, session, settings);
    const { clientId } = client;
    const [typed, sent] = [typedIn(form), form.get('updatedAt')];
    if (asksForScopes(form)) {
      const { problem, result: proposed = typed } = await outcomeOf(undefined, async () =>
        withScopesProposed(rules, typed),
      );
      return show(c, session, client, proposed, { problem: forgery ?? problem, sent });
    }
    const by = { clientId, actorId: session.userId, address: addressOf(c) };
    const act = () =>
      onceApart(em.fork(), savingOf(session.userId, form, clientId), async (store) => {
        const patch = patchOf(client, typed, form.has('sendsScope'));
        await updateClient(em.fork(), after, by, { ...patch, ifUpdatedAt: seenAt(sent) }, store);
      });
    const problem = forgery ?? (await problemOf(act));
    // Looked up again: the next form is about what is shown.
    const current = problem && (await requireClient(c, session, settings));
    return current
      ? show(c, session, current, typed, { problem, sent })
      : visitors.leadTo(c, clientPath(clientId), 'saved');
  }

  async function remove(c: Context, session: FoundSession): Promise<Response> {
    const { forgery } = await visitors.readForm(c, DELETE_FORM);
    const client = await requireClient(c, session, settings);
    if (forgery) return askToDelete(c, session, client, forgery);
    const { clientId } = client;
    await deleteClient(em.fork(), after, { clientId, actorId: session.userId, address: addressOf(c) });
    return visitors.leadTo(c, CLIENTS_PATH, 'deleted');
  }

  async function show(
    c: Context,
    session: FoundSession,
    client: ListedClient,
    typed: TypedClient,
    back?: FormSent,
  ): Promise<Response> {
    const problem = back?.problem;
    const { clientId, ownerId } = client;
    const { refused_before: cursor } = c.req.query();
    const page = pageRequest({ first: FAILED_REQUESTS_SHOWN, after: cursor }, ['TIME', 'UUID']);
    const fork = em.fork();
    const secrets = (await findSecrets(fork, [clientId])).get(clientId) ?? [];
    const shown = clientPage({
      viewer: asViewer(session),
      client,
      isOwn: ownerId === session.userId,
      secrets,
      hasAdministrator: (await findAdministrators(fork)).length > 0,
      unrestrictedUsers: await countUsersOf(fork, clientId, 'UNRESTRICTED'),
      userCount: await countUsersOf(fork, clientId),
      failedRequests: await findFailedRequests(fork, clientId, page),
      typed,
      isEditing: back !== undefined,
      updatedAt: seenBy(client.updatedAt.toString(), back),
      publicUrl,
      csrf: visitors.formToken(c, EDIT_FORM),
      mistakes: problem?.mistakes ?? [],
      done: problem ? undefined : DONE.get(visitors.doneBefore(c)),
    });
    return sendForm(c, shown, problem, ASKING_HEADERS);
  }

  function askToDelete(c: Context, session: FoundSession, { clientId, name }: ListedClient, problem?: Problem) {
    const page = confirmPage({
      viewer: asViewer(session),
      title: `Delete ${isolated(name)}?`,
      explanation:
        'Its secrets, grants and tokens stop working immediately, for everyone who uses the app. You can’t undo this.',
      button: 'Delete the client',
      action: `${clientPath(clientId)}/delete`,
      csrf: visitors.formToken(c, DELETE_FORM),
      backPath: clientPath(clientId),
      mistakes: problem?.mistakes ?? [],
    });
    return sendForm(c, page, problem);
  }
}

/** The client of the address, for its owner or an administrator. @throws Problem NOT_FOUND, also for somebody else's */
export async function requireClient(
  c: Context,
  { userId }: FoundSession,
  { em }: Pick<AuthorizeSettings, 'em'>,
): Promise<ListedClient> {
  const client = await findListedClient(em.fork(), c.req.param('clientId') ?? '', userId);
  if (client) return client;
  throw new Problem('NOT_FOUND', 'There is no such OAuth client among yours; look at the list of your clients.');
}

/**
 * The patch of an edit. The boxes of a legacy client say "no scopes yet" when none is ticked; ticking some ends its
 * legacy state for good, which would cut its users off if its authorization addresses did not name scopes yet.
 */
function patchOf({ legacy }: ListedClient, typed: TypedClient, sendsScope: boolean) {
  const { scopes, ...fields } = fieldsOf(typed);
  if (!legacy) return { ...fields, scopes };
  if (scopes.length === 0) return fields;
  if (sendsScope) return { ...fields, scopes };
  const message = 'Scopes are chosen, but not yet confirmed: first add scope to every authorization URL of the app.';
  throw new Problem('REQUIRED', message, ['sendsScope']);
}
