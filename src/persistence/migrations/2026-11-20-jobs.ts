import { Migration } from '@mikro-orm/migrations';

/** Domain events are delivered from here on. Nobody asked for those before, and mails about them would come too late. */
export class Jobs extends Migration {
  override name = '2026-11-20-jobs';

  override up(): void {
    this.addSql(`
      delete from "domain_events";
      alter table "domain_events" alter column "occurred_at" type timestamptz(6);
      create index "domain_events_occurred_at_idx" on "domain_events" ("occurred_at", "id");

      create table "jobs" ("id" bigserial primary key, "queue" text not null, "order_key" text null, "data" jsonb not null, "attempts" int not null, "run_at" timestamptz(3) not null, "claimed_until" timestamptz(3) null, "failed_at" timestamptz(3) null, "error" text null, "created_at" timestamptz(3) not null);
      create index jobs_run_at_idx on jobs (queue, run_at, id) where failed_at is null;
      create index jobs_order_key_idx on jobs (order_key, id) where failed_at is null;
      create index jobs_failed_at_idx on jobs (failed_at) where failed_at is not null;
    `);
  }
}
