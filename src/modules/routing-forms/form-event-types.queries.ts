import { publicOwnedId } from '../../core/id.ts';
import type { Mistake } from '../../core/problem.ts';
import type { Path } from '../../core/text.ts';
import { eachOf } from '../../database/each.ts';
import { type Em, rows, sql } from '../../database/sql.ts';
import { isReachedBy, REACH } from '../levels/reach.ts';
import type { Target } from './routing-form.rules.ts';

/** Where a target stands in an input. */
export interface PlacedTarget {
  readonly path: Path;
  readonly target: Target;
}

/**
 * Checks the event types to which the form of a group leads: they must be the team's, or those of the teams and members
 * of the organization. A managed one is not booked itself.
 */
export async function eventTypeMistakes(em: Em, groupId: string, targets: readonly PlacedTarget[]): Promise<Mistake[]> {
  const named = targets.flatMap(({ path, target }) => (target.kind === 'EVENT_TYPE' ? [{ path, ...target }] : []));
  if (named.length === 0) return [];
  const wanted = eachOf({ owner_id: named.map(({ ownerId }) => ownerId), id: named.map(({ id }) => id) });
  const isReached = isReachedBy(REACH.organization.OWNER, sql`${groupId}::uuid`, sql`e.owner_id`);
  const found = await rows(
    em,
    sql<{ id: string; isManaged: boolean }>`
      select e.id, e.scheduling_type is not distinct from 'MANAGED' as "isManaged"
      from ${wanted} join event_types e on e.owner_id = wanted.owner_id and e.id = wanted.id
      where e.owner_id = ${groupId} or ${isReached}`,
  );
  return named.flatMap(({ path, ownerId, id }): Mistake[] => {
    const own: Path = [...path, 'eventTypeId'];
    const eventType = found.find((one) => one.id === id);
    const shown = publicOwnedId('eventType', { ownerId, id });
    if (!eventType) {
      const message = `The form cannot lead to the event type ${shown}: name one of its team, or of a team or member of its organization.`;
      return [{ code: 'NOT_FOUND', message, path: own }];
    }
    if (!eventType.isManaged) return [];
    const message = `The event type ${shown} is managed and not booked itself; name another one.`;
    return [{ code: 'NOT_POSSIBLE', message, path: own }];
  });
}
