import { describe, expect, test } from 'vitest';
import { findHoles } from '../../src/scopes/closure.ts';
import { productLike } from './support/product-like.ts';

describe('closed', () => {
  test('a schema in the manner of the product has no holes', () => {
    expect(findHoles(productLike)).toEqual([]);
  });
});
