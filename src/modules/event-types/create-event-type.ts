import { checkedFields, type PatchOf } from '../../core/fields.ts';
import { isId, newOwnedId } from '../../core/id.ts';
import { Problem } from '../../core/problem.ts';
import { type Em, row, sql } from '../../database/sql.ts';
import { violatedConstraint } from '../../database/violated-constraint.ts';
import { EVENT_TYPE_COLUMNS, type EventTypeRow } from './event-type.queries.ts';
import { EVENT_TYPE_FIELDS, type EventTypeFields } from './event-type.rules.ts';
import type { EventTypeOwner } from './event-type-owner.ts';

export type EventTypeInput = PatchOf<EventTypeFields> & Pick<EventTypeFields, 'slug' | 'title' | 'lengthInMinutes'>;

/** Offers something new to book. @throws Problem NOT_FOUND, FORBIDDEN, SLUG_TAKEN, and every mistake of the input at once */
export async function createEventType(em: Em, owner: EventTypeOwner, input: EventTypeInput): Promise<EventTypeRow> {
  const given = checkedFields(input, EVENT_TYPE_FIELDS);
  const { slug, title, lengthInMinutes, description = null, hidden = false, color = null, metadata = {} } = given;
  const { ownerId } = owner;
  const [userId, teamId] = isId('team', ownerId) ? [null, ownerId] : [ownerId, null];
  const created = await row<EventTypeRow>(
    em,
    sql`insert into event_types as e (owner_id, id, user_id, team_id, slug, title, description, length_in_minutes,
          hidden, color, metadata, created_at, updated_at)
        select ${ownerId}, ${newOwnedId('eventType', ownerId)}, ${userId}, ${teamId}, ${slug}, ${title},
          ${description}, ${lengthInMinutes}, ${hidden}, ${color}, ${JSON.stringify(metadata)}::jsonb, now(), now()
        where ${owner.isInCharge}
        on conflict (owner_id, slug) do nothing
        returning ${EVENT_TYPE_COLUMNS}`,
  ).catch(async (error: unknown) => {
    // The owner went away at this very moment: then there is somebody to refuse.
    if (violatedConstraint(error)?.endsWith('_foreign')) await owner.refuse(em);
    throw error;
  });
  if (created) return created;
  await owner.refuse(em);
  throw eventTypeSlugTaken(slug);
}

export function eventTypeSlugTaken(slug: string): Problem {
  return new Problem('SLUG_TAKEN', `The slug "${slug}" is taken by another event type of this owner; choose another.`, [
    'slug',
  ]);
}
