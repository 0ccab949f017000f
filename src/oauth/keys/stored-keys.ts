import { randomBytes } from 'node:crypto';
import { instantOf } from '../../core/instant.ts';
import type { RowOf } from '../../database/columns.ts';
import { decrypted, encrypted } from '../../database/encrypted.ts';
import { fromNow, NOW } from '../../database/expressions.ts';
import { changed, type Em, rows, sql } from '../../database/sql.ts';
import { insertInto, selectFrom, updateTable } from '../../database/statements.ts';
import { OAuthKey } from './oauth-key.entity.ts';
import { newSigningKey } from './signing-key.ts';

/** A row of the server's keys. `key` is its plain text: 32 bytes, or a private key as PKCS #8. */
export interface StoredKey {
  readonly id: string;
  readonly purpose: 'SIGNING' | 'DERIVATION';
  readonly key: Uint8Array;
  readonly activeAt: Temporal.Instant;
  readonly retiredAt: Temporal.Instant | undefined;
}

export interface MasterKeys {
  /** 32 bytes. */
  readonly current: Uint8Array;
  /** The one before, while it is being replaced. */
  readonly previous?: Uint8Array | undefined;
}

export type KeyRow = Pick<RowOf<typeof OAuthKey>, (typeof COLUMNS)[number]>;
const COLUMNS = ['id', 'purpose', 'wrapped', 'activeAt', 'retiredAt'] as const;

const DERIVATION_KEY_ID = 'derivation';
const KEY_BYTES = 32;

/**
 * Opens every key, and makes those that a new database lacks. Keys that are still wrapped under the previous master key
 * are wrapped anew, so that the next start needs that one no more.
 * @throws Error when a key cannot be opened: with another key, codes and tokens of the past would all be dead
 */
export function openStoredKeys(em: Em, master: MasterKeys): Promise<StoredKey[]> {
  return em.transactional(async (inner) => {
    // Two processes that start at once on a new database must not make two sets of keys.
    await lockStoredKeys(inner);
    const stored = await keyRows(inner);
    if (!stored.some(({ purpose }) => purpose === 'DERIVATION')) {
      await insertKey(inner, master, 'DERIVATION', { id: DERIVATION_KEY_ID, key: randomBytes(KEY_BYTES) });
    }
    if (!stored.some(({ purpose }) => purpose === 'SIGNING')) await insertSigningKey(inner, master);
    const keys: StoredKey[] = [];
    for (const keyRow of await keyRows(inner)) keys.push(await openAtStart(inner, master, keyRow));
    return keys;
  });
}

/** Until the end of the transaction, nobody else makes or retires keys. */
export async function lockStoredKeys(em: Em): Promise<void> {
  await rows(em, sql`select pg_advisory_xact_lock(hashtext('gatehouse: oauth_keys'))`);
}

export function keyRows(em: Em): Promise<KeyRow[]> {
  return rows(em, selectFrom(OAuthKey).select(COLUMNS).orderBy('activeAt').orderBy('createdAt').orderBy('id'));
}

export async function openKey({ current, previous }: MasterKeys, keyRow: KeyRow): Promise<StoredKey | undefined> {
  const { id, purpose, wrapped } = keyRow;
  const key = (await decrypted(current, id, wrapped)) ?? (previous && (await decrypted(previous, id, wrapped)));
  return (
    key && {
      id,
      purpose,
      key,
      activeAt: instantOf(keyRow.activeAt),
      retiredAt: keyRow.retiredAt === null ? undefined : instantOf(keyRow.retiredAt),
    }
  );
}

/** A new signing key that signs from `delayInSeconds` on. @returns its id */
export async function insertSigningKey(em: Em, master: MasterKeys, delayInSeconds = 0): Promise<string> {
  const { kid, pkcs8 } = await newSigningKey();
  await insertKey(em, master, 'SIGNING', { id: kid, key: pkcs8, delayInSeconds });
  return kid;
}

async function insertKey(
  em: Em,
  { current }: MasterKeys,
  purpose: StoredKey['purpose'],
  { id, key, delayInSeconds = 0 }: { id: string; key: Uint8Array; delayInSeconds?: number },
): Promise<void> {
  const wrapped = await encrypted(current, id, key);
  await changed(
    em,
    insertInto(OAuthKey).values({
      id,
      purpose,
      wrapped,
      createdAt: NOW,
      activeAt: fromNow(delayInSeconds, 'secs'),
    }),
  );
}

async function openAtStart(em: Em, master: MasterKeys, keyRow: KeyRow): Promise<StoredKey> {
  const opened = await openKey(master, keyRow);
  if (!opened) {
    throw new Error(
      `The ${keyRow.purpose.toLowerCase()} key ${keyRow.id} of this database cannot be opened with SECRET_KEY. Start with the SECRET_KEY that the database was used with; while you replace it, give the old one as SECRET_KEY_PREVIOUS.`,
    );
  }
  if ((await decrypted(master.current, keyRow.id, keyRow.wrapped)) === undefined) {
    const wrapped = await encrypted(master.current, keyRow.id, opened.key);
    await changed(em, updateTable(OAuthKey, { id: keyRow.id }).set({ wrapped }));
  }
  return opened;
}
