import { describe, expect, test } from 'vitest';
import { CLIENT_STATUSES } from '../../../../src/oauth/protocol/client.ts';
import { secretCreateMistake, secretDeleteMistake } from '../../../../src/oauth/protocol/clients/client-secrets.ts';
import { type ReviewAction, review } from '../../../../src/oauth/protocol/clients/client-transitions.ts';

const ACTIONS: readonly ReviewAction[] = ['APPROVE', 'REJECT', 'SUSPEND', 'REINSTATE'];
const without = { hasPendingRevision: false, isDeveloperSuspended: false };
const withRevision = { hasPendingRevision: true, isDeveloperSuspended: false };

describe('a decision moves a client', () => {
  const moves = [
    ['PENDING', 'APPROVE', 'APPROVED'],
    ['PENDING', 'REJECT', 'REJECTED'],
    ['APPROVED', 'SUSPEND', 'SUSPENDED'],
    ['SUSPENDED', 'REINSTATE', 'APPROVED'],
  ] as const;

  test.each(moves)('%s by %s to %s', (status, action, next) => {
    expect(review({ status, ...without }, action, 'because')).toEqual({ kind: 'STATUS', status: next });
  });

  const isMove = (status: string, action: string) => moves.some(([from, by]) => from === status && by === action);
  const others = CLIENT_STATUSES.flatMap((status) => ACTIONS.map((action) => [status, action] as const)).filter(
    ([status, action]) => !isMove(status, action),
  );

  test.each(others)('and not %s by %s', (status, action) => {
    expect(review({ status, ...without }, action, 'because')).toMatchObject({
      kind: 'REFUSED',
      mistake: { code: 'NOT_POSSIBLE', path: ['clientId'] },
    });
  });

  test('the table is whole', () => {
    expect(moves.length + others.length).toBe(16);
  });
});

describe('a decision settles the pending revision of an approved client', () => {
  test('which stays approved', () => {
    expect(review({ status: 'APPROVED', ...withRevision }, 'APPROVE', undefined)).toEqual({
      kind: 'REVISION_ACCEPTED',
    });
    expect(review({ status: 'APPROVED', ...withRevision }, 'REJECT', 'because')).toEqual({ kind: 'REVISION_DECLINED' });
  });

  test('which can still be suspended', () => {
    expect(review({ status: 'APPROVED', ...withRevision }, 'SUSPEND', 'because')).toEqual({
      kind: 'STATUS',
      status: 'SUSPENDED',
    });
  });

  test('and not that of a suspended one', () => {
    expect(review({ status: 'SUSPENDED', ...withRevision }, 'APPROVE', 'because')).toMatchObject({ kind: 'REFUSED' });
    expect(review({ status: 'SUSPENDED', ...withRevision }, 'REINSTATE', 'because')).toEqual({
      kind: 'STATUS',
      status: 'APPROVED',
    });
  });
});

describe('the clients of a suspended developer', () => {
  test('are not approved, and all other decisions on them are possible', () => {
    const stopped = { isDeveloperSuspended: true };
    const mistake = { code: 'NOT_POSSIBLE', path: ['clientId'] };
    expect(review({ status: 'PENDING', ...without, ...stopped }, 'APPROVE', undefined)).toMatchObject({ mistake });
    expect(review({ status: 'APPROVED', ...withRevision, ...stopped }, 'APPROVE', undefined)).toMatchObject({
      mistake,
    });
    expect(review({ status: 'PENDING', ...without, ...stopped }, 'REJECT', 'because')).toMatchObject({
      kind: 'STATUS',
    });
    expect(review({ status: 'APPROVED', ...withRevision, ...stopped }, 'REJECT', 'because')).toMatchObject({
      kind: 'REVISION_DECLINED',
    });
    expect(review({ status: 'APPROVED', ...without, ...stopped }, 'SUSPEND', 'because')).toMatchObject({
      kind: 'STATUS',
    });
    expect(review({ status: 'SUSPENDED', ...without, ...stopped }, 'REINSTATE', undefined)).toMatchObject({
      kind: 'STATUS',
    });
  });
});

describe('a reason', () => {
  test.each([undefined, '', '  ', '\n\t'])('%j does not do for a rejection', (reason) => {
    expect(review({ status: 'PENDING', ...without }, 'REJECT', reason)).toMatchObject({
      kind: 'REFUSED',
      mistake: { code: 'REASON_REQUIRED', path: ['reason'] },
    });
    expect(review({ status: 'APPROVED', ...withRevision }, 'REJECT', reason)).toMatchObject({
      kind: 'REFUSED',
      mistake: { code: 'REASON_REQUIRED' },
    });
    expect(review({ status: 'PENDING', ...without }, 'APPROVE', reason)).toMatchObject({ kind: 'STATUS' });
    expect(review({ status: 'APPROVED', ...without }, 'SUSPEND', reason)).toMatchObject({ kind: 'STATUS' });
  });

  test('does not make an impossible decision possible', () => {
    expect(review({ status: 'REJECTED', ...without }, 'REJECT', undefined)).toMatchObject({
      mistake: { code: 'NOT_POSSIBLE' },
    });
  });
});

describe('the secrets of a confidential client', () => {
  const client = { type: 'CONFIDENTIAL' } as const;

  test('are two at most', () => {
    expect(secretCreateMistake(client, 0)).toBeUndefined();
    expect(secretCreateMistake(client, 1)).toBeUndefined();
    expect(secretCreateMistake(client, 2)).toMatchObject({ code: 'TOO_MANY_SECRETS' });
    expect(secretCreateMistake(client, 3)).toMatchObject({ code: 'TOO_MANY_SECRETS' });
  });

  test('are one at least', () => {
    expect(secretDeleteMistake(client, 2)).toBeUndefined();
    expect(secretDeleteMistake(client, 1)).toMatchObject({ code: 'LAST_SECRET' });
    expect(secretDeleteMistake(client, 0)).toMatchObject({ code: 'LAST_SECRET' });
  });

  test('are none for a public one', () => {
    expect(secretCreateMistake({ type: 'PUBLIC' }, 0)).toMatchObject({ code: 'PUBLIC_CLIENT' });
    expect(secretDeleteMistake({ type: 'PUBLIC' }, 1)).toBeUndefined();
  });
});
