import { type Page, type PageRequest, pageRequest } from '../../../core/page.ts';
import { Selection } from '../../../database/selection.ts';
import type { Em } from '../../../database/sql.ts';
import { Organization } from '../../organizations/organization.entity.ts';
import { Team } from '../../teams/team.entity.ts';
import { bookingAddress, organizationAddress, type PublicOwner } from '../booking-url.rules.ts';
import { EventType } from '../event-type.entity.ts';
import { MANAGING_TEAM } from '../managed/managing-team.queries.ts';
import type { ManagingTeam } from '../managed/managing-team.rules.ts';
import { listPublicEventTypes, type ShownEventType } from './public-event-type.queries.ts';
import { findPublicOrganization } from './public-organization.queries.ts';

const COLUMNS = ['id', 'slug', 'title', 'description', 'lengthInMinutes', 'lengthInMinutesOptions'] as const;
const SELECTION = new Selection(EventType, COLUMNS, [{ part: MANAGING_TEAM, of: new Selection(Team, []) }]);

/** An event type, as the booking page of its owner shows it. */
export type EventTypeOnPlace = Pick<ShownEventType, (typeof COLUMNS)[number]> & {
  readonly managedBy: ManagingTeam | null;
};

/**
 * Lists the event types that a viewer, or anybody, is offered on a booking page; empty also when there is no such
 * owner.
 */
export async function listOffers(
  em: Em,
  owner: PublicOwner,
  request: PageRequest,
  viewerId: string | null = null,
): Promise<Page<EventTypeOnPlace>> {
  return (await listPublicEventTypes(em, owner, request, SELECTION, viewerId)) as unknown as Page<EventTypeOnPlace>;
}

/** Whether a place (`ada`, `team/studio`, `organization/acme`) has a page for a viewer, or anybody: where nothing is offered, there is none. */
export async function isPlaceOpen(em: Em, place: string, viewerId: string | null = null): Promise<boolean> {
  const organization = organizationAddress(place);
  if (organization !== undefined) {
    const nothing = new Selection(Organization, []);
    return (await findPublicOrganization(em, organization, nothing, viewerId)) !== undefined;
  }
  const owner = bookingAddress(place)?.owner;
  return owner !== undefined && (await listOffers(em, owner, pageRequest({ first: 1 }), viewerId)).rows.length > 0;
}
