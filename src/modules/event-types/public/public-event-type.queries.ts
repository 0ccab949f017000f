import type { OwnedId } from '../../../core/id.ts';
import { cutPage, type Page, type PageRequest } from '../../../core/page.ts';
import type { RowOf } from '../../../database/columns.ts';
import { byKey } from '../../../database/keyset.ts';
import type { Selection } from '../../../database/selection.ts';
import { type Em, type RawBuilder, row, rows, sql } from '../../../database/sql.ts';
import type { Team } from '../../teams/team.entity.ts';
import { isOpenTo } from '../../teams/team-openness.ts';
import type { PublicOwner } from '../booking-url.rules.ts';
import type { EventType } from '../event-type.entity.ts';
import { findPrivatelyLinked } from '../private-links/use-private-link.ts';

/** An event type as far as it was selected. */
export type ShownEventType = RowOf<typeof EventType>;

/** The event type that a private link leads to. */
export type PrivatelyLinkedEventType = ShownEventType & { readonly privateLinkToken: string };

type Shown = Selection<typeof EventType>;

/** SQL: what anybody may find. A managed parent cannot be booked. */
const IS_OFFERED = sql`not e.hidden and e.scheduling_type is distinct from 'MANAGED'`;

/** SQL: whether the event type has a host. Where it has none for now, lists leave it out, and its own page says that no time is free. */
const IS_HOSTED = sql`(e.team_id is null or case when e.assign_all_members
  then (
    select true from team_memberships m join users member on member.id = m.user_id
    where m.team_id = e.team_id and m.accepted and member.suspended_at is null limit 1)
  else (
    select true from event_type_hosts h
    join team_memberships m on m.team_id = h.owner_id and m.user_id = h.user_id and m.accepted
    join users member on member.id = m.user_id and member.suspended_at is null
    where h.owner_id = e.owner_id and h.event_type_id = e.id limit 1)
  end)`;

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
  const fetched = await rows<ShownEventType>(
    em,
    sql`select ${selection.with('id').from('e')} from event_types e
        where e.owner_id = ${publicOwnerId(owner, isOpenTo(viewerId))} and ${IS_OFFERED} and ${IS_HOSTED} and ${within}
        ${orderAndLimit}`,
  );
  return cutPage(fetched, request);
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

/**
 * SQL: whether the team `t` is open to a viewer, or anybody, and offers something. Each is a look-up for one team, so that a list
 * of teams which offer nothing costs a look at each of them, however many event types there are.
 */
export function offersTo(viewerId: string | null): RawBuilder<boolean> {
  return sql<boolean>`(case when (
    select true from event_types e where e.owner_id = t.id and ${IS_OFFERED} and ${IS_HOSTED} limit 1
  ) then ${isOpenTo(viewerId)} else false end)`;
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
