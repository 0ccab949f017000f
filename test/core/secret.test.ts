import { createHmac } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  base62Of,
  checksum,
  equalsInConstantTime,
  macOf,
  randomBase62,
  sha256Base64url,
  sha256Hex,
} from '../../src/core/secret.ts';

const KEY = new Uint8Array(32).fill(1);

describe('random base62', () => {
  test('has the asked length and no character outside 0-9 A-Z a-z', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 200 }), (length) => {
        expect(randomBase62(length)).toMatch(/^[0-9A-Za-z]*$/);
        expect(randomBase62(length)).toHaveLength(length);
      }),
    );
  });

  test('throws away the bytes that would make some characters likelier', () => {
    const rounds = [new Uint8Array([248, 255, 61]), new Uint8Array([0, 62])];
    expect(randomBase62(3, () => rounds.shift() ?? new Uint8Array())).toBe('z00');
  });

  test('gives every fair byte value the same share of characters', () => {
    const counts = new Map<string, number>();
    const everyByte = Uint8Array.from({ length: 256 }, (_, i) => i);
    for (const character of randomBase62(248, () => everyByte)) counts.set(character, (counts.get(character) ?? 0) + 1);
    expect(counts.size).toBe(62);
    expect(new Set(counts.values())).toEqual(new Set([4]));
  });

  test('does not repeat itself', () => {
    expect(randomBase62(43)).not.toBe(randomBase62(43));
  });
});

describe('base62 of bytes', () => {
  test.each([
    [[0, 0, 0, 0], '000000'],
    [[0, 0, 0, 61], '00000z'],
    [[0, 0, 0, 62], '000010'],
    [[255, 255, 255, 255], '4gfFC3'],
    [[0, 0, 0, 1, 0, 0, 0, 2], '000001000002'],
  ])('%j is %s', (bytes, text) => {
    expect(base62Of(Uint8Array.from(bytes))).toBe(text);
  });

  test('gives different texts for different bytes', () => {
    const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 });
    fc.assert(
      fc.property(bytes, fc.nat(31), fc.integer({ min: 1, max: 255 }), (one, position, flipped) => {
        const other = one.map((byte, i) => (i === position ? byte ^ flipped : byte));
        expect(base62Of(other)).not.toBe(base62Of(one));
        expect(base62Of(Uint8Array.from(one))).toBe(base62Of(one));
      }),
    );
  });
});

describe('the checksum', () => {
  test('is the CRC-32 that everybody computes', () => {
    // The check value of CRC-32 for 123456789 is 0xCBF43926.
    expect(checksum('123456789')).toBe(base62Of(Uint8Array.from([0xcb, 0xf4, 0x39, 0x26])));
  });

  test('changes with any one character', () => {
    const text = 'gh_secret_0123456789';
    for (let i = 0; i < text.length; i += 1)
      expect(checksum(`${text.slice(0, i)}~${text.slice(i + 1)}`)).not.toBe(checksum(text));
  });
});

describe('hashes', () => {
  test('are those of FIPS 180-4 and RFC 7636 Appendix B', () => {
    expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(sha256Base64url('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(
      'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    );
  });
});

describe('comparison in constant time', () => {
  test.each([
    ['', '', true],
    ['a', 'a', true],
    ['é', 'é', true],
    ['a', 'b', false],
    ['a', 'aa', false],
    ['', 'a', false],
    ['é', 'e\u0301', false],
  ])('%j and %j: %s', (a, b, equal) => {
    expect(equalsInConstantTime(a, b)).toBe(equal);
  });
});

describe('a MAC', () => {
  test('is the same for the same key, label and texts', () => {
    expect(macOf(KEY, 'x', 'a', 'b')).toEqual(macOf(KEY, 'x', 'a', 'b'));
  });

  test.each([
    ['another key', macOf(new Uint8Array(32).fill(2), 'x', 'a', 'b')],
    ['another label', macOf(KEY, 'y', 'a', 'b')],
    ['another text', macOf(KEY, 'x', 'a', 'c')],
    ['the texts in another order', macOf(KEY, 'x', 'b', 'a')],
    ['the texts cut elsewhere', macOf(KEY, 'x', 'ab')],
    ['an empty text more', macOf(KEY, 'x', 'a', 'b', '')],
    ['a text moved into the label', macOf(KEY, 'xa', 'b')],
    ['a text that imitates the length prefix', macOf(KEY, 'x', 'a1:b')],
  ])('differs for %s', (_, mac) => {
    expect(mac.equals(macOf(KEY, 'x', 'a', 'b'))).toBe(false);
  });

  test('holds 32 bytes', () => {
    expect(macOf(KEY, 'x').length).toBe(32);
  });

  test('is the HMAC-SHA256 of RFC 2104, of whatever key and length of text', () => {
    const keys = fc.oneof(fc.uint8Array({ maxLength: 130 }), fc.constant(KEY));
    const texts = fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ minLength: 900, maxLength: 2_000 })), {
      maxLength: 3,
    });
    fc.assert(
      fc.property(keys, texts, (key, parts) => {
        const message = ['x', ...parts].map((part) => `${Buffer.byteLength(part)}:${part}`).join('');
        const expected = createHmac('sha256', key).update(message).digest();
        expect(macOf(key, 'x', ...parts).equals(expected)).toBe(true);
        expect(macOf(key, 'x', ...parts).equals(expected)).toBe(true);
      }),
    );
  });
});
