import { ownerOf } from '../../core/id.ts';
import type { Page, PageRequest } from '../../core/page.ts';
import { Problem } from '../../core/problem.ts';
import { pageLimit, pageOrder, pagesByParent, withinPage } from '../../database/keyset.ts';
import { type Em, type RawBuilder, rows, sql } from '../../database/sql.ts';
import type { EventTypeFields } from './event-type.rules.ts';
import { isOwnerIn } from './event-type-owner.ts';
import type { SchedulingType } from './event-type-scheduling.rules.ts';

export interface EventTypeRow extends EventTypeFields {
  readonly id: string;
  /** A user's or a team's id. */
  readonly ownerId: string;
  /** Null for a user's. */
  readonly schedulingType: SchedulingType | null;
  readonly assignAllMembers: boolean;
  /** The team's managed event type that a user's follows; null for all others. */
  readonly parentId: string | null;
  /** RFC 3339, as the database writes it */
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** For `select` and `returning`, over `event_types e`. */
export const EVENT_TYPE_COLUMNS = sql`e.id, e.owner_id as "ownerId", e.slug, e.title, e.description,
  e.length_in_minutes as "lengthInMinutes", e.length_in_minutes_options as "lengthInMinutesOptions", e.hidden, e.color,
  e.metadata, e.locations, e.booking_fields as "bookingFields", e.schedule_id as "scheduleId",
  e.slot_interval_in_minutes as "slotIntervalInMinutes",
  e.minimum_booking_notice_in_minutes as "minimumBookingNoticeInMinutes",
  e.buffer_before_in_minutes as "bufferBeforeInMinutes", e.buffer_after_in_minutes as "bufferAfterInMinutes",
  e.booking_window as "bookingWindow", e.booking_limits as "bookingLimits", e.confirmation, e.recurrence, e.seats,
  e.requires_booker_email_verification as "requiresBookerEmailVerification",
  e.requires_authentication as "requiresAuthentication", e.disable_guests as "disableGuests",
  e.disable_cancelling as "disableCancelling", e.disable_rescheduling as "disableRescheduling",
  e.success_redirect_url as "successRedirectUrl", e.scheduling_type as "schedulingType",
  e.assign_all_members as "assignAllMembers", e.parent_id as "parentId", e.created_at as "createdAt", e.updated_at as "updatedAt"`;

// Ids are made in the order of time and start with their owner, so they are the order of every list of event types.
const KEY = sql`e.id`;

/** A page of what each owner offers, oldest first. */
export async function eventTypePages(
  em: Em,
  ownerIds: readonly string[],
  request: PageRequest,
): Promise<Map<string, Page<EventTypeRow>>> {
  const fetched = await rows<EventTypeRow>(
    em,
    sql`select page.*
        from unnest(${ownerIds}::text[]) as owner(id)
        cross join lateral (
          select ${EVENT_TYPE_COLUMNS} from event_types e
          where e.owner_id = owner.id and ${withinPage(KEY, request)}
          order by ${KEY} ${pageOrder(request)} limit ${pageLimit(request)}
        ) page
        order by page.id ${pageOrder(request)}`,
  );
  return pagesByParent(fetched, ({ ownerId }) => ownerId, ownerIds, request);
}

/** An event type, by its owner, if that is one of these. */
export async function findEventTypes(
  em: Em,
  ownerIds: readonly string[],
  eventTypeId: string,
): Promise<Map<string, EventTypeRow>> {
  const ownerId = ownerOf('eventType', eventTypeId);
  if (ownerId === undefined || !ownerIds.includes(ownerId)) return new Map();
  const found = await rows<EventTypeRow>(
    em,
    sql`select ${EVENT_TYPE_COLUMNS} from event_types e where e.owner_id = ${ownerId} and e.id = ${eventTypeId}`,
  );
  return new Map(found.map((eventType) => [ownerId, eventType]));
}

type InOrganization = EventTypeRow & { readonly organizationId: string };

/** A page of what the teams and the members of each organization offer, grouped by owner. @throws Problem BAD_INPUT */
export async function organizationEventTypePages(
  em: Em,
  organizationIds: readonly string[],
  request: PageRequest,
): Promise<Map<string, Page<EventTypeRow>>> {
  const order = pageOrder(request);
  const fetched = await rows<InOrganization>(
    em,
    sql`select o.id as "organizationId", page.*
        from unnest(${organizationIds}::text[]) as o(id)
        cross join lateral (
          (${offeredBy(sql`teams owner`, sql`owner.id`, request)})
          union all
          (${offeredBy(sql`organization_memberships owner`, sql`owner.user_id`, request, sql`owner.accepted`)})
          order by "ownerId" ${order}, id ${order} limit ${pageLimit(request)}
        ) page
        order by page."ownerId" ${order}, page.id ${order}`,
  );
  return pagesByParent(fetched, ({ organizationId }) => organizationId, organizationIds, request);
}

/**
 * SQL: a page of what the owners of one kind offer in the organization `o`. As many owners as a page has rows fill it, if
 * each offers something: they are visited along an index, in order, until so many are found.
 */
function offeredBy(
  owners: RawBuilder<unknown>,
  ownerId: RawBuilder<unknown>,
  request: PageRequest,
  condition: RawBuilder<unknown> = sql`true`,
): RawBuilder<unknown> {
  const [order, limit] = [pageOrder(request), pageLimit(request)];
  const offered = (id: RawBuilder<unknown>) =>
    sql`event_types e where e.owner_id = ${id} and ${withinPage(KEY, request)}`;
  return sql`
    select offered.*
    from (
      select ${ownerId} as id from ${owners}
      where owner.organization_id = o.id and ${condition} and ${withinOwners(ownerId, request)}
        and (select true from ${offered(ownerId)} order by ${KEY} limit 1)
      order by ${ownerId} ${order} limit ${limit}
    ) offering
    cross join lateral (
      select ${EVENT_TYPE_COLUMNS} from ${offered(sql`offering.id`)} order by ${KEY} ${order} limit ${limit}
    ) offered
    order by offering.id ${order}, offered.id ${order} limit ${limit}`;
}

/** An event type of a team or a member, by each of these organizations that they belong to. */
export async function findOrganizationEventTypes(
  em: Em,
  organizationIds: readonly string[],
  eventTypeId: string,
): Promise<Map<string, EventTypeRow>> {
  const ownerId = ownerOf('eventType', eventTypeId);
  if (ownerId === undefined) return new Map();
  const found = await rows<InOrganization>(
    em,
    sql`select o.id as "organizationId", ${EVENT_TYPE_COLUMNS}
        from unnest(${organizationIds}::text[]) as o(id)
        join event_types e on e.owner_id = ${ownerId} and e.id = ${eventTypeId}
        where ${isOwnerIn(sql`o.id`, ownerId)}`,
  );
  return new Map(found.map((eventType) => [eventType.organizationId, eventType]));
}

/** The owners among whom a page lies, the cursors' own included. */
function withinOwners(ownerId: RawBuilder<unknown>, { after, before }: PageRequest): RawBuilder<unknown> {
  const bounds = [
    ...(after ? [sql`${ownerId} >= ${ownerOfCursor(after, 'after')}`] : []),
    ...(before ? [sql`${ownerId} <= ${ownerOfCursor(before, 'before')}`] : []),
  ];
  return bounds.length === 0 ? sql`true` : sql.join(bounds, sql` and `);
}

function ownerOfCursor([id = '']: readonly string[], argument: string): string {
  const ownerId = ownerOf('eventType', id);
  if (ownerId !== undefined) return ownerId;
  throw new Problem('BAD_INPUT', `${argument} is not a cursor of this list; use one that it gave you.`, [argument]);
}
