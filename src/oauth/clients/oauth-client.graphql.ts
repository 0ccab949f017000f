import { idOf, publicId } from '../../core/id.ts';
import { type Mistake, Problem } from '../../core/problem.ts';
import { URL_IN_WORDS } from '../../core/text.ts';
import { builder } from '../../graphql/builder.ts';
import { connection, pageArguments } from '../../graphql/connection.ts';
import { type GraphQLContext, requireUserId } from '../../graphql/context.ts';
import { ifUpdatedAtField, mutation } from '../../graphql/mutation.ts';
import { Scope } from '../../graphql/scalars.ts';
import { viewerList } from '../../modules/accounts/accounts.graphql.ts';
import { FIRST_PARTY } from '../../scopes/declare.ts';
import { MAX_REDIRECT_URIS, MAX_WAITING_CLIENTS } from '../protocol/client.ts';
import { MAX_NAME_LENGTH, MAX_PURPOSE_LENGTH } from '../protocol/client-registration.ts';
import type { ReviewAction } from '../protocol/client-review.ts';
import {
  CREATE_CLIENT_CODES,
  createClient,
  DELETE_CLIENT_CODES,
  deleteClient,
  UPDATE_CLIENT_CODES,
  updateClient,
} from './client.commands.ts';
import {
  CREATE_SECRET_CODES,
  createSecret,
  DELETE_SECRET_CODES,
  deleteSecret,
  MAX_SECRET_NAME_LENGTH,
} from './client-secret.commands.ts';
import { findClientsToReview, findListedClient, findOwnClients } from './oauth-client.queries.ts';
import {
  actorOf,
  CLIENT_ID,
  changedClient,
  clientIdField,
  OAuthClient,
  OAuthClientConnection,
  OAuthClientType,
} from './oauth-client-type.graphql.ts';
import { ClientReplaced, MAX_REASON_LENGTH, REVIEW_CLIENT_CODES, reviewClient } from './review-client.ts';

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
    requiresPkce: t.boolean({
      description:
        'Refuses authorization requests without PKCE (RFC 7636); false, if left out. Public clients need it anyhow.',
    }),
  }),
  resolve: ({ requiresPkce, ...input }, context) =>
    createClient(context.em, context.oauth, actorOf(context), { ...input, requiresPkce: requiresPkce ?? undefined }),
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
    requiresPkce: t.boolean({
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

const UNNAMED = 'Unnamed secret';

mutation('oauthClientSecretCreate', {
  description: 'Gives a confidential client a second secret; both are valid until one is deleted.',
  requires,
  errors: CREATE_SECRET_CODES,
  input: (t) => ({
    clientId: clientIdField(t),
    name: t.string({
      description: `To tell it from the other one in the list: at most ${MAX_SECRET_NAME_LENGTH} characters.`,
    }),
  }),
  resolve: async ({ clientId, name }, context) => {
    const request = { clientId, name: name ?? UNNAMED, ...actorOf(context) };
    const { secretId, secret } = await createSecret(context.em, context.oauth, request);
    return { clientId, secretId: publicId('secret', secretId), secret };
  },
  payload: (t) => ({
    secret: t.exposeString('secret', {
      nullable: true,
      requires,
      description: 'The secret, shown this once: keep it safe. Null if it was refused.',
    }),
    secretId: t.exposeID('secretId', { nullable: true, requires }),
    client: t.field({ type: OAuthClient, nullable: true, requires, resolve: changedClient }),
  }),
});

mutation('oauthClientSecretDelete', {
  description: 'Deletes a secret, which is refused from the next request on. The last one of a client stays.',
  requires,
  errors: DELETE_SECRET_CODES,
  input: (t) => ({ clientId: clientIdField(t), secretId: t.id({ required: true }) }),
  resolve: async ({ clientId, secretId: named }, context) => {
    const secretId = idOf('secret', named);
    await deleteSecret(context.em, context.oauth, { clientId, secretId, ...actorOf(context) });
    return { clientId };
  },
  payload: (t) => ({ client: t.field({ type: OAuthClient, nullable: true, requires, resolve: changedClient }) }),
});

const VERSION =
  'The version of the client that you looked at (`OAuthClient.version`). If its developer has replaced it since, nothing is decided: CONFLICT, with the client as it is now. Left out, the current version is decided about, seen or not: name it.';

builder.queryField('oauthClientReviewQueue', (t) =>
  t.field({
    type: OAuthClientConnection,
    nullable: true,
    description:
      'For administrators: what waits for a review, longest wait first. New clients, and approved ones with a pendingRevision. Empty for everybody else.',
    requires,
    args: pageArguments(),
    resolve: (_, page, context) =>
      connection({ columns: ['TIME', 'TEXT'], keyOf: ({ key }) => key }, page, (request) =>
        findClientsToReview(context.em, requireUserId(context), request),
      ),
  }),
);

mutation('oauthClientApprove', {
  description:
    'For administrators: approves a pending client, or accepts the pendingRevision of an approved one; NOT_POSSIBLE while its developer is suspended.',
  requires,
  errors: [...REVIEW_CLIENT_CODES, 'CONFLICT'],
  input: (t) => ({ clientId: clientIdField(t), version: t.int({ description: VERSION }) }),
  resolve: ({ clientId, version }, context) => decide(context, { action: 'APPROVE', clientId, seenVersion: version }),
  payload: (t) => ({ client: t.field({ type: OAuthClient, nullable: true, requires, resolve: changedClient }) }),
});

mutation('oauthClientReject', {
  description: 'For administrators: rejects a pending client, or declines the pendingRevision of an approved one.',
  requires,
  errors: [...REVIEW_CLIENT_CODES, 'CONFLICT'],
  input: (t) => ({
    clientId: clientIdField(t),
    reason: t.string({
      required: true,
      description: `What the developer should change, at most ${MAX_REASON_LENGTH} characters; it is mailed.`,
    }),
    version: t.int({ description: VERSION }),
  }),
  resolve: ({ clientId, reason, version }, context) =>
    decide(context, { action: 'REJECT', clientId, reason, seenVersion: version }),
  payload: (t) => ({ client: t.field({ type: OAuthClient, nullable: true, requires, resolve: changedClient }) }),
});

mutation('oauthClientSuspend', {
  description: 'For administrators: suspends a client at once, including its access tokens.',
  requires,
  errors: REVIEW_CLIENT_CODES,
  input: (t) => ({
    clientId: clientIdField(t),
    reason: t.string({ description: `Why, at most ${MAX_REASON_LENGTH} characters; it is mailed to the developer.` }),
  }),
  resolve: ({ clientId, reason }, context) => decide(context, { action: 'SUSPEND', clientId, reason }),
  payload: (t) => ({ client: t.field({ type: OAuthClient, nullable: true, requires, resolve: changedClient }) }),
});

mutation('oauthClientReinstate', {
  description: 'For administrators: reinstates a suspended client, with the grants that it had.',
  requires,
  errors: REVIEW_CLIENT_CODES,
  input: (t) => ({ clientId: clientIdField(t) }),
  resolve: ({ clientId }, context) => decide(context, { action: 'REINSTATE', clientId }),
  payload: (t) => ({ client: t.field({ type: OAuthClient, nullable: true, requires, resolve: changedClient }) }),
});

interface Decision {
  readonly clientId: string;
  readonly action: ReviewAction;
  readonly reason?: string | null | undefined;
  readonly seenVersion?: number | null | undefined;
}

interface Decided {
  readonly clientId: string;
  readonly userErrors?: readonly Mistake[];
}

async function decide(context: GraphQLContext, { clientId, action, reason, seenVersion }: Decision): Promise<Decided> {
  const made = { clientId, action, reason: reason ?? undefined, seenVersion: seenVersion ?? undefined };
  try {
    await reviewClient(context.em, context.oauth, { ...made, ...actorOf(context) });
    return { clientId };
  } catch (error) {
    if (error instanceof ClientReplaced) return { clientId, userErrors: error.mistakes };
    throw error;
  }
}
