import { decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId, newUserId } from '../../../src/core/id.ts';
import { DatabaseClock } from '../../../src/database/database-clock.ts';
import { changed, type Em, row, rows, sql } from '../../../src/database/sql.ts';
import { KeyRing } from '../../../src/oauth/keys/key-ring.ts';
import { rotateSigningKey } from '../../../src/oauth/keys/signing-keys.ts';
import { issueTokens } from '../../../src/oauth/tokens/access-tokens.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';

const MASTER = new Uint8Array(32).fill(1);
const OTHER = new Uint8Array(32).fill(2);

let database: TestDatabase;
let em: Em;
beforeAll(async () => {
  database = await openTestDatabase();
  em = database.em.fork();
});
afterAll(() => database.close());

describe('the keys of a new database', () => {
  test('are made once, however many processes start at the same time', async () => {
    const rings = await Promise.all(Array.from({ length: 8 }, () => openRing()));
    expect(await rows(em, sql`select id from oauth_keys`)).toHaveLength(3);
    expect(new Set(rings.map(({ derivationKey }) => Buffer.from(derivationKey).toString('hex'))).size).toBe(1);
    expect(new Set(rings.map((ring) => ring.signingKeyAt(Temporal.Now.instant()).kid)).size).toBe(1);
  });

  test('cannot be read from the database', async () => {
    const ring = await openRing();
    const stored = JSON.stringify(await rows(em, sql`select * from oauth_keys`));
    expect(stored).not.toContain(Buffer.from(ring.derivationKey).toString('base64url'));
    expect(stored).not.toContain(ring.signingKeyAt(Temporal.Now.instant()).privateKey.export({ format: 'jwk' }).d);
  });

  test('publish only their public part', async () => {
    const [jwk] = (await openRing()).jwks().keys;
    expect(jwk).toEqual({
      kty: 'OKP',
      crv: 'Ed25519',
      x: expect.any(String),
      kid: expect.any(String),
      alg: 'EdDSA',
      use: 'sig',
    });
  });
});

describe('the master key', () => {
  test('is needed: with another one the server does not start, and says what to do', async () => {
    await expect(openRing(OTHER)).rejects.toThrow(/cannot be opened with SECRET_KEY.*SECRET_KEY_PREVIOUS/);
    await expect(openRing(MASTER)).resolves.toBeInstanceOf(KeyRing);
  });

  test('can be replaced: the keys stay, and afterwards the old one is needed no more', async () => {
    const before = await openRing();
    const during = await KeyRing.open(em, { current: OTHER, previous: MASTER }, new DatabaseClock());
    const after = await openRing(OTHER);
    expect([during.derivationKey, after.derivationKey]).toEqual([before.derivationKey, before.derivationKey]);
    expect(after.jwks()).toEqual(before.jwks());
    await expect(openRing(MASTER)).rejects.toThrow(/SECRET_KEY/);
    await KeyRing.open(em, { current: MASTER, previous: OTHER }, new DatabaseClock());
  });

  test('opens no key that was put into the row of another one', async () => {
    const wrapped = await row(
      em,
      sql<{ wrapped: string }>`select wrapped from oauth_keys where purpose = 'DERIVATION'`,
    );
    await changed(
      em,
      sql`insert into oauth_keys (id, purpose, wrapped, created_at, active_at) values ('swapped', 'SIGNING', ${wrapped?.wrapped}, now(), now())`,
    );
    await expect(openRing()).rejects.toThrow(/key swapped/);
    await changed(em, sql`delete from oauth_keys where id = 'swapped'`);
  });
});

describe('rotating the signing key', () => {
  test('publishes the new key before it signs, and keeps the old one for what it has signed', async () => {
    const ring = await openRing();
    const old = ring.signingKeyAt(now());
    const { kid, activeAt } = await rotateSigningKey(em, { current: MASTER }, 100);
    await ring.reload();
    expect(ring.jwks().keys.map((jwk) => jwk.kid)).toEqual([old.kid, kid]);
    expect(ring.signingKeyAt(activeAt.subtract({ seconds: 1 })).kid).toBe(old.kid);
    expect(ring.signingKeyAt(activeAt).kid).toBe(kid);
    expect(ring.signingKeyAt(now().subtract({ hours: 5 })).kid).toBe(old.kid);
  });

  test('is refused while the last new key does not sign yet', async () => {
    await expect(rotateSigningKey(em, { current: MASTER })).rejects.toMatchObject({ code: 'ROTATION_UNDER_WAY' });
  });

  test('ends the publication of the old key when its last token has expired', async () => {
    const ring = await openRing();
    const [oldest] = ring.jwks().keys;
    await changed(em, sql`update oauth_keys set active_at = now() - interval '1 second' where active_at > now()`);
    await changed(
      em,
      sql`update oauth_keys set retired_at = now() - interval '1800 seconds' where id = ${oldest?.kid}`,
    );
    await ring.reload();
    expect(ring.jwks().keys.map(({ kid }) => kid)).toContain(oldest?.kid);
    await changed(em, sql`update oauth_keys set retired_at = now() - interval '3 hours' where id = ${oldest?.kid}`);
    await ring.reload();
    expect(ring.jwks().keys.map(({ kid }) => kid)).not.toContain(oldest?.kid);
    expect(await ring.verificationKey(oldest?.kid ?? '')).toBeUndefined();
  });

  test('does not change what a pair of tokens of the past looks like', async () => {
    const ring = await openRing();
    const grant = {
      id: newId(),
      clientId: 'app',
      userId: newUserId(),
      seed: 'seed',
      generation: 1,
      rotatedAt: now(),
    };
    const issue = (keys: KeyRing) =>
      issueTokens({ issuer: 'https://gatehouse.example', keys }, grant, { kind: 'UNRESTRICTED' });
    const before = issue(ring);
    await rotateSigningKey(em, { current: MASTER }, 1);
    const after = issue(await openRing());
    expect(after).toEqual(before);
    expect(decodeProtectedHeader(after.accessToken)).toEqual({
      alg: 'EdDSA',
      typ: 'at+jwt',
      kid: ring.signingKeyAt(grant.rotatedAt).kid,
    });
  });
});

function openRing(current: Uint8Array = MASTER): Promise<KeyRing> {
  return KeyRing.open(em, { current }, new DatabaseClock());
}

function now(): Temporal.Instant {
  return Temporal.Now.instant();
}
