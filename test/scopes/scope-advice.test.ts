import { describe, expect, test } from 'vitest';
import { SCOPES } from '../../src/scopes/catalog.ts';
import { adviseClient, alternativesTo, compareScopes } from '../../src/scopes/scope-advice.ts';

test('a scope of a team may be had by the organization scope that grants it', () => {
  expect(alternativesTo(['BOOKING_READ', 'TEAM_BOOKING_READ', 'TEAM_WORKFLOW_READ', 'ORG_BOOKING_READ'])).toEqual({
    TEAM_BOOKING_READ: ['ORG_BOOKING_READ'],
  });
  expect(Object.keys(alternativesTo(SCOPES))).toHaveLength(12);
});

const client = (...enabledScopes: string[]) => ({
  clientId: 'gh_client_1',
  enabledScopes,
  redirectUri: 'https://app.example/cb?x=1&y=2',
  authorizationEndpoint: 'https://auth.example/auth/oauth2/authorize',
});

describe('a client', () => {
  test('that has enabled everything gets the URL to send its users to', () => {
    const { notEnabled, authorizeUrl } = adviseClient(
      ['BOOKING_READ', 'PROFILE_READ'],
      client('PROFILE_READ', 'BOOKING_READ', 'APPS_READ'),
    );
    const url = new URL(authorizeUrl ?? '');
    expect(notEnabled).toEqual([]);
    expect(`${url.origin}${url.pathname}`).toBe('https://auth.example/auth/oauth2/authorize');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'gh_client_1',
      redirect_uri: 'https://app.example/cb?x=1&y=2',
      scope: 'BOOKING_READ PROFILE_READ',
    });
  });

  test('that has not is told what to enable, and gets no URL that would fail', () => {
    expect(adviseClient(['BOOKING_READ', 'PROFILE_READ'], client('PROFILE_READ'))).toEqual({
      notEnabled: ['BOOKING_READ'],
    });
    expect(adviseClient(['BOOKING_READ'], client())).toEqual({ notEnabled: ['BOOKING_READ'] });
  });

  test('that has enabled the organization scope instead asks for that', () => {
    const { authorizeUrl } = adviseClient(['TEAM_BOOKING_READ'], client('ORG_BOOKING_READ'));
    expect(new URL(authorizeUrl ?? '').searchParams.get('scope')).toBe('ORG_BOOKING_READ');
    expect(adviseClient(['ORG_BOOKING_READ'], client('TEAM_BOOKING_READ'))).toEqual({
      notEnabled: ['ORG_BOOKING_READ'],
    });
  });

  test('needs to ask for nothing if nothing is required', () => {
    expect(adviseClient([], client('PROFILE_READ'))).toEqual({ notEnabled: [] });
  });
});

describe('the scopes that an app asks for are compared with those that it needs:', () => {
  test.each<[string, string[], string[], string[], string[]]>([
    ['exactly', ['BOOKING_READ'], ['BOOKING_READ'], [], []],
    ['too little', ['BOOKING_READ', 'PROFILE_READ'], ['PROFILE_READ'], ['BOOKING_READ'], []],
    ['too much', ['BOOKING_READ'], ['BOOKING_READ', 'BOOKING_WRITE'], [], ['BOOKING_WRITE']],
    ['an organization scope for a team’s', ['TEAM_BOOKING_READ'], ['ORG_BOOKING_READ'], [], []],
    ['both', ['TEAM_BOOKING_READ'], ['ORG_BOOKING_READ', 'TEAM_BOOKING_READ'], [], ['ORG_BOOKING_READ']],
    ['both needed', ['TEAM_BOOKING_READ', 'ORG_BOOKING_READ'], ['ORG_BOOKING_READ'], [], []],
    ['names unknown', [], ['__proto__', 'NOPE'], [], ['__proto__', 'NOPE']],
  ])('%s', (_, required, asked, missing, superfluous) => {
    expect(compareScopes(required, asked)).toEqual({ missing, superfluous });
  });
});
