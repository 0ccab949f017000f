import { ownerOf } from '../../core/id.ts';
import { cutPage, type Page, type PageRequest } from '../../core/page.ts';
import { pageLimit, pageOrder, withinPage } from '../../database/keyset.ts';
import { type Em, type RawBuilder, row, rows, sql } from '../../database/sql.ts';

/** What anybody may know of an event type. */
export interface PublicEventTypeRow {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly description: string | null;
  readonly lengthInMinutes: number;
  readonly color: string | null;
}

/** Whose booking page it is: a user's, or a team's, stand-alone or in an organization. */
export type PublicOwner =
  | { readonly username: string }
  | { readonly team: string; readonly organization: string | undefined };

const COLUMNS = sql`e.id, e.slug, e.title, e.description, e.length_in_minutes as "lengthInMinutes", e.color`;

/** What anybody may book with an owner, oldest first; empty also when there is no such owner. */
export async function listPublicEventTypes(
  em: Em,
  owner: PublicOwner,
  request: PageRequest,
): Promise<Page<PublicEventTypeRow>> {
  const key = sql`e.id`;
  const fetched = await rows<PublicEventTypeRow>(
    em,
    sql`select ${COLUMNS} from event_types e
        where e.owner_id = ${publicOwnerId(owner)} and not e.hidden and ${withinPage(key, request)}
        order by ${key} ${pageOrder(request)} limit ${pageLimit(request)}`,
  );
  return cutPage(fetched, request);
}

/** An event type by its place on a booking page. */
export async function findPublicEventType(
  em: Em,
  owner: PublicOwner,
  slug: string,
): Promise<PublicEventTypeRow | undefined> {
  return row(
    em,
    sql<PublicEventTypeRow>`select ${COLUMNS} from event_types e
        where e.owner_id = ${publicOwnerId(owner)} and e.slug = ${slug} and not e.hidden`,
  );
}

/** An event type by its id. */
export async function findPublicEventTypeById(em: Em, id: string): Promise<PublicEventTypeRow | undefined> {
  const ownerId = ownerOf('eventType', id);
  if (ownerId === undefined) return undefined;
  return row(
    em,
    sql<PublicEventTypeRow>`select ${COLUMNS} from event_types e left join users u on u.id = e.user_id
        where e.owner_id = ${ownerId} and e.id = ${id} and not e.hidden and u.suspended_at is null`,
  );
}

/** SQL: the id of the owner, or null. Nobody can book with a user who is suspended. */
export function publicOwnerId(owner: PublicOwner): RawBuilder<string | null> {
  if ('username' in owner) {
    return sql`(select u.id from users u where u.username = ${owner.username} and u.suspended_at is null)`;
  }
  return owner.organization === undefined
    ? sql`(select t.id from teams t where t.slug = ${owner.team} and t.organization_id is null)`
    : sql`(select t.id from teams t join organizations o on o.id = t.organization_id
           where t.slug = ${owner.team} and o.slug = ${owner.organization})`;
}
