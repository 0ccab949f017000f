import { describe, expect, test } from 'vitest';
import { UNRESTRICTED } from '../../../src/oauth/protocol/access.ts';
import {
  type AccessToken,
  accessTokenClaims,
  activeAccessToken,
  activeRefreshToken,
  INACTIVE,
  readAccessTokenClaims,
  tokenResponse,
} from '../../../src/oauth/protocol/access-token.ts';
import { at, ENCODED_GRANT_ID, GRANT_ID, INTERACTION_ID, ISSUER, KEY } from './builders.ts';

const USER_ID = '01934b9f-bfff-7def-8003-456789abcdec';
const TOKEN: AccessToken = {
  issuer: ISSUER,
  audience: ISSUER,
  userId: USER_ID,
  clientId: 'app-1',
  grantId: GRANT_ID,
  generation: 3,
  access: { kind: 'SCOPED', scopes: ['BOOKING_READ', 'PROFILE_READ'] },
  issuedAt: at(0),
};
const CLAIMS = accessTokenClaims(KEY, TOKEN);
const UNRESTRICTED_CLAIMS = accessTokenClaims(KEY, { ...TOKEN, access: UNRESTRICTED });

describe('the claims of an access token', () => {
  test('are those of RFC 9068 and those of the grant', () => {
    const iat = at(0).epochMilliseconds / 1_000;
    expect(CLAIMS).toEqual({
      iss: ISSUER,
      sub: 'usr_AZNLn7__fe-AA0VniavN7A',
      aud: ISSUER,
      client_id: 'app-1',
      scope: 'BOOKING_READ PROFILE_READ',
      jti: expect.stringMatching(/^[0-9A-Za-z]{48}$/),
      iat,
      exp: iat + 1_800,
      grant_id: `grt_${ENCODED_GRANT_ID}`,
      generation: 3,
    });
  });

  test('mark unrestricted access, which has no scope', () => {
    expect(UNRESTRICTED_CLAIMS).toMatchObject({ unrestricted: true });
    expect(UNRESTRICTED_CLAIMS).not.toHaveProperty('scope');
    expect(CLAIMS).not.toHaveProperty('unrestricted');
  });

  test('are the same bytes for the same token, to the second', () => {
    expect(JSON.stringify(accessTokenClaims(KEY, { ...TOKEN, issuedAt: at(0.999) }))).toBe(JSON.stringify(CLAIMS));
  });

  test.each<[string, Partial<AccessToken>]>([
    ['generation', { generation: 4 }],
    ['grant', { grantId: INTERACTION_ID }],
    ['scope', { access: { kind: 'SCOPED', scopes: ['PROFILE_READ'] } }],
    ['kind', { access: UNRESTRICTED }],
    ['second', { issuedAt: at(1) }],
  ])('have an id of their own for another %s', (_, changes) => {
    expect(accessTokenClaims(KEY, { ...TOKEN, ...changes }).jti).not.toBe(CLAIMS.jti);
  });

  test('have an id that nobody can tell without the key', () => {
    expect(accessTokenClaims(new Uint8Array(32), TOKEN).jti).not.toBe(CLAIMS.jti);
  });
});

describe('a verified payload', () => {
  test('is read back as what was written', () => {
    const written = { ...TOKEN, tokenId: CLAIMS.jti, expiresAt: at(1_800) };
    expect(readAccessTokenClaims({ ...CLAIMS })).toEqual(written);
    expect(readAccessTokenClaims({ ...UNRESTRICTED_CLAIMS })).toEqual({
      ...written,
      access: UNRESTRICTED,
      tokenId: UNRESTRICTED_CLAIMS.jti,
    });
  });

  test('may hold claims that we do not know', () => {
    expect(readAccessTokenClaims({ ...CLAIMS, nbf: 1, other: {}, client_id: 'x'.repeat(512) })).toBeDefined();
  });

  test.each([
    ['no kind of access', { scope: undefined }],
    ['an empty scope', { scope: '' }],
    ['a scope of spaces', { scope: '  ' }],
    ['only unknown scopes', { scope: 'openid' }],
    ['scopes in a list', { scope: ['PROFILE_READ'] }],
    ['scopes by commas', { scope: 'BOOKING_READ,PROFILE_READ' }],
    ['a number as scope', { scope: 1 }],
    ['null as scope', { scope: null }],
    ['both kinds of access', { unrestricted: true }],
    ['scope and a false marker', { unrestricted: false }],
    ['a marker that is a text', { scope: undefined, unrestricted: 'true' }],
    ['a marker that is a number', { scope: undefined, unrestricted: 1 }],
    ['a marker that is false', { scope: undefined, unrestricted: false }],
    ['a marker that is null', { scope: undefined, unrestricted: null }],
    ['no subject', { sub: undefined }],
    ['an empty subject', { sub: '' }],
    ['a number as subject', { sub: 1 }],
    ['a subject without end', { sub: 'x'.repeat(10_000) }],
    ['a subject that is the UUID of a user', { sub: USER_ID }],
    ['a subject that is no user', { sub: CLAIMS.grant_id }],
    ['a subject that is spelt in another way', { sub: CLAIMS.sub.replace(/A$/, 'B') }],
    ['a subject with NUL', { sub: `${CLAIMS.sub.slice(0, -1)}\0` }],
    ['no issuer', { iss: undefined }],
    ['no audience', { aud: undefined }],
    ['several audiences', { aud: [ISSUER, 'other'] }],
    ['no client', { client_id: undefined }],
    ['a client that is an object', { client_id: {} }],
    ['a client of 513 characters', { client_id: 'x'.repeat(513) }],
    ['no id', { jti: undefined }],
    ['no grant', { grant_id: undefined }],
    ['a grant that is a list', { grant_id: [CLAIMS.grant_id] }],
    ['a grant that is the UUID of one', { grant_id: GRANT_ID }],
    ['a grant that is a user', { grant_id: CLAIMS.sub }],
    ['no generation', { generation: undefined }],
    ['generation 0', { generation: 0 }],
    ['a broken generation', { generation: 1.5 }],
    ['a generation as text', { generation: '3' }],
    ['no time of issue', { iat: undefined }],
    ['a broken time of issue', { iat: 1.5 }],
    ['a time of issue beyond time', { iat: 1e300, exp: 2e300 }],
    ['no time of expiry', { exp: undefined }],
    ['an expiry at its issue', { exp: CLAIMS.iat }],
    ['an expiry that is infinite', { exp: Number.POSITIVE_INFINITY }],
    ['an expiry beyond time', { exp: Number.MAX_SAFE_INTEGER }],
  ])('is refused with %s', (_, changes) => {
    expect(readAccessTokenClaims({ ...CLAIMS, ...changes })).toBeUndefined();
  });

  test('is refused when it is empty', () => {
    expect(readAccessTokenClaims({})).toBeUndefined();
  });
});

describe('a token response', () => {
  const issued = { accessToken: 'a', refreshToken: 'r', access: TOKEN.access, issuedAt: at(0) };

  test('has its five fields', () => {
    expect(tokenResponse(issued, at(0))).toEqual({
      access_token: 'a',
      refresh_token: 'r',
      token_type: 'bearer',
      expires_in: 1_800,
      scope: 'BOOKING_READ PROFILE_READ',
    });
    expect(tokenResponse({ ...issued, access: UNRESTRICTED }, at(0))).toMatchObject({ scope: '' });
  });

  test.each([
    [0, 0, 1_800],
    [0.2, 0.9, 1_800],
    [0, 1, 1_799],
    [0.9, 1.1, 1_799],
    [0, 1_799, 1],
    [0, 1_800, 0],
    [0, 86_400, 0],
    [10, 0, 1_800],
  ])('issued at second %d and given at second %d says that %d remain', (issuedAt, now, remaining) => {
    expect(tokenResponse({ ...issued, issuedAt: at(issuedAt) }, at(now)).expires_in).toBe(remaining);
  });
});

describe('introspection tells', () => {
  const verified = { ...TOKEN, tokenId: CLAIMS.jti, expiresAt: at(1_800) };
  const { jti, iat, exp } = CLAIMS;

  test('the properties of a live access token', () => {
    expect(activeAccessToken(verified)).toEqual({
      active: true,
      scope: 'BOOKING_READ PROFILE_READ',
      client_id: 'app-1',
      token_type: 'bearer',
      exp,
      iat,
      sub: 'usr_AZNLn7__fe-AA0VniavN7A',
      aud: ISSUER,
      iss: ISSUER,
      jti,
    });
  });

  test('the properties of a live refresh token', () => {
    expect(activeRefreshToken(verified)).toEqual({
      active: true,
      scope: 'BOOKING_READ PROFILE_READ',
      client_id: 'app-1',
      exp,
      iat,
      sub: 'usr_AZNLn7__fe-AA0VniavN7A',
      iss: ISSUER,
    });
  });

  test('nothing of any other', () => {
    expect(INACTIVE).toEqual({ active: false });
  });
});
