import { Migration } from '@mikro-orm/migrations';

/** Every location of an event type has an id, by which a booker chooses it, and may have a label. */
export class LocationIds extends Migration {
  override name = '2026-11-20-location-ids';

  override up(): void {
    // Hexadecimal digits are digits of our ids; what comes of the location itself is not among them.
    this.addSql(`
      update "event_types" e set "locations" = (
        select jsonb_agg(
          jsonb_build_object('id', 'loc_' || substr(replace(gen_random_uuid()::text, '-', ''), 1, 20), 'label', null) || l.location
          order by l.place)
        from jsonb_array_elements(e."locations") with ordinality as l(location, place)
      ) where jsonb_array_length(e."locations") > 0;
    `);
  }
}
