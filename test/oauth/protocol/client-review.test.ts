import { describe, expect, test } from 'vitest';
import { secretCreateMistake, secretDeleteMistake } from '../../../src/oauth/clients/client-secret.commands.ts';
import { CLIENT_STATUSES, type ClientPatch } from '../../../src/oauth/protocol/client.ts';
import {
  type ClientEdit,
  type ClientRevision,
  planUpdate,
  type ReviewAction,
  review,
  revisionChanges,
} from '../../../src/oauth/protocol/client-review.ts';
import { aClient } from './builders.ts';

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

const A = 'https://a.example/cb';
const B = 'https://b.example/cb';
const C = 'https://c.example/cb';
const CLIENT = aClient({ redirectUris: [A, B], scopes: ['BOOKING_READ', 'PROFILE_READ'] });
const { name, developerName, logoUrl, websiteUrl, redirectUris, scopes } = CLIENT;
const LIVE: ClientRevision = { name, developerName, logoUrl, websiteUrl, redirectUris, scopes };

describe('an update of an approved client takes effect at once when it changes', () => {
  test.each<[string, ClientPatch, object]>([
    ['another purpose', { purpose: 'New.' }, { purpose: 'New.' }],
    ['asking for PKCE', { requiresPkce: true }, { requiresPkce: true }],
    ['a redirect URI less', { redirectUris: [B] }, { redirectUris: [B] }],
    ['a scope less', { scopes: ['PROFILE_READ'] }, { scopes: ['PROFILE_READ'] }],
  ])('%s', (_, patch, immediate) => {
    expect(planUpdate(CLIENT, null, patch)).toEqual({ immediate, revision: null });
    expect(planUpdate({ ...CLIENT, status: 'SUSPENDED' }, null, patch)).toEqual({ immediate, revision: null });
  });
});

describe('an update of an approved client waits for a review, and the approved version stays, when it changes', () => {
  test.each<[string, ClientEdit]>([
    ['another name', { name: 'New' }],
    ['what its developer is called by now', { developerName: 'Acme Security' }],
    ['a logo', { logoUrl: 'https://a.example/logo.png' }],
    ['a website', { websiteUrl: 'https://a.example/' }],
    ['a redirect URI more', { redirectUris: [A, B, C] }],
    ['a scope more', { scopes: ['BOOKING_READ', 'PROFILE_READ', 'PROFILE_WRITE'] }],
    ['a wider scope for a narrower', { scopes: ['PROFILE_WRITE'] }],
    ['all redirect URIs exchanged', { redirectUris: [C] }],
  ])('%s', (_, patch) => {
    expect(planUpdate(CLIENT, null, patch)).toEqual({ immediate: {}, revision: { ...LIVE, ...patch } });
    expect(planUpdate({ ...CLIENT, status: 'SUSPENDED' }, null, patch)).toEqual({
      immediate: {},
      revision: { ...LIVE, ...patch },
    });
  });

  test('but its developer’s name alone is no matter where nobody has ever submitted the client', () => {
    const client = { ...CLIENT, developerName: null };
    expect(planUpdate(client, null, { developerName: 'Ada' })).toEqual({ immediate: {}, revision: null });
    expect(planUpdate(client, null, { developerName: 'Ada', name: 'New' })).toEqual({
      immediate: {},
      revision: { ...LIVE, name: 'New', developerName: 'Ada' },
    });
  });

  test('no logo any more', () => {
    const client = { ...CLIENT, logoUrl: 'https://a.example/logo.png' };
    expect(planUpdate(client, null, { logoUrl: null })).toEqual({ immediate: {}, revision: LIVE });
    expect(planUpdate(client, null, {})).toEqual({ immediate: {}, revision: null });
  });
});

describe('an edit of an approved client', () => {
  test('that says what is so already changes nothing', () => {
    const { purpose, requiresPkce } = CLIENT;
    expect(planUpdate(CLIENT, null, { ...LIVE, purpose, requiresPkce })).toEqual({ immediate: {}, revision: null });
    expect(planUpdate(CLIENT, null, { redirectUris: [B, A], scopes: ['PROFILE_READ', 'BOOKING_READ'] })).toEqual({
      immediate: {},
      revision: null,
    });
    expect(planUpdate(CLIENT, null, {})).toEqual({ immediate: {}, revision: null });
  });

  test('that removes and adds does the one at once and lets the other wait', () => {
    expect(planUpdate(CLIENT, null, { redirectUris: [B, C], purpose: 'New.' })).toEqual({
      immediate: { redirectUris: [B], purpose: 'New.' },
      revision: { ...LIVE, redirectUris: [B, C] },
    });
  });

  test('adds to a revision that waits already', () => {
    const pending = { ...LIVE, name: 'New' };
    expect(planUpdate(CLIENT, pending, { redirectUris: [A, B, C] }).revision).toEqual({
      ...pending,
      redirectUris: [A, B, C],
    });
    expect(planUpdate(CLIENT, pending, { purpose: 'New.' })).toEqual({
      immediate: { purpose: 'New.' },
      revision: pending,
    });
  });

  test('that takes the change back ends the revision', () => {
    expect(planUpdate(CLIENT, { ...LIVE, name: 'New' }, { name: CLIENT.name })).toEqual({
      immediate: {},
      revision: null,
    });
    expect(planUpdate(CLIENT, { ...LIVE, redirectUris: [A, B, C] }, { redirectUris: [A, B] })).toEqual({
      immediate: {},
      revision: null,
    });
  });

  test('removes from the live version and from the revision alike, so that accepting does not bring it back', () => {
    const plan = planUpdate(CLIENT, { ...LIVE, redirectUris: [A, B, C] }, { redirectUris: [B, C] });
    expect(plan).toEqual({ immediate: { redirectUris: [B] }, revision: { ...LIVE, redirectUris: [B, C] } });
  });

  test('never widens the live version, whatever waits', () => {
    for (const pending of [null, { ...LIVE, redirectUris: [C], scopes: ['PROFILE_WRITE'] }]) {
      const { immediate } = planUpdate(CLIENT, pending, {
        redirectUris: [A, C],
        scopes: ['BOOKING_READ', 'PROFILE_WRITE'],
      });
      expect(immediate).toEqual({ redirectUris: [A], scopes: ['BOOKING_READ'] });
    }
  });
});

describe('an edit of a client that is not live', () => {
  test('changes a pending one at once', () => {
    const pending = aClient({ status: 'PENDING' });
    expect(planUpdate(pending, null, { name: 'New', redirectUris: [C], purpose: 'New.' })).toEqual({
      immediate: { name: 'New', redirectUris: [C], purpose: 'New.', status: 'PENDING' },
      revision: null,
    });
  });

  test('submits a rejected one again', () => {
    const rejected = aClient({ status: 'REJECTED' });
    expect(planUpdate(rejected, null, { scopes: ['PROFILE_WRITE'] })).toEqual({
      immediate: { scopes: ['PROFILE_WRITE'], status: 'PENDING' },
      revision: null,
    });
  });
});

describe('saving scopes on a legacy client', () => {
  const legacy = aClient({ legacy: true, scopes: [], redirectUris: [A, B] });

  test('ends its legacy state at once, without a review', () => {
    expect(planUpdate(legacy, null, { scopes: ['PROFILE_READ', 'ORG_WEBHOOK_WRITE'] })).toEqual({
      immediate: { scopes: ['PROFILE_READ', 'ORG_WEBHOOK_WRITE'], legacy: false },
      revision: null,
    });
  });

  test('does not let other changes past the review', () => {
    expect(planUpdate(legacy, null, { scopes: ['PROFILE_READ'], name: 'New' })).toEqual({
      immediate: { scopes: ['PROFILE_READ'], legacy: false },
      revision: { ...LIVE, name: 'New', scopes: ['PROFILE_READ'] },
    });
  });

  test('is what ends it: another edit does not', () => {
    expect(planUpdate(legacy, null, { purpose: 'New.' }).immediate).toEqual({ purpose: 'New.' });
    expect(planUpdate(CLIENT, null, { scopes: ['PROFILE_READ'] }).immediate).not.toHaveProperty('legacy');
  });
});

test('a reviewer sees the fields that differ', () => {
  expect(revisionChanges(LIVE, { ...LIVE, name: 'New', redirectUris: [B, A] })).toEqual({ name: 'New' });
  expect(
    revisionChanges(LIVE, {
      ...LIVE,
      logoUrl: 'https://a.example/l.png',
      websiteUrl: A,
      scopes: [],
      redirectUris: [A],
    }),
  ).toEqual({
    logoUrl: 'https://a.example/l.png',
    websiteUrl: A,
    scopes: [],
    redirectUris: [A],
  });
});
