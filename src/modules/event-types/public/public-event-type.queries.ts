import type { OwnedId } from '../../../core/id.ts';
import { type Page, type PageRequest, pageRequest } from '../../../core/page.ts';
import { type RowOf, Selection } from '../../../database/columns.ts';
import { byKey, pageOf } from '../../../database/pages.ts';
import { type Em, type RawBuilder, row, rows, sql } from '../../../database/sql.ts';
import { Organization } from '../../organizations/organization.entity.ts';
import { Team } from '../../teams/team.entity.ts';
import { BRAND, type Brand } from '../../teams/team.queries.ts';
import { isOpenTo } from '../../teams/team-role.ts';
import { bookingAddress, organizationAddress, type PublicOwner } from '../booking-url.rules.ts';
import { EventType } from '../event-type.entity.ts';
import type { ManagingTeam } from '../managed-event-type.rules.ts';
import { MANAGING_TEAM } from '../managed-event-types.ts';
import { findPrivatelyLinked } from '../private-links.ts';

/** By its id, or by its place on a booking page. */
export type EventTypeName = OwnedId | { readonly owner: PublicOwner; readonly slug: string };

/** An event type as far as it was selected. */
export type ShownEventType = RowOf<typeof EventType>;

/** The event type that a private link leads to. */
export type PrivatelyLinkedEventType = ShownEventType & { readonly privateLinkToken: string };

type Shown = Selection<typeof EventType>;

/** SQL: what anybody may find. A managed parent cannot be booked. */
const IS_OFFERED = sql`not e.is_hidden and e.scheduling_type is distinct from 'MANAGED'`;

/** SQL: whether the event type has a host. Where it has none for now, lists leave it out, and its own page says that no time is free. */
const IS_HOSTED = sql`(e.team_id is null or case when e.assigns_all_members
  then (
    select true from team_memberships m join users member on member.id = m.user_id
    where m.team_id = e.team_id and m.accepted and member.suspended_at is null limit 1)
  else (
    select true from event_type_hosts h
    join team_memberships m on m.team_id = h.owner_id and m.user_id = h.user_id and m.accepted
    join users member on member.id = m.user_id and member.suspended_at is null
    where h.owner_id = e.owner_id and h.event_type_id = e.id limit 1)
  end)`;

const COLUMNS = ['id', 'slug', 'title', 'description', 'durationInMinutes', 'durationInMinutesOptions'] as const;

/** An event type, as the booking page of its owner shows it. */
export type EventTypeOnPlace = Pick<ShownEventType, (typeof COLUMNS)[number]> & {
  readonly managedBy: ManagingTeam | null;
};

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

/**
 * Lists the event types that a viewer, or anybody, may book with an owner, oldest first; empty also when there is no
 * such owner.
 */
export async function listPublicEventTypes(
  em: Em,
  owner: PublicOwner,
  request: PageRequest,
  selection: Shown,
  viewerId: string | null = null,
): Promise<Page<ShownEventType>> {
  const { within, orderAndLimit } = byKey(sql`e.id`, request);
  return pageOf(
    em,
    request,
    sql<ShownEventType>`select ${selection.with('id').from('e')} from event_types e
        where e.owner_id = ${publicOwnerId(owner, isOpenTo(viewerId))} and ${IS_OFFERED} and ${IS_HOSTED} and ${within}
        ${orderAndLimit}`,
  );
}

/** A team that offers something to a viewer, or anybody: who offers nothing has no page, so that nobody learns who is there. */
export async function findPublicTeam(
  em: Em,
  owner: PublicOwner,
  selection: Selection<typeof Team>,
  viewerId: string | null,
): Promise<RowOf<typeof Team> | undefined> {
  return row(
    em,
    sql<RowOf<typeof Team>>`select ${selection.with('id').from('t')} from teams t
        where t.id = ${publicOwnerId(owner)} and ${offersTo(viewerId)}`,
  );
}

/** SQL: whether a user has a booking page: they are not suspended, and offer something. */
export function hasBookingPage(userId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (select from event_types e where e.owner_id = ${userId} and ${IS_OFFERED})`;
}

/** An event type by its place on a booking page. */
export async function findPublicEventType(
  em: Em,
  owner: PublicOwner,
  slug: string,
  selection: Shown,
  viewerId: string | null = null,
): Promise<ShownEventType | undefined> {
  return row(
    em,
    sql<ShownEventType>`select ${selection.with('id').from('e')} from event_types e
        where e.owner_id = ${publicOwnerId(owner, isOpenTo(viewerId))} and e.slug = ${slug} and ${IS_OFFERED}`,
  );
}

/** An event type by its id. */
export async function findPublicEventTypeById(
  em: Em,
  { ownerId, id }: OwnedId,
  selection: Shown,
  viewerId: string | null = null,
): Promise<ShownEventType | undefined> {
  return row(
    em,
    sql<ShownEventType>`select ${selection.with('id').from('e')} from event_types e left join users u on u.id = e.user_id
        where e.owner_id = ${ownerId} and e.id = ${id} and ${IS_OFFERED} and u.suspended_at is null
          and (e.team_id is null or exists (select 1 from teams t where t.id = e.team_id and ${isOpenTo(viewerId)}))`,
  );
}

/** Finds the event type that a private link leads to, hidden or not, if the link still serves. */
export async function findPrivatelyLinkedEventType(
  em: Em,
  token: string,
  selection: Shown,
): Promise<PrivatelyLinkedEventType | undefined> {
  const linked = await findPrivatelyLinked(em, token);
  if (!linked) return undefined;
  const found = await row(
    em,
    sql<ShownEventType>`select ${selection.with('id').from('e')} from event_types e left join users u on u.id = e.user_id
        where e.owner_id = ${linked.ownerId} and e.id = ${linked.id}
          and e.scheduling_type is distinct from 'MANAGED' and u.suspended_at is null`,
  );
  return found && { ...found, privateLinkToken: token };
}

/**
 * SQL: the id of the owner, or null. Nobody can book with a user who is suspended; of the teams `t`, only those are found
 * for which the condition holds.
 */
export function publicOwnerId(
  owner: PublicOwner,
  isFound: RawBuilder<boolean> = sql<boolean>`true`,
): RawBuilder<string | null> {
  if ('username' in owner) {
    return sql`(select u.id from users u where u.username = ${owner.username} and u.suspended_at is null)`;
  }
  return owner.organization === undefined
    ? sql`(select t.id from teams t where t.slug = ${owner.team} and t.organization_id is null and ${isFound})`
    : sql`(select t.id from teams t join organizations o on o.id = t.organization_id
           where t.slug = ${owner.team} and o.slug = ${owner.organization} and ${isFound})`;
}

/** An organization of which a viewer, or anybody, may see a team that offers something; of any other nobody learns. */
export async function findPublicOrganization(
  em: Em,
  slug: string,
  selection: Selection<typeof Organization>,
  viewerId: string | null,
): Promise<RowOf<typeof Organization> | undefined> {
  return row(
    em,
    sql<RowOf<typeof Organization>>`select ${selection.with('id').from('o')} from organizations o
        where o.slug = ${slug} and exists (
          select 1 from teams t where t.organization_id = o.id and ${offersTo(viewerId)})`,
  );
}

/** Lists, by slug, the teams of an organization that offer something to this viewer, or to anybody. */
export async function listPublicTeams(
  em: Em,
  organizationId: string,
  request: PageRequest,
  selection: Selection<typeof Team>,
  viewerId: string | null,
): Promise<Page<RowOf<typeof Team>>> {
  const { within, orderAndLimit } = byKey(sql`t.slug`, request);
  return pageOf(
    em,
    request,
    sql<RowOf<typeof Team>>`select ${selection.with('id', 'slug').from('t')} from teams t
        where t.organization_id = ${organizationId} and ${offersTo(viewerId)} and ${within}
        ${orderAndLimit}`,
  );
}

const SELECTION = new Selection(EventType, COLUMNS, [{ part: MANAGING_TEAM, of: new Selection(Team, []) }]);

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
        u.avatar_url as "logoUrl", null as "brandColor", false as "hidesBranding", true as "isPerson"
      from users u
      where u.id = ${id} and u.suspended_at is null
      union all
      select t.name, t.bio, o.name, ${PLACE_OF_TEAM}, ${BRAND}, false
      from teams t left join organizations o on o.id = t.organization_id where t.id = ${id}`,
  );
}

/**
 * SQL: whether the team `t` is open to a viewer, or anybody, and offers something. Each is a look-up for one team, so that a list
 * of teams which offer nothing costs a look at each of them, however many event types there are.
 */
function offersTo(viewerId: string | null): RawBuilder<boolean> {
  return sql<boolean>`(case when (
    select true from event_types e where e.owner_id = t.id and ${IS_OFFERED} and ${IS_HOSTED} limit 1
  ) then ${isOpenTo(viewerId)} else false end)`;
}
