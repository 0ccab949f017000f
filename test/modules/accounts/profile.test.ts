import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUserId } from '../../../src/core/id.ts';
import type { Em } from '../../../src/database/sql.ts';
import type { ProfilePatch } from '../../../src/modules/accounts/account.rules.ts';
import { updateProfile } from '../../../src/modules/accounts/update-profile.ts';
import { findUser } from '../../../src/modules/accounts/user.queries.ts';
import { openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { anAccount } from './an-account.ts';

let database: TestDatabase;
let em: Em;
beforeAll(async () => {
  database = await openTestDatabase();
  em = database.em.fork();
});
afterAll(() => database.close());

const FULL = {
  name: 'Ada Lovelace',
  timeZone: 'Europe/London',
  weekStart: 'SUNDAY',
  timeFormat: 12,
  locale: 'en-GB',
  bio: 'Countess.\nEngines.',
  avatarUrl: 'https://acme.test/ada.png',
  metadata: { crm: '42', __proto: 'x' },
} satisfies ProfilePatch;

describe('updating a profile', () => {
  test('changes what is named, and answers the whole', async () => {
    const user = await anAccount(em);
    const updated = await updateProfile(em, user.id, FULL);
    expect(updated).toEqual({ ...user, ...FULL, updatedAt: updated.updatedAt });
    expect(await findUser(em, user.id)).toEqual(updated);
  });

  test('leaves alone what is not named', async () => {
    const { id } = await anAccount(em);
    const full = await updateProfile(em, id, FULL);
    const renamed = await updateProfile(em, id, { name: 'Ada' });
    expect(renamed).toEqual({ ...full, name: 'Ada', updatedAt: renamed.updatedAt });
    const untouched = await updateProfile(em, id, {});
    expect(untouched).toEqual({ ...renamed, updatedAt: untouched.updatedAt });
  });

  test('empties what may be empty', async () => {
    const { id } = await anAccount(em);
    await updateProfile(em, id, FULL);
    const emptied = await updateProfile(em, id, { bio: null, avatarUrl: null, metadata: {} });
    expect(emptied).toMatchObject({ bio: null, avatarUrl: null, metadata: {} });
  });

  test('tidies spellings', async () => {
    const { id } = await anAccount(em);
    const typed = { name: ' Ada ', username: ' ADA-2 ', timeZone: 'asia/kolkata', locale: 'de-at', bio: 'a\r\nb' };
    expect(await updateProfile(em, id, typed)).toMatchObject({
      name: 'Ada',
      username: 'ada-2',
      timeZone: 'Asia/Kolkata',
      locale: 'de-AT',
      bio: 'a\nb',
    });
  });

  test.each<[string, ProfilePatch, string, string]>([
    ['an empty name', { name: '' }, 'REQUIRED', 'name'],
    ['NUL in a name', { name: 'a\0' }, 'INVALID_TEXT', 'name'],
    ['a username with a slash', { username: 'a/b' }, 'INVALID_SLUG', 'username'],
    ['a username that stands before teams in addresses', { username: 'team' }, 'USERNAME_TAKEN', 'username'],
    ['an unknown zone', { timeZone: 'Nowhere' }, 'INVALID_TIME_ZONE', 'timeZone'],
    ['a name of null', { name: null }, 'REQUIRED', 'name'],
    ['13 hours', { timeFormat: 13 }, 'INVALID_TIME_FORMAT', 'timeFormat'],
    ['a locale that is none', { locale: '!' }, 'INVALID_LOCALE', 'locale'],
    ['a bio of 5,001 characters', { bio: 'x'.repeat(5_001) }, 'TOO_LONG', 'bio'],
    ['an avatar without https', { avatarUrl: 'javascript:alert(1)' }, 'INVALID_URL', 'avatarUrl'],
    ['NUL in metadata', { metadata: { a: '\0' } }, 'INVALID_TEXT', 'metadata'],
  ])('is refused for %s, and changes nothing', async (_, patch, code, field) => {
    const user = await anAccount(em);
    const refused = updateProfile(em, user.id, { ...patch });
    await expect(refused).rejects.toMatchObject({ mistakes: [{ code, path: expect.arrayContaining([field]) }] });
    expect(await findUser(em, user.id)).toEqual(user);
  });

  test('to a taken username is refused, and to one’s own is not', async () => {
    const [user, other] = [await anAccount(em), await anAccount(em)];
    await expect(updateProfile(em, user.id, { username: other.username })).rejects.toMatchObject({
      code: 'USERNAME_TAKEN',
      mistakes: [{ path: ['username'] }],
    });
    expect(await updateProfile(em, user.id, { username: user.username })).toMatchObject({ username: user.username });
  });

  test('that does not exist is an error', async () => {
    await expect(updateProfile(em, newUserId(), {})).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
