import { lexicographicSortSchema } from 'graphql';
import { describe, expect, test } from 'vitest';
import { manifestOf } from '../../src/scopes/manifest.ts';
import { rulesOf } from '../../src/scopes/schema-rules.ts';
import { productLike } from './support/product-like.ts';
import { rulesFrom } from './support/schema.ts';

describe('the manifest', () => {
  const { fields, baseScopes } = manifestOf(productLike);

  test('says for each field what it requires at each level at which it can be reached', () => {
    expect(fields['EventType.title']).toEqual({
      access: 'SCOPED',
      scopes: { USER: ['EVENT_TYPE_READ'], TEAM: ['TEAM_EVENT_TYPE_READ'], ORGANIZATION: ['ORG_EVENT_TYPE_READ'] },
    });
    expect(fields['Query.me']).toEqual({ access: 'INHERIT', enters: 'USER' });
    expect(fields['Viewer.teams']).toEqual({
      access: 'SCOPED',
      enters: 'TEAM',
      scopes: { TEAM: ['TEAM_PROFILE_READ'] },
    });
    expect(fields['Slot.start']).toEqual({ access: 'PUBLIC' });
    expect(fields['Viewer.sessions']).toEqual({ access: 'FIRST_PARTY' });
    expect(baseScopes['Team']).toEqual({ TEAM: ['TEAM_PROFILE_READ'], ORGANIZATION: ['ORG_PROFILE_READ'] });
  });

  test('leaves out levels that no path reaches, and types that none leads to', () => {
    const reached = manifestOf(
      rulesFrom(`
        type Query { me: Viewer @requiresScope(user: [PROFILE_READ], enters: USER) }
        type Viewer { name: String @requiresScope(user: [PROFILE_READ], team: [TEAM_PROFILE_READ]) }
        type Island { name: String @requiresScope(user: [PROFILE_READ]) }`),
    );
    expect(reached.fields).toEqual({
      'Query.me': { access: 'SCOPED', enters: 'USER', scopes: { USER: ['PROFILE_READ'] } },
      'Viewer.name': { access: 'SCOPED', scopes: { USER: ['PROFILE_READ'] } },
    });
  });

  test('is in the same order however the schema was put together', () => {
    const { schema, catalog } = productLike;
    const sorted = manifestOf(rulesOf(lexicographicSortSchema(schema), catalog));
    expect(JSON.stringify(sorted)).toBe(JSON.stringify({ fields, baseScopes }));
    expect(Object.keys(fields)).toEqual(Object.keys(fields).toSorted());
  });

  test('is not made of a schema that is not closed', () => {
    expect(() => manifestOf(rulesFrom('type Query { open: Int }'))).toThrow('Query.open has no requirement');
  });
});
