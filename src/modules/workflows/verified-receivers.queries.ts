import { type Em, sql } from '../../database/sql.ts';
import { areReadThrough } from '../bookings/lists/group-owner.queries.ts';
import { findVerified } from '../verified-resources/verified-resource.queries.ts';
import { namedReceivers, type WorkflowStep } from './workflow.rules.ts';

/**
 * The addresses and numbers that steps name, as far as they are verified for the team by now, each with whether who answers for it may
 * read what is this owner's: the team's own, if none is given.
 */
export async function findVerifiedReceivers(
  em: Em,
  teamId: string,
  steps: readonly WorkflowStep[],
  ownerId: string = teamId,
): Promise<ReadonlyMap<string, boolean>> {
  const verified = new Map<string, boolean>();
  for (const kind of ['EMAIL', 'PHONE'] as const) {
    const named = namedReceivers(steps, kind);
    if (named.length === 0) continue;
    const found = await findVerified(em, kind, teamId, named, (userId) =>
      areReadThrough(sql`${teamId}::uuid`, userId, sql`${ownerId}::uuid`),
    );
    for (const [receiver, mayRead] of found) verified.set(receiver, mayRead);
  }
  return verified;
}
