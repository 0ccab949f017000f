import { Migration } from '@mikro-orm/migrations';

/** Bookers who prove that an e-mail address is theirs. */
export class BookerEmailCodes extends Migration {
  override name = '2026-11-20-booker-email-codes';

  override up(): void {
    this.addSql(`
      create table "booker_email_codes" ("owner_id" text not null, "event_type_id" text not null, "email" text not null, "code_mac" text not null, "tries" int not null, "expires_at" timestamptz(3) not null, primary key ("owner_id", "event_type_id", "email"));
      create index "booker_email_codes_expires_at_idx" on "booker_email_codes" ("expires_at");
    `);
  }
}
