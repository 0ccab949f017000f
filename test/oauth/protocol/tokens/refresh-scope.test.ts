import { describe, expect, test } from 'vitest';
import { type Access, UNRESTRICTED } from '../../../../src/oauth/protocol/access.ts';
import { accessAtRefresh } from '../../../../src/oauth/protocol/tokens/refresh.ts';

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
