import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose/jwk/thumbprint';
import { instantOf } from '../../core/instant.ts';
import { Problem } from '../../core/problem.ts';
import type { RowOf } from '../../database/columns.ts';
import { decrypted, encrypted } from '../../database/encrypted.ts';
import { changed, type Em, fromNow, NOW, row, rows, sql } from '../../database/sql.ts';
import { insertInto, selectFrom, updateTable } from '../../database/statements.ts';
import { recordAudit } from '../../events/record-audit.ts';
import { OAuthKey } from './oauth-key.entity.ts';

/** A row of the server's keys. `key` is its plain text: 32 bytes, or a private key as PKCS #8. */
export interface StoredKey {
  readonly id: string;
  readonly purpose: 'SIGNING' | 'DERIVATION' | 'UIDS';
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

type KeyRow = Pick<RowOf<typeof OAuthKey>, (typeof COLUMNS)[number]>;
const COLUMNS = ['id', 'purpose', 'wrapped', 'activeAt', 'retiredAt'] as const;

/** The one algorithm: signatures of equal bytes are equal, which the identical retry of a refresh needs. */
export const SIGNING_ALGORITHM = 'EdDSA';

/** The public key by which a client verifies our signatures (RFC 7517, RFC 8037). */
export interface PublicJwk {
  readonly kty: string;
  readonly crv: string;
  readonly x: string;
  readonly kid: string;
  readonly alg: typeof SIGNING_ALGORITHM;
  readonly use: 'sig';
}

export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly publicJwk: PublicJwk;
  /** From here on it signs. It is published before, so that verifiers know it in time. */
  readonly activeAt: Temporal.Instant;
  /** When its successor took over. */
  readonly retiredAt: Temporal.Instant | undefined;
}

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
    if (!stored.some(({ purpose }) => purpose === 'UIDS')) await insertUidKey(inner, master, 0);
    const keys: StoredKey[] = [];
    for (const keyRow of await keyRows(inner)) keys.push(await openAtStart(inner, master, keyRow));
    return keys;
  });
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

/** Longer than the hour for which a JWK set may be cached: verifiers know a key before it signs. */
const OVERLAP_SECONDS = 3_900;

interface RotatedSigningKey {
  readonly kid: string;
  /** When it begins to sign. The one before stays published until its last token has expired. */
  readonly activeAt: Temporal.Instant;
}

/** Publishes a new signing key, which takes over after the overlap. Running processes notice by themselves. */
export function rotateSigningKey(
  em: Em,
  master: MasterKeys,
  overlapInSeconds: number = OVERLAP_SECONDS,
): Promise<RotatedSigningKey> {
  return em.transactional(async (inner) => {
    await lockStoredKeys(inner);
    const waiting = await waitingKey(inner, 'SIGNING');
    if (waiting) {
      throw new Problem(
        'ROTATION_UNDER_WAY',
        `The signing key ${waiting.id} is published and begins to sign at ${waiting.activeAt}; rotate again after that.`,
      );
    }
    const kid = await insertSigningKey(inner, master, overlapInSeconds);
    const activeAt = await retireOthers(inner, 'SIGNING', kid);
    await recordAudit(inner, { type: 'SIGNING_KEY_ROTATED', detail: { kid } });
    return { kid, activeAt };
  });
}

/** The key of this purpose that is stored and has yet to begin. */
function waitingKey(em: Em, purpose: StoredKey['purpose']) {
  const keys = selectFrom(OAuthKey, { purpose }).where('activeAt', '>', NOW);
  return row(em, keys.select(['id', 'activeAt']).limit(1));
}

/** Retires the keys of before from when this one begins. @returns when that is */
async function retireOthers(em: Em, purpose: StoredKey['purpose'], id: string): Promise<Temporal.Instant> {
  const stored = await row(em, selectFrom(OAuthKey, { id }).select('activeAt'));
  if (!stored) throw new Error(`The key ${id} was not stored.`);
  const others = updateTable(OAuthKey, { purpose, retiredAt: null }).where('id', '<>', id);
  await changed(em, others.set({ retiredAt: stored.activeAt }));
  return instantOf(stored.activeAt);
}

/** The number of a key of uids. */
export function uidKeyNumber(id: string): number {
  return Number(id.slice(UID_KEY_ID.length));
}

/** So long running processes have to notice a new key before it writes uids; they look every minute. */
const UID_OVERLAP_SECONDS = 600;
/** One digit of a uid (booking-key.rules.ts). */
const UID_KEY_NUMBERS = 36;

interface RotatedUidKey {
  readonly number: number;
  /** When it begins to write. */
  readonly activeAt: Temporal.Instant;
  /** The numbers of keys that were deleted, as all that was booked under them is over. */
  readonly deleted: readonly number[];
}

/** Makes a new key of uids. Those of before read, until what was booked under them has ended and the next one is made. */
export function rotateUidKey(em: Em, master: MasterKeys): Promise<RotatedUidKey> {
  return em.transactional(async (inner) => {
    await lockStoredKeys(inner);
    const before = await rows(inner, selectFrom(OAuthKey, { purpose: 'UIDS' }).select('id').orderBy('activeAt'));
    const newest = before.at(-1);
    if (!newest || (await waitingKey(inner, 'UIDS'))) {
      const message = 'The key of uids that was made last does not write yet; rotate again after that.';
      throw new Problem('ROTATION_UNDER_WAY', message);
    }
    const deleted = (await deleteEndedUidKeys(inner)).map(uidKeyNumber);
    const taken = new Set(before.map(({ id }) => uidKeyNumber(id)).filter((number) => !deleted.includes(number)));
    const following = Array.from(
      { length: UID_KEY_NUMBERS },
      (_, n) => (uidKeyNumber(newest.id) + 1 + n) % UID_KEY_NUMBERS,
    );
    const number = following.find((one) => !taken.has(one));
    if (number === undefined) {
      const message = `There are ${UID_KEY_NUMBERS} keys of uids, and under each of them a booking that is not over; rotate again after that.`;
      throw new Problem('ROTATION_UNDER_WAY', message);
    }
    await insertUidKey(inner, master, number, UID_OVERLAP_SECONDS);
    const activeAt = await retireOthers(inner, 'UIDS', UID_KEY_ID + number);
    await recordAudit(inner, { type: 'UID_KEY_ROTATED', detail: { number } });
    return { number, activeAt, deleted };
  });
}

/**
 * Deletes retired keys under which nothing was booked that has not ended. A seat keeps its uid in whichever booking it is; its id says
 * when it was taken.
 */
async function deleteEndedUidKeys(em: Em): Promise<readonly string[]> {
  const lastId = sql`(lpad(to_hex((extract(epoch from k.retired_at) * 1000)::bigint), 12, '0') || repeat('f', 20))::uuid`;
  const deleted = await rows(
    em,
    sql<{ id: string }>`
      delete from oauth_keys k where k.purpose = 'UIDS' and k.retired_at < now()
        and not exists (select from bookings b where b.created_at <= k.retired_at and b.ends_at > now())
        and not exists (
          select from booking_attendees a join bookings b on b.owner_id = a.owner_id and b.id = a.booking_id
          where a.seat_id <= ${lastId} and b.ends_at > now())
      returning k.id`,
  );
  return deleted.map(({ id }) => id);
}

const UID_KEY_ID = 'uids-';

async function insertUidKey(em: Em, master: MasterKeys, number: number, delayInSeconds = 0): Promise<void> {
  await insertKey(em, master, 'UIDS', { id: UID_KEY_ID + number, key: randomBytes(KEY_BYTES), delayInSeconds });
}

/** The public part is derived and not read from the database: somebody who can write there still cannot make us trust another key. */
export function readSigningKey(
  kid: string,
  pkcs8: Uint8Array,
  times: Pick<SigningKey, 'activeAt' | 'retiredAt'>,
): SigningKey {
  const privateKey = createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey);
  const { crv = '', x = '' } = publicKey.export({ format: 'jwk' });
  const publicJwk: PublicJwk = { kty: 'OKP', crv, x, kid, alg: SIGNING_ALGORITHM, use: 'sig' };
  return { kid, privateKey, publicKey, publicJwk, ...times };
}

/** Until the end of the transaction, nobody else makes or retires keys. */
async function lockStoredKeys(em: Em): Promise<void> {
  await rows(em, sql`select pg_advisory_xact_lock(hashtext('gatehouse: oauth_keys'))`);
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

/** A new signing key that signs from `delayInSeconds` on. @returns its id */
async function insertSigningKey(em: Em, master: MasterKeys, delayInSeconds = 0): Promise<string> {
  const { kid, pkcs8 } = await newSigningKey();
  await insertKey(em, master, 'SIGNING', { id: kid, key: pkcs8, delayInSeconds });
  return kid;
}

/** A new Ed25519 key: its id, and its private part as PKCS #8. */
async function newSigningKey(): Promise<{ readonly kid: string; readonly pkcs8: Uint8Array }> {
  const { privateKey } = generateKeyPairSync('ed25519');
  const pkcs8 = privateKey.export({ format: 'der', type: 'pkcs8' });
  return { kid: await keyId(createPublicKey(privateKey)), pkcs8 };
}

/** RFC 7638: the id is the key's thumbprint, so it is the same wherever it is computed. */
function keyId(publicKey: KeyObject): Promise<string> {
  return calculateJwkThumbprint(publicKey.export({ format: 'jwk' }));
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
