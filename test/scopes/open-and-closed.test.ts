import { describe, expect, test } from 'vitest';
import { rulesOf } from '../../src/scopes/schema-rules.ts';
import { productLike } from './support/product-like.ts';
import { aSchema, requiredBy, rulesFrom } from './support/schema.ts';

const requires = (source: string, operationName?: string) => requiredBy(productLike, source, operationName);

describe('public and first-party fields', () => {
  test('a public field requires nothing, nor does introspection', () => {
    for (const source of [
      '{ slots { start } }',
      'mutation { bookingCreate { userErrors { code } } }',
      '{ __typename }',
    ]) {
      expect(requires(source)).toEqual([]);
    }
    expect(requires('{ __schema { types { fields { name } } } __type(name: "Viewer") { name } }')).toEqual([]);
  });

  test('`__schema` and `__type` are nothing special below the root', () => {
    expect(requires('{ me { __schema { types { name } } } }')).toContain('NOBODY');
    expect(requires('mutation { __type(name: "Viewer") { name } }')).toContain('NOBODY');
  });

  test('a first-party field requires the bit that no token holds, and the scopes of the fields below', () => {
    expect(requires('{ reviewQueue { clientId } }')).toEqual(['FIRST_PARTY']);
    expect(requires('{ me { name sessions { id } } }')).toEqual(['PROFILE_READ', 'FIRST_PARTY']);
    expect(requires('mutation { clientApprove { clientId } }')).toEqual(['FIRST_PARTY']);
  });

  test('a first-party field may be a door too', () => {
    const rules = rulesFrom(`
      type Query { organization: Organization @requiresScope(access: FIRST_PARTY, enters: ORGANIZATION) }
      type Organization { slug: String @requiresScope(organization: [ORG_PROFILE_READ]) }`);
    expect(requiredBy(rules, '{ organization { slug } }')).toEqual(['ORG_PROFILE_READ', 'FIRST_PARTY']);
  });
});

describe('a directive that is not understood closes its field', () => {
  test.each([
    ['an unknown field', '{ me { name nope } }'],
    ['a field named like a property of every object', '{ constructor }'],
    ['a field named __proto__', '{ me { __proto__ } }'],
    ['an unknown fragment', '{ me { name ...Nope } }'],
    ['an unknown type in a condition', '{ me { name ... on Nope { name } } }'],
    ['an object without a selection', '{ me }'],
  ])('%s', (_, source) => {
    expect(requires(source)).toContain('NOBODY');
  });

  test('a kind of operation the schema does not have', () => {
    const rules = rulesFrom('type Query { open: Int @requiresScope(access: PUBLIC) }');
    expect(requiredBy(rules, '{ open }')).toEqual([]);
    expect(requiredBy(rules, 'mutation { open }')).toEqual(['NOBODY']);
    expect(requiredBy(rules, 'subscription { open }')).toEqual(['NOBODY']);
  });

  test('a field without a requirement, or with one that cannot be enforced', () => {
    const schema = aSchema(`type Query {
      none: Int
      empty: Int @requiresScope(user: [], enters: USER)
      nowhere: Int @requiresScope(user: [PROFILE_READ])
      outside: Int @requiresScope(access: INHERIT)
      good: Int @requiresScope(user: [PROFILE_READ], enters: USER)
    }`);
    const rules = rulesOf(schema);
    for (const field of ['none', 'empty', 'nowhere', 'outside'])
      expect(requiredBy(rules, `{ ${field} }`)).toEqual(['NOBODY']);
    expect(requiredBy(rules, '{ good }')).toEqual(['PROFILE_READ']);
  });

  test('a type with nothing but structure selected, whose base scopes cannot be enforced', () => {
    const rules = rulesFrom(`
      type Query { booking: Booking @requiresScope(user: [BOOKING_READ], enters: USER) }
      type Booking { self: Booking @requiresScope(access: INHERIT) type: Type @requiresScope(access: INHERIT) }
      type Type @requiresScope(user: []) { id: ID @requiresScope(user: [EVENT_TYPE_READ]) }`);
    expect(requiredBy(rules, '{ booking { self { __typename } type { id } } }')).toEqual([
      'EVENT_TYPE_READ',
      'BOOKING_READ',
    ]);
    expect(requiredBy(rules, '{ booking { type { __typename } } }')).toEqual(['BOOKING_READ', 'NOBODY']);
  });
});

describe('names are only names', () => {
  test('an alias __proto__ or constructor changes nothing', () => {
    expect(requires('{ __proto__: me { constructor: name toString: bookings { nodes { __proto__: id } } } }')).toEqual([
      'BOOKING_READ',
      'PROFILE_READ',
    ]);
  });

  test('a fragment may be called __proto__ or constructor', () => {
    expect(
      requires(
        '{ me { ...__proto__ ...constructor } } fragment __proto__ on Viewer { name } fragment constructor on Viewer { id }',
      ),
    ).toEqual(['PROFILE_READ']);
  });

  test('a field of the schema may be called constructor', () => {
    const rules = rulesFrom('type Query { constructor: Int @requiresScope(user: [PROFILE_READ], enters: USER) }');
    expect(requiredBy(rules, '{ constructor }')).toEqual(['PROFILE_READ']);
  });
});
