/**
 * keys/ owns the keys that sign access tokens: made, wrapped, rotated, published (RFC 7517), and those of uids. It may import no other
 * room.
 */
import type { DatabaseClock } from '../../database/database-clock.ts';
import { apartFromCaller } from '../../database/deadline.ts';
import type { Em } from '../../database/sql.ts';
import { ACCESS_TOKEN_SECONDS } from '../protocol/access-token.ts';
import {
  keyRows,
  type MasterKeys,
  openKey,
  openStoredKeys,
  type PublicJwk,
  readSigningKey,
  type SigningKey,
  type StoredKey,
  uidKeyNumber,
} from './signing-keys.ts';

/** The shortest pause between two looks for new keys: a token with an unknown key id causes one, and anybody can send such a token. */
const SHORTEST_PAUSE_IN_MS = 3_000;
/** How long a process may not know of a new key; rotation publishes it long before it signs. */
const RELOAD_EVERY_MS = 60_000;
/** A retired key stays published this long after the last token that it signed has expired. */
const SLACK_SECONDS = 300;

/** The keys of the server, in memory. Tokens, codes and forms hang on them, and they hang on the master key. */
export class KeyRing {
  readonly #em: Em;
  readonly #master: MasterKeys;
  readonly #clock: DatabaseClock;
  /**
   * The key that refresh tokens, codes and anti-forgery tokens are derived from. It outlives a change of the master
   * key.
   */
  readonly derivationKey: Uint8Array;
  #signingKeys: readonly SigningKey[];
  #uidKeys: readonly StoredKey[] = [];
  #byNumber: ReadonlyMap<number, Uint8Array> = new Map();
  #loadedAt = performance.now();
  #loading: Promise<void> | undefined;

  private constructor(em: Em, master: MasterKeys, clock: DatabaseClock, stored: readonly StoredKey[]) {
    const derivation = stored.find(({ purpose }) => purpose === 'DERIVATION');
    if (!derivation) throw new Error('The database has no derivation key.');
    this.#em = em;
    this.#master = master;
    this.#clock = clock;
    this.derivationKey = derivation.key;
    this.#signingKeys = signingKeysOf(stored);
    this.#useUidKeys(stored);
  }

  /** Opens the keys of the database, or makes the first ones. @throws Error when the master key is not theirs */
  static async open(em: Em, master: MasterKeys, clock: DatabaseClock): Promise<KeyRing> {
    return new KeyRing(em, master, clock, await openStoredKeys(em, master));
  }

  /** The key of a token that is issued at this instant: the same in every process, and again when it is signed again. */
  signingKeyAt(issuedAt: Temporal.Instant): SigningKey {
    const isActive = ({ activeAt }: SigningKey): boolean => activeAt.epochMilliseconds <= issuedAt.epochMilliseconds;
    const key = this.#signingKeys.findLast(isActive) ?? this.#signingKeys[0];
    if (!key) throw new Error('The database has no signing key.');
    return key;
  }

  /** Those that read uids of bookings, by their numbers, and the number of the one that writes them now. */
  uidKeys(): { readonly keys: ReadonlyMap<number, Uint8Array>; readonly writer: number } {
    const now = this.#clock.now();
    const writer = this.#uidKeys.findLast(({ activeAt }) => activeAt.epochMilliseconds <= now) ?? this.#uidKeys[0];
    if (!writer) throw new Error('The database has no key of uids.');
    return { keys: this.#byNumber, writer: uidKeyNumber(writer.id) };
  }

  /** The key to verify a token with; looks for new keys when this one is unknown. */
  async verificationKey(kid: string): Promise<SigningKey | undefined> {
    const known = this.#findPublished(kid);
    const isDue = performance.now() - this.#loadedAt >= SHORTEST_PAUSE_IN_MS;
    if (known || !isDue) return known;
    await this.reload();
    return this.#findPublished(kid);
  }

  /** Reads the keys anew if that is due; for a timer. */
  async reloadIfDue(): Promise<void> {
    if (performance.now() - this.#loadedAt >= RELOAD_EVERY_MS) await this.reload();
  }

  /** Reads the keys anew: one that was made or retired elsewhere is noticed without a restart. */
  reload(): Promise<void> {
    this.#loading ??= apartFromCaller(() => this.#load()).finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  /** The JWK set (RFC 7517 §5): keys to come, in use, and retired but still needed. */
  jwks(): { readonly keys: readonly PublicJwk[] } {
    return { keys: this.#signingKeys.filter((key) => this.#isPublished(key)).map(({ publicJwk }) => publicJwk) };
  }

  async #load(): Promise<void> {
    this.#loadedAt = performance.now();
    const found = await keyRows(this.#em);
    const opened = await Promise.all(found.map((keyRow) => openKey(this.#master, keyRow)));
    const stored = opened.filter((key) => key !== undefined);
    // While the master key is being replaced, a key may be wrapped under one that this process does not have yet.
    const signingKeys = signingKeysOf(stored);
    const closed = this.#uidKeys.filter(({ id }) => found.some((one, at) => one.id === id && !opened[at]));
    this.#useUidKeys([...closed, ...stored]);
    const lost = this.#signingKeys.filter(({ kid }) => !signingKeys.some((key) => key.kid === kid));
    this.#signingKeys = [...lost, ...signingKeys].toSorted(byActivation);
  }

  #useUidKeys(stored: readonly StoredKey[]): void {
    this.#uidKeys = stored.filter(({ purpose }) => purpose === 'UIDS').toSorted(byActivation);
    this.#byNumber = new Map(this.#uidKeys.map(({ id, key }) => [uidKeyNumber(id), key]));
  }

  #findPublished(kid: string): SigningKey | undefined {
    return this.#signingKeys.find((key) => key.kid === kid && this.#isPublished(key));
  }

  #isPublished({ retiredAt }: SigningKey): boolean {
    const neededSeconds = ACCESS_TOKEN_SECONDS + SLACK_SECONDS;
    return !retiredAt || this.#clock.now() < retiredAt.epochMilliseconds + neededSeconds * 1_000;
  }
}

function signingKeysOf(stored: readonly StoredKey[]): readonly SigningKey[] {
  return stored
    .filter(({ purpose }) => purpose === 'SIGNING')
    .map(({ id, key, activeAt, retiredAt }) => readSigningKey(id, key, { activeAt, retiredAt }))
    .toSorted(byActivation);
}

function byActivation(a: Pick<SigningKey, 'activeAt'>, b: Pick<SigningKey, 'activeAt'>): number {
  return Temporal.Instant.compare(a.activeAt, b.activeAt);
}
