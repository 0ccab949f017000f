import type { GraphQLInterfaceType } from 'graphql';
import { describe, expect, test } from 'vitest';
import { PUBLIC } from '../../src/scopes/declare.ts';
import { REQUIREMENT } from '../../src/scopes/requirement.ts';
import { rulesOf } from '../../src/scopes/schema-rules.ts';
import { POLYMORPHIC } from './support/polymorphic.ts';
import { aSchema, requiredBy } from './support/schema.ts';

const requiresAny = (selection: string) =>
  requiredBy(POLYMORPHIC, `{ any { ${selection} } } fragment F on Booking { id }`);

describe('an abstract type is every object type that may stand there', () => {
  test('a field of an interface requires what it requires on each of them', () => {
    expect(requiresAny('id')).toEqual(['EVENT_TYPE_READ', 'BOOKING_READ', 'PROFILE_READ', 'WEBHOOK_READ']);
  });

  test('a type condition narrows to that type', () => {
    expect(requiresAny('... on EventType { id }')).toEqual(['EVENT_TYPE_READ', 'PROFILE_READ']);
    expect(requiresAny('...F')).toEqual(['BOOKING_READ', 'PROFILE_READ']);
  });

  test('a condition on an interface narrows to the types that implement it', () => {
    expect(requiresAny('... on Titled { id }')).toEqual(['EVENT_TYPE_READ', 'BOOKING_READ', 'PROFILE_READ']);
  });

  test('a narrowed type stays narrow inside a wider condition', () => {
    expect(requiresAny('... on EventType { ... on Node { id } }')).toEqual(['EVENT_TYPE_READ', 'PROFILE_READ']);
    expect(requiresAny('... on Titled { ... on Node { ... on Titled { id } } }')).toEqual([
      'EVENT_TYPE_READ',
      'BOOKING_READ',
      'PROFILE_READ',
    ]);
  });

  test('conditions that exclude each other select nothing', () => {
    expect(requiresAny('... on EventType { ... on Node { ... on Booking { id } } }')).toEqual(['PROFILE_READ']);
  });

  test('a union is judged by its members', () => {
    expect(requiredBy(POLYMORPHIC, '{ either { ... on Booking { id } } }')).toEqual(['BOOKING_READ', 'PROFILE_READ']);
    expect(requiredBy(POLYMORPHIC, '{ either { ... on Node { id } } }')).toEqual([
      'BOOKING_READ',
      'PROFILE_READ',
      'WEBHOOK_READ',
    ]);
  });

  test('a field with another type on each object is followed on each', () => {
    expect(requiresAny('... on Titled { owner { id } }')).toEqual([
      'BOOKING_READ',
      'APPS_READ',
      'PROFILE_READ',
      'WEBHOOK_READ',
    ]);
  });

  test('the requirement that an interface itself claims is not read', () => {
    const schema = aSchema(`
      type Query { any: Node @requiresScope(user: [PROFILE_READ], enters: USER) }
      interface Node { id: ID }
      type Booking implements Node { id: ID @requiresScope(user: [BOOKING_READ]) }`);
    const node = schema.getType('Node') as GraphQLInterfaceType;
    Object.assign(node.getFields()['id']?.extensions ?? {}, { [REQUIREMENT]: PUBLIC });
    expect(requiredBy(rulesOf(schema), '{ any { id } }')).toEqual(['BOOKING_READ', 'PROFILE_READ']);
  });
});
