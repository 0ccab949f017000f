import { type Em, row, rows, sql } from '../../database/sql.ts';
import { BRAND, type Brand } from '../teams/inherited-profile.queries.ts';
import type { PublicOwner } from './booking-url.rules.ts';
import { publicOwnerId } from './public/public-event-type.queries.ts';

/** The owner of a booking page, as everybody sees them. */
export interface BookingOwner extends Brand {
  readonly name: string;
  /** The owner's own words about themselves. */
  readonly bio: string | null;
  /** The name of a team's organization, if it has one. */
  readonly organizationName: string | null;
  /** As `findBookingPlaces` has it. */
  readonly place: string;
}

/** SQL: of team t, in organization o, if any. */
const PLACE_OF_TEAM = sql`coalesce('organization/' || o.slug, 'team') || '/' || t.slug`;

/** Where each owner of event types is booked: `ada`, `team/studio`, `organization/acme/sales`. Slugs need no escaping. */
export async function findBookingPlaces(em: Em, ownerIds: readonly string[]): Promise<Map<string, string>> {
  const found = await rows(
    em,
    sql<{ ownerId: string; place: string }>`
      select u.id as "ownerId", u.username as place from users u where u.id = any(${ownerIds}::uuid[])
      union all
      select t.id, ${PLACE_OF_TEAM}
      from teams t left join organizations o on o.id = t.organization_id
      where t.id = any(${ownerIds}::uuid[])`,
  );
  return new Map(found.map(({ ownerId, place }) => [ownerId, place]));
}

/** Finds an owner of event types by their id or by their place; nobody who is suspended. */
export async function findBookingOwner(em: Em, owner: PublicOwner | { id: string }): Promise<BookingOwner | undefined> {
  const id = 'id' in owner ? sql`${owner.id}` : publicOwnerId(owner);
  return row(
    em,
    sql<BookingOwner>`
      select u.name, u.bio, null as "organizationName", u.username as place,
        u.avatar_url as "logoUrl", null as "brandColor", false as "hideBranding", true as "isPerson"
      from users u
      where u.id = ${id} and u.suspended_at is null
      union all
      select t.name, t.bio, o.name, ${PLACE_OF_TEAM}, ${BRAND}, false
      from teams t left join organizations o on o.id = t.organization_id where t.id = ${id}`,
  );
}
