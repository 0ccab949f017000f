/**
 * lists/ shows bookings to hosts, and to those who administer their teams and organizations: filtered, sorted, a page at a time,
 * always along an index. It may import no other room.
 *
 * Every list has one algorithm. PostgreSQL cannot know where along a list the bookings lie that a filter wants, and a walk that
 * meets none of them reads all years. So the place and the filter lead to *ways*, each a walk along an index that holds both the
 * filter and the order and is as short as the page. What they find is merged, and the rows of the page are looked up. A condition is
 * `(select true … limit 1)` and not `exists`, which the planner may turn into a join of everything with everything.
 */
import type { OwnedId } from '../../../core/id.ts';
import type { Page, PageRequest } from '../../../core/page.ts';
import type { RowOf, Selection } from '../../../database/columns.ts';
import { eachOf, FOUND_FOR, type ForEach, inPlace } from '../../../database/each.ts';
import { read } from '../../../database/lanes.ts';
import { isAscending, pageLimit, pagesInPlace } from '../../../database/pages.ts';
import { type Em, type RawBuilder, sql } from '../../../database/sql.ts';
import { ORGANIZATION } from '../../organizations/group.ts';
import type { Booking } from '../booking.entity.ts';
import { type BookingFilter, type BookingOrder, boundsOf, rangesOf, statusesOf } from './booking-list.rules.ts';
import { amongFew, findFew } from './few-bookings.queries.ts';
import {
  attendeesOf,
  type BookingQuestion,
  besideOf,
  conditionsOf,
  directionOf,
  eventTypesOfHost,
  type HostList,
  hasEmail,
  hasStatus,
  hostRow,
  inRange,
  isHostedBy,
  OF_ATTENDEE,
  OF_HOST,
  ownersIn,
  pageBy,
  sortTimeOf,
} from './list-filter.queries.ts';
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
} from './listed-owners.queries.ts';

/** The place of a list, and its reader: a host's own is the same for everybody who is shown it. */
type ListView = { readonly level: 'user' } | GroupView;

/** A booking as far as it was selected. */
export type ShownBooking = RowOf<typeof Booking>;

/** A booking in a list, with the key of its place there. */
export type ListedBooking = ShownBooking & { readonly sortTime: string };

/**
 * A page of the bookings of each of these hosts, through whichever event types, or of each of these groups, in one statement. The
 * request's key has two columns. @throws Problem BAD_INPUT
 */
export async function bookingPages(
  em: Em,
  view: ListView,
  parentIds: readonly string[],
  filter: BookingFilter,
  order: BookingOrder,
  request: PageRequest,
  selection: Selection<typeof Booking>,
): Promise<Map<string, Page<ListedBooking>>> {
  // Where a host's list is narrowed, counts say by which way: they are another host's for each.
  if (view.level === 'user' && parentIds.length > 1 && !isAlongIndex(filter, order)) {
    const each = parentIds.map((id) => bookingPages(em, view, [id], filter, order, request, selection));
    return new Map((await Promise.all(each)).flatMap((pages) => [...pages]));
  }
  const question = { filter, ranges: rangesOf(filter), order, request };
  const ways =
    view.level === 'user' ? await waysOfHost(em, question, parentIds) : waysOfGroup({ ...question, ...view });
  const role =
    view.level === 'user' ? sql`` : sql`, ${ORGANIZATION.standing(sql`wanted.id`, sql`${view.actorId}`)} as role`;
  const selected = selection.with('ownerId', 'id');
  // With one parent alone, no column needs to tell whose a row is. Sorted rows are narrow; the full ones are then looked up.
  return pagesInPlace<ListedBooking>(
    em,
    request,
    sql<ForEach<ListedBooking>>`
      select ${parentIds.length === 1 ? sql`` : sql`page.place as "foundFor", `}${selected.from('b')}, page.sort_time as "sortTime"
      from (
        select parent.place, listed.* from (
          select wanted.id, wanted.place::int as place ${role} from ${eachOf({ id: parentIds })} offset 0
        ) parent
        cross join lateral (
          select ${ways.length > 1 ? sql`distinct` : sql``} found.owner_id, found.booking_id, found.sort_time
          from (${sql.join(ways, sql` union all `)}) found
          ${inOrder('found', question)} limit ${pageLimit(request)}
        ) listed
        ${inOrder('listed', question)}
      ) page
      cross join lateral (
        select * from bookings b where b.owner_id = page.owner_id and b.id = page.booking_id limit 1
      ) b
      ${inOrder('page', question)}`,
    parentIds,
    read,
  );
}

/** A booking by its key, below the host or the group whose list may have it. */
export interface ListLookUp extends OwnedId {
  readonly parentId: string;
}

/** Each of these bookings that the list of its host or group has, in their order. */
export async function findListed(
  em: Em,
  view: ListView,
  lookUps: readonly ListLookUp[],
  selection: Selection<typeof Booking>,
): Promise<(ShownBooking | undefined)[]> {
  const wanted = eachOf({
    parent_id: lookUps.map(({ parentId }) => parentId),
    owner_id: lookUps.map(({ ownerId }) => ownerId),
    id: lookUps.map(({ id }) => id),
  });
  const [parentId, ownerId] = [sql`wanted.parent_id`, sql`wanted.owner_id`];
  const isListed =
    view.level === 'user'
      ? sql`(select true from ${hostRow(parentId, sql`wanted.id`)} where h.owner_id = ${ownerId})`
      : hasBookingsOf({ ...view, groupId: parentId }, ownerId);
  const selected = selection.with('ownerId', 'id');
  const found = await read(
    em,
    sql<ForEach<ShownBooking>>`
      select ${FOUND_FOR}, ${selected.from('b')}
      from ${wanted}
      join bookings b on b.owner_id = ${ownerId} and b.id = wanted.id
      where ${isListed}`,
  );
  return inPlace(found, lookUps.length);
}

/** Whether a host's list needs no more than an index that begins with the status: by the creation, it goes along the primary key. */
export function isAlongIndex(filter: BookingFilter, { by }: BookingOrder): boolean {
  return by !== 'CREATED_AT' && !isNarrowed(filter);
}

/** Whether anything but the status narrows a list. */
function isNarrowed(filter: BookingFilter): boolean {
  return Object.entries(filter).some(([name, value]) => name !== 'statuses' && value != null);
}

/** SQL: the way to the bookings of a host, `parent`: to few by another index than the list's, along an attendee's, or along the list. */
async function waysOfHost(
  em: Em,
  question: BookingQuestion,
  hostIds: readonly string[],
): Promise<readonly RawBuilder<unknown>[]> {
  const { filter, order } = question;
  if (isAlongIndex(filter, order)) return [walksAlong(question, sql`booking_hosts h where h.user_id = parent.id`)];
  const [hostId = ''] = hostIds;
  // Their own name leaves out nothing.
  const narrowed = filter.hostId === hostId ? { ...filter, hostId: null } : filter;
  const list: HostList = { ...question, filter: narrowed, hostId };
  const few = await findFew(em, list);
  const { attendeeEmail } = narrowed;
  if (!few && attendeeEmail != null) {
    const owners = sql`${ownersIn(list)} as owner(id)`;
    const row = hostRow(hostId, sql`a.booking_id`);
    return [alongAttendee(list, attendeeEmail, { owners, row, conditions: conditionsOf(list) })];
  }
  const rows = sql`booking_hosts h where h.user_id = ${hostId} ${conditionsOf(list)}`;
  const found = few ? amongFew(list, few) : walksAlong(list, rows, sql`h.booking_id`);
  // Few indexes have the owner: if it were asked for along the way, the planner might rather read all rows and sort them.
  return [
    sql`select h.owner_id, found.booking_id, found.sort_time
      from (select * from (${found}) found ${inOrder('found', question)} limit ${pageLimit(question.request)}) found
      cross join lateral ${hostRow(hostId, sql`found.booking_id`)}`,
  ];
}

/** SQL: the order of a list, of what has its `sort_time` and `booking_id`. Every list says it several times, so it is put together once. */
const ORDERS = {
  found: ordersOf('found'),
  listed: ordersOf('listed'),
  page: ordersOf('page'),
  met: ordersOf('met'),
  first: ordersOf('first'),
};

function inOrder(of: keyof typeof ORDERS, { order, request }: BookingQuestion): RawBuilder<unknown> {
  return isAscending(request, order.isDescending) ? ORDERS[of].ascending : ORDERS[of].descending;
}

function ordersOf(of: string) {
  const [time, id] = [sql.ref(`${of}.sort_time`), sql.ref(`${of}.booking_id`)];
  return {
    ascending: sql`order by ${time} asc, ${id} asc`,
    descending: sql`order by ${time} desc, ${id} desc`,
  };
}

/** SQL: the ways that lead to bookings of a group, `parent`; one that several lead to is listed once. */
function waysOfGroup(list: GroupList): readonly RawBuilder<unknown>[] {
  const { attendeeEmail, hostId, teamId, eventTypeIds } = list.filter;
  if (attendeeEmail != null) {
    const row = sql`(select b.*, b.id as booking_id from bookings b where b.owner_id = owner.id and b.id = a.booking_id limit 1) h`;
    const conditions = sql`${besideOf(list)} ${hostId == null ? sql`` : isHostedBy(hostId)}`;
    return [
      alongAttendee(list, attendeeEmail, { owners: sql`(${ownersMet(list, attendeeEmail)}) owner`, row, conditions }),
    ];
  }
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
  const owner = list.order.by === 'CREATED_AT' ? sql`h.owner_id` : sql`h.team_id`;
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
  return sql`select found.* from (${walksAlong(list, rows)}) found`;
}

/**
 * SQL: what members host of their own and, so that no years of meetings of teams are passed over in search of it, of the
 * organization's teams.
 */
function ofMembers(list: GroupList, members: RawBuilder<unknown>): RawBuilder<unknown> {
  const isTeams = list.filter.eventTypeIds == null ? sql`or ${isTeamOf(sql`h.team_id`, sql`parent.id`)}` : sql``;
  const rows = sql`booking_hosts h where h.user_id = owner.id and (h.owner_id = h.user_id ${isTeams}) ${besideOf(list)}`;
  const any = sql`booking_hosts one where one.user_id = owner.id order by one.booking_id`;
  return alongOwners(list, withAny(members, any), rows);
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
  shown?: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const { level, request } = list;
  const firsts = sql`
    select owner.id from (${owners}) owner
    cross join lateral (
      select * from (${walksAlong({ ...list, request: { ...request, limit: 0 } }, rows, shown)}) met ${inOrder('met', list)} limit 1
    ) first
    ${inOrder('first', list)} limit ${pageLimit(request)}`;
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
    cross join lateral (${walksAlong(list, rows)}) found`;
}

/**
 * SQL: at least the page of what `rows` lists, with the `sort_time` of each: for `from`, rows `h` and their conditions, of
 * which one begins an index of the order. There is a walk for each status. Those that nothing else narrows are merged as they go, so
 * that hardly more is read than is shown.
 */
function walksAlong(
  question: BookingQuestion,
  rows: RawBuilder<unknown>,
  shown: RawBuilder<unknown> = sql`h.owner_id, h.booking_id`,
): RawBuilder<unknown> {
  const { order, filter } = question;
  // Along the ids, whatever the status: where few have it, these were found before (few-bookings.queries.ts).
  if (order.by === 'CREATED_AT')
    return along(question, shown)(sql`${rows} ${filter.statuses == null ? sql`` : hasStatus(filter)}`);
  const walk = order.by === 'END' ? alongStarts(question, shown) : along(question, shown);
  const statuses = statusesOf(filter);
  // If the planner knew the status, it might read all rows at once where it expects a filter to leave few.
  if (isNarrowed(filter) || statuses.length === 0) {
    return sql`select found.* from unnest(${statuses}::text[]) as scan(status)
      cross join lateral (${walk(sql`${rows} and h.status = scan.status`)}) found`;
  }
  const walks = statuses.map((status) => sql`(${walk(sql`${rows} and h.status = ${sql.lit(status)}`)})`);
  return sql.join(walks, sql` union all `);
}

/** SQL: a walk over rows. A list has one for each status, so all that they have in common is put together once. */
type Walk = (rows: RawBuilder<unknown>) => RawBuilder<unknown>;

/** Walks along one index, from one end to the other. */
function along(question: BookingQuestion, shown: RawBuilder<unknown>): Walk {
  const { within, orderAndLimit } = pageBy(question, OF_HOST);
  const time = sortTimeOf(question, OF_HOST);
  return (rows) => sql`select ${shown}, ${time} as sort_time from ${rows} and ${within} ${orderAndLimit}`;
}

/**
 * Walks by the end, along the starts: a booking ends within a day of its start. When as many as a page holds have been
 * met, the page ends no later than the last of these; what is before it in the list starts at most a day away.
 */
function alongStarts(question: BookingQuestion, shown: RawBuilder<unknown>): Walk {
  const { order, ranges, request } = question;
  const { within, orderAndLimit, between } = pageBy(question, OF_HOST);
  const isEarliestFirst = isAscending(request, order.isDescending);
  const starts = inRange('START', boundsOf({ by: 'START', isDescending: false }, { ...ranges, END: between }), OF_HOST);
  const [latest, none] = isEarliestFirst ? [sql`max`, sql`'infinity'`] : [sql`min`, sql`'-infinity'`];
  const isNearEnd = isEarliestFirst
    ? sql`and h.starts_at < bound.ends_at and h.ends_at <= bound.ends_at`
    : sql`and h.starts_at >= bound.ends_at - interval '24 hours' and h.ends_at >= bound.ends_at`;
  return (rows) => {
    const near = sql`${rows} and ${within}
    ${starts}`;
    const end = sql`coalesce((
    select ${latest}(met.ends_at) from (
      select h.ends_at from ${near} order by h.starts_at ${directionOf(order, request)} limit ${pageLimit(request)}
    ) met
    having count(*) > ${request.limit}::int), ${none})`;
    return sql`
    select met.* from (select ${end} as ends_at offset 0) bound
    cross join lateral (
      select ${shown}, h.ends_at as sort_time from ${near} ${isNearEnd} ${orderAndLimit}
    ) met`;
  };
}

/** Where what somebody attends is looked for: the owners, the row `h` of a list for `a.booking_id` of `owner`, and its conditions. */
interface Attended {
  readonly owners: RawBuilder<unknown>;
  readonly row: RawBuilder<unknown>;
  readonly conditions: RawBuilder<unknown>;
}

/**
 * SQL: what somebody attends with each of the owners. By the start it is walked along an index of attendees, and by the creation
 * sorted by their ids alone: whether the list has a booking is looked up until the page is full. By its other times, each is looked up.
 */
function alongAttendee(
  question: BookingQuestion,
  email: string,
  { owners, row, conditions }: Attended,
): RawBuilder<unknown> {
  const { filter, order, ranges } = question;
  const attended = sql`booking_attendees a where a.owner_id = owner.id and ${hasEmail(email)}`;
  const listed = sql`${hasStatus(filter)} ${conditions}`;
  const isListed = sql`(select true from ${row} where true ${listed})`;
  const page = pageBy(question, order.by === 'START' || order.by === 'CREATED_AT' ? OF_ATTENDEE : OF_HOST);
  const { within, orderAndLimit } = page;
  const starts = inRange('START', boundsOf({ ...order, by: 'START' }, ranges), OF_ATTENDEE);
  const scan = {
    START:
      () => sql`select a.owner_id, a.booking_id, a.starts_at as sort_time from ${attended} and ${within} and ${isListed}
      and a.id = (
        select a.id from ${attendeesOf(sql`a.owner_id`, sql`a.booking_id`)} where ${hasEmail(email)} order by a.id limit 1)
      ${orderAndLimit}`,
    CREATED_AT: () => sql`select owner.id as owner_id, a.booking_id, ${sortTimeOf(question, OF_ATTENDEE)} as sort_time
      from (select distinct a.booking_id from ${attended} and ${within} ${starts} ${page.order} offset 0) a
      where ${isListed} ${orderAndLimit}`,
    LOOKED_UP: () => sql`select h.owner_id, h.booking_id, ${sortTimeOf(question, OF_HOST)} as sort_time
      from (select distinct a.booking_id from ${attended} ${starts} offset 0) a
      cross join lateral ${row}
      where ${within} ${listed} ${orderAndLimit}`,
  }[order.by === 'START' || order.by === 'CREATED_AT' ? order.by : 'LOOKED_UP'];
  return sql`select found.* from ${owners} cross join lateral (${scan()}) found`;
}
