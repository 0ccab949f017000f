import { describe, expect, test } from 'vitest';
import { hashPassword, isPasswordOf, requireHashingCapacity } from '../../../src/modules/accounts/password-hash.ts';

/** From the tests of the reference implementation: the password is "password". */
const OF_OTHER_COSTS = [
  '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc',
  '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4',
];

test('a password is kept as an argon2id PHC string with a salt of its own', async () => {
  const [one, other] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(other).not.toBe(one);
});

describe('a hash', () => {
  test('belongs to its password and to no other', async () => {
    const hash = await hashPassword('correct horse');
    expect(await isPasswordOf(hash, 'correct horse')).toBe(true);
    expect(await isPasswordOf(hash, 'Correct horse')).toBe(false);
    expect(await isPasswordOf(hash, '')).toBe(false);
  });

  test('belongs to its password however a keyboard composes it', async () => {
    const hash = await hashPassword('pa\u00dfw\u00f6rter');
    expect(await isPasswordOf(hash, 'pa\u00dfwo\u0308rter')).toBe(true);
  });

  test.each(OF_OTHER_COSTS)(
    'is verified by the cost that it names, so that the cost can be raised later: %s',
    async (hash) => {
      expect(await isPasswordOf(hash, 'password')).toBe(true);
      expect(await isPasswordOf(hash, 'Password')).toBe(false);
    },
  );

  test('that is none of ours is a bug, not a wrong password', async () => {
    await expect(isPasswordOf('$2b$10$abcdefghijklmnopqrstuv', 'x')).rejects.toThrow('no argon2id PHC string');
  });

  test('for an unknown user fits no password', async () => {
    for (const password of ['', 'x', '\0', '\ud800', 'x'.repeat(10_000)]) {
      expect(await isPasswordOf(undefined, password)).toBe(false);
    }
  });
});

test('a flood of hashes is partly refused at once, and then there is room again', async () => {
  const results = await Promise.allSettled(Array.from({ length: 100 }, () => hashPassword('correct horse')));
  const refused = results.filter((result) => result.status === 'rejected');
  expect(refused.length).toBe(100 - 66);
  for (const { reason } of refused) expect(reason).toMatchObject({ code: 'BUSY' });
  expect(() => requireHashingCapacity()).not.toThrow();
  expect(await isPasswordOf(await hashPassword('again'), 'again')).toBe(true);
});
