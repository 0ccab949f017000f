import type { PatchOf } from '../../../core/fields.ts';
import { isTeam, newId, publicId } from '../../../core/id.ts';
import { Problem } from '../../../core/problem.ts';
import { stored } from '../../../database/changes.ts';
import type { RowOf } from '../../../database/columns.ts';
import { LATER } from '../../../database/expressions.ts';
import { Selection } from '../../../database/selection.ts';
import { type Em, row, sql } from '../../../database/sql.ts';
import { updateTable } from '../../../database/statements.ts';
import { rethrowForMetadata, withMergedMetadata } from '../../../database/updates/merged-keys.ts';
import { violatedConstraint } from '../../../database/violated-constraint.ts';
import { lockOwned, updateOwnedIf } from '../../levels/change-owned.ts';
import { requireOwnId } from '../../levels/not-found-here.ts';
import type { Owner } from '../../levels/reach.ts';
import { EventType } from '../event-type.entity.ts';
import { EVENT_TYPES, type EventTypeRow } from '../event-type.queries.ts';
import { EVENT_TYPE_CODES } from '../event-type.rules.ts';
import { changeHosts, type HostsPatch } from '../event-type-hosts.ts';
import { eventTypeNotFound, reachOf, rethrowForSchedule } from '../event-type-owner.ts';
import { type EventTypePatch, eventTypeChanges, independentChanges } from '../event-type-patch.rules.ts';
import { lockedMistakes } from '../managed/child-event-type.rules.ts';
import { changeChildren, lockTeam } from '../managed/child-event-types.ts';
import { type TeamSettings, teamSettings } from '../settings/team-settings.rules.ts';
import { eventTypeSlugTaken } from './create-event-type.ts';

export const UPDATE_EVENT_TYPE_CODES = [...EVENT_TYPE_CODES, 'SLUG_TAKEN'] as const;

const ALL = Selection.whole(EventType).columns;

export type EventTypeUpdate = EventTypePatch & PatchOf<TeamSettings> & HostsPatch;

/**
 * Changes the fields that the patch names, and with them the children of a managed event type that follow these fields. @throws
 * Problem NOT_FOUND, FORBIDDEN, CONFLICT, SLUG_TAKEN, MANAGED_BY_TEAM; every mistake of the fields at once, then those of the
 * hosts
 */
export async function updateEventType(
  em: Em,
  owner: Owner,
  eventTypeId: string,
  patch: EventTypeUpdate,
  shown: Selection<typeof EventType>,
): Promise<RowOf<typeof EventType> | undefined> {
  try {
    return (await updateAlone(em, owner, eventTypeId, patch, shown)) ?? (await update(em, owner, eventTypeId, patch));
  } catch (error) {
    rethrowForSchedule(error, patch.scheduleId);
    if (violatedConstraint(error) === 'event_types_owner_id_slug_key') throw eventTypeSlugTaken(patch.slug ?? '');
    rethrowForMetadata(error);
  }
}

/**
 * By one statement, where the patch names nothing but fields whose rules are about each by itself, and nobody's children
 * follow. Undefined for all others, and for what has to be refused.
 */
async function updateAlone(
  em: Em,
  owner: Owner,
  eventTypeId: string,
  patch: EventTypeUpdate,
  shown: Selection<typeof EventType>,
): Promise<RowOf<typeof EventType> | undefined> {
  const values = independentChanges(patch);
  if (!values) return undefined;
  const isIts = lockedMistakes(patch).length === 0 ? sql`true` : sql`item.parent_id is null`;
  const hasNoChildren = isTeam(owner.ownerId) ? sql`item.scheduling_type is distinct from 'MANAGED'` : sql`true`;
  return updateOwnedIf(
    em,
    EVENT_TYPES,
    owner,
    eventTypeId,
    withMergedMetadata(values),
    shown,
    sql`${isIts} and ${hasNoChildren}`,
  );
}

/** In a transaction: under the lock of the row, and for a team under that of the team. */
async function update(em: Em, owner: Owner, eventTypeId: string, patch: EventTypeUpdate): Promise<undefined> {
  const { ownerId } = owner;
  const isOfTeam = isTeam(ownerId);
  await em.transactional(async (inner) => {
    if (isOfTeam) await lockTeam(inner, ownerId);
    // Its rules are about the whole: nobody else changes it while a patch is checked together with what stays.
    const before: EventTypeRow = await lockOwned(inner, EVENT_TYPES, owner, eventTypeId, ALL);
    if (before.parentId !== null) Problem.throwIfAny(lockedMistakes(patch));
    const fields = eventTypeChanges(before, patch, () => publicId('location', newId()));
    const forTeam = teamSettings(isOfTeam, patch);
    const scheduleId =
      fields.scheduleId == null ? fields.scheduleId : requireOwnId('schedule', fields.scheduleId, ownerId);
    if (isOfTeam) await changeHosts(inner, { owner, eventTypeId }, patch);
    const changed = await row<EventTypeRow>(
      inner,
      updateTable(EventType, { ownerId, id: eventTypeId })
        .set({ ...stored({ ...withMergedMetadata(fields), ...forTeam, scheduleId }), updatedAt: LATER })
        .where(owner.isInCharge)
        .returning(ALL),
    );
    if (!changed) {
      // The caller's role has ended since the row was locked: nothing of it is done.
      await owner.refuse(inner);
      throw eventTypeNotFound({ ownerId, id: eventTypeId });
    }
    if (isOfTeam) await changeChildren(inner, before, changed, reachOf(owner));
  });
  return undefined;
}
