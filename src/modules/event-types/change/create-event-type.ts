import type { PatchOf } from '../../../core/fields.ts';
import { isTeam, newId, publicId, userOrTeam } from '../../../core/id.ts';
import { Problem } from '../../../core/problem.ts';
import { inserted } from '../../../database/changes.ts';
import { type Em, row, sql } from '../../../database/sql.ts';
import { violatedConstraint } from '../../../database/violated-constraint.ts';
import { requireOwnId } from '../../levels/not-found-here.ts';
import type { Owner } from '../../levels/reach.ts';
import { EVENT_TYPE_COLUMNS, type EventTypeRow } from '../event-type.queries.ts';
import { EVENT_TYPE_CODES } from '../event-type.rules.ts';
import { changeHosts, type HostsPatch } from '../event-type-hosts.ts';
import { reachOf, rethrowForSchedule } from '../event-type-owner.ts';
import { type EventTypeInput, newEventType } from '../event-type-patch.rules.ts';
import { createChildren, lockTeam } from '../managed/child-event-types.ts';
import { type TeamSettings, teamSettings } from '../settings/team-settings.rules.ts';

export const CREATE_EVENT_TYPE_CODES = [...EVENT_TYPE_CODES, 'SLUG_TAKEN'] as const;

export type NewEventType = EventTypeInput & PatchOf<TeamSettings> & { readonly hosts?: HostsPatch['hostsSet'] };

/**
 * Offers something new to book. A team's is ROUND_ROBIN among all members where nothing is said.
 * @returns its id. @throws Problem NOT_FOUND, FORBIDDEN, SLUG_TAKEN; every mistake of the fields at once, then those of the hosts
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
    ...(isOfTeam && { schedulingType: 'ROUND_ROBIN', assignAllMembers: (hosts ?? []).length === 0, ...forTeam }),
  };
  const created = await em
    .transactional(async (inner) => {
      if (isOfTeam) await lockTeam(inner, ownerId);
      const made = await insertEventType(inner, owner, values);
      if (made && isOfTeam) {
        await changeHosts(inner, { owner, eventTypeId: made.id }, { hostsSet: hosts }, ['hosts']);
        if (made.schedulingType === 'MANAGED') await createChildren(inner, made, reachOf(owner));
      }
      return made;
    })
    .catch(async (error: unknown) => {
      rethrowForSchedule(error, fields.scheduleId);
      // The owner went away at this very moment: then there is somebody to refuse.
      if (violatedConstraint(error)?.endsWith('_foreign')) await owner.refuse(em);
      throw error;
    });
  if (created) return created.id;
  await owner.refuse(em);
  throw eventTypeSlugTaken(fields.slug);
}

async function insertEventType(em: Em, owner: Owner, values: object): Promise<EventTypeRow | undefined> {
  const given = inserted({ ...values });
  return row<EventTypeRow>(
    em,
    sql`insert into event_types as e (${given.columns}, created_at, updated_at)
        select ${given.values}, now(), now()
        where ${owner.isInCharge}
        on conflict (owner_id, slug) do nothing
        returning ${EVENT_TYPE_COLUMNS}`,
  );
}

export function eventTypeSlugTaken(slug: string): Problem {
  return new Problem('SLUG_TAKEN', `The slug "${slug}" is taken by another event type of this owner; choose another.`, [
    'slug',
  ]);
}
