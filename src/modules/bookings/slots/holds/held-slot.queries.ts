import type { OwnedId, OwnedKind } from '../../../../core/id.ts';
import type { Page, PageRequest } from '../../../../core/page.ts';
import { selectColumnsAs } from '../../../../database/columns.ts';
import { eachOf, FOUND_FOR, type ForEach } from '../../../../database/each.ts';
import { read } from '../../../../database/lanes.ts';
import { byTime, pagesInPlace } from '../../../../database/pages.ts';
import { ago, type Em, NOW, type RawBuilder, row, sql } from '../../../../database/sql.ts';
import { updateTable } from '../../../../database/statements.ts';
import { notFoundHere } from '../../../levels/change-owned.ts';
import { type Owner, requireInCharge } from '../../../levels/reach.ts';
import { lockOwner } from '../../../teams/lock-owner.ts';
import { release } from '../../occupancy/occupy.ts';
import { SlotReservation } from '../slot-reservation.entity.ts';
import { HELD_MINUTES } from './hold-limits.ts';

export const RELEASE_SLOT_CODES = ['NOT_FOUND'] as const;

/** The kind of its public ids: never that of the reservation, which books the slot. */
export const HELD_SLOT = 'heldSlot' as const satisfies OwnedKind;

/** A reservation as hosts see it: `id` is its handle. */
export interface HeldSlotRow extends OwnedId {
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

const SHOWN = {
  ownerId: 'ownerId',
  id: 'handle',
  eventTypeId: 'eventTypeId',
  start: 'startsAt',
  end: 'endsAt',
  heldSince: 'heldSince',
  expiresAt: 'expiresAt',
} as const;

/**
 * Lists the holds at the moment, earliest start first: a page for each of these. The request's key has two columns.
 * @throws Problem BAD_INPUT
 */
export async function heldSlotPages(
  em: Em,
  heldFor: HeldFor,
  ids: readonly string[],
  request: PageRequest,
): Promise<Map<string, Page<HeldSlotRow>>> {
  const { within, order, orderAndLimit } = byTime('OLDEST_FIRST', sql`r.starts_at`, sql`r.handle`, request);
  const found = await read(
    em,
    sql<ForEach<HeldSlotRow>>`
      select ${FOUND_FOR}, ${selectColumnsAs(SlotReservation, SHOWN, 'r')}, e.title
      from ${eachOf({ id: ids })}
      cross join lateral (
        select * from slot_reservations r where ${OF[heldFor]} and r.expires_at > now() and ${within} ${orderAndLimit}
      ) r
      join event_types e on e.owner_id = r.owner_id and e.id = r.event_type_id
      ${order}`,
  );
  return pagesInPlace(found, ids, request);
}

/** A page of what is kept of a host's time. @throws Problem BAD_INPUT */
export async function listHeldSlots(em: Em, hostId: string, request: PageRequest): Promise<Page<HeldSlotRow>> {
  const pages = await heldSlotPages(em, 'HOST', [hostId], request);
  return pages.get(hostId) ?? { rows: [], hasNextPage: false, hasPreviousPage: false };
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
export async function releaseHeldSlot(em: Em, named: OwnedId, { hostId, right }: Releasing): Promise<void> {
  await em.transactional(async (inner) => {
    const notFound = notFoundHere(HELD_SLOT, named);
    if (right) await requireInCharge(inner, right, notFound);
    if (!(await lockOwner(inner, named.ownerId))) throw notFound;
    const released = updateTable(SlotReservation, { ownerId: named.ownerId, handle: named.id })
      .set({ expiresAt: sql<string>`now() - interval '1 millisecond'`, heldSince: ago(HELD_MINUTES, 'mins') })
      .where('expiresAt', '>', NOW)
      .where(right ? sql<boolean>`true` : sql<boolean>`item.host_ids @> array[${hostId}::uuid]`)
      .returning(['id', 'hostIds']);
    const ended = await row(inner, released);
    if (!ended) throw notFound;
    await release(inner, ended.hostIds, ended.id);
  });
}
