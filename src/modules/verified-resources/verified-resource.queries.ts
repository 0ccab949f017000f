import { type Em, type RawBuilder, rows, sql } from '../../database/sql.ts';
import type { OwnedTable } from '../levels/owned.queries.ts';
import { VerifiedEmail } from './verified-email.entity.ts';
import { VerifiedPhone } from './verified-phone.entity.ts';
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

/** SQL: whether a receiver, spelt as by `receiverOf`, is verified for an owner by now: for the statement that depends on it. */
export function isVerified(
  kind: ReceiverKind,
  ownerId: RawBuilder<unknown>,
  receiver: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select 1 from ${TABLES[kind]} verified where verified.owner_id = ${ownerId} and verified.receiver = ${receiver}
  )`;
}

/** Which of these receivers, however they are spelt, are verified for a user or a team: spelt as by `receiverOf`. */
export async function findVerified(
  em: Em,
  kind: ReceiverKind,
  ownerId: string,
  receivers: readonly string[],
): Promise<ReadonlySet<string>> {
  const wanted = receivers.map((receiver) => receiverOf(kind, receiver));
  const found = await rows(
    em,
    sql<{ receiver: string }>`select receiver from ${TABLES[kind]}
      where owner_id = ${ownerId} and receiver = any(${wanted}::text[])`,
  );
  return new Set(found.map(({ receiver }) => receiver));
}
