/**
 * updates/ is how changes by several at once go together: metadata is merged by key, and an update may ask for the state that
 * it is for.
 *
 * Updates for what their caller has read: `ifUpdatedAt` names the last change that they have seen, and whatever has changed
 * since is not overwritten. It works because the time of the last change grows with each change (`LATER`).
 */
import { instantOf } from '../../core/instant.ts';
import { Problem } from '../../core/problem.ts';
import type { Entity, RowOf } from '../columns.ts';
import { type Em, type RawBuilder, row, sql } from '../sql.ts';
import { selectFrom } from '../statements.ts';

/** The `ifUpdatedAt` of an update; without one, every state is right. */
export type LastSeen = Temporal.Instant | null | undefined;

/** SQL: whether a row is as its caller has seen it. It belongs into the statement that changes the row, or locks it. */
export function isAsSeen(lastSeen: LastSeen, alias = 'item'): RawBuilder<boolean> {
  if (lastSeen == null) return sql<boolean>`true`;
  return sql<boolean>`${sql.ref(`${alias}.updated_at`)} = ${lastSeen.toString()}::timestamptz`;
}

/** Why nothing was changed of a row for which the condition over `item` holds: looked up after the statement has decided. @throws Problem CONFLICT */
export async function throwIfChanged<E extends Entity>(
  em: Em,
  entity: E,
  key: Partial<RowOf<E>>,
  lastSeen: LastSeen,
  condition: RawBuilder<boolean> = sql`true`,
): Promise<void> {
  if (lastSeen == null) return;
  const found = await row(em, selectFrom(entity, key).where(condition).select(sql<string>`updated_at`.as('updatedAt')));
  if (found) throwIfNotAsSeen(found.updatedAt, lastSeen);
}

/** The same for what is locked until the transaction ends. @throws Problem CONFLICT */
export function throwIfNotAsSeen(updatedAt: string, lastSeen: LastSeen): void {
  const changedAt = instantOf(updatedAt);
  if (lastSeen == null || changedAt.equals(lastSeen)) return;
  const message = `It was last changed at ${changedAt.toString()}, and not at ${lastSeen.toString()}: read it again, merge your change into what it is now, and send it with the new updatedAt.`;
  throw new Problem('CONFLICT', message, ['ifUpdatedAt']);
}
