import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../database/temporal-types.ts';
import { OAuthClient } from './oauth-client.entity.ts';

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
