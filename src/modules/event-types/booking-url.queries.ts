import { type Em, rows, sql } from '../../database/sql.ts';

/** Where each owner of event types is booked: `ada`, `team/studio`, `team/acme/sales`. Slugs need no escaping. */
export async function findBookingPlaces(em: Em, ownerIds: readonly string[]): Promise<Map<string, string>> {
  const found = await rows(
    em,
    sql<{ ownerId: string; place: string }>`
      select u.id as "ownerId", u.username as place from users u where u.id = any(${ownerIds}::text[])
      union all
      select t.id, concat_ws('/', 'team', o.slug, t.slug)
      from teams t left join organizations o on o.id = t.organization_id
      where t.id = any(${ownerIds}::text[])`,
  );
  return new Map(found.map(({ ownerId, place }) => [ownerId, place]));
}
