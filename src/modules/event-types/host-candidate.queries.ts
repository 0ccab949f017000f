import type { OwnedId } from '../../core/id.ts';
import { cutPage, type Page, type PageRequest } from '../../core/page.ts';
import { byKey } from '../../database/keyset.ts';
import { type Em, row, rows, sql } from '../../database/sql.ts';
import { selectFrom } from '../../database/statements.ts';
import { manages } from '../organizations/standing.ts';
import { TEAM } from '../teams/team-role.ts';
import { EventTypeHost as EventTypeHostEntity } from './event-type-host.entity.ts';
import type { EventTypeHost } from './event-type-host.rules.ts';

/** A member of the team that owns an event type. */
export interface HostCandidate {
  readonly userId: string;
  readonly name: string;
  readonly username: string;
  /** Their part as a named host of it; null for those who are none. */
  readonly host: Omit<EventTypeHost, 'userId'> | null;
  /** Whether the reader may decide about them, as `changeHosts` does. */
  readonly isManaged: boolean;
}

/**
 * Finds a page of the team's members, who can all host an event type, in the order of their accounts. Whether the reader
 * administers the team was decided before.
 */
export async function findHostCandidates(
  em: Em,
  readerId: string,
  { ownerId, id }: OwnedId,
  request: PageRequest,
): Promise<Page<HostCandidate>> {
  const { within, orderAndLimit } = byKey(sql`m.user_id`, request);
  const isManaged = manages({ group: TEAM, groupId: sql`m.team_id`, actorId: readerId }, sql`m.user_id`);
  const fetched = await rows(
    em,
    sql<HostCandidate>`
      select u.id as "userId", u.name, u.username, ${isManaged} as "isManaged", case when h.user_id is not null
        then json_build_object('isMandatory', h.is_mandatory, 'priority', h.priority, 'weight', h.weight) end as host
      from (
        select m.* from team_memberships m where m.team_id = ${ownerId} and m.accepted and ${within} ${orderAndLimit}
      ) m
      join users u on u.id = m.user_id
      left join event_type_hosts h on h.owner_id = m.team_id and h.event_type_id = ${id} and h.user_id = m.user_id
      order by m.user_id`,
  );
  return cutPage(fetched, request);
}

/** Whether anybody takes part in a team's event type. */
export async function isHosted(
  em: Em,
  { ownerId, id, assignAllMembers }: OwnedId & { readonly assignAllMembers: boolean },
): Promise<boolean> {
  if (assignAllMembers) return true;
  return (
    (await row(em, selectFrom(EventTypeHostEntity, { ownerId, eventTypeId: id }).select('userId').limit(1))) !==
    undefined
  );
}
