import { Problem } from '../../core/problem.ts';
import { URL_IN_WORDS } from '../../core/text.ts';
import { builder } from '../../graphql/builder.ts';
import { requireUserId } from '../../graphql/context.ts';
import { Scope } from '../../graphql/guard/scope-enum.ts';
import { ifUpdatedAtField, mutation } from '../../graphql/mutation.ts';
import { viewerList } from '../../modules/accounts/viewer-list.graphql.ts';
import { FIRST_PARTY } from '../../scopes/declare.ts';
import { MAX_REDIRECT_URIS, MAX_WAITING_CLIENTS } from '../protocol/client.ts';
import { MAX_NAME_LENGTH, MAX_PURPOSE_LENGTH } from '../protocol/clients/client-registration.ts';
import { CREATE_CLIENT_CODES, createClient } from './create-client.ts';
import { DELETE_CLIENT_CODES, deleteClient } from './delete-client.ts';
import { findListedClient, findOwnClients } from './oauth-client.queries.ts';
import {
  actorOf,
  CLIENT_ID,
  changedClient,
  clientIdField,
  OAuthClient,
  OAuthClientConnection,
  OAuthClientType,
} from './oauth-client-type.graphql.ts';
import { UPDATE_CLIENT_CODES, updateClient } from './update-client.ts';

const requires = FIRST_PARTY;

viewerList('oauthClients', {
  type: OAuthClientConnection,
  description: 'The clients that you have registered, newest first.',
  requires,
  order: { columns: ['TIME', 'TEXT'], keyOf: ({ key }) => key },
  find: ({ em }, userId, request) => findOwnClients(em, userId, request),
});

builder.queryField('oauthClient', (t) =>
  t.field({
    type: OAuthClient,
    nullable: true,
    description: 'One of your clients; an administrator sees every one. Null for anything else.',
    requires,
    args: { clientId: t.arg.string({ required: true, description: CLIENT_ID }) },
    resolve: (_, { clientId }, context) => findListedClient(context.em, clientId, requireUserId(context)),
  }),
);

const NAME = `What users know the app by: at most ${MAX_NAME_LENGTH} characters in one line.`;
const PURPOSE = `For the reviewer: what the app does with the access. At most ${MAX_PURPOSE_LENGTH} characters.`;
const REDIRECT_URIS = `1 to ${MAX_REDIRECT_URIS}, compared character for character, such as \`https://example.com/callback\`.`;
const WEBSITE = 'Its website, which users see: an https address, such as `https://example.com`';

mutation('oauthClientCreate', {
  description: `Registers a client. It is PENDING, and cannot be used before an administrator has approved it. At most ${MAX_WAITING_CLIENTS} of a developer wait for that at a time.`,
  requires,
  errors: CREATE_CLIENT_CODES,
  input: (t) => ({
    name: t.string({ required: true, description: NAME }),
    purpose: t.string({ required: true, description: PURPOSE }),
    type: t.field({
      type: OAuthClientType,
      required: true,
      description: 'Whether it can keep a secret. It cannot be changed.',
    }),
    redirectUris: t.field({
      type: ['URL'],
      required: true,
      description: `Where users may be sent back to: ${REDIRECT_URIS}`,
    }),
    scopes: t.field({ type: [Scope], required: true, description: 'At least one; no request may ask for more.' }),
    logoUrl: t.field({ type: 'URL', description: `Its logo, which users see: ${URL_IN_WORDS}.` }),
    websiteUrl: t.field({ type: 'URL', description: `${WEBSITE}.` }),
    requirePkce: t.boolean({
      description:
        'Refuses authorization requests without PKCE (RFC 7636); false, if left out. Public clients need it anyhow.',
    }),
  }),
  resolve: ({ requirePkce, ...input }, context) =>
    createClient(context.em, context.oauth, actorOf(context), { ...input, requirePkce: requirePkce ?? undefined }),
  payload: (t) => ({
    client: t.field({ type: OAuthClient, nullable: true, requires, resolve: changedClient }),
    secret: t.exposeString('secret', {
      nullable: true,
      requires,
      description: 'The secret of a confidential client, shown this once.',
    }),
  }),
});

mutation('oauthClientUpdate', {
  description:
    'Changes a client. On an approved one, new redirect URIs and scopes, a new name, logo or website, and what its developer is called since the last review, wait for an administrator as its pendingRevision; everything else takes effect at once. A rejected client is submitted again.',
  requires,
  errors: UPDATE_CLIENT_CODES,
  input: (t) => ({
    clientId: clientIdField(t),
    name: t.string({ description: NAME }),
    purpose: t.string({ description: PURPOSE }),
    redirectUris: t.field({ type: ['URL'], description: `The whole list: ${REDIRECT_URIS}` }),
    scopes: t.field({
      type: [Scope],
      description: 'The whole list. On a legacy client it ends its legacy state at once.',
    }),
    logoUrl: t.field({ type: 'URL', description: `Its logo, which users see: ${URL_IN_WORDS}. Null removes it.` }),
    websiteUrl: t.field({
      type: 'URL',
      description: `${WEBSITE}. Null removes it.`,
    }),
    requirePkce: t.boolean({
      description: 'Refuses authorization requests without PKCE (RFC 7636). Public clients need it anyhow.',
    }),
    ...ifUpdatedAtField(t),
  }),
  resolve: async ({ clientId, logoUrl, websiteUrl, ifUpdatedAt, ...rest }, context) => {
    const patch = { ...withoutNulls(rest), logoUrl, websiteUrl, ifUpdatedAt };
    await updateClient(context.em, context.oauth, { clientId, ...actorOf(context) }, patch);
    return { clientId };
  },
  payload: (t) => ({ client: t.field({ type: OAuthClient, nullable: true, requires, resolve: changedClient }) }),
});

mutation('oauthClientDelete', {
  description: 'Deletes a client with its secrets, grants and tokens. It cannot be undone.',
  requires,
  errors: DELETE_CLIENT_CODES,
  input: (t) => ({ clientId: clientIdField(t) }),
  resolve: async ({ clientId }, context) => {
    await deleteClient(context.em, context.oauth, { clientId, ...actorOf(context) });
    return { clientId };
  },
  payload: (t) => ({ clientId: t.exposeString('clientId', { nullable: true, requires }) }),
});

type WithoutNulls<Input> = { [Name in keyof Input]: Exclude<Input[Name], null> };

/** Null would mean "remove it", and these cannot be removed. @throws Problem REQUIRED, for all of them at once */
function withoutNulls<Input extends object>(input: Input): WithoutNulls<Input> {
  const nulls = Object.entries(input).filter(([, value]) => value === null);
  Problem.throwIfAny(
    nulls.map(([name]) => ({
      code: 'REQUIRED',
      message: `${name} is null, and it cannot be removed; leave it out to keep what it is.`,
      path: [name],
    })),
  );
  return input as WithoutNulls<Input>;
}
