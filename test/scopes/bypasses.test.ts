/** How the scopes of others were bypassed, tried on this engine. The numbers are those of the public advisories. */
import { parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { ANONYMOUS, authorize, tokenCaller } from '../../src/scopes/authorize.ts';
import { compileOperation } from '../../src/scopes/compile.ts';
import { grantedScopes, heldScopes } from '../../src/scopes/held-scopes.ts';
import { REQUIREMENT } from '../../src/scopes/requirement.ts';
import { rulesOf, type SchemaRules } from '../../src/scopes/schema-rules.ts';
import { findHoles } from '../../src/scopes/unguarded-fields.ts';
import { POLYMORPHIC } from './support/polymorphic.ts';
import { productLike } from './support/product-like.ts';
import { aSchema, rulesFrom } from './support/schema.ts';

/** The scopes that a token with these lacks for an operation; `undefined` if it may run it. */
function missing(source: string, scopes: readonly string[], rules: SchemaRules = productLike, operationName?: string) {
  const compiled = compileOperation(rules, parse(source), operationName);
  if (compiled === undefined) throw new Error('The document has no such operation.');
  return authorize(compiled, tokenCaller(heldScopes(scopes)))?.missingScopes;
}

describe('a field cannot be had without its scope', () => {
  test('by selecting it on an interface (GHSA-mx7m-j9xf-62hw)', () => {
    expect(missing('{ any { id } }', ['PROFILE_READ', 'BOOKING_READ', 'EVENT_TYPE_READ'], POLYMORPHIC)).toEqual([
      'WEBHOOK_READ',
    ]);
    expect(
      missing('{ any { id } }', ['PROFILE_READ', 'BOOKING_READ', 'EVENT_TYPE_READ', 'WEBHOOK_READ'], POLYMORPHIC),
    ).toBeUndefined();
  });

  test('by giving it the response key of another type’s field (GHSA-x33c-7c2v-mrj9)', () => {
    const source = '{ either { ... on Booking { x: id } ... on Webhook { x: url } } }';
    expect(missing(source, ['PROFILE_READ', 'BOOKING_READ'], POLYMORPHIC)).toEqual(['APPS_READ', 'WEBHOOK_READ']);
  });

  test('by a directive that a schema tool has renamed or dropped (GHSA-g8jh-vg5j-4h3f)', () => {
    const schema = aSchema('type Query { secret: Int @requiresScope(user: [PROFILE_READ], enters: USER) }');
    const secret = schema.getQueryType()?.getFields()['secret'];
    if (secret) secret.astNode = null;
    expect(missing('{ secret }', [], rulesOf(schema))).toEqual(['PROFILE_READ']);

    const stripped = aSchema('type Query { secret: Int @requiresScope(access: PUBLIC) }');
    Reflect.deleteProperty(stripped.getQueryType()?.getFields()['secret']?.extensions ?? {}, REQUIREMENT);
    expect(missing('{ secret }', ['PROFILE_READ'], rulesOf(stripped))).toEqual([]);
    expect(findHoles(rulesOf(stripped))).toHaveLength(1);
  });

  test('by holding one of two that are required', () => {
    expect(missing('{ any { ... on Webhook { url } } }', ['PROFILE_READ', 'WEBHOOK_READ'], POLYMORPHIC)).toEqual([
      'APPS_READ',
    ]);
    expect(missing('{ me { name } team(id: 1) { slug } }', ['PROFILE_READ'])).toEqual(['TEAM_PROFILE_READ']);
  });

  test('by a fragment that was judged before, at another level (GHSA-224p-v68g-5g8f)', () => {
    const source = `{ me { eventTypes { nodes { ...F } } } team(id: 1) { eventTypes { nodes { ...F } } } }
      fragment F on EventType { title }`;
    expect(missing(source, ['EVENT_TYPE_READ'])).toEqual(['TEAM_EVENT_TYPE_READ']);
    expect(missing(source, ['TEAM_EVENT_TYPE_READ'])).toEqual(['EVENT_TYPE_READ']);
  });

  test('by the alias __proto__ (CVE-2026-32621)', () => {
    expect(missing('{ __proto__: me { __proto__: name } }', [])).toEqual(['PROFILE_READ']);
  });

  test('by a directive in the document (CVE-2026-19478)', () => {
    expect(missing('{ me @requiresScope(access: PUBLIC) { name @public @skip(if: true) } }', [])).toEqual([
      'PROFILE_READ',
    ]);
  });

  test('by the name of an operation (CVE-2024-4994)', () => {
    expect(missing('query IntrospectionQuery { me { name } }', [], productLike, 'IntrospectionQuery')).toEqual([
      'PROFILE_READ',
    ]);
  });

  test('by another, harmless operation in the document', () => {
    const source = 'query A { slots { start } } query B { me { name } }';
    expect(missing(source, [], productLike, 'B')).toEqual(['PROFILE_READ']);
    expect(missing(source, [], productLike, 'A')).toBeUndefined();
  });
});

describe('nobody writes or listens', () => {
  test('with a scope to read (CVE-2025-11340)', () => {
    expect(missing('mutation { eventTypeCreate { eventTypeId } }', ['EVENT_TYPE_READ'])).toEqual(['EVENT_TYPE_WRITE']);
    const lax = rulesFrom(
      'type Query { open: Int @requiresScope(access: PUBLIC) } type Mutation { save: Int @requiresScope(user: [PROFILE_READ], enters: USER) }',
    );
    expect(findHoles(lax).map(({ problem }) => problem)).toEqual(['it is a mutation that requires no WRITE scope']);
  });

  test('by a subscription without the scope (CVE-2024-4006)', () => {
    expect(missing('subscription { bookingChanged { id } }', [])).toEqual(['BOOKING_READ']);
    expect(missing('subscription { bookingChanged { id } }', ['BOOKING_READ'])).toBeUndefined();
  });
});

describe('an empty list is never "everything":', () => {
  test('not in a requirement', () => {
    expect(findHoles(rulesFrom('type Query { open: Int @requiresScope(user: [], enters: USER) }'))).toHaveLength(1);
    expect(
      missing('{ open }', [], rulesFrom('type Query { open: Int @requiresScope(user: [], enters: USER) }')),
    ).toEqual([]);
  });

  test('not in a grant', () => {
    const held = grantedScopes({ kind: 'SCOPED', scopes: [] });
    const compiled = compileOperation(productLike, parse('{ me { name } }'));
    expect(compiled && held && authorize(compiled, tokenCaller(held))).toMatchObject({ status: 403 });
  });
});

test('the verdict on one caller is not served to the next', () => {
  const document = parse('{ me { name } }');
  const verdict = (scopes: readonly string[]) => {
    const compiled = compileOperation(productLike, document);
    return compiled && authorize(compiled, scopes.length === 0 ? ANONYMOUS : tokenCaller(heldScopes(scopes)))?.status;
  };
  expect([['PROFILE_READ'], [], ['BOOKING_READ'], ['PROFILE_READ']].map(verdict)).toEqual([
    undefined,
    401,
    403,
    undefined,
  ]);
});
