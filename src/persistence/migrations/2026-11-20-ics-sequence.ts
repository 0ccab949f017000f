import { Migration } from '@mikro-orm/migrations';

/** Changes of a booking are counted for calendars; until now it was the seconds from its making to its last change. */
export class IcsSequence extends Migration {
  override name = '2026-11-20-ics-sequence';

  override up(): void {
    this.addSql(`
      alter table "bookings" add column "ics_sequence" int not null default 0;
      update bookings set ics_sequence = ceil(extract(epoch from updated_at - created_at));
    `);
  }
}
