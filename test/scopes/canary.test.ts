import { describe, expect, test } from 'vitest';
import { assertEmptyGrantIsRefused, canaryOperations } from '../../src/scopes/canary.ts';
import { PRODUCT_LIKE, productLike } from './support/product-like.ts';
import { rulesFrom } from './support/schema.ts';

describe('the canary', () => {
  test('tries every root field that is not public, as little of it as can be', () => {
    expect(canaryOperations(productLike)).toEqual([
      'query { me { __typename } }',
      'query { team { __typename } }',
      'query { organization { __typename } }',
      'query { reviewQueue { __typename } }',
      'mutation { eventTypeCreate { __typename } }',
      'mutation { teamEventTypeCreate { __typename } }',
      'mutation { clientApprove { __typename } }',
      'subscription { bookingChanged { __typename } }',
    ]);
  });

  test('lives in a schema that refuses all of them to callers who hold nothing', () => {
    expect(() => assertEmptyGrantIsRefused(productLike)).not.toThrow();
    expect(() => assertEmptyGrantIsRefused(productLike, ['{ me { name } }'])).not.toThrow();
  });

  test('dies when one passes', () => {
    expect(() => assertEmptyGrantIsRefused(productLike, ['{ me { name } }', '{ slots { start } }'])).toThrow(
      '"{ slots { start } }" is open to callers who hold no scope',
    );
  });

  test('dies when there is nothing to try, or not one thing', () => {
    expect(() =>
      assertEmptyGrantIsRefused(rulesFrom('type Query { open: Int @requiresScope(access: PUBLIC) }')),
    ).toThrow('requirements were lost');
    expect(() => assertEmptyGrantIsRefused(productLike, ['query A { __typename } query B { __typename }'])).toThrow(
      'give it exactly one',
    );
  });

  test('survives a field whose requirement is missing: nobody may select it', () => {
    const rules = rulesFrom(
      PRODUCT_LIKE.replace('me: Viewer @requiresScope(access: INHERIT, enters: USER)', 'me: Viewer'),
    );
    expect(() => assertEmptyGrantIsRefused(rules)).not.toThrow();
  });
});
