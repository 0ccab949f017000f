import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checksum } from '../../../src/core/secret.ts';
import {
  authorizationCode,
  interactionIdOfCode,
  isClientSecret,
  isGenuineRefreshToken,
  newClientId,
  newClientSecret,
  parseRefreshToken,
  refreshToken,
  secretHint,
} from '../../../src/oauth/protocol/credentials.ts';
import { anyText } from './any-text.ts';
import { ENCODED_GRANT_ID, ENCODED_INTERACTION_ID, GRANT_ID, INTERACTION_ID, KEY } from './builders.ts';

const OTHER_KEY = new Uint8Array(32).fill(8);
const SOURCE = { grantId: GRANT_ID, seed: 'c2VlZA', generation: 3 };
const TOKEN = refreshToken(KEY, SOURCE);
const CODE = authorizationCode(KEY, INTERACTION_ID);
/** The same text with a checksum that fits, so that the form itself is what is tested. */
const summed = (text: string) => text + checksum(text);
const zeros = (size: number) => new Uint8Array(size);

describe('a client secret', () => {
  test('has 256 random bits and a checksum, and is drawn anew each time', () => {
    expect(newClientSecret()).toMatch(/^gh_secret_[0-9A-Za-z]{49}$/);
    expect(newClientSecret()).not.toBe(newClientSecret());
    expect(62n ** 43n > 2n ** 256n).toBe(true);
    expect(newClientSecret(zeros)).toBe(`gh_secret_${'0'.repeat(43)}${checksum(`gh_secret_${'0'.repeat(43)}`)}`);
  });

  test('is recognised without a look-up', () => {
    for (let i = 0; i < 50; i += 1) expect(isClientSecret(newClientSecret())).toBe(true);
  });

  const secret = newClientSecret();
  test.each([
    '',
    'gh_secret_',
    'gh_secret_demo_app',
    secret.slice(0, -1),
    secret.slice(1),
    `${secret}0`,
    ` ${secret}`,
    `${secret}\n`,
    secret.replace('gh_secret_', 'gh_refresh_'),
    secret.replace('gh_secret_', 'GH_SECRET_'),
    `gh_secret_${'0'.repeat(49)}`,
    secret.slice(0, 20) + (secret[20] === 'a' ? 'b' : 'a') + secret.slice(21),
    `gh_secret_${'é'.repeat(49)}`,
    'x'.repeat(1_000_000),
  ])('is not taken for one: %#', (text) => {
    expect(isClientSecret(text)).toBe(false);
  });

  test('is hinted at by its end', () => {
    expect(secretHint('gh_secret_abcdefgh')).toBe('efgh');
  });
});

test('a client id is random and says what it is', () => {
  expect(newClientId()).toMatch(/^gh_client_[0-9A-Za-z]{22}$/);
  expect(newClientId()).not.toBe(newClientId());
});

describe('an authorization code', () => {
  test('is the same for the same interaction, and only under the same key', () => {
    expect(CODE).toMatch(new RegExp(`^gh_code_${ENCODED_INTERACTION_ID}_[0-9A-Za-z]{48}$`));
    expect(authorizationCode(KEY, INTERACTION_ID)).toBe(CODE);
    expect(authorizationCode(OTHER_KEY, INTERACTION_ID)).not.toBe(CODE);
    expect(authorizationCode(KEY, GRANT_ID)).not.toBe(CODE);
  });

  test('names its interaction', () => {
    expect(interactionIdOfCode(CODE)).toBe(INTERACTION_ID);
  });

  test.each([
    '',
    'gh_code_',
    'gh_code__',
    CODE.slice(0, -1),
    `${CODE}0`,
    `${CODE}\n`,
    ` ${CODE}`,
    CODE.toUpperCase(),
    CODE.replace('gh_code_', 'gh_refresh_'),
    // The last character has four bits to spare, which are not set.
    CODE.replace(ENCODED_INTERACTION_ID, `${ENCODED_INTERACTION_ID.slice(0, -1)}x`),
    CODE.replace(ENCODED_INTERACTION_ID, ENCODED_INTERACTION_ID.slice(0, -1)),
    CODE.replace(ENCODED_INTERACTION_ID, INTERACTION_ID),
    CODE.replace(ENCODED_INTERACTION_ID, '../../../../etc/passwd'),
    CODE.replace(ENCODED_INTERACTION_ID, "'; drop table codes --"),
    CODE.replace(ENCODED_INTERACTION_ID, '\0'.repeat(22)),
    CODE.replaceAll('_', '-'),
    TOKEN,
    'x'.repeat(1_000_000),
    `gh_code_${'0'.repeat(1_000_000)}`,
  ])('is not looked up when it is none: %#', (text) => {
    expect(interactionIdOfCode(text)).toBeUndefined();
  });
});

describe('a refresh token', () => {
  test('is the same whenever it is asked for', () => {
    expect(TOKEN).toMatch(new RegExp(`^gh_refresh_${ENCODED_GRANT_ID}_3_[0-9A-Za-z]{54}$`));
    expect(refreshToken(KEY, { ...SOURCE })).toBe(TOKEN);
  });

  test('tells its grant and generation', () => {
    expect(parseRefreshToken(TOKEN)).toMatchObject({ grantId: GRANT_ID, generation: 3 });
    expect(parseRefreshToken(refreshToken(KEY, { ...SOURCE, generation: 999_999_999 }))).toMatchObject({
      generation: 999_999_999,
    });
  });

  test('is genuine under the key and the seed that made it', () => {
    const parsed = parseRefreshToken(TOKEN);
    expect(parsed && isGenuineRefreshToken(KEY, parsed, SOURCE.seed)).toBe(true);
    expect(parsed && isGenuineRefreshToken(OTHER_KEY, parsed, SOURCE.seed)).toBe(false);
    expect(parsed && isGenuineRefreshToken(KEY, parsed, 'b3RoZXI')).toBe(false);
  });

  test.each([
    ['another generation', { generation: 2 }],
    ['the next generation', { generation: 4 }],
    ['another grant', { grantId: INTERACTION_ID }],
  ])('does not serve for %s', (_, changes) => {
    const parsed = parseRefreshToken(TOKEN);
    expect(parsed && isGenuineRefreshToken(KEY, { ...parsed, ...changes }, SOURCE.seed)).toBe(false);
  });

  test('is genuine for every generation ever given out', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_999 }), fc.string(), (generation, seed) => {
        const parsed = parseRefreshToken(refreshToken(KEY, { grantId: GRANT_ID, seed, generation }));
        expect(parsed).toMatchObject({ grantId: GRANT_ID, generation });
        expect(parsed && isGenuineRefreshToken(KEY, parsed, seed)).toBe(true);
      }),
    );
  });

  const body = TOKEN.slice(0, -6);

  test('is read for its form and not for its checksum alone', () => {
    expect(parseRefreshToken(summed(body))).toBeDefined();
  });

  test.each([
    '',
    'gh_refresh_',
    TOKEN.slice(0, -1),
    `${TOKEN}0`,
    `${TOKEN}\n`,
    ` ${TOKEN}`,
    `${TOKEN} `,
    body + '0'.repeat(6),
    TOKEN.replace('_3_', '_4_'),
    summed(body.replace('_3_', '_0_')),
    summed(body.replace('_3_', '_03_')),
    summed(body.replace('_3_', '_-3_')),
    summed(body.replace('_3_', '_+3_')),
    summed(body.replace('_3_', '_3.0_')),
    summed(body.replace('_3_', '_3e0_')),
    summed(body.replace('_3_', '_0x3_')),
    summed(body.replace('_3_', '_٣_')),
    summed(body.replace('_3_', '__')),
    summed(body.replace('_3_', '_1000000000_')),
    summed(body.replace('_3_', '_99999999999999999999_')),
    summed(body.replace(ENCODED_GRANT_ID, `${ENCODED_GRANT_ID.slice(0, -1)}h`)),
    summed(body.replace(ENCODED_GRANT_ID, ENCODED_GRANT_ID.toUpperCase().replace(/.$/, 'G'))),
    summed(body.replace(ENCODED_GRANT_ID, GRANT_ID)),
    summed(body.replace(ENCODED_GRANT_ID, '')),
    summed(body.replace(ENCODED_GRANT_ID, '\0'.repeat(22))),
    summed(body.slice(0, -1)),
    summed(`${body}0`),
    summed(body.replace('gh_refresh_', 'gh_code_')),
    CODE,
    'x'.repeat(1_000_000),
    `gh_refresh_${'a'.repeat(1_000_000)}`,
  ])('is not looked up when it is none: %#', (text) => {
    expect(parseRefreshToken(text)).toBeUndefined();
  });

  test('is lost by any one wrong character', () => {
    fc.assert(
      fc.property(
        fc.nat(TOKEN.length - 1),
        fc.constantFrom(...'0123456789abcXYZ_'.split('')),
        (position, character) => {
          const wrong = TOKEN.slice(0, position) + character + TOKEN.slice(position + 1);
          expect(parseRefreshToken(wrong) === undefined).toBe(wrong !== TOKEN);
        },
      ),
    );
  });
});

test('no text makes a parser fail', () => {
  fc.assert(
    fc.property(
      fc.oneof(anyText(), fc.string({ unit: fc.constantFrom(...'gh_coderfs0123a-'.split('')), maxLength: 120 })),
      (text) => {
        expect(isClientSecret(text)).toBe(false);
        expect(interactionIdOfCode(text)).toBeUndefined();
        expect(parseRefreshToken(text)).toBeUndefined();
      },
    ),
  );
});
