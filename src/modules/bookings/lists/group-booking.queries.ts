import type { OwnedId } from '../../../core/id.ts';
import type { Page, PageRequest } from '../../../core/page.ts';
import { eachOf, FOUND_FOR, type ForEach, inPlace } from '../../../database/each.ts';
import { pageLimit, pagesByParent } from '../../../database/keyset.ts';
import { read } from '../../../database/read.ts';
import type { Selection } from '../../../database/selection.ts';
import { type Em, type RawBuilder, sql } from '../../../database/sql.ts';
import { ORGANIZATION } from '../../organizations/group.ts';
import type { Booking } from '../booking.entity.ts';
import {
  besideOf,
  directionOf,
  hasEmail,
  hasStatus,
  inRange,
  isHostedBy,
  OF_HOST,
  pageBy,
  sortTimeOf,
} from './booking-condition.queries.ts';
import { type BookingFilter, type BookingOrder, boundsOf, rangesOf } from './booking-list.rules.ts';
import { walksAlong } from './booking-scan.queries.ts';
import {
  type GroupList,
  type GroupView,
  hasBookingsOf,
  isMember,
  isTeamOf,
  membersIn,
  ownersMet,
  scatteredIn,
  teamsIn,
  teamsOf,
} from './group-owner.queries.ts';
import type { ListedBooking, ShownBooking } from './host-booking.queries.ts';
import { eventTypesOfHost } from './hosted-event-type.queries.ts';

/** A page of the bookings of each of these groups, in one statement. The request's key has two columns. @throws Problem BAD_INPUT */
export async function groupBookingPages(
  em: Em,
  view: GroupView,
  groupIds: readonly string[],
  filter: BookingFilter,
  order: BookingOrder,
  request: PageRequest,
  selection: Selection<typeof Booking>,
): Promise<Map<string, Page<ListedBooking>>> {
  const list: GroupList = { ...view, filter, ranges: rangesOf(filter), order, request };
  const direction = directionOf(order, request);
  const selected = selection.with('ownerId', 'id');
  const fetched = await read(
    em,
    sql<ListedBooking & { readonly listedFor: string }>`
      select parent.id as "listedFor", ${selected.from('b')}, page.sort_time as "sortTime"
      from (
        select given.id, ${ORGANIZATION.standing(sql`given.id`, sql`${view.actorId}`)} as role
        from unnest(${groupIds}::uuid[]) as given(id) offset 0
      ) parent
      cross join lateral (
        select distinct found.owner_id, found.booking_id, found.sort_time
        from (${sql.join(waysTo(list), sql` union all `)}) found
        order by found.sort_time ${direction}, found.booking_id ${direction} limit ${pageLimit(request)}
      ) page
      cross join lateral (
        select * from bookings b where b.owner_id = page.owner_id and b.id = page.booking_id limit 1
      ) b
      order by page.sort_time ${direction}, page.booking_id ${direction}`,
  );
  return pagesByParent(fetched, ({ listedFor }) => listedFor, groupIds, request);
}

/** A booking by its key, below a group. */
export interface GroupLookUp extends OwnedId {
  readonly groupId: string;
}

/** Each of these bookings that the list of its group has, in their order. */
export async function findGroupBookings(
  em: Em,
  { level, actorId }: GroupView,
  lookUps: readonly GroupLookUp[],
  selection: Selection<typeof Booking>,
): Promise<(ShownBooking | undefined)[]> {
  const wanted = eachOf({
    group_id: lookUps.map(({ groupId }) => groupId),
    owner_id: lookUps.map(({ ownerId }) => ownerId),
    id: lookUps.map(({ id }) => id),
  });
  const [groupId, ownerId] = [sql`wanted.group_id`, sql`wanted.owner_id`];
  const selected = selection.with('ownerId', 'id');
  const found = await read(
    em,
    sql<ForEach<ShownBooking>>`
      select ${FOUND_FOR}, ${selected.from('b')}
      from ${wanted}
      join bookings b on b.owner_id = ${ownerId} and b.id = wanted.id
      where ${hasBookingsOf({ level, groupId, actorId }, ownerId)}`,
  );
  return inPlace(found, lookUps.length);
}

/** SQL: the ways that lead to bookings of `parent`; one that several lead to is listed once. */
function waysTo(list: GroupList): RawBuilder<unknown>[] {
  const { attendeeEmail, hostId, teamId, eventTypeIds } = list.filter;
  if (attendeeEmail != null) return [attendedBy(list, attendeeEmail)];
  if (hostId != null) return [hostedBy(list, hostId)];
  if (list.level === 'team' || teamId != null) return [ofTeams(list)];
  // The event types name the few whose they are.
  if (eventTypeIds != null) return [ofTeams(list), ofMembers(list, membersIn(list))];
  return [denormalized(list), ofMembers(list, scatteredIn(list))];
}

/** SQL, for `from`: bookings, with the columns of `booking_hosts` that lists are about. */
const ROWS = sql`(
  select owner_id, team_id, organization_id, id as booking_id, event_type_id, status, starts_at, ends_at, updated_at from bookings
) h`;

function ofTeams(list: GroupList): RawBuilder<unknown> {
  // Both columns hold the same id, and each begins an index: the owner's is the primary key.
  const owner = list.order.by === 'CREATED' ? sql`h.owner_id` : sql`h.team_id`;
  const rows = sql`${ROWS} where ${owner} = owner.id ${besideOf(list)}`;
  const any = sql`bookings one where one.team_id = owner.id order by one.status, one.starts_at`;
  return alongOwners(list, withAny(teamsIn(list), any), rows, sql`${owner} as owner_id, h.booking_id`);
}

/**
 * SQL: what carries the id of the organization, along an index of it: of its teams, whose ids are odd (core/id.ts), and of the
 * members that it still has, as far as they are within the reader's reach.
 */
function denormalized(list: GroupList): RawBuilder<unknown> {
  const isTeams = sql`get_byte(uuid_send(h.owner_id), 15) % 2 = 1`;
  const isMembers = isMember(list, sql`h.owner_id`, sql`reached.denormalized`);
  const rows = sql`${ROWS} where h.organization_id = parent.id and (${isTeams} or ${isMembers}) ${besideOf(list)}`;
  return sql`select found.* from (${walksAlong(list, rows, sql`h.owner_id, h.booking_id`)}) found`;
}

/**
 * SQL: what members host of their own and, so that no years of meetings of teams are passed over in search of it, of the
 * organization's teams.
 */
function ofMembers(list: GroupList, members: RawBuilder<unknown>): RawBuilder<unknown> {
  const isTeams = list.filter.eventTypeIds == null ? sql`or ${isTeamOf(sql`h.team_id`, sql`parent.id`)}` : sql``;
  const rows = sql`booking_hosts h where h.user_id = owner.id and (h.owner_id = h.user_id ${isTeams}) ${besideOf(list)}`;
  const any = sql`booking_hosts one where one.user_id = owner.id order by one.booking_id`;
  return alongOwners(list, withAny(members, any), rows, sql`h.owner_id, h.booking_id`);
}

/** SQL: those of the owners that have anything to list, by one look for each: in the order of an index, or the planner may read the table. */
function withAny(owners: RawBuilder<unknown>, any: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select owner.id from (${owners}) owner where (select true from ${any} limit 1)`;
}

/**
 * SQL: along the bookings of each of the owners. As many owners as a page has rows fill it: those whose first is before those
 * of all others.
 */
function alongOwners(
  list: GroupList,
  owners: RawBuilder<unknown>,
  rows: RawBuilder<unknown>,
  shown: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const { level, order, request } = list;
  const direction = directionOf(order, request);
  const inOrder = (of: string) =>
    sql`order by ${sql.ref(`${of}.sort_time`)} ${direction}, ${sql.ref(`${of}.booking_id`)} ${direction}`;
  const firsts = sql`
    select owner.id from (${owners}) owner
    cross join lateral (
      select * from (${walksAlong({ ...list, request: { ...request, limit: 0 } }, rows, shown)}) met ${inOrder('met')} limit 1
    ) first
    ${inOrder('first')} limit ${pageLimit(request)}`;
  return sql`
    select found.* from (${level === 'team' ? owners : firsts}) owner
    cross join lateral (${walksAlong(list, rows, shown)}) found`;
}

/** SQL: what somebody hosts, a member or not any more: of the teams, and of their own if they are a member. */
function hostedBy(list: GroupList, hostId: string): RawBuilder<unknown> {
  const isOwn =
    list.level === 'team' || list.filter.teamId != null ? sql`` : sql`or (h.owner_id = h.user_id and hosted.is_member)`;
  const ofTeam = sql`h.event_type_id = any(hosted.event_type_ids)`;
  const rows = sql`booking_hosts h where h.user_id = ${hostId} and (${ofTeam} ${isOwn}) ${besideOf(list)}`;
  return sql`
    select found.* from (
      select array(${eventTypesOfHost(hostId, sql`(${teamsOf(list, hostId)})`, null)}) as event_type_ids,
        ${list.level === 'team' ? sql`false` : isMember(list, sql`${hostId}`)} as is_member
      offset 0
    ) hosted
    cross join lateral (${walksAlong(list, rows, sql`h.owner_id, h.booking_id`)}) found`;
}

/** SQL: all that somebody attends with the owners; of the rest of the filter, each is looked up. */
function attendedBy(list: GroupList, email: string): RawBuilder<unknown> {
  const { filter, order, ranges } = list;
  const { within, orderAndLimit } = pageBy(list, OF_HOST);
  const starts = { ...OF_HOST, START: sql`a.starts_at` };
  return sql`
    select found.* from (${ownersMet(list, email)}) owner
    cross join lateral (
      select h.owner_id, h.booking_id, ${sortTimeOf(list, OF_HOST)} as sort_time
      from (
        select distinct a.booking_id from booking_attendees a
        where a.owner_id = owner.id and ${hasEmail(email)} ${inRange('START', boundsOf({ ...order, by: 'START' }, ranges), starts)}
        offset 0
      ) a
      cross join lateral (select b.*, b.id as booking_id from bookings b where b.owner_id = owner.id and b.id = a.booking_id limit 1) h
      where ${within} ${hasStatus(filter)} ${besideOf(list)} ${filter.hostId == null ? sql`` : isHostedBy(filter.hostId)}
      ${orderAndLimit}
    ) found`;
}
