import type { ObjectRef } from '@pothos/core';
import { publicId } from '../../core/id.ts';
import { batched } from '../../graphql/batch.ts';
import { builder, type InputBuilder, type Types } from '../../graphql/builder.ts';
import { connection, connectionOf, pageArguments } from '../../graphql/connection.ts';
import { type GraphQLContext, requireUserId } from '../../graphql/context.ts';
import { describedId, describedValues } from '../../graphql/descriptions.ts';
import { LONG_TEXT, REASON, TEXT, URL_TEXT } from '../../graphql/limits/price.ts';
import { Scope } from '../../graphql/scalars.ts';
import { SCOPES } from '../../scopes/catalog.ts';
import { FIRST_PARTY } from '../../scopes/declare.ts';
import { CLIENT_STATUSES, CLIENT_TYPES, MAX_ACTIVE_SECRETS, MAX_REDIRECT_URIS } from '../protocol/client.ts';
import type { ClientRevision } from '../protocol/client-review.ts';
import { MAX_URI_LENGTH } from '../protocol/redirect-uri.ts';
import { findFailedRequests, type ListedFailedRequest } from './failed-requests.ts';
import type { PendingRevision } from './oauth-client.entity.ts';
import {
  countUsers,
  findListedClient,
  findSecrets,
  type ListedClient,
  type ListedSecret,
} from './oauth-client.queries.ts';
import type { Actor } from './registered-client.ts';

const requires = FIRST_PARTY;

export const CLIENT_ID = 'The client, by its `client_id` in OAuth.';

export const OAuthClientType = builder.enumType('OAuthClientType', {
  description: 'Whether an app can keep a secret (RFC 6749 §2.1). It cannot be changed.',
  values: describedValues(CLIENT_TYPES, {
    CONFIDENTIAL: 'It runs on a server and has a secret.',
    PUBLIC: 'It runs with its users, as a page or a mobile app: it has no secret, and must use PKCE.',
  }),
});
const OAuthClientStatus = builder.enumType('OAuthClientStatus', {
  description: 'Whether a client can be used.',
  values: describedValues(CLIENT_STATUSES, {
    PENDING: 'It waits for the review of an administrator, and cannot be used yet.',
    APPROVED: 'Users can authorize it, unless `isDeveloperSuspended`.',
    REJECTED: 'It was not approved, for its `rejectionReason`; an update submits it again.',
    SUSPENDED: 'It was stopped, for its `suspensionReason`: all its requests and tokens are refused.',
  }),
});

const Secret = builder.objectRef<ListedSecret>('OAuthClientSecret').implement({
  description: 'A secret of a confidential client. Its value was shown once, when it was created.',
  fields: (t) => ({
    id: t.id({ requires, description: describedId('secret'), resolve: ({ id }) => publicId('secret', id) }),
    name: t.exposeString('name', {
      requires,
      description: 'What its developer calls it, to tell it from the other one.',
    }),
    hint: t.exposeString('hint', { requires, description: 'Its last four characters.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', requires }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      requires,
      description: 'When it was last used, accurate to the minute. Null: never, so you can delete it.',
    }),
  }),
});

const Revision = contentType<PendingRevision>('OAuthClientRevision', {
  description:
    'What an approved client has asked to change, whole. The approved version stays live until it is accepted.',
  name: 'What users are to know the app by.',
  developerName: 'Who users are to be told has made it: its developer’s name when the change was last asked for.',
  logoUrl: 'The https address of its logo. Null: none.',
  websiteUrl: 'The https address of its website. Null: none.',
  redirectUris: 'Where users may be sent back to, all of them.',
  scopes: 'What it may ask users for, all of them.',
});
builder.objectField(Revision, 'requestedAt', (t) =>
  t.expose('requestedAt', { type: 'DateTime', requires, description: 'When it was asked for, or last changed.' }),
);

const FailedRequest = builder.objectRef<ListedFailedRequest>('OAuthFailedRequest').implement({
  description: 'A request of the client that was refused, and why.',
  fields: (t) => ({
    id: t.id({
      requires,
      description: describedId('failedRequest'),
      resolve: ({ id }) => publicId('failedRequest', id),
    }),
    endpoint: t.exposeString('endpoint', {
      requires,
      description: 'Where it was sent: `AUTHORIZE`, `TOKEN`, `REVOKE`, `INTROSPECT` or `GRAPHQL`.',
    }),
    error: t.exposeString('error', { requires, description: 'The code of the error, such as `invalid_grant`.' }),
    description: t.exposeString('description', {
      price: LONG_TEXT,
      requires,
      description: 'What was wrong and what to do, for its developer.',
    }),
    occurredAt: t.expose('occurredAt', { type: 'DateTime', requires, description: 'When it was refused.' }),
  }),
});
const FailedRequestConnection = connectionOf(FailedRequest);

const loadSecrets = batched(({ em }, clientIds) => findSecrets(em, clientIds));
const loadUnrestrictedUsers = batched(({ em }, clientIds) => countUsers(em, clientIds, 'UNRESTRICTED'));

export const OAuthClient = contentType<ListedClient>('OAuthClient', {
  description: 'An app that is registered to act for users.',
  name: 'The name that users see.',
  developerName:
    'Who users are told has made it: its developer’s name as it was reviewed. After a new name, update the client, and a reviewer sees that too. Null: it was never submitted.',
  logoUrl: 'The https address of its logo, which users see. Null: none.',
  websiteUrl: 'The https address of its website, which users see. Null: none.',
  redirectUris: 'Where users may be sent back to; compared character for character.',
  scopes: 'What it may ask users for, at most.',
});
builder.objectFields(OAuthClient, (t) => ({
  clientId: t.exposeString('clientId', { requires, description: 'Its `client_id` in OAuth, which is no secret.' }),
  purpose: t.exposeString('purpose', { price: TEXT, requires, description: 'For its reviewer; users never see it.' }),
  type: t.field({
    type: OAuthClientType,
    requires,
    description: 'Whether it can keep a secret.',
    resolve: ({ type }) => type,
  }),
  status: t.field({
    type: OAuthClientStatus,
    requires,
    description: 'Whether it can be used.',
    resolve: ({ status }) => status,
  }),
  isDeveloperSuspended: t.exposeBoolean('isDeveloperSuspended', {
    requires,
    description:
      'Whether the account of its developer is suspended. Until that is reinstated, an APPROVED client is refused like a SUSPENDED one, and keeps its grants.',
  }),
  isLegacy: t.exposeBoolean('legacy', {
    requires,
    description: 'Whether it is from before scopes existed, and may ask for everything.',
  }),
  requiresPkce: t.exposeBoolean('requiresPkce', {
    requires,
    description: 'Whether authorization requests without PKCE (RFC 7636) are refused. Always, of a PUBLIC client.',
  }),
  ownerName: t.exposeString('ownerName', {
    requires,
    description: 'Who has registered it, and answers for it: what they call themselves now.',
  }),
  ownerEmail: t.expose('ownerEmail', {
    type: 'EmailAddress',
    requires,
    description: 'Where decisions about it are mailed.',
  }),
  rejectionReason: t.exposeString('rejectionReason', {
    price: REASON,
    nullable: true,
    requires,
    description: 'What its reviewer wants changed. Null: it was not rejected.',
  }),
  suspensionReason: t.exposeString('suspensionReason', {
    price: REASON,
    nullable: true,
    requires,
    description: 'Why it was stopped. Null: it was not, or nobody has said why.',
  }),
  version: t.exposeInt('version', {
    requires,
    description: 'Grows with every change that a review covers, including the pendingRevision. A decision names it.',
  }),
  pendingRevision: t.field({
    type: Revision,
    nullable: true,
    requires,
    description: 'The change that waits for a review. Null: none does.',
    resolve: (client) => client.pendingRevision,
  }),
  secrets: t.field({
    type: [Secret],
    price: { max: MAX_ACTIVE_SECRETS },
    requires,
    description: `Its secrets, which are all valid: at most ${MAX_ACTIVE_SECRETS}; none of a PUBLIC client.`,
    resolve: async ({ clientId }, _, context) => [...((await loadSecrets(context, clientId, {})) ?? [])],
  }),
  unrestrictedUserCount: t.int({
    requires,
    description:
      'How many users still hold grants from before the client had scopes, counted in at most 10,000 of these. They end when each authorizes again.',
    resolve: async ({ clientId }, _, context) => (await loadUnrestrictedUsers(context, clientId, {}))?.users ?? 0,
  }),
  failedRequests: t.field({
    type: FailedRequestConnection,
    nullable: true,
    requires,
    description: 'Requests that were refused in the last days, newest first.',
    args: pageArguments(),
    resolve: ({ clientId }, page, { em }) =>
      connection({ columns: ['TIME', 'UUID'], keyOf: ({ key }) => key }, page, (request) =>
        findFailedRequests(em, clientId, request),
      ),
  }),
  submittedAt: t.expose('submittedAt', {
    type: 'DateTime',
    requires,
    description: 'When it was last submitted for a review.',
  }),
  reviewedAt: t.expose('reviewedAt', {
    type: 'DateTime',
    nullable: true,
    requires,
    description: 'When an administrator last approved or rejected it, or approved a change of it. Null: nobody has.',
  }),
  createdAt: t.expose('createdAt', { type: 'DateTime', requires }),
  updatedAt: t.expose('updatedAt', { type: 'DateTime', requires }),
}));
export const OAuthClientConnection = connectionOf(OAuthClient);

/** The client that a mutation has changed; the payload knows its id alone. */
export async function changedClient(
  { clientId }: { readonly clientId?: string },
  _: object,
  context: GraphQLContext,
): Promise<ListedClient | undefined> {
  return clientId === undefined ? undefined : findListedClient(context.em, clientId, requireUserId(context));
}

/** The actor, for the commands of the register. */
export function actorOf(context: GraphQLContext): Actor {
  return { actorId: requireUserId(context), address: context.address };
}

/** The input field that names a client. */
export function clientIdField(t: InputBuilder) {
  return t.string({ required: true, description: CLIENT_ID });
}

type Words = Readonly<Record<'description' | keyof ClientRevision, string>>;

/** A type that shows what a review of a client is about, and says in words of its own whether it is live. */
export function contentType<Row extends ClientRevision>(typeName: string, words: Words): ObjectRef<Types, Row> {
  const { description, ...of } = words;
  const Content = builder.objectRef<ClientRevision>(typeName).implement({
    description,
    fields: (t) => ({
      name: t.exposeString('name', { requires, description: of.name }),
      developerName: t.exposeString('developerName', { nullable: true, requires, description: of.developerName }),
      logoUrl: t.expose('logoUrl', {
        type: 'URL',
        price: URL_TEXT,
        nullable: true,
        requires,
        description: of.logoUrl,
      }),
      websiteUrl: t.expose('websiteUrl', {
        type: 'URL',
        price: URL_TEXT,
        nullable: true,
        requires,
        description: of.websiteUrl,
      }),
      redirectUris: t.field({
        type: ['URL'],
        price: { max: MAX_REDIRECT_URIS, characters: MAX_URI_LENGTH },
        requires,
        description: of.redirectUris,
        resolve: ({ redirectUris }) => [...redirectUris],
      }),
      scopes: t.field({
        type: [Scope],
        price: { max: SCOPES.length },
        requires,
        description: of.scopes,
        resolve: ({ scopes }) => [...scopes],
      }),
    }),
  });
  return Content as unknown as ObjectRef<Types, Row>;
}
