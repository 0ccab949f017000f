import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Browser } from '../../../src/cli/demo-browser.ts';
import { rows, sql } from '../../../src/database/sql.ts';
import { RememberedProfiles } from '../../../src/modules/accounts/remembered-profiles.ts';
import type { UserProfile } from '../../../src/modules/accounts/user.queries.ts';
import { DEMO_PASSWORD } from '../../support/app.ts';
import { ONE_AND_TWO, type Servers } from '../../support/servers.ts';

const CHANGE = 'mutation ($name: String!) { profileUpdate(input: { name: $name }) { me { name } } }';

async function nameBy(browser: Browser | undefined): Promise<string | undefined> {
  const answer = await browser?.graphql<{ me: { name: string } }>('{ me { name } }', {});
  return answer?.me.name;
}

const named = (name: string) => ({ name }) as UserProfile;

describe('a profile', () => {
  test('is at hand for a second, and then loaded again', async () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(5_000);
    const profiles = new RememberedProfiles();
    const load = vi.fn<() => Promise<UserProfile>>(async () => named('Ada'));
    expect(await profiles.get('a', load)).toEqual(named('Ada'));
    now.mockReturnValue(5_999);
    expect(profiles.get('a', load)).toEqual(named('Ada'));
    now.mockReturnValue(6_000);
    expect(profiles.get('a', load)).toBeInstanceOf(Promise);
    expect(load).toHaveBeenCalledTimes(2);
    now.mockRestore();
  });

  test('that was changed while it was loaded is not kept', async () => {
    const profiles = new RememberedProfiles();
    const { promise, resolve } = Promise.withResolvers<UserProfile>();
    const before = profiles.get('a', () => promise);
    profiles.forget();
    resolve(named('old'));
    expect(await before).toEqual(named('old'));
    expect(await profiles.get('a', async () => named('new'))).toEqual(named('new'));
  });

  test('of nobody is not kept', async () => {
    const profiles = new RememberedProfiles();
    expect(await profiles.get('a', async () => undefined)).toBeUndefined();
    expect(await profiles.get('a', async () => named('new'))).toEqual(named('new'));
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
    for (const browser of browsers) await vi.waitFor(async () => expect(await nameBy(browser)).toBe('Somebody'), 500);
  });
});
