import type { OwnedId } from '../../core/id.ts';
import { type RowOf, selectColumns, selectColumnsAs } from '../../database/columns.ts';
import { type Em, rows, sql } from '../../database/sql.ts';
import { eventTypesOfHost, teamsOfHost } from '../../modules/bookings/lists/hosted-event-type.queries.ts';
import { EventType } from '../../modules/event-types/event-type.entity.ts';
import { Team } from '../../modules/teams/team.entity.ts';

/** An event type through which somebody can be booked, or was; `teamName` is null for their own. */
export interface HostedEventType extends Pick<RowOf<typeof EventType>, 'ownerId' | 'id' | 'title'> {
  readonly teamName: string | null;
}

const MAX_CHOICES = 100;

/**
 * A host's own event types, and those of teams through which they were booked, by their titles; of very many some, `chosen`
 * among them.
 */
export async function findHostedEventTypes(
  em: Em,
  hostId: string,
  chosen: OwnedId | undefined,
): Promise<readonly HostedEventType[]> {
  const ofTeams = eventTypesOfHost(hostId, teamsOfHost(hostId), null, sql`team.id as owner_id, type.id`);
  return rows(
    em,
    sql<HostedEventType>`
      select * from (
        select ${selectColumns(EventType, ['ownerId', 'id', 'title'], 'e')}, ${selectColumnsAs(Team, { teamName: 'name' }, 't')}
        from (
          select owner_id, id from event_types where user_id = ${hostId}
          union all ${ofTeams}
        ) hosted
        join event_types e on e.owner_id = hosted.owner_id and e.id = hosted.id
        left join teams t on t.id = e.team_id
        order by (e.id = ${chosen?.id ?? null}::uuid) is true desc, lower(e.title), e.id limit ${MAX_CHOICES}
      ) choice order by lower(title), "teamName" nulls first, id`,
  );
}
