import type { Page, PageRequest } from '../../../core/page.ts';
import { Selection } from '../../../database/selection.ts';
import type { Em } from '../../../database/sql.ts';
import { Team } from '../../teams/team.entity.ts';
import type { PublicOwner } from '../booking-url.rules.ts';
import { EventType } from '../event-type.entity.ts';
import { MANAGING_TEAM } from '../managed/managing-team.queries.ts';
import type { ManagingTeam } from '../managed/managing-team.rules.ts';
import { listPublicEventTypes, type ShownEventType } from './public-event-type.queries.ts';

const COLUMNS = ['id', 'slug', 'title', 'description', 'lengthInMinutes', 'lengthInMinutesOptions'] as const;
const SELECTION = new Selection(EventType, COLUMNS, [{ part: MANAGING_TEAM, of: new Selection(Team, []) }]);

/** What the booking page of its owner shows of an event type. */
export type EventTypeOnPlace = Pick<ShownEventType, (typeof COLUMNS)[number]> & {
  readonly managedBy: ManagingTeam | null;
};

/** What a viewer, or anybody, is offered on a booking page; empty also when there is no such owner. */
export async function listOffers(
  em: Em,
  owner: PublicOwner,
  request: PageRequest,
  viewerId: string | null = null,
): Promise<Page<EventTypeOnPlace>> {
  return (await listPublicEventTypes(em, owner, request, SELECTION, viewerId)) as unknown as Page<EventTypeOnPlace>;
}
