import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readBearer } from '../../../src/oauth/protocol/bearer.ts';
import { anyText } from './any-text.ts';

describe('the Authorization header of an API call', () => {
  test.each([
    ['Bearer abc', 'abc'],
    ['bearer abc', 'abc'],
    ['BEARER abc', 'abc'],
    ['Bearer   abc', 'abc'],
    ['Bearer abc ', 'abc'],
    ['Bearer eyJ.a-b_c~d+e/f==', 'eyJ.a-b_c~d+e/f=='],
    ['Bearer Bearer', 'Bearer'],
  ])('%j holds a token', (header, token) => {
    expect(readBearer([header], false)).toEqual({ kind: 'TOKEN', token });
  });

  test('without a header the caller is anonymous', () => {
    expect(readBearer([], false)).toEqual({ kind: 'ABSENT' });
    expect(readBearer([], true)).toEqual({ kind: 'ABSENT' });
  });

  test.each([
    [['Basic YTpi']],
    [['Digest x']],
    [['DPoP abc']],
    [['Bearerabc']],
    [['abc']],
    [['Basic Bearer abc']],
    [['Negotiate']],
    [['Token abc']],
    [['Basic YTpi, Bearer abc']],
  ])('%j is of another scheme, and the caller is nobody, not even anonymous', (headers) => {
    expect(readBearer(headers, false)).toEqual({ kind: 'FOREIGN' });
    expect(readBearer(headers, true)).toEqual({ kind: 'FOREIGN' });
  });

  test.each([
    ['nothing in it', ['']],
    ['spaces in it', ['  ']],
    ['a space before the scheme', [' Bearer abc']],
    ['a comma before the scheme', [', Bearer abc']],
    ['no token', ['Bearer']],
    ['spaces for a token', ['Bearer   ']],
    ['two tokens', ['Bearer abc def']],
    ['two tokens with a comma', ['Bearer abc,def']],
    ['two headers joined', ['Bearer abc, Bearer def']],
    ['two headers joined, the first empty', ['Bearer, Bearer def']],
    ['another scheme joined behind', ['Bearer abc, Basic YTpi']],
    ['a tab for the space', ['Bearer\tabc']],
    ['a tab within', ['Bearer abc\tdef']],
    ['a line break', ['Bearer abc\ndef']],
    ['two headers', ['Bearer abc', 'Bearer def']],
    ['the same header twice', ['Bearer abc', 'Bearer abc']],
    ['two headers of other schemes', ['Basic YTpi', 'Bearer abc']],
    ['an empty second header', ['Bearer abc', '']],
  ])('with %s is unusable', (_, headers) => {
    expect(readBearer(headers, false)).toMatchObject({
      kind: 'REFUSED',
      error: { error: 'invalid_request', status: 400 },
    });
  });

  test.each([
    'Bearer "abc"',
    'Bearer {abc}',
    'Bearer abc%20',
    'Bearer ab=c',
    'Bearer =',
    'Bearer é',
    'Bearer abc\0',
    'Bearer abc;def',
    'Bearer <token>',
    'Bearer [object',
  ])('%j is a garbled token', (header) => {
    expect(readBearer([header], false)).toMatchObject({
      kind: 'REFUSED',
      error: { error: 'invalid_token', status: 401 },
    });
  });

  test('and a token in the address together are ambiguous', () => {
    expect(readBearer(['Bearer abc'], true)).toMatchObject({
      kind: 'REFUSED',
      error: { error: 'invalid_request', status: 400 },
    });
    expect(readBearer(['Bearer abc'], false)).toEqual({ kind: 'TOKEN', token: 'abc' });
  });

  test('is never repeated in an error', () => {
    for (const headers of [['Bearer TOPSECRET x'], ['Bearer {TOPSECRET}'], ['Bearer TOPSECRET', 'x']]) {
      expect(JSON.stringify(readBearer(headers, false))).not.toContain('TOPSECRET');
    }
  });

  test('gives nothing but a b64token, whatever it is', () => {
    fc.assert(
      fc.property(anyText(), fc.boolean(), (text, hasSpace) => {
        const bearer = readBearer([`Bearer${hasSpace ? ' ' : ''}${text}`], false);
        expect(bearer.kind === 'TOKEN' ? bearer.token : 'none').toMatch(/^[A-Za-z0-9\-._~+/]+=*$/);
      }),
    );
  });
});
