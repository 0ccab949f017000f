import { array, assert, constantFrom, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { localPath } from '../../../src/screens/kit/paths.ts';

const HERE = 'https://gatehouse.test';

describe('after signing in one goes on to', () => {
  test.each([
    '/',
    '/settings/apps',
    '/auth/oauth2/authorize?client_id=a&redirect_uri=https%3A%2F%2Fapp.test%2Fcb&scope=A%20B',
    '/a//b',
    '/%2F%2Fevil.test',
    '/%5Cevil.test',
    '/@evil.test',
  ])('%s', (path) => {
    expect(localPath(path, HERE)).toBe(path);
  });

  test.each([
    undefined,
    null,
    '',
    'settings',
    'https://evil.test/',
    'https://gatehouse.test/',
    '//evil.test',
    '///evil.test',
    '/\\evil.test',
    '\\\\evil.test',
    '/a\\b',
    '/\t/evil.test',
    '/\n/evil.test',
    ' //evil.test',
    '/ /evil.test',
    '/.//evil.test',
    '/..//evil.test',
    '/%2e//evil.test',
    '/a/..//evil.test',
    'javascript:alert(1)',
    '/\0',
    '/ä',
    `/${'a'.repeat(10_000)}`,
  ])('the start page instead of %j', (path) => {
    expect(localPath(path, HERE)).toBe('/');
  });
});

test('a browser stays here, whatever path is asked for', () => {
  const piece = constantFrom(
    '/',
    '\\',
    '.',
    '..',
    '%2e',
    '%2f',
    '%5c',
    '\t',
    '\n',
    '@',
    ':',
    '?',
    '#',
    'evil.test',
    'https:',
  );
  assert(
    property(array(piece, { maxLength: 8 }), (pieces) => {
      const target = new URL(localPath(pieces.join(''), HERE), `${HERE}/auth/login`);
      expect(target.origin).toBe(HERE);
    }),
    { numRuns: 2_000 },
  );
});
