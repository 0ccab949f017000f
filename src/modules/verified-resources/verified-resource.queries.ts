import type { OwnedId } from '../../core/id.ts';
import { eachOf, FOUND_FOR, type ForEach, inPlace } from '../../database/each.ts';
import { type Em, type RawBuilder, rows, sql } from '../../database/sql.ts';
import type { OwnedTable } from '../levels/owned.queries.ts';
import { isNoAdministrators } from '../organizations/group.ts';
import { TEAM } from '../teams/team-role.ts';
import { VerifiedEmail, VerifiedPhone } from './verified-resource.entity.ts';
import { type ReceiverKind, receiverOf } from './verified-resource.rules.ts';

export const VERIFIED_EMAILS: OwnedTable<typeof VerifiedEmail> = {
  entity: VerifiedEmail,
  kind: 'verifiedEmail',
  owner: 'ownerId',
};

export const VERIFIED_PHONES: OwnedTable<typeof VerifiedPhone> = {
  entity: VerifiedPhone,
  kind: 'verifiedPhone',
  owner: 'ownerId',
};

const TABLES = { EMAIL: sql`verified_emails`, PHONE: sql`verified_phones` } as const;

/** SQL: the table of verified receivers of a kind. */
export function verifiedIn(kind: ReceiverKind): RawBuilder<unknown> {
  return TABLES[kind];
}

/**
 * SQL: whether somebody answers for a verified receiver, a row `verified`. A person has verified their own. What is a team's counts
 * as long as who has given the code administers the team and is not suspended: else somebody who has left would go on being told.
 */
const IS_ANSWERED_FOR = sql<boolean>`(verified.team_id is null or (
  not ${isNoAdministrators(TEAM.standing(sql`verified.team_id`, sql`verified.verified_by_id`))}
  and exists (select from users v where v.id = verified.verified_by_id and v.suspended_at is null)))`;

/**
 * Which of these receivers, however they are spelt, are verified for a user or a team, and answered for: spelt as by `receiverOf`, each
 * with whether who answers for it may read what it is told, as `mayRead` says of them (SQL).
 */
export async function findVerified(
  em: Em,
  kind: ReceiverKind,
  ownerId: string,
  receivers: readonly string[],
  mayRead: (userId: RawBuilder<unknown>) => RawBuilder<boolean> = () => sql`true`,
): Promise<ReadonlyMap<string, boolean>> {
  const wanted = receivers.map((receiver) => receiverOf(kind, receiver));
  const found = await rows(
    em,
    sql<{ receiver: string; mayRead: boolean }>`
      select receiver, ${mayRead(sql`verified.verified_by_id`)} as "mayRead" from ${TABLES[kind]} verified
      where owner_id = ${ownerId} and receiver = any(${wanted}::text[]) and ${IS_ANSWERED_FOR}`,
  );
  return new Map(found.map(({ receiver, mayRead: reads }) => [receiver, reads]));
}

/** The most receivers that are named at once. */
const MAX_UNANSWERED = 50;

/** The addresses and numbers of a team for which nobody answers any more, as they were given, the oldest first. */
export async function findUnanswered(em: Em, teamId: string): Promise<string[]> {
  const of = (kind: ReceiverKind) => sql`
    select verified.id, verified.receiver from ${TABLES[kind]} verified where verified.owner_id = ${teamId} and not ${IS_ANSWERED_FOR}`;
  const found = await rows(
    em,
    sql<{ receiver: string }>`
      select receiver from (${of('EMAIL')} union all ${of('PHONE')}) unanswered order by id limit ${MAX_UNANSWERED}::int`,
  );
  return found.map(({ receiver }) => receiver);
}

/** Whether somebody answers for each of these, in their order. */
export async function findAnsweredFor(em: Em, kind: ReceiverKind, those: readonly OwnedId[]): Promise<boolean[]> {
  const each = eachOf({ owner_id: those.map(({ ownerId }) => ownerId), id: those.map(({ id }) => id) });
  const found = await rows(
    em,
    sql<ForEach<{ isAnsweredFor: boolean }>>`select ${FOUND_FOR}, ${IS_ANSWERED_FOR} as "isAnsweredFor"
      from ${each} join ${TABLES[kind]} verified on verified.owner_id = wanted.owner_id and verified.id = wanted.id`,
  );
  return inPlace(found, those.length).map((one) => one?.isAnsweredFor ?? false);
}
