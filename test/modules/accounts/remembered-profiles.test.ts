import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Browser } from '../../../src/cli/demo-browser.ts';
import { rows, sql } from '../../../src/database/sql.ts';
import { RememberedProfiles } from '../../../src/modules/accounts/remembered-profiles.ts';
import type { UserProfile } from '../../../src/modules/accounts/user.queries.ts';
import { DEMO_PASSWORD } from '../../support/app.ts';
import { paced } from '../../support/pace.ts';
import { ONE_AND_TWO, type Servers } from '../../support/servers.ts';

const CHANGE = 'mutation ($name: String!) { profileUpdate(input: { name: $name }) { me { name } } }';

async function nameBy(browser: Browser | undefined): Promise<string | undefined> {
  const answer = await browser?.graphql<{ me: { name: string } }>('{ me { name } }', {});
  return answer?.me.name;
}

const named = (name: string) => ({ name }) as UserProfile;

/** Finds everybody who is asked for, under this name. */
const all = (name: string) =>
  vi.fn<(userIds: readonly string[]) => Promise<Map<string, UserProfile>>>(
    async (userIds) => new Map(userIds.map((userId) => [userId, named(name)])),
  );

describe('a profile', () => {
  test('is at hand for a second, and then loaded again', async () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(5_000);
    const profiles = new RememberedProfiles();
    const load = all('Ada');
    expect(await profiles.get('a', load)).toEqual(named('Ada'));
    now.mockReturnValue(5_999);
    expect(profiles.get('a', load)).toEqual(named('Ada'));
    now.mockReturnValue(6_000);
    expect(await profiles.get('a', load)).toEqual(named('Ada'));
    expect(load.mock.calls).toEqual([[['a']], [['a']]]);
    now.mockRestore();
  });

  test('that is asked for and soon due is loaded along with one that is due, and is then at hand for a second', async () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(5_000);
    const profiles = new RememberedProfiles();
    await Promise.all(['due', 'soon', 'unused'].map(async (userId) => profiles.get(userId, all('old'))));
    now.mockReturnValue(5_900);
    await profiles.get('fresh', all('fresh'));
    for (const userId of ['soon', 'fresh']) expect(profiles.get(userId, all('unexpected'))).toHaveProperty('name');
    now.mockReturnValue(6_000);
    const load = all('new');
    await profiles.get('due', load);
    expect(load.mock.calls).toEqual([[['due', 'soon']]]);
    now.mockReturnValue(6_999);
    expect(profiles.get('soon', load)).toEqual(named('new'));
    expect(load).toHaveBeenCalledOnce();
    now.mockRestore();
  });

  test('is loaded by the same statement as those that others ask for in the same turn, a hundred at most', async () => {
    const profiles = new RememberedProfiles();
    const load = all('Ada');
    await Promise.all(Array.from({ length: 250 }, async (_, index) => profiles.get(`user ${index}`, load)));
    expect(load.mock.calls.map(([userIds]) => userIds.length)).toEqual([100, 100, 50]);
  });

  test('that was changed while it was loaded is not kept', async () => {
    const profiles = new RememberedProfiles();
    const { promise, resolve } = Promise.withResolvers<ReadonlyMap<string, UserProfile>>();
    const before = profiles.get('a', () => promise);
    await Promise.resolve();
    profiles.forget();
    resolve(new Map([['a', named('old')]]));
    expect(await before).toEqual(named('old'));
    expect(await profiles.get('a', all('new'))).toEqual(named('new'));
  });

  test('that does not exist is not kept', async () => {
    const profiles = new RememberedProfiles();
    expect(await profiles.get('a', async () => new Map())).toBeUndefined();
    expect(await profiles.get('a', all('new'))).toEqual(named('new'));
  });

  test('that cannot be loaded fails for all who wait for it, and is asked for again by the next', async () => {
    const profiles = new RememberedProfiles();
    const waiting = ['a', 'b'].map((userId) => profiles.get(userId, () => Promise.reject(new Error('away'))));
    for (const one of waiting) await expect(one).rejects.toThrow('away');
    expect(await profiles.get('a', all('Ada'))).toEqual(named('Ada'));
  });
});

describe.each(ONE_AND_TWO)('a change of a profile, %s,', (_, open) => {
  let servers: Servers;
  let browsers: readonly Browser[];
  beforeAll(async () => {
    servers = await open();
    browsers = await Promise.all(servers.urls.map((url) => Browser.signIn(url, 'ada@acme.test', DEMO_PASSWORD)));
  });
  afterAll(() => servers?.close());

  test('is seen by the next request to the process that made it, each time', async () => {
    const [browser] = browsers;
    for (let n = 0; n < 50; n += 1) {
      const name = `Ada ${n}`;
      expect(await nameBy(browser)).not.toBe(name);
      await browser?.graphql(CHANGE, { name });
      expect(await nameBy(browser)).toBe(name);
    }
  });

  test('is seen by every process soon, whoever made it', async () => {
    await Promise.all(browsers.map(nameBy));
    await rows(servers.database.em.fork(), sql`update users set name = 'Somebody' where email = 'ada@acme.test'`);
    for (const browser of browsers)
      await vi.waitFor(async () => expect(await nameBy(browser)).toBe('Somebody'), paced(1_000));
  });
});
