import { type DocumentNode, parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { compileOperation } from '../../src/scopes/compile.ts';
import { scopeNamesIn } from '../../src/scopes/create-catalog.ts';
import { PRODUCT_LIKE, productLike } from './support/product-like.ts';
import { requiredBy, rulesFrom } from './support/schema.ts';

const requires = (source: string, operationName?: string) => requiredBy(productLike, source, operationName);

const compiledNames = (document: DocumentNode, name?: string | null) => {
  const compiled = compileOperation(productLike, document, name);
  return compiled && scopeNamesIn(compiled.required, productLike.catalog);
};

describe('an operation requires everything that any of its fields requires', () => {
  test('scopes add up, over levels and over fields: never one or the other', () => {
    expect(requires('{ me { name bookings { nodes { id } } } team(id: 1) { slug } }')).toEqual([
      'BOOKING_READ',
      'PROFILE_READ',
      'TEAM_PROFILE_READ',
    ]);
  });

  test('a field may itself require several', () => {
    const rules = rulesFrom(
      'type Query { both: Int @requiresScope(user: [BOOKING_READ, PROFILE_READ], enters: USER) }',
    );
    expect(requiredBy(rules, '{ both }')).toEqual(['BOOKING_READ', 'PROFILE_READ']);
  });

  test('fragments are followed, named and inline, with and without a condition', () => {
    for (const selection of ['...F', '... { name }', '... on Viewer { name }', '... @include(if: true) { ...F }']) {
      expect(requires(`{ me { ${selection} } } fragment F on Viewer { name }`)).toEqual(['PROFILE_READ']);
    }
  });

  test('only the chosen operation counts, whatever else is in the document', () => {
    const source =
      'query A { me { name } } query B { me { bookings { nodes { id } } } } fragment Unused on Team { slug }';
    expect(requires(source, 'A')).toEqual(['PROFILE_READ']);
    expect(requires(source, 'B')).toEqual(['BOOKING_READ']);
  });

  test('a mutation and a subscription are judged as a query is', () => {
    expect(requires('mutation { eventTypeCreate { eventTypeId userErrors { code } } }')).toEqual(['EVENT_TYPE_WRITE']);
    expect(requires('subscription { bookingChanged { id } }')).toEqual(['BOOKING_READ']);
  });

  test('no name of an operation is special', () => {
    for (const name of ['IntrospectionQuery', '__schema', 'constructor', '__proto__', 'toString']) {
      expect(requires(`query ${name} { me { name } }`, name)).toEqual(['PROFILE_READ']);
    }
  });
});

describe('a document is judged as it is written', () => {
  test.each([
    '@skip(if: true)',
    '@include(if: false)',
    '@include(if: $never)',
    '@unknown',
    '@requiresScope(access: PUBLIC)',
  ])('whatever %s says', (directive) => {
    expect(requires(`query ($never: Boolean = false) { me { name bookings ${directive} { nodes { id } } } }`)).toEqual([
      'BOOKING_READ',
      'PROFILE_READ',
    ]);
    expect(
      requires(`query Q ${directive} { me { ...F ${directive} } } fragment F on Viewer ${directive} { name }`),
    ).toEqual(['PROFILE_READ']);
  });
});

describe('an operation is compiled', () => {
  test('once for its document and name', () => {
    const document = parse('query A { me { name } } query B { me { bookings { nodes { id } } } }');
    expect(compileOperation(productLike, document, 'A')).toBe(compileOperation(productLike, document, 'A'));
    expect(compileOperation(productLike, document, 'A')).not.toBe(compileOperation(productLike, document, 'B'));
  });

  test('for each schema that the document meets', () => {
    const document = parse('{ me { name } }');
    const stricter = rulesFrom(
      PRODUCT_LIKE.replace(
        'name: String! @requiresScope(user: [PROFILE_READ])',
        'name: String! @requiresScope(user: [BOOKING_READ])',
      ),
    );
    expect(compiledNames(document)).toEqual(['PROFILE_READ']);
    const compiled = compileOperation(stricter, document);
    expect(compiled && scopeNamesIn(compiled.required, stricter.catalog)).toEqual(['BOOKING_READ']);
  });

  test('as graphql-js chooses it: the only one without a name, else the one of that name', () => {
    const two = parse('query A { me { name } } query B { slots { start } }');
    expect(compiledNames(two, 'B')).toEqual([]);
    expect(compiledNames(two)).toBeUndefined();
    expect(compiledNames(two, null)).toBeUndefined();
    expect(compiledNames(two, '')).toBeUndefined();
    expect(compiledNames(two, 'C')).toBeUndefined();
    expect(compiledNames(two, '__proto__')).toBeUndefined();
    expect(compiledNames(parse('query A { me { name } }'), null)).toEqual(['PROFILE_READ']);
    expect(compiledNames(parse('fragment F on Viewer { name }'))).toBeUndefined();
  });

  test('as graphql-js executes a document that was not validated: of two with one name, the later', () => {
    const document = parse(`query A { slots { start } } query A { me { ...F } }
      fragment F on Viewer { name } fragment F on Viewer { bookings { nodes { id } } }`);
    expect(compiledNames(document, 'A')).toEqual(['BOOKING_READ']);
  });
});
