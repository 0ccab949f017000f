import type { OwnedId, OwnedKind } from '../../../../core/id.ts';
import { NO_PAGE, type Page, type PageRequest, type TimeRange } from '../../../../core/page.ts';
import { selectColumnsAs } from '../../../../database/columns.ts';
import { eachOf, FOUND_FOR, type ForEach, inPlace } from '../../../../database/each.ts';
import { read } from '../../../../database/lanes.ts';
import {
  type Apart,
  byTime,
  type Narrowed,
  NOT_NARROWED,
  narrowedPage,
  pagesInPlace,
} from '../../../../database/pages.ts';
import { ago, type Em, NOW, type RawBuilder, row, sql } from '../../../../database/sql.ts';
import { updateTable } from '../../../../database/statements.ts';
import { notFoundHere } from '../../../levels/change-owned.ts';
import { type Owner, requireInCharge } from '../../../levels/reach.ts';
import { lockOwner } from '../../../teams/lock-owner.ts';
import { release } from '../../occupancy/take-time.ts';
import { SlotReservation } from '../slot-reservation.entity.ts';
import { HELD_MINUTES } from './hold-limits.ts';

export const RELEASE_SLOT_CODES = ['NOT_FOUND'] as const;

/** The kind of its public ids, by which hosts see and release it. */
export const RESERVED_SLOT = 'reservedSlot' as const satisfies OwnedKind;

/** A reservation as hosts see it. */
export interface ReservedSlotRow extends OwnedId {
  readonly eventTypeId: string;
  /** The title of the event type, as it is now. */
  readonly title: string;
  /** RFC 3339, as the database writes it; so are the others. */
  readonly start: string;
  readonly end: string;
  readonly heldSince: string;
  readonly expiresAt: string;
}

/** The holds that are listed: those in which a user is a host, or those of a team's event types. */
export type HeldFor = 'HOST' | 'TEAM';

const OF: Readonly<Record<HeldFor, RawBuilder<boolean>>> = {
  HOST: sql<boolean>`r.host_ids @> array[wanted.id]`,
  TEAM: sql<boolean>`r.team_id = wanted.id`,
};

/** The same as `TEAM`, where event types are named: the planner then takes their index, and not that of all a team's. */
const OWNED = sql<boolean>`r.owner_id = wanted.id`;

const SHOWN = {
  ownerId: 'ownerId',
  id: 'id',
  eventTypeId: 'eventTypeId',
  start: 'startsAt',
  end: 'endsAt',
  heldSince: 'heldSince',
  expiresAt: 'expiresAt',
} as const;

/**
 * Lists the holds at the moment, earliest start first: a page for each of these. The request's key has two columns, and what
 * narrows it is SQL over `r`.
 * @throws Problem BAD_INPUT
 */
export async function reservedSlotPages(
  em: Em,
  heldFor: HeldFor,
  ids: readonly string[],
  request: PageRequest,
  { period, ...by }: Narrowed<Apart, TimeRange> = NOT_NARROWED,
): Promise<Map<string, Page<ReservedSlotRow>>> {
  const { within, order, orderAndLimit } = byTime('OLDEST_FIRST', sql`r.starts_at`, sql`r.id`, request, period);
  const isHeldFor = heldFor === 'TEAM' && by.apart ? OWNED : OF[heldFor];
  const held = (condition: RawBuilder<boolean>) => sql`
    select r.* from slot_reservations r where ${isHeldFor} and r.expires_at > now() and ${within} and ${condition}
    ${orderAndLimit}`;
  return pagesInPlace<ReservedSlotRow>(
    em,
    request,
    sql<ForEach<ReservedSlotRow>>`
      select ${FOUND_FOR}, ${selectColumnsAs(SlotReservation, SHOWN, 'r')}, e.title
      from ${eachOf({ id: ids })}
      cross join lateral (${narrowedPage(by, held, [sql`starts_at`, sql`id`], request)}) r
      join event_types e on e.owner_id = r.owner_id and e.id = r.event_type_id
      ${order}`,
    ids,
    read,
  );
}

/** A hold among those of a user or a team. */
export interface WantedHold extends OwnedId {
  readonly parentId: string;
}

/** Each of these holds, in their order, as long as it is one. */
export async function findReservedSlots(
  em: Em,
  heldFor: HeldFor,
  wanted: readonly WantedHold[],
): Promise<(ReservedSlotRow | undefined)[]> {
  const each = eachOf({
    id: wanted.map(({ parentId }) => parentId),
    owner_id: wanted.map(({ ownerId }) => ownerId),
    hold_id: wanted.map(({ id }) => id),
  });
  const found = await read(
    em,
    sql<ForEach<ReservedSlotRow>>`
      select ${FOUND_FOR}, ${selectColumnsAs(SlotReservation, SHOWN, 'r')}, e.title
      from ${each}
      join slot_reservations r on r.owner_id = wanted.owner_id and r.id = wanted.hold_id
        and ${OF[heldFor]} and r.expires_at > now()
      join event_types e on e.owner_id = r.owner_id and e.id = r.event_type_id`,
  );
  return inPlace(found, wanted.length);
}

/** A page of what is kept of a host's time. @throws Problem BAD_INPUT */
export async function listReservedSlots(em: Em, hostId: string, request: PageRequest): Promise<Page<ReservedSlotRow>> {
  const pages = await reservedSlotPages(em, 'HOST', [hostId], request);
  return pages.get(hostId) ?? NO_PAGE;
}

/** The person who releases a slot: one of its hosts, or an administrator of the team whose event type it is. */
export interface Releasing {
  readonly hostId: string;
  readonly right?: Owner;
}

/**
 * Ends a reservation of somebody else, and gives its time back. Whoever kept it cannot keep that time again for a while, as though
 * they had kept it for as long as they may. @throws Problem NOT_FOUND; FORBIDDEN in groups
 */
export async function releaseReservedSlot(em: Em, named: OwnedId, { hostId, right }: Releasing): Promise<void> {
  await em.transactional(async (inner) => {
    const notFound = notFoundHere(RESERVED_SLOT, named);
    if (right) await requireInCharge(inner, right, notFound);
    if (!(await lockOwner(inner, named.ownerId))) throw notFound;
    const released = updateTable(SlotReservation, { ownerId: named.ownerId, id: named.id })
      .set({ expiresAt: sql<string>`now() - interval '1 millisecond'`, heldSince: ago(HELD_MINUTES, 'mins') })
      .where('expiresAt', '>', NOW)
      .where(right ? sql<boolean>`true` : sql<boolean>`item.host_ids @> array[${hostId}::uuid]`)
      .returning(['id', 'hostIds']);
    const ended = await row(inner, released);
    if (!ended) throw notFound;
    await release(inner, ended.hostIds, ended.id);
  });
}
