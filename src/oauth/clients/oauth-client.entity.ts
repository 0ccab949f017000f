/**
 * clients/ is the register of apps: registration, review, secrets, authentication (RFC 6749 §2), failed requests. It
 * may import revocations/.
 */
import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../database/temporal-types.ts';
import { User } from '../../modules/accounts/user.entity.ts';
import type { ClientStatus, ClientType } from '../protocol/client.ts';

/** A requested change of an approved client that an administrator has not decided yet. */
export interface PendingRevision {
  readonly name: string;
  readonly developerName: string | null;
  readonly logoUrl: string | null;
  readonly websiteUrl: string | null;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly string[];
  /** RFC 3339, when the owner requested it. */
  readonly requestedAt: string;
}

/** An app that acts for users. Reference table: small, read at every authorization and token request. */
export const OAuthClient = defineEntity({
  name: 'OAuthClient',
  tableName: 'oauth_clients',
  indexes: [
    { name: 'oauth_clients_owner_id_created_at_idx', properties: ['owner', 'createdAt', 'clientId'] },
    {
      name: 'oauth_clients_review_idx',
      expression:
        "create index oauth_clients_review_idx on oauth_clients (submitted_at, client_id) where status = 'PENDING' or pending_revision is not null",
    },
  ],
  properties: {
    clientId: p.text().primary(),
    owner: () => p.manyToOne(User).deleteRule('cascade').index(false),
    name: p.text(),
    /**
     * The name of the developer that users are shown: the one that they had when they last submitted the client or a
     * change, which is what the reviewer saw. Null: it was never submitted.
     */
    developerName: p.text().nullable(),
    purpose: p.text(),
    logoUrl: p.text().nullable(),
    websiteUrl: p.text().nullable(),
    type: p.text().$type<ClientType>(),
    status: p.text().$type<ClientStatus>(),
    /** Created before scopes existed. An explicit flag: an empty list of scopes never means "everything". */
    legacy: p.boolean(),
    requiresPkce: p.boolean(),
    redirectUris: p.array(),
    scopes: p.array(),
    rejectionReason: p.text().nullable(),
    suspensionReason: p.text().nullable(),
    pendingRevision: p.json<PendingRevision>().nullable(),
    /** Grows with every change of what a review is about, so that a decision can name what it was made on. */
    version: p.integer().default(1),
    /** When a review was last requested: the order of the administrators' queue. */
    submittedAt: p.type(InstantType),
    reviewedAt: p.type(InstantType).nullable(),
    reviewedBy: p.uuid().nullable(),
    /** Codes and consent pages from before it are dead: what a suspension has ended does not come back with the client. */
    reinstatedAt: p.type(InstantType).nullable(),
    createdAt: p.type(InstantType),
    updatedAt: p.type(InstantType),
  },
});

/** A secret of a confidential client, kept as its SHA-256. The two slots are the limit of two: the constraint decides it. */
export const OAuthClientSecret = defineEntity({
  name: 'OAuthClientSecret',
  tableName: 'oauth_client_secrets',
  uniques: [{ name: 'oauth_client_secrets_client_id_slot_key', properties: ['client', 'slot'] }],
  checks: [{ name: 'oauth_client_secrets_slot_check', expression: 'slot in (1, 2)' }],
  properties: {
    client: () => p.manyToOne(OAuthClient).fieldName('client_id').primary().deleteRule('cascade').index(false),
    id: p.uuid().primary(),
    slot: p.smallint(),
    name: p.text(),
    /** The last four characters: enough to tell two secrets apart, useless to a thief. */
    hint: p.text(),
    secretHash: p.text(),
    createdAt: p.type(InstantType),
    lastUsedAt: p.type(InstantType).nullable(),
  },
});

/** Why a request of a client was refused: what its developer asks first. The key starts with the time, for partitions by month. */
export const OAuthFailedRequest = defineEntity({
  name: 'OAuthFailedRequest',
  tableName: 'oauth_failed_requests',
  indexes: [{ name: 'oauth_failed_requests_client_id_idx', properties: ['clientId', 'occurredAt', 'id'] }],
  properties: {
    occurredAt: p.type(InstantType).primary(),
    id: p.uuid().primary(),
    clientId: p.text(),
    /** AUTHORIZE, TOKEN, REVOKE, INTROSPECT or GRAPHQL. */
    endpoint: p.text(),
    error: p.text(),
    description: p.text(),
  },
});
