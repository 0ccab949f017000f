import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../../database/temporal-types.ts';

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
