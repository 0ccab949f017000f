import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../database/temporal-types.ts';

/** The result of a user's request under a key, so that the same request, sent again, gets the same answer. */
export const IdempotencyKey = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency_keys',
  indexes: [{ name: 'idempotency_keys_created_at_idx', properties: ['createdAt'] }],
  properties: {
    userId: p.uuid().primary(),
    /** SHA-256 of the key, the operation and the app. */
    keyHash: p.text().primary(),
    /** SHA-256 of the input of the request. */
    requestHash: p.text(),
    /** Null only inside the transaction that does it. */
    result: p.json<object>().nullable(),
    createdAt: p.type(InstantType),
  },
});
