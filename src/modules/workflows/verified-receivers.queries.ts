import { type Em, row, sql } from '../../database/sql.ts';
import { areReadThrough } from '../bookings/lists/listed-owners.queries.ts';
import { inherited } from '../teams/team.queries.ts';
import { findVerified } from '../verified-resources/verified-resource.queries.ts';
import { ACTIONS, namedReceivers, type WorkflowStep } from './workflow.rules.ts';

/** The facts about a team that sends to its own addresses and numbers. */
export interface SendingTeam {
  /** IANA name. */
  readonly timeZone: string;
  /** Each with whether who answers for it may read what is told; else they are told only that it happened. */
  readonly verified: ReadonlyMap<string, boolean>;
}

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

const NO_NAMED: SendingTeam = { timeZone: 'UTC', verified: new Map() };

/**
 * The team of these steps, with those of their receivers that are verified by now. `ownerId`: the owner of what is
 * told.
 */
export async function findSendingTeam(
  em: Em,
  teamId: string,
  steps: readonly WorkflowStep[],
  ownerId: string,
): Promise<SendingTeam> {
  if (!steps.some(({ action }) => ACTIONS[action].namesReceiver)) return NO_NAMED;
  const found = await row(
    em,
    sql<Pick<SendingTeam, 'timeZone'>>`select ${inherited('timeZone')} as "timeZone"
      from teams t left join organizations o on o.id = t.organization_id where t.id = ${teamId}`,
  );
  return { timeZone: found?.timeZone ?? 'UTC', verified: await findVerifiedReceivers(em, teamId, steps, ownerId) };
}
