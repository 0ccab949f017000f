import { expect, test } from 'vitest';
import { CircuitBreaker } from '../../../src/graphql/compiled/query-plans.ts';

const fail = () => Promise.reject(new Error('no'));
const tries = (breaker: CircuitBreaker, count: number) =>
  Array.from({ length: count }, () => breaker.letsThrough).filter(Boolean).length;

test('a plan that fails three times in a row is tried each tenth time, until it answers', async () => {
  const breaker = new CircuitBreaker();
  for (let time = 0; time < 2; time += 1) await expect(breaker.run(fail)).rejects.toThrow('no');
  expect(tries(breaker, 5)).toBe(5);
  await expect(breaker.run(fail)).rejects.toThrow('no');
  expect(tries(breaker, 30)).toBe(3);
  expect(await breaker.run(async () => 'an answer')).toBe('an answer');
  expect(tries(breaker, 5)).toBe(5);
});

test('failures between answers are nothing', async () => {
  const breaker = new CircuitBreaker();
  for (let time = 0; time < 10; time += 1) {
    await expect(breaker.run(fail)).rejects.toThrow('no');
    await breaker.run(async () => undefined);
  }
  expect(breaker.letsThrough).toBe(true);
});
