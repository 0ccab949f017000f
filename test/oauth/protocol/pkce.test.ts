import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { challengeOf, isCodeChallenge, isCodeVerifier, verifierMatches } from '../../../src/oauth/protocol/pkce.ts';
import { CHALLENGE, VERIFIER } from './builders.ts';

const UNRESERVED = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~';
const verifier = fc.string({ unit: fc.constantFrom(...UNRESERVED.split('')), minLength: 43, maxLength: 128 });

test('the example of RFC 7636 Appendix B', () => {
  expect(challengeOf(VERIFIER)).toBe('E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM');
  expect(verifierMatches(VERIFIER, 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM')).toBe(true);
});

describe('a verifier', () => {
  test.each([UNRESERVED, 'a'.repeat(43), 'a'.repeat(128), '~'.repeat(43)])('may be %s', (text) => {
    expect(isCodeVerifier(text)).toBe(true);
  });

  test.each([
    '',
    'a'.repeat(42),
    'a'.repeat(129),
    'a'.repeat(100_000),
    `${'a'.repeat(42)}+`,
    `${'a'.repeat(42)}/`,
    `${'a'.repeat(42)}=`,
    `${'a'.repeat(42)} `,
    `${'a'.repeat(43)}\n`,
    `${'a'.repeat(43)}\0`,
    `${'a'.repeat(42)}é`,
    `${'a'.repeat(42)}ａ`,
    `${'a'.repeat(42)}%`,
  ])('may not be %j', (text) => {
    expect(isCodeVerifier(text)).toBe(false);
  });

  test('proves its own challenge and no other', () => {
    fc.assert(
      fc.property(verifier, verifier, (one, other) => {
        expect(isCodeVerifier(one)).toBe(true);
        expect(isCodeChallenge(challengeOf(one))).toBe(true);
        expect(verifierMatches(one, challengeOf(one))).toBe(true);
        expect(verifierMatches(one, challengeOf(other))).toBe(one === other);
      }),
    );
  });

  test.each([CHALLENGE, VERIFIER.toLowerCase(), `${VERIFIER} `, VERIFIER.slice(1), `${VERIFIER}=`, ''])(
    '%j does not prove the challenge of another',
    (text) => {
      expect(verifierMatches(text, CHALLENGE)).toBe(false);
    },
  );

  test('is never its own challenge: there is no plain method', () => {
    expect(verifierMatches(VERIFIER, VERIFIER)).toBe(false);
  });
});
