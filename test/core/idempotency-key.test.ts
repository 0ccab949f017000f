import { expect, test } from 'vitest';
import { idempotencyKeyMistake } from '../../src/core/idempotency-key.ts';

test.each(['x'.repeat(16), 'x'.repeat(255), '😀'.repeat(16)])('a key of 16 to 255 characters is taken: %s', (key) => {
  expect(idempotencyKeyMistake(key)).toBeUndefined();
});

test.each([
  ['', 'REQUIRED'],
  ['x'.repeat(15), 'TOO_SHORT'],
  // Characters are counted, not the units of UTF-16 that they take.
  ['😀'.repeat(15), 'TOO_SHORT'],
  ['x\0', 'TOO_SHORT'],
  ['x'.repeat(256), 'TOO_LONG'],
  [`\0${'x'.repeat(16)}`, 'INVALID_TEXT'],
])('a key is refused: %j', (key, code) => {
  expect(idempotencyKeyMistake(key)).toMatchObject({ code, path: ['idempotencyKey'] });
});
