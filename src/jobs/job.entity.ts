import { defineEntity, p } from '@mikro-orm/core';
import { InstantType } from '../database/temporal-types.ts';

/**
 * What is to be done soon, or again; what is done is deleted. An ordinary table that is never sharded, so its numbers may
 * come from the database: they say in which order jobs were put in.
 */
export const Job = defineEntity({
  name: 'Job',
  tableName: 'jobs',
  indexes: [
    {
      name: 'jobs_run_at_idx',
      expression: 'create index jobs_run_at_idx on jobs (queue, run_at, id) where failed_at is null',
    },
    {
      name: 'jobs_order_key_idx',
      expression: 'create index jobs_order_key_idx on jobs (order_key, id) where failed_at is null',
    },
    {
      name: 'jobs_failed_at_idx',
      expression: 'create index jobs_failed_at_idx on jobs (failed_at) where failed_at is not null',
    },
  ],
  properties: {
    id: p.bigint('string').primary().autoincrement(),
    /** Names who does it: a line in job-kinds.ts. */
    queue: p.text(),
    /** Jobs with the same key are done one after the other, in their order. */
    orderKey: p.text().nullable(),
    data: p.json<Record<string, unknown>>(),
    /** How often it was begun. */
    attempts: p.integer(),
    /** Not before; after a failure, when it is tried again. */
    runAt: p.type(InstantType),
    /** Somebody is at it until then; a process that died has not crossed it off, and another one takes over. */
    claimedUntil: p.type(InstantType).nullable(),
    /** Given up: it stays for the operator to see. */
    failedAt: p.type(InstantType).nullable(),
    /** Why the last attempt failed. */
    error: p.text().nullable(),
    createdAt: p.type(InstantType),
  },
});
