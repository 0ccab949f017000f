import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../database/temporal-types.ts';

/** The constraint that a request violates when the same one was stored at the same moment. */
export const IDEMPOTENCY_KEY_INDEX = 'idempotency_keys_pkey';

/** A request that came under a key, so that the same request, sent again, gets the same answer. */
export const IdempotencyKey = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency_keys',
  indexes: [
    {
      name: 'idempotency_keys_created_at_idx',
      expression:
        'create index idempotency_keys_created_at_idx on idempotency_keys (created_at) where result_id is null',
    },
    {
      name: 'idempotency_keys_result_id_idx',
      expression:
        'create index idempotency_keys_result_id_idx on idempotency_keys (owner_id, result_id) where result_id is not null',
    },
  ],
  properties: {
    /** The user who sent the key, or the owner of what anybody may make by it. */
    ownerId: p.uuid().primary(),
    /** SHA-256 of the key, and of the operation and caller that it belongs to. */
    keyHash: p.text().primary(),
    /** SHA-256 of the input of the request. */
    requestHash: p.text(),
    /** A booking, a seat or a response that was made: the key is kept for as long as that is. Null: for a day. */
    resultId: p.uuid().nullable(),
    /** Null only inside the transaction that does it, and where `resultId` says all. */
    result: p.json<object>().nullable(),
    createdAt: p.type(InstantType),
  },
});
