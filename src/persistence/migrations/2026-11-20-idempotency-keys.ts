import { Migration } from '@mikro-orm/migrations';

/** Requests that are done once, however often they are sent. */
export class IdempotencyKeys extends Migration {
  override name = '2026-11-20-idempotency-keys';

  override up(): void {
    this.addSql(`
      create table "idempotency_keys" ("user_id" text not null, "key_hash" text not null, "request_hash" text not null, "result" jsonb null, "created_at" timestamptz(3) not null, primary key ("user_id", "key_hash"));
      create index "idempotency_keys_created_at_idx" on "idempotency_keys" ("created_at");
    `);
  }
}
