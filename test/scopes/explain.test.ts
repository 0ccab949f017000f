import { assert, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Explanation, explain, scopesOfAll, type Unexplained } from '../../src/scopes/explain.ts';
import { hideFirstParty } from '../../src/scopes/hide-first-party.ts';
import { rulesOf } from '../../src/scopes/schema-rules.ts';
import { hostileText } from './support/hostile-text.ts';
import { productLike } from './support/product-like.ts';

const forTokens = rulesOf(hideFirstParty(productLike.schema));
const ask = (query: string, operationName?: string): Explanation | Unexplained =>
  explain(forTokens, operationName === undefined ? { query } : { query, operationName });

function explained(query: string, operationName?: string): Explanation {
  const answer = ask(query, operationName);
  if ('errors' in answer) throw new Error(JSON.stringify(answer));
  return answer;
}

function errorsOf(query: string, operationName?: string): Unexplained['errors'] {
  const answer = ask(query, operationName);
  return 'errors' in answer ? answer.errors : [];
}

describe('an operation is explained by', () => {
  const query = '{\n  me { bookings { nodes { id } } }\n  team(id: 1) { slug eventTypes { totalCount } }\n}';

  test('the smallest set of scopes, and where each is first needed', () => {
    expect(explained(query)).toEqual({
      scopes: ['BOOKING_READ', 'TEAM_EVENT_TYPE_READ', 'TEAM_PROFILE_READ'],
      public: false,
      fields: [
        {
          coordinate: 'Viewer.bookings',
          level: 'USER',
          path: ['me', 'bookings'],
          requires: ['BOOKING_READ'],
          conditional: false,
          location: { line: 2, column: 8 },
        },
        expect.objectContaining({ coordinate: 'Team.slug', level: 'TEAM', location: { line: 3, column: 17 } }),
        expect.objectContaining({ coordinate: 'Team.eventTypes', requires: ['TEAM_EVENT_TYPE_READ'] }),
      ],
      alternatives: { TEAM_EVENT_TYPE_READ: ['ORG_EVENT_TYPE_READ'], TEAM_PROFILE_READ: ['ORG_PROFILE_READ'] },
      conditional: [],
    });
  });

  test('no scope at all, if it is public', () => {
    expect(explained('{ slots { start } }')).toEqual({
      scopes: [],
      public: true,
      fields: [],
      alternatives: {},
      conditional: [],
    });
  });

  test('the fields that count though they may be skipped', () => {
    const { scopes, conditional } = explained(
      'query ($b: Boolean!) { me { name bookings @include(if: $b) { nodes { id } } } }',
    );
    expect(scopes).toEqual(['BOOKING_READ', 'PROFILE_READ']);
    expect(conditional.map(({ coordinate }) => coordinate)).toEqual(['Viewer.bookings']);
  });

  test('the operation that is asked for', () => {
    const two = 'query A { me { name } } query B { slots { start } }';
    expect(explained(two, 'A').scopes).toEqual(['PROFILE_READ']);
    expect(explained(two, 'B').public).toBe(true);
  });

  test('the scopes that a client would have to enable, and the address to send its users to', () => {
    const client = {
      clientId: 'gh_client_1',
      enabledScopes: ['PROFILE_READ'],
      redirectUri: 'https://app.example/cb',
      authorizationEndpoint: 'https://auth.example/authorize',
    };
    expect(explain(forTokens, { query, client })).toMatchObject({
      client: { notEnabled: ['BOOKING_READ', 'TEAM_EVENT_TYPE_READ', 'TEAM_PROFILE_READ'] },
    });
    expect(explain(forTokens, { query: '{ me { name } }', client })).toMatchObject({
      client: { notEnabled: [], authorizeUrl: expect.stringContaining('scope=PROFILE_READ') },
    });
  });

  test('its selection alone: arguments and variables are the server’s to check', () => {
    expect(explained('{ team(id: $nope, extra: 1) { slug @client } }').scopes).toEqual(['TEAM_PROFILE_READ']);
  });
});

describe('a document is answered with what is wrong in it', () => {
  test.each<[string, string, string, { line: number; column: number } | undefined]>([
    ['syntax', '{ me { name }', 'Syntax Error: Expected Name, found <EOF>.', { line: 1, column: 14 }],
    ['nothing', '', 'Syntax Error: Unexpected <EOF>.', { line: 1, column: 1 }],
    [
      'an unknown field',
      '{ me {\n  nmae } }',
      'Cannot query field "nmae" on type "Viewer". Did you mean "name"?',
      { line: 2, column: 3 },
    ],
    ['an unknown fragment', '{ me { ...F } }', 'Unknown fragment "F".', { line: 1, column: 11 }],
    [
      'fragments in a circle',
      '{ me { ...F } } fragment F on Viewer { ...F }',
      'Cannot spread fragment "F" within itself.',
      { line: 1, column: 40 },
    ],
    [
      'an object without a selection',
      '{ me }',
      'Field "me" of type "Viewer" must have a selection of subfields. Did you mean "me { ... }"?',
      { line: 1, column: 3 },
    ],
    [
      'no operation',
      'fragment F on Viewer { name }',
      'The document has no operation: a fragment alone requires nothing.',
      undefined,
    ],
  ])('%s', (_, query, message, location) => {
    expect(errorsOf(query)).toEqual([location ? { message, locations: [location] } : { message }]);
  });

  test('an operation that it does not have, or none chosen of several', () => {
    const two = 'query A { me { name } } query B { slots { start } }';
    expect(errorsOf(two)).toEqual([
      { message: 'The document has several operations: choose one by operationName, of A, B.' },
    ]);
    expect(errorsOf(two, 'C')).toEqual([{ message: 'The document has no operation named "C", but A, B.' }]);
    expect(errorsOf('{ slots { start } }', '__proto__')).toEqual([
      { message: 'The document has no operation named "__proto__", but (without a name).' },
    ]);
  });

  test('a hidden field is as unknown as one that does not exist', () => {
    expect(errorsOf('{ me { sessions { id } } }')).toEqual([
      { message: 'Cannot query field "sessions" on type "Viewer".', locations: [{ line: 1, column: 8 }] },
    ]);
    expect(JSON.stringify(errorsOf('{ me { session } reviewQueu clientApprove }'))).not.toMatch(
      /sessions|reviewQueue"|Did you mean/,
    );
  });

  test('a field that no scope opens is said to be so, where the schema shows it', () => {
    expect(explain(productLike, { query: '{ me { sessions { id } } }' })).toEqual({
      errors: [{ message: 'No scope opens this operation to an access token.' }],
    });
  });
});

describe('no document makes it throw, hang or write a book:', () => {
  test.each([
    ['nested too deeply', `${'{ me '.repeat(7000)}${'}'.repeat(7000)}`],
    ['too long', `{ ${'me { name } '.repeat(5000)} }`],
    [
      'a chain of fragments',
      `{ me { ...F0 } } ${Array.from({ length: 2000 }, (_, i) => `fragment F${i} on Viewer { ...F${i + 1} }`).join(' ')}`,
    ],
    ['NUL and lone surrogates', '{ me { na\0me \uD800 } }'],
  ])('%s', (_, query) => {
    expect(errorsOf(query)).not.toEqual([]);
  });

  test('thousands of unknown fields are answered with twenty', () => {
    expect(
      errorsOf(`{ ${Array.from({ length: 3000 }, (_, index) => `f${index}`).join(' ')} }`).length,
    ).toBeLessThanOrEqual(21);
  });

  test('thousands of fields are answered with two hundred, and with every scope', () => {
    const { scopes, fields } = explained(`{ me { ${'name '.repeat(3000)} bookings { nodes { id } } } }`);
    expect(scopes).toEqual(['BOOKING_READ', 'PROFILE_READ']);
    expect(fields).toHaveLength(200);
  });

  test('any text at all', () => {
    assert(
      property(hostileText, (query) => {
        expect(errorsOf(query)).not.toEqual([]);
      }),
    );
  });
});

describe('all operations of a document', () => {
  const [bookings, team] = ['{ me { bookings { nodes { id } } } }', '{ team(id: 1) { slug } }'];

  test('require together what each does, with names or without', () => {
    const each = [bookings, team].flatMap((query) => explained(query).scopes);
    for (const document of [`${bookings} ${team}`, `query A ${bookings} query A ${team}`]) {
      const answer = scopesOfAll(forTokens, document);
      expect('scopes' in answer ? answer.scopes.toSorted() : answer).toEqual(each.toSorted());
    }
  });

  test('are none in a document without any, and what is wrong with it is said', () => {
    for (const document of ['', 'fragment F on Query { __typename }', '{ nothing }', '{']) {
      expect([document, scopesOfAll(forTokens, document)]).toEqual([document, { errors: expect.any(Array) }]);
    }
  });

  test('never throw, whatever the text is', () => {
    assert(property(hostileText, (text) => typeof scopesOfAll(forTokens, text) === 'object'));
  });
});
