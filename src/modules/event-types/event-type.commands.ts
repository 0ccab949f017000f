import type { PatchOf } from '../../core/fields.ts';
import { isTeam, newId, publicId, userOrTeam } from '../../core/id.ts';
import { inLanguages } from '../../core/language.ts';
import { Problem } from '../../core/problem.ts';
import { type RowOf, Selection } from '../../database/columns.ts';
import { violatedConstraint } from '../../database/failure.ts';
import { changed, type Em, LATER, row, sql } from '../../database/sql.ts';
import { deleteFrom, selectFrom, updateTable } from '../../database/statements.ts';
import { inserted, rethrowForMetadata, stored, withMergedMetadata } from '../../database/updates.ts';
import { hasRoom, type KeptRows, tooManyKept } from '../../limits/kept-rows.ts';
import { lockOwned, requireOwnId, updateOwnedIf } from '../levels/change-owned.ts';
import { type Owner, own } from '../levels/reach.ts';
import { createFirstSchedule, STANDARD_HOURS } from '../schedules/schedule.commands.ts';
import { lockOwnerAlone } from '../teams/lock-owner.ts';
import { EventType } from './event-type.entity.ts';
import {
  EVENT_TYPE_COLUMNS,
  EVENT_TYPES,
  type EventTypeRow,
  eventTypeNotFound,
  reachOf,
  rethrowForSchedule,
} from './event-type.queries.ts';
import {
  EVENT_TYPE_CODES,
  type EventTypeInput,
  type EventTypePatch,
  eventTypeChanges,
  independentChanges,
  MAX_EVENT_TYPES,
  newEventType,
  type TeamSettings,
  teamSettings,
} from './event-type.rules.ts';
import { changeHosts, type HostsPatch } from './event-type-hosts.ts';
import { lockedMistakes } from './managed-event-type.rules.ts';
import { changeChildren, createChildren, deleteChildren } from './managed-event-types.ts';

export const CREATE_EVENT_TYPE_CODES = [...EVENT_TYPE_CODES, 'SLUG_TAKEN'] as const;

export const UPDATE_EVENT_TYPE_CODES = [...EVENT_TYPE_CODES, 'SLUG_TAKEN'] as const;

type EventTypeUpdate = EventTypePatch & PatchOf<TeamSettings> & HostsPatch;

const KEPT: KeptRows = { what: 'event types', most: MAX_EVENT_TYPES };

type NewEventType = EventTypeInput & PatchOf<TeamSettings> & { readonly hosts?: HostsPatch['hostsSet'] };

/**
 * Offers something new to book. A team's is ROUND_ROBIN among all members where nothing is said.
 * @returns its id. @throws Problem NOT_FOUND, FORBIDDEN, SLUG_TAKEN, TOO_MANY; every mistake of the fields at once, then those of the hosts
 */
export async function createEventType(em: Em, owner: Owner, input: NewEventType): Promise<string> {
  const { ownerId } = owner;
  const isOfTeam = isTeam(ownerId);
  const { hosts, ...settings } = input;
  const fields = newEventType(settings, () => publicId('location', newId()));
  const forTeam = teamSettings(isOfTeam, input);
  const scheduleId = fields.scheduleId === null ? null : requireOwnId('schedule', fields.scheduleId, ownerId);
  const values = {
    ownerId,
    id: newId(),
    ...userOrTeam(ownerId),
    ...fields,
    scheduleId,
    ...(isOfTeam && { schedulingType: 'ROUND_ROBIN', assignsAllMembers: (hosts ?? []).length === 0, ...forTeam }),
  };
  const created = await em
    .transactional(async (inner) => {
      // One at a time for each owner, so that they are counted right.
      await lockOwnerAlone(inner, owner);
      const made = await insertEventType(inner, owner, values);
      if (made && isOfTeam) {
        await changeHosts(inner, { owner, eventTypeId: made.id }, { hostsSet: hosts }, ['hosts']);
        if (made.schedulingType === 'MANAGED') await createChildren(inner, made, reachOf(owner));
      }
      return made;
    })
    .catch((error: unknown) => {
      rethrowForSchedule(error, fields.scheduleId);
      throw error;
    });
  if (created) return created.id;
  await owner.refuse(em);
  const isTaken = await row(em, selectFrom(EventType, { ownerId, slug: fields.slug }).select('id'));
  throw isTaken ? eventTypeSlugTaken(fields.slug) : tooManyKept(KEPT);
}

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
 * Takes something off the list of what can be booked, a managed event type with its children.
 * @throws Problem NOT_FOUND, FORBIDDEN, MANAGED_BY_TEAM
 */
export async function deleteEventType(em: Em, owner: Owner, eventTypeId: string): Promise<void> {
  const { ownerId } = owner;
  const count = await em.transactional(async (inner) => {
    const isOfTeam = isTeam(ownerId);
    if (isOfTeam) await lockOwnerAlone(inner, owner);
    const deleted = await changed(
      inner,
      deleteFrom(EventType, { ownerId, id: eventTypeId, parentId: null }).where(owner.isInCharge),
    );
    if (deleted > 0 && isOfTeam) await deleteChildren(inner, { ownerId, id: eventTypeId }, reachOf(owner));
    return deleted;
  });
  if (count > 0) return;
  await owner.refuse(em);
  const child = await row(em, selectFrom(EventType, { ownerId, id: eventTypeId }).select('id'));
  throw child ? managedByTeam() : eventTypeNotFound({ ownerId, id: eventTypeId });
}

/** The first event type and schedule of every new account; its user may call them anything else. */
const firstWords = inLanguages(
  { slug: 'meeting', title: 'Meeting', hours: 'Working hours' },
  { de: { slug: 'termin', title: 'Termin', hours: 'Arbeitszeiten' } },
);
const FIRST_LENGTH = 30;

/** Makes an account ready to be booked: working hours, and an event type. In the transaction that makes the account. */
export async function furnishAccount(em: Em, userId: string, locale = 'en'): Promise<void> {
  const { hours, ...words } = firstWords(locale);
  await createFirstSchedule(em, userId, STANDARD_HOURS, hours);
  await createEventType(em, own(userId), { ...words, durationInMinutes: FIRST_LENGTH });
}

async function insertEventType(em: Em, owner: Owner, values: object): Promise<EventTypeRow | undefined> {
  const given = inserted({ ...values });
  return row<EventTypeRow>(
    em,
    sql`insert into event_types as e (${given.columns}, created_at, updated_at)
        select ${given.values}, now(), now()
        where ${owner.isInCharge} and ${hasRoom(KEPT, sql`event_types where owner_id = ${owner.ownerId} and parent_id is null`)}
        on conflict (owner_id, slug) do nothing
        returning ${EVENT_TYPE_COLUMNS}`,
  );
}

function eventTypeSlugTaken(slug: string): Problem {
  return new Problem('SLUG_TAKEN', `The slug "${slug}" is taken by another event type of this owner; choose another.`, [
    'slug',
  ]);
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

const ALL = Selection.whole(EventType).columns;

/** In a transaction: under the lock of the row, and for a team under that of the team. */
async function update(em: Em, owner: Owner, eventTypeId: string, patch: EventTypeUpdate): Promise<undefined> {
  const { ownerId } = owner;
  const isOfTeam = isTeam(ownerId);
  await em.transactional(async (inner) => {
    if (isOfTeam) await lockOwnerAlone(inner, owner);
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

function managedByTeam(): Problem {
  const advice = 'leave the team, or ask one of its administrators to take you off the hosts';
  return new Problem('MANAGED_BY_TEAM', `This event type is managed by a team; ${advice}.`, ['eventTypeId']);
}
