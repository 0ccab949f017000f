import { type Em, rows, sql } from '../../database/sql.ts';

/** The owner who offers an event type: a person by their username, or a team by its slug. */
export interface EventTypeOwner {
  readonly id: string;
  readonly name: string;
  readonly username: string | null;
  readonly slug: string | null;
}

/** The owners of event types, by their ids. */
export async function findEventTypeOwners(em: Em, ownerIds: readonly string[]): Promise<Map<string, EventTypeOwner>> {
  const found = await rows(
    em,
    sql<EventTypeOwner>`
      select u.id, u.name, u.username, null as slug from users u where u.id = any(${ownerIds}::uuid[])
      union all
      select t.id, t.name, null, t.slug from teams t where t.id = any(${ownerIds}::uuid[])`,
  );
  return new Map(found.map((owner) => [owner.id, owner]));
}
