import { pageRequest } from '../../core/page.ts';
import { Problem } from '../../core/problem.ts';
import { onceApart } from '../../limits/at-most-once.ts';
import { findAdministrators } from '../../modules/accounts/administrators.ts';
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
import { type Html, isolated } from '../kit/layout.ts';
import { type DeclaredPage, type PageSettings, page, type Showing, type Visit } from '../kit/page.ts';
import { ASKING_HEADERS } from '../kit/page-response.ts';
import { question } from '../kit/question.ts';
import { largeForm, savingOf, seenAt, seenBy } from '../kit/request.ts';
import type { AddressOf } from '../kit/visitors.ts';
import { asksForScopes, fieldsOf, type TypedClient, typedIn, typedOf, withScopesProposed } from './client-form.ts';
import { clientView } from './client-page.ts';
import { CLIENTS_PATH, clientPath } from './client-parts.ts';

const CLIENT = `${CLIENTS_PATH}/:clientId`;
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

export interface DeveloperSettings extends PageSettings {
  readonly addressOf: AddressOf;
  /** The steps after a client has changed. */
  readonly after: Aftermath;
  /** The base address of the service, without a slash at its end. */
  readonly publicUrl: string;
  /** The rules of the schema that tokens see. */
  readonly rules: SchemaRules;
}

/** `/settings/developer/oauth/:clientId`: one client, and editing it. Its owner and administrators see it. */
export function clientPage(settings: DeveloperSettings): DeclaredPage {
  const { addressOf, after, rules } = settings;
  return page({
    path: CLIENT,
    language: 'en',
    find: requireClient,
    show: (showing, client) => show(showing, client, settings),
    headers: ASKING_HEADERS,
    forms: {
      edit: {
        at: '',
        limits: largeForm(),
        run: async (visit, client, form) => {
          if (asksForScopes(form)) return withScopesProposed(rules, form);
          const { c, session } = visit;
          const by = { clientId: client.clientId, actorId: session.userId, address: addressOf(c) };
          await onceApart(visit.em, savingOf(session.userId, form, client.clientId), async (store) => {
            const patch = patchOf(client, typedIn(form), form.has('sendsScope'));
            const ifUpdatedAt = seenAt(form.get('updatedAt'));
            await updateClient(visit.em, after, by, { ...patch, ifUpdatedAt }, store);
          });
          return { to: visit.path, done: 'saved' };
        },
      },
    },
  });
}

/** Asks before a client is deleted. */
export function clientDeletionPage({ addressOf, after }: DeveloperSettings): DeclaredPage {
  return question({
    path: `${CLIENT}/delete`,
    language: 'en',
    find: requireClient,
    ask: (_, { clientId, name }) => ({
      title: `Delete ${isolated(name)}?`,
      explanation:
        'Its secrets, grants and tokens stop working immediately, for everyone who uses the app. You can’t undo this.',
      button: 'Delete the client',
      backPath: clientPath(clientId),
    }),
    run: async ({ c, em, session }, { clientId }) => {
      await deleteClient(em, after, { clientId, actorId: session.userId, address: addressOf(c) });
      return { to: CLIENTS_PATH, done: 'deleted' };
    },
  });
}

/** The client of the address, for its owner or an administrator. @throws Problem NOT_FOUND, also for somebody else's */
export async function requireClient({ em, session, param }: Visit): Promise<ListedClient> {
  const client = await findListedClient(em, param('clientId'), session.userId);
  if (client) return client;
  throw new Problem('NOT_FOUND', 'There is no such OAuth client among yours; look at the list of your clients.');
}

async function show(showing: Showing<'edit'>, client: ListedClient, { publicUrl }: DeveloperSettings): Promise<Html> {
  const { c, em, session, csrf, back } = showing;
  const { clientId, ownerId } = client;
  const { refused_before: cursor } = c.req.query();
  return clientView({
    ...showing,
    client,
    isOwn: ownerId === session.userId,
    secrets: (await findSecrets(em, [clientId])).get(clientId) ?? [],
    hasAdministrator: (await findAdministrators(em)).length > 0,
    unrestrictedUsers: await countUsersOf(em, clientId, 'UNRESTRICTED'),
    userCount: await countUsersOf(em, clientId),
    failedRequests: await findFailedRequests(
      em,
      clientId,
      pageRequest({ first: FAILED_REQUESTS_SHOWN, after: cursor }, ['TIME', 'UUID']),
    ),
    typed: back ? typedIn(back.form, back.note) : typedOf(client),
    isEditing: back !== undefined,
    updatedAt: seenBy(client.updatedAt.toString(), back),
    publicUrl,
    csrf: csrf.edit,
    mistakes: back?.problem?.mistakes ?? [],
    done: DONE.get(showing.done),
  });
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
