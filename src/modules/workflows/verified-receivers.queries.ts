import type { Em } from '../../database/sql.ts';
import { findVerified } from '../verified-resources/verified-resource.queries.ts';
import { namedReceivers, type WorkflowStep } from './workflow.rules.ts';

/** The addresses and numbers that steps name, as far as they are verified for the team by now. */
export async function findVerifiedReceivers(
  em: Em,
  teamId: string,
  steps: readonly WorkflowStep[],
): Promise<ReadonlySet<string>> {
  const verified = new Set<string>();
  for (const kind of ['EMAIL', 'PHONE'] as const) {
    const named = namedReceivers(steps, kind);
    if (named.length === 0) continue;
    for (const receiver of await findVerified(em, kind, teamId, named)) verified.add(receiver);
  }
  return verified;
}
