import { parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import {
  ANONYMOUS,
  authorize,
  type Caller,
  type Refusal,
  refusalError,
  sessionCaller,
  tokenCaller,
} from '../../src/scopes/authorize.ts';
import { compileOperation } from '../../src/scopes/compile.ts';
import { heldScopes, sessionScopes, unrestrictedScopes } from '../../src/scopes/held-scopes.ts';
import type { SchemaRules } from '../../src/scopes/schema-rules.ts';
import { productLike } from './support/product-like.ts';
import { rulesFrom } from './support/schema.ts';

function decide(source: string, caller: Caller, rules: SchemaRules = productLike): Refusal | undefined {
  const compiled = compileOperation(rules, parse(source));
  if (compiled === undefined) throw new Error('The document has no operation.');
  return authorize(compiled, caller);
}

const token = (...scopes: string[]) => tokenCaller(heldScopes(scopes));
const legacy = tokenCaller(unrestrictedScopes());
const session = sessionCaller();

const PUBLIC_OPERATION = '{ slots { start } }';
const PROFILE = '{ me { name } }';
const FIRST_PARTY = '{ me { name sessions { id } } }';

describe('an operation runs', () => {
  test.each<[string, string, Caller]>([
    ['for anybody, if it is public', PUBLIC_OPERATION, ANONYMOUS],
    ['for a token without scopes, if it is public', PUBLIC_OPERATION, token()],
    ['for a token with exactly what it requires', PROFILE, token('PROFILE_READ')],
    ['for a token with more', PROFILE, token('PROFILE_READ', 'BOOKING_READ')],
    ['for a token whose organization scope implies it', '{ team(id: 1) { slug } }', token('ORG_PROFILE_READ')],
    [
      'for a legacy token, whatever the scopes',
      '{ me { name bookings { nodes { id } } } organization(id: 1) { slug } }',
      legacy,
    ],
    ['for a session, whatever the scopes', PROFILE, session],
    ['for a session, first-party fields too', FIRST_PARTY, session],
  ])('%s', (_, source, caller) => {
    expect(decide(source, caller)).toBeUndefined();
  });
});

describe('an operation is refused', () => {
  test.each<[string, string, Caller, Partial<Refusal>]>([
    ['to anonymous callers, if it requires anything', PROFILE, ANONYMOUS, { status: 401, code: 'UNAUTHENTICATED' }],
    ['to anonymous callers, if it is first-party', FIRST_PARTY, ANONYMOUS, { status: 401, code: 'UNAUTHENTICATED' }],
    ['to a token without scopes', PROFILE, token(), { status: 403, code: 'INSUFFICIENT_SCOPE' }],
    ['to a token with another scope', PROFILE, token('BOOKING_READ'), { status: 403, missingScopes: ['PROFILE_READ'] }],
    ['to a token with WRITE where READ is required', PROFILE, token('PROFILE_WRITE'), { status: 403 }],
    [
      'to a token with READ that would write',
      'mutation { eventTypeCreate { eventTypeId } }',
      token('EVENT_TYPE_READ'),
      { status: 403 },
    ],
    [
      'to a token of a team at organization level',
      '{ organization(id: 1) { slug } }',
      token('TEAM_PROFILE_READ'),
      { status: 403 },
    ],
    ['to a user’s token at team level', '{ team(id: 1) { slug } }', token('PROFILE_READ'), { status: 403 }],
    [
      'to a subscriber without the scope',
      'subscription { bookingChanged { id } }',
      token('PROFILE_READ'),
      { status: 403 },
    ],
    ['to a legacy token, if it is first-party', FIRST_PARTY, legacy, { status: 403, code: 'FORBIDDEN' }],
  ])('%s', (_, source, caller, refusal) => {
    expect(decide(source, caller)).toMatchObject(refusal);
  });

  test('to a token whose set claims the first-party bit: no token has it', () => {
    expect(decide(FIRST_PARTY, tokenCaller(sessionScopes()))).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    expect(decide(PROFILE, tokenCaller(sessionScopes()))).toBeUndefined();
  });

  test('to everybody, a session included, where a field has no requirement', () => {
    const rules = rulesFrom('type Query { hole: Int good: Int @requiresScope(access: FIRST_PARTY) }');
    expect(decide('{ hole }', session, rules)).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    expect(decide('{ hole }', legacy, rules)).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    expect(decide('{ hole }', ANONYMOUS, rules)).toMatchObject({ status: 401 });
    expect(decide('{ good }', session, rules)).toBeUndefined();
  });

  test('to each caller by the scopes of that caller, though the document is compiled once', () => {
    const compiled = compileOperation(productLike, parse(PROFILE));
    const verdicts = [session, ANONYMOUS, token('PROFILE_READ'), token()].map(
      (caller) => compiled && authorize(compiled, caller)?.status,
    );
    expect(verdicts).toEqual([undefined, 401, undefined, 403]);
  });
});

describe('a refusal', () => {
  const source =
    '{\n  me { eventTypes { nodes { title } } }\n  t: team(id: 1) {\n    eventTypes { nodes { title } }\n  }\n}';

  test('is one error, with the whole minimal set, what is missing of it and the outermost fields', () => {
    const refusal = decide(source, token('EVENT_TYPE_READ'));
    expect(refusal && refusalError(refusal)).toEqual({
      message: 'The access token lacks scopes that this operation needs: TEAM_EVENT_TYPE_READ.',
      locations: [{ line: 4, column: 5 }],
      extensions: {
        code: 'INSUFFICIENT_SCOPE',
        requiredScopes: ['EVENT_TYPE_READ', 'TEAM_EVENT_TYPE_READ'],
        missingScopes: ['TEAM_EVENT_TYPE_READ'],
        fields: [
          {
            coordinate: 'Team.eventTypes',
            level: 'TEAM',
            path: ['t', 'eventTypes'],
            requires: ['TEAM_EVENT_TYPE_READ'],
          },
        ],
      },
    });
  });

  test('tells anonymous callers what a token would need', () => {
    const refusal = decide(source, ANONYMOUS);
    expect(refusal && refusalError(refusal)).toMatchObject({
      message: 'This operation needs an access token with: EVENT_TYPE_READ, TEAM_EVENT_TYPE_READ.',
      extensions: { code: 'UNAUTHENTICATED', requiredScopes: ['EVENT_TYPE_READ', 'TEAM_EVENT_TYPE_READ'] },
    });
  });

  test('names at most 20 fields', () => {
    const names = Array.from({ length: 50 }, (_, index) => `n${index}: name`).join(' ');
    expect(decide(`{ me { ${names} } }`, token())?.fields).toHaveLength(20);
  });

  test('has no locations if the document has none', () => {
    const compiled = compileOperation(productLike, parse(PROFILE, { noLocation: true }));
    const refusal = compiled && authorize(compiled, token());
    expect(refusal && refusalError(refusal)).not.toHaveProperty('locations');
  });

  test('names nothing when a first-party field is in it, so that no answer tells what there is', () => {
    for (const caller of [ANONYMOUS, token(), legacy]) {
      const refusal = decide('{ me { name sessions { id } } reviewQueue { clientId } }', caller);
      expect(refusal).toMatchObject({ requiredScopes: [], missingScopes: [], fields: [] });
      expect(JSON.stringify(refusal && refusalError(refusal))).not.toMatch(/sessions|reviewQueue|first.?party|_READ/i);
    }
  });

  test('says nothing but that, to a token that no scope would help', () => {
    const refusal = decide('{ me { sessions { id } } }', legacy);
    expect(refusal && refusalError(refusal)).toEqual({
      message: 'This operation selects a field that these credentials cannot open, whatever their scopes.',
      extensions: { code: 'FORBIDDEN' },
    });
  });
});
