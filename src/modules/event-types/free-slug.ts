import { MAX_SLUG_LENGTH } from '../../core/text.ts';
import { type RawBuilder, sql } from '../../database/sql.ts';

/** SQL: the slug, or where another event type of the owner has it, the same with the lowest number behind it that is free. */
export function freeSlug(
  ownerId: RawBuilder<string>,
  slug: RawBuilder<string>,
  ownId: RawBuilder<unknown>,
): RawBuilder<string> {
  const isTaken = (wanted: RawBuilder<string>) => sql<boolean>`exists (
    select 1 from event_types o where o.owner_id = ${ownerId} and o.slug = ${wanted} and o.id <> ${ownId})`;
  // Among one more number than the owner has event types, at least one is free.
  return sql<string>`case when ${isTaken(slug)} then (
      select numbered.slug
      from generate_series(2, 2 + (select count(*) from event_types o where o.owner_id = ${ownerId})) n
      cross join lateral (
        select rtrim(left(${slug}, ${MAX_SLUG_LENGTH - 1} - length(n::text)), '-') || '-' || n
      ) numbered(slug)
      where not ${isTaken(sql`numbered.slug`)}
      order by n limit 1
    ) else ${slug} end`;
}
