import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DatabaseClock } from '../../../src/database/database-clock.ts';
import type { Listen } from '../../../src/database/listen.ts';
import { changed, type Em, sql } from '../../../src/database/sql.ts';
import { RevocationFeed, recordRevocations } from '../../../src/oauth/revocations/revocations.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { listenOn } from '../support/test-server.ts';

const TOKEN = { tokenId: 'token', grantId: 'grant', clientId: 'client', userId: 'user' };
const hearNothing: Listen = async () => async () => undefined;

let database: TestDatabase;
let em: Em;
let clock: DatabaseClock;
let feed: RevocationFeed;
beforeAll(async () => {
  database = await openTestDatabase();
  em = database.em.fork();
});
afterAll(() => database.close());
beforeEach(async () => {
  await changed(em, sql`delete from oauth_revocations`);
  clock = new DatabaseClock();
  feed = new RevocationFeed(em, clock);
});
afterEach(() => feed.stop());

describe('the feed', () => {
  test.each([
    ['GRANT', 'grant'],
    ['TOKEN', 'token'],
    ['CLIENT', 'client'],
    ['USER', 'user'],
  ] as const)('knows a revoked %s', async (kind, subject) => {
    await feed.start(hearNothing);
    expect(feed.isRevoked(TOKEN)).toBe(false);
    await recordRevocations(em, kind, [subject]);
    await feed.catchUp();
    expect(feed.isRevoked(TOKEN)).toBe(true);
  });

  test('knows at its start what was revoked while it did not run, as far as tokens can be alive', async () => {
    await recordRevocations(em, 'GRANT', ['grant']);
    await recordRevocations(em, 'CLIENT', ['old']);
    await changed(
      em,
      sql`update oauth_revocations set changed_at = now() - interval '40 minutes' where subject = 'old'`,
    );
    await feed.start(hearNothing);
    expect(feed.isRevoked(TOKEN)).toBe(true);
    expect(feed.isRevoked({ ...TOKEN, grantId: 'other', clientId: 'old' })).toBe(false);
  });

  test('forgets a suspension when it is taken back', async () => {
    await feed.start(hearNothing);
    await recordRevocations(em, 'CLIENT', ['client']);
    await recordRevocations(em, 'CLIENT', ['client'], false);
    await feed.catchUp();
    expect(feed.isRevoked(TOKEN)).toBe(false);
  });

  test('finds a revocation whose transaction took its time to commit', async () => {
    await feed.start(hearNothing);
    await feed.catchUp();
    await recordRevocations(em, 'GRANT', ['grant']);
    await changed(em, sql`update oauth_revocations set changed_at = changed_at - interval '8 seconds'`);
    await feed.catchUp();
    expect(feed.isRevoked(TOKEN)).toBe(true);
  });

  test('does not know what was rolled back', async () => {
    await feed.start(hearNothing);
    const failing = em.transactional(async (inner) => {
      await recordRevocations(inner, 'GRANT', ['grant']);
      throw new Error('The change failed.');
    });
    await expect(failing).rejects.toThrow('The change failed.');
    await feed.catchUp();
    expect(feed.isRevoked(TOKEN)).toBe(false);
  });

  test('hears of a commit without being asked, and tells of everything committed before catchUp was called', async () => {
    const heard = Promise.withResolvers<void>();
    const listen = listenOn(database);
    await feed.start((channel, onMessage) =>
      listen(channel, () => {
        onMessage();
        heard.resolve();
      }),
    );
    await em.transactional((inner) => recordRevocations(inner, 'GRANT', ['grant']));
    await heard.promise;
    await feed.catchUp();
    expect(feed.isRevoked(TOKEN)).toBe(true);
  });

  test('takes the time from the database, whatever the clock of this machine says', async () => {
    clock.observe(Temporal.Instant.from('2001-01-01T00:00:00Z'), performance.now(), performance.now());
    await feed.start(hearNothing);
    expect(Math.abs(clock.now() - Date.now())).toBeLessThan(5_000);
  });

  test('is not trusted before it has read anything', async () => {
    expect(feed.isTrusted()).toBe(false);
    await feed.start(hearNothing);
    expect(feed.isTrusted()).toBe(true);
  });
});
