import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Access, UNRESTRICTED } from '../../../src/oauth/protocol/access.ts';
import {
  accessAtRefresh,
  CHAIN_DAYS,
  judgeRefresh,
  type PresentedRefresh,
  type RefreshChain,
} from '../../../src/oauth/protocol/refresh.ts';
import { at } from './builders.ts';

const DAY = 86_400;

/** The fifth token was given out at second 0 and nobody has shown it yet. */
function aChain(changes: Partial<RefreshChain> = {}): RefreshChain {
  return {
    clientId: 'app-1',
    generation: 5,
    rotatedAt: at(0),
    confirmedAt: null,
    expiresAt: at(300 * DAY),
    revokedAt: null,
    ...changes,
  };
}
function presented(generation: number, changes: Partial<PresentedRefresh> = {}): PresentedRefresh {
  return { clientId: 'app-1', clientType: 'CONFIDENTIAL', generation, isGenuine: true, ...changes };
}

describe('the newest token rotates', () => {
  test('as long as the chain lives', () => {
    expect(judgeRefresh(presented(5), aChain(), at(1))).toBe('ROTATE');
    expect(judgeRefresh(presented(5), aChain({ confirmedAt: at(1) }), at(89 * DAY))).toBe('ROTATE');
    expect(judgeRefresh(presented(1), aChain({ generation: 1 }), at(1))).toBe('ROTATE');
    expect(judgeRefresh(presented(5, { clientType: 'PUBLIC' }), aChain(), at(1))).toBe('ROTATE');
  });
});

describe('the predecessor gets its pair again', () => {
  test.each([
    ['CONFIDENTIAL', DAY],
    ['PUBLIC', 60],
  ] as const)('from a %s client for %i seconds while the successor was not seen', (clientType, seconds) => {
    expect(judgeRefresh(presented(4, { clientType }), aChain(), at(0))).toBe('RETRY');
    expect(judgeRefresh(presented(4, { clientType }), aChain(), at(seconds - 0.001))).toBe('RETRY');
    expect(judgeRefresh(presented(4, { clientType }), aChain(), at(seconds))).toBe('REUSE');
  });

  test('for 30 seconds more once the successor was seen', () => {
    const chain = aChain({ confirmedAt: at(20) });
    for (const clientType of ['CONFIDENTIAL', 'PUBLIC'] as const) {
      expect(judgeRefresh(presented(4, { clientType }), chain, at(49.999))).toBe('RETRY');
      expect(judgeRefresh(presented(4, { clientType }), chain, at(50))).toBe('REUSE');
    }
  });

  test('and no later than without that', () => {
    expect(judgeRefresh(presented(4, { clientType: 'PUBLIC' }), aChain({ confirmedAt: at(59) }), at(59.9))).toBe(
      'RETRY',
    );
    expect(judgeRefresh(presented(4, { clientType: 'PUBLIC' }), aChain({ confirmedAt: at(59) }), at(60))).toBe('REUSE');
    expect(judgeRefresh(presented(4), aChain({ confirmedAt: at(DAY - 1) }), at(DAY))).toBe('REUSE');
  });

  test('and only the immediate one', () => {
    for (const generation of [1, 2, 3]) expect(judgeRefresh(presented(generation), aChain(), at(0))).toBe('REUSE');
  });
});

describe('nothing is changed by', () => {
  test.each([
    ['a token of no grant', presented(5), undefined],
    ['a token with a wrong MAC', presented(5, { isGenuine: false }), aChain()],
    ['an old token with a wrong MAC', presented(1, { isGenuine: false }), aChain()],
    ['a token of another client', presented(5, { clientId: 'app-2' }), aChain()],
    ['an old token of another client', presented(1, { clientId: 'app-2' }), aChain()],
    ['a generation that was never given out', presented(6), aChain()],
    ['generation 0', presented(0), aChain({ generation: 1 })],
    ['a negative generation', presented(-1), aChain()],
    ['no number', presented(Number.NaN), aChain()],
  ])('%s', (_, token, chain) => {
    expect(judgeRefresh(token, chain, at(1))).not.toBe('ROTATE');
    expect(judgeRefresh(token, chain, at(1))).toBe('UNKNOWN');
  });

  test('a token of a revoked grant, old or new', () => {
    for (const generation of [1, 4, 5])
      expect(judgeRefresh(presented(generation), aChain({ revokedAt: at(0) }), at(1))).toBe('REVOKED');
  });

  test('a token that was idle for 90 days', () => {
    expect(judgeRefresh(presented(5), aChain(), at(90 * DAY - 0.001))).toBe('ROTATE');
    expect(judgeRefresh(presented(5), aChain(), at(90 * DAY))).toBe('EXPIRED');
    expect(judgeRefresh(presented(1), aChain(), at(90 * DAY))).toBe('EXPIRED');
  });

  test('a token of a chain that is 365 days old, however busy', () => {
    const chain = aChain({ expiresAt: at((CHAIN_DAYS.inAll - 364) * DAY) });
    expect(judgeRefresh(presented(5), chain, at(DAY - 0.001))).toBe('ROTATE');
    expect(judgeRefresh(presented(5), chain, at(DAY))).toBe('EXPIRED');
  });
});

test('at any times, only the newest rotates, only its predecessor retries, and a retry never comes back', () => {
  const seconds = fc.integer({ min: 0, max: 2 * DAY });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 8 }),
      fc.constantFrom('CONFIDENTIAL' as const, 'PUBLIC' as const),
      fc.option(seconds),
      seconds,
      seconds,
      (generation, clientType, confirmed, earlier, later) => {
        const chain = aChain({ confirmedAt: confirmed === null ? null : at(confirmed) });
        const [first, second] = [Math.min(earlier, later), Math.max(earlier, later)];
        const [before, after] = [first, second].map((now) =>
          judgeRefresh(presented(generation, { clientType }), chain, at(now)),
        );
        const possible = { 5: ['ROTATE'], 4: ['RETRY', 'REUSE'] }[generation] ?? [generation > 5 ? 'UNKNOWN' : 'REUSE'];
        expect(possible).toContain(before);
        expect(possible).toContain(after);
        expect([before, after]).not.toEqual(['REUSE', 'RETRY']);
      },
    ),
  );
});

const GRANTED: Access = { kind: 'SCOPED', scopes: ['BOOKING_READ', 'PROFILE_READ'] };
const CLIENT = { scopes: ['BOOKING_READ', 'PROFILE_READ', 'PROFILE_WRITE'], legacy: false };
const LEGACY = { scopes: [], legacy: true };

describe('a refresh without scope', () => {
  test('keeps what was granted', () => {
    expect(accessAtRefresh(GRANTED, CLIENT, undefined)).toEqual(GRANTED);
    expect(accessAtRefresh(UNRESTRICTED, LEGACY, undefined)).toEqual(UNRESTRICTED);
    expect(accessAtRefresh(GRANTED, LEGACY, undefined)).toEqual(GRANTED);
  });

  test('loses what the client has no longer enabled', () => {
    expect(accessAtRefresh(GRANTED, { ...CLIENT, scopes: ['PROFILE_READ'] }, undefined)).toEqual({
      kind: 'SCOPED',
      scopes: ['PROFILE_READ'],
    });
  });

  test('stays unrestricted after the client left its legacy state', () => {
    expect(accessAtRefresh(UNRESTRICTED, CLIENT, undefined)).toEqual(UNRESTRICTED);
  });

  test.each([[[]], [['PROFILE_WRITE']], [['ORG_PROFILE_READ']]])('is refused when nothing is left: %j', (scopes) => {
    expect(accessAtRefresh(GRANTED, { scopes, legacy: false }, undefined)).toMatchObject({ error: 'invalid_scope' });
  });
});

describe('a refresh with scope', () => {
  test.each([
    ['PROFILE_READ', ['PROFILE_READ']],
    ['PROFILE_READ BOOKING_READ', ['BOOKING_READ', 'PROFILE_READ']],
    ['PROFILE_READ,,PROFILE_READ', ['PROFILE_READ']],
  ])('%s narrows to it', (scope, scopes) => {
    expect(accessAtRefresh(GRANTED, CLIENT, scope)).toEqual({ kind: 'SCOPED', scopes });
  });

  test.each([
    'PROFILE_WRITE',
    'PROFILE_READ PROFILE_WRITE',
    'TEAM_PROFILE_READ',
    'ORG_PROFILE_READ',
    'profile_read',
    'PROFILE_READ\tBOOKING_READ',
    'openid',
    ' ',
    ',',
    '__proto__',
    '*',
  ])('%j is refused', (scope) => {
    expect(accessAtRefresh(GRANTED, CLIENT, scope)).toMatchObject({ error: 'invalid_scope', status: 400 });
  });

  test('a TEAM scope is not had by its ORG scope: granted scopes count by name', () => {
    const granted: Access = { kind: 'SCOPED', scopes: ['ORG_PROFILE_READ'] };
    const client = { scopes: ['ORG_PROFILE_READ', 'TEAM_PROFILE_READ'], legacy: false };
    expect(accessAtRefresh(granted, client, 'TEAM_PROFILE_READ')).toMatchObject({ error: 'invalid_scope' });
    expect(accessAtRefresh(granted, client, 'ORG_PROFILE_READ')).toEqual(granted);
  });

  test('loses what the client has no longer enabled, and is refused when that was all', () => {
    const client = { ...CLIENT, scopes: ['PROFILE_READ'] };
    expect(accessAtRefresh(GRANTED, client, 'PROFILE_READ BOOKING_READ')).toEqual({
      kind: 'SCOPED',
      scopes: ['PROFILE_READ'],
    });
    expect(accessAtRefresh(GRANTED, client, 'BOOKING_READ')).toMatchObject({ error: 'invalid_scope' });
  });

  test('narrows unrestricted access to what is named', () => {
    expect(accessAtRefresh(UNRESTRICTED, LEGACY, 'ORG_WEBHOOK_READ')).toEqual({
      kind: 'SCOPED',
      scopes: ['ORG_WEBHOOK_READ'],
    });
    expect(accessAtRefresh(UNRESTRICTED, CLIENT, 'PROFILE_READ')).toEqual({ kind: 'SCOPED', scopes: ['PROFILE_READ'] });
    expect(accessAtRefresh(UNRESTRICTED, CLIENT, 'ORG_WEBHOOK_READ')).toMatchObject({ error: 'invalid_scope' });
    expect(accessAtRefresh(UNRESTRICTED, LEGACY, ',')).toMatchObject({ error: 'invalid_scope' });
    expect(accessAtRefresh(UNRESTRICTED, LEGACY, 'everything')).toMatchObject({ error: 'invalid_scope' });
  });
});
