import { expect, test } from 'vitest';
import { CircuitBreaker } from '../../src/graphql/operation.ts';

const tries = (breaker: CircuitBreaker, count: number) =>
  Array.from({ length: count }, () => breaker.letsThrough).filter(Boolean).length;

test('a plan that fails three times in a row is tried each tenth time, until it answers', () => {
  const breaker = new CircuitBreaker();
  for (let time = 0; time < 2; time += 1) breaker.failed();
  expect(tries(breaker, 5)).toBe(5);
  breaker.failed();
  expect(tries(breaker, 30)).toBe(3);
  breaker.succeeded();
  expect(tries(breaker, 5)).toBe(5);
});

test('failures between answers are nothing', () => {
  const breaker = new CircuitBreaker();
  for (let time = 0; time < 10; time += 1) {
    breaker.failed();
    breaker.succeeded();
  }
  expect(breaker.letsThrough).toBe(true);
});
