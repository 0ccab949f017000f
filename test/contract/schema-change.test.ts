import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { Manifest } from '../../src/scopes/manifest.ts';
import { breakingChanges, type Contract } from './contract-changes.ts';

async function printed(folder: string): Promise<Contract> {
  return {
    sdl: await readFile(`${folder}/schema.graphql`, 'utf8'),
    manifest: JSON.parse(await readFile(`${folder}/scopes.json`, 'utf8')) as Manifest,
  };
}

/** There is none before the first release. */
const RELEASED = ['schema/released'].filter((folder) => existsSync(folder));

test.each(RELEASED)('nothing breaks clients of the last released contract, %s', async (folder) => {
  expect(await breakingChanges(await printed(folder), await printed('schema'))).toEqual([]);
});

describe('a change between two contracts is breaking when', () => {
  const SDL = `
    type Query { pet: Pet! cat: Cat! }
    union Pet = Cat
    type Cat { name: String! }
    type Dog { bark: String! }
    type Unused { dog: Dog }
  `;
  const before: Contract = {
    sdl: SDL,
    manifest: {
      fields: {
        'Query.cat': { access: 'INHERIT', enters: 'USER' },
        'Cat.name': { access: 'SCOPED', scopes: { USER: ['BOOKING_READ'] } },
      },
      baseScopes: {},
    },
  };
  const withField = (field: Manifest['fields'][string]): Contract => ({
    sdl: SDL,
    manifest: { ...before.manifest, fields: { ...before.manifest.fields, 'Cat.name': field } },
  });

  test('a field needs one scope more', async () => {
    const after = withField({ access: 'SCOPED', scopes: { USER: ['BOOKING_READ', 'PROFILE_READ'] } });
    expect(await breakingChanges(before, after)).toEqual(['Cat.name now needs PROFILE_READ at USER level']);
  });

  test('a field becomes first-party', async () => {
    expect(await breakingChanges(before, withField({ access: 'FIRST_PARTY' }))).toEqual([
      'Cat.name was SCOPED and is FIRST_PARTY',
    ]);
  });

  test('a field is judged at the level of its parent and was at one of its own', async () => {
    const scopes = { TEAM: ['TEAM_BOOKING_READ'] } as const;
    const old = withField({ access: 'SCOPED', enters: 'TEAM', scopes });
    const after = withField({ access: 'SCOPED', scopes: { ...scopes, ORGANIZATION: ['ORG_BOOKING_READ'] } });
    expect(await breakingChanges(old, after)).toEqual(['Cat.name entered TEAM and enters none']);
    // It is only ever reached where it was judged before.
    expect(await breakingChanges(old, withField({ access: 'SCOPED', scopes }))).toEqual([]);
  });

  test('a union is widened', async () => {
    const after = { ...before, sdl: SDL.replace('union Pet = Cat', 'union Pet = Cat | Dog') };
    expect(await breakingChanges(before, after)).toHaveLength(1);
  });

  test('a field is removed', async () => {
    const after = { ...before, sdl: SDL.replace('cat: Cat!', '') };
    expect(await breakingChanges(before, after)).toEqual(["Field 'cat' was removed from object type 'Query'"]);
  });

  test.each([
    ['a field needs fewer scopes', withField({ access: 'PUBLIC' })],
    [
      'a field can be reached at one level more',
      withField({ access: 'SCOPED', scopes: { USER: ['BOOKING_READ'], TEAM: ['TEAM_BOOKING_READ'] } }),
    ],
    ['a field is added', { ...before, sdl: SDL.replace('name: String!', 'name: String! age: Int') }],
  ])('but not when %s', async (_name, after) => {
    expect(await breakingChanges(before, after)).toEqual([]);
  });
});
