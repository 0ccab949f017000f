import { isTeam, type OwnedId } from '../../../core/id.ts';
import { type Selected, selectColumns } from '../../../database/columns.ts';
import { type Em, row, rows, sql } from '../../../database/sql.ts';
import { APPS, type AppSlug } from '../../conferencing/conferencing-app.rules.ts';
import { EventType } from '../../event-types/event-type.entity.ts';
import { chosenApp } from './meeting-link.ts';

/** The most event types that are named. */
const NAMED = 5;
/** Counts of bookings end at this number. */
export const MAX_COUNTED = 1_000;
const SLUGS = Object.keys(APPS) as AppSlug[];
const TITLED = selectColumns(EventType, ['ownerId', 'id', 'title'], 'e');

/** A connected app among those of its owner. */
interface AppInUse extends OwnedId {
  readonly app: string;
  readonly isDefault: boolean;
  /** The slugs of all apps that the owner has connected. */
  readonly connected: readonly string[];
}

/** The event types and bookings that meet in a connected app. */
export interface AppUse {
  /** The first of the owner's event types that take place in it. */
  readonly eventTypes: readonly Selected<typeof TITLED>[];
  readonly eventTypeCount: number;
  /** Upcoming bookings with a link of it; one more than MAX_COUNTED stands for any number above that. */
  readonly linked: number;
  /** Those among the upcoming ones that have no link yet. */
  readonly waiting: number;
}

/**
 * Finds the meetings in an app that a user or a team has connected, so that they know of them before it is
 * disconnected.
 */
export async function findAppUse(em: Em, inUse: AppInUse): Promise<AppUse> {
  const { ownerId, app, isDefault, connected } = inUse;
  const found = await rows(
    em,
    sql<Selected<typeof TITLED> & { readonly count: number }>`
      select ${TITLED}, count(*) over ()::int as count from event_types e
      where e.owner_id = ${ownerId} and exists (
        select 1 from jsonb_array_elements(e.locations) l where l->>'type' = 'CONFERENCING'
          and (l->>'value' = ${app} or (${isDefault}::boolean and l->>'value' <> all(${connected}::text[]))))
      order by e.id limit ${NAMED}`,
  );
  return { eventTypes: found, eventTypeCount: found[0]?.count ?? 0, ...(await countBookings(em, inUse)) };
}

/** No booking takes longer than a day, so that the start finds what is not over. */
async function countBookings(em: Em, { ownerId, id, app }: AppInUse): Promise<Pick<AppUse, 'linked' | 'waiting'>> {
  const upcoming = isTeam(ownerId)
    ? sql`bookings b where b.team_id = ${ownerId} and b.status = 'ACCEPTED'
            and b.starts_at > now() - interval '1 day' and b.ends_at > now()`
    : sql`booking_hosts h join bookings b on b.owner_id = h.owner_id and b.id = h.booking_id
          where h.user_id = ${ownerId} and h.status = 'ACCEPTED'
            and h.starts_at > now() - interval '1 day' and h.ends_at > now()`;
  const counted = await row(
    em,
    sql<Pick<AppUse, 'linked' | 'waiting'>>`
      select count(*) filter (where has_link)::int as linked, count(*) filter (where not has_link)::int as waiting
      from (
        select b.location->>'url' is not null as has_link from ${upcoming} and b.location->>'type' = 'CONFERENCING'
          and (b.location->>'url' is null or exists (
            select 1 from booking_references r where r.owner_id = b.owner_id and r.booking_id = b.id and r.app = ${app}))
          and (${chosenApp(SLUGS, sql`a.id`)}) = ${id}
        limit ${MAX_COUNTED + 1}
      ) as met`,
  );
  return counted ?? { linked: 0, waiting: 0 };
}
