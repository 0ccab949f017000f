import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../src/core/id.ts';
import { changed, rows, sql } from '../../src/database/sql.ts';
import {
  type AuthorizeAnswer,
  advance,
  answerConsent,
  beginAuthorization,
  checkAuthorization,
  continueAuthorization,
  restartAuthorization,
  type Visit,
} from '../../src/oauth/authorize/authorize.ts';
import {
  ageCode,
  authorize,
  authorizeQueryOf,
  CHALLENGE,
  codeIn,
  exchange,
  expectTokens,
  press,
  tokensOf,
  VERIFIER,
  visitOf,
} from './support/flow.ts';
import { addClient, addUser, ISSUER, openTestServer, REDIRECT_URI, type TestServer } from './support/test-server.ts';

let serving: TestServer;
let userId: string;
let clientId: string;
let visit: Visit;
beforeAll(async () => {
  serving = await openTestServer();
});
afterAll(() => serving.close());
beforeEach(async () => {
  userId = await addUser(serving.em);
  clientId = await addClient(serving.em, userId, { redirectUris: [REDIRECT_URI, 'http://127.0.0.1/cb'] });
  visit = await visitOf(serving, userId);
});

describe('an authorization', () => {
  test('asks the user, then sends the code with state and issuer', async () => {
    const page = await begin();
    expect(page).toMatchObject({
      kind: 'CONSENT',
      question: { clientName: 'App', destination: 'app.example', newScopes: undefined, access: { kind: 'SCOPED' } },
    });
    const answer = await press(serving, page, visit);
    expect(locationOf(answer)).toMatch(/^https:\/\/app\.example\/cb\?code=gh_code_[\w-]+&state=xyz&iss=http/);
    expect(parametersOf(answer)).toMatchObject({ state: 'xyz', iss: ISSUER });
  });

  test('tells the app when the user cancels', async () => {
    const answer = await press(serving, await begin(), visit, 'deny');
    expect(parametersOf(answer)).toMatchObject({ error: 'access_denied', state: 'xyz', iss: ISSUER });
    expect(await codesOf()).toBe(0);
  });

  test('asks nobody to sign in before the request is known to be good', async () => {
    const nobody = await visitOf(serving);
    const bad = await begin({ scope: 'NOPE' }, nobody);
    expect(parametersOf(bad)).toMatchObject({ error: 'invalid_scope', state: 'xyz', iss: ISSUER });
    expect(await begin({}, nobody)).toMatchObject({ kind: 'SIGN_IN' });
  });

  test('goes on after the sign-in, and belongs to the user who signed in', async () => {
    const browserId = 'a browser';
    const asked = await begin({ login_hint: 'ada@acme.test' }, await visitOf(serving, undefined, browserId));
    expect(asked).toMatchObject({ kind: 'SIGN_IN', loginHint: 'ada@acme.test' });
    const mine = await visitOf(serving, userId, browserId);
    expect(await open(asked, mine)).toMatchObject({ kind: 'CONSENT' });
    const page = await open(asked, mine);
    const another = await visitOf(serving, await addUser(serving.em), browserId);
    expect(await open(page, another)).toMatchObject({ kind: 'REFUSED', error: { status: 403 } });
    expect(await open(page, mine)).toMatchObject({ kind: 'CONSENT' });
  });

  test('is of no use in another browser, even for the same user', async () => {
    const page = await begin();
    const elsewhere = await visitOf(serving, userId, 'another browser');
    expect(await open(page, elsewhere)).toMatchObject({ kind: 'REFUSED', error: { status: 403 } });
    expect(await press(serving, page, elsewhere)).toMatchObject({ kind: 'REFUSED' });
    expect(await codesOf()).toBe(0);
  });

  test('can be begun anew for another account in the same browser', async () => {
    const page = await begin();
    const otherId = await addUser(serving.em);
    const other = await visitOf(serving, otherId, visit.browserId);
    const again = await restartAuthorization(serving.em, serving.server, interactionOf(page), other);
    const code = codeIn(await press(serving, again, other));
    const { access_token: token } = expectTokens(await exchange(serving, clientId, code));
    expect(await serving.server.bearerTokens.authenticate(serving.em, token)).toMatchObject({ userId: otherId });
  });

  test('is over after an hour, and when its client is deleted', async () => {
    const page = await begin();
    await changed(
      serving.em,
      sql`update oauth_interactions set expires_at = now() - interval '1 second' where client_id = ${clientId}`,
    );
    expect(await open(page)).toMatchObject({ kind: 'REFUSED', error: { status: 410 } });
    expect(await press(serving, page, visit)).toMatchObject({ kind: 'REFUSED', error: { status: 410 } });
    const other = await begin();
    await changed(serving.em, sql`delete from oauth_clients where client_id = ${clientId}`);
    expect(await open(other)).toMatchObject({ kind: 'REFUSED', error: { status: 404 } });
  });

  test('with a made-up id does not exist', async () => {
    expect(await advance(serving.em, serving.server, newId(), visit)).toMatchObject({
      kind: 'REFUSED',
      error: { status: 404 },
    });
  });
});

describe('a consent form', () => {
  test('from elsewhere decides nothing', async () => {
    const page = await begin();
    const forged = { decision: 'allow', isForged: true };
    expect(await answerConsent(serving.em, serving.server, interactionOf(page), visit, forged)).toMatchObject({
      kind: 'REFUSED',
      error: { status: 403 },
    });
    expect(await codesOf()).toBe(0);
  });

  test.each(['', 'maybe', 'ALLOW'])('with the decision %j decides nothing', async (decision) => {
    const page = await begin();
    expect(await press(serving, page, visit, decision)).toMatchObject({ kind: 'REFUSED', error: { status: 400 } });
    expect(await open(page)).toMatchObject({ kind: 'CONSENT' });
  });

  test('asks to sign in again when the session has ended meanwhile', async () => {
    const page = await begin();
    expect(await press(serving, page, { ...visit, session: undefined })).toMatchObject({ kind: 'SIGN_IN' });
  });

  test('decides nothing any more when the client was suspended, or has given up a scope or the address', async () => {
    for (const [change, answer] of [
      [sql`status = 'SUSPENDED'`, { kind: 'REFUSED', error: { status: 403 } }],
      [sql`redirect_uris = '{https://app.example/new}'`, { kind: 'REFUSED', error: { status: 400 } }],
      [sql`scopes = '{PROFILE_READ}'`, { kind: 'REDIRECT', location: expect.stringContaining('error=invalid_scope') }],
    ] as const) {
      const fresh = await addClient(serving.em, userId);
      const page = await beginAuthorization(serving.em, serving.server, authorizeQueryOf(fresh), visit);
      await changed(serving.em, sql`update oauth_clients set ${change} where client_id = ${fresh}`);
      expect(await press(serving, page, visit)).toMatchObject(answer);
    }
  });
});

describe('a repeated Allow', () => {
  test('gives the same address and one code: reload, second tab, double click', async () => {
    const page = await begin();
    const answers = [await press(serving, page, visit), await press(serving, page, visit), await open(page)];
    expect(new Set(answers.map(locationOf)).size).toBe(1);
    expect(await codesOf()).toBe(1);
  });

  test('stands against a later Cancel', async () => {
    const page = await begin();
    const allowed = await press(serving, page, visit);
    expect(locationOf(await press(serving, page, visit, 'deny'))).toBe(locationOf(allowed));
  });

  test('shows a page once the code is spent, because the app would take it for a replay', async () => {
    const page = await begin();
    expectTokens(await exchange(serving, clientId, codeIn(await press(serving, page, visit))));
    expect(await press(serving, page, visit)).toMatchObject({ kind: 'REFUSED', error: { status: 410 } });
  });

  test('gives the spent code again for ten seconds where PKCE makes that harmless', async () => {
    const page = await begin({ code_challenge: CHALLENGE });
    const answer = await press(serving, page, visit);
    expectTokens(await exchange(serving, clientId, codeIn(answer), { code_verifier: VERIFIER }));
    expect(locationOf(await press(serving, page, visit))).toBe(locationOf(answer));
    await ageCode(serving, codeIn(answer), 11);
    expect(await press(serving, page, visit)).toMatchObject({ kind: 'REFUSED', error: { status: 410 } });
  });

  test('shows a page once the code has expired', async () => {
    const page = await begin();
    await ageCode(serving, codeIn(await press(serving, page, visit)), 601);
    expect(await press(serving, page, visit)).toMatchObject({ kind: 'REFUSED', error: { status: 410 } });
  });
});

describe('consent is remembered', () => {
  test('for what live grants hold: nobody is asked again', async () => {
    await tokensOf(serving, clientId, userId);
    expect(codeIn(await begin({ scope: 'PROFILE_READ' }))).toMatch(/^gh_code_/);
  });

  test('with an organization scope for the team scope that it grants', async () => {
    const teamsId = await addClient(serving.em, userId, { scopes: ['ORG_PROFILE_READ', 'TEAM_PROFILE_READ'] });
    await tokensOf(serving, teamsId, userId, { scope: 'ORG_PROFILE_READ' });
    const again = await beginAuthorization(
      serving.em,
      serving.server,
      authorizeQueryOf(teamsId, { scope: 'TEAM_PROFILE_READ' }),
      visit,
    );
    expect(codeIn(again)).toMatch(/^gh_code_/);
  });

  test.each<[string, Record<string, string>]>([
    ['something new is asked for, which is marked', {}],
    ['the app insists', { scope: 'PROFILE_READ', prompt: 'consent' }],
    ['the answer goes to a program on the device', { scope: 'PROFILE_READ', redirect_uri: 'http://127.0.0.1:4711/cb' }],
  ])('but asked again when %s', async (_, changes) => {
    await tokensOf(serving, clientId, userId, { scope: 'PROFILE_READ' });
    const newScopes = changes['scope'] === undefined ? ['BOOKING_READ'] : [];
    expect(await begin(changes)).toMatchObject({ kind: 'CONSENT', question: { newScopes } });
  });

  test('no longer when the grant was taken back', async () => {
    await tokensOf(serving, clientId, userId);
    await changed(serving.em, sql`update oauth_grants set revoked_at = now() where client_id = ${clientId}`);
    expect(await begin()).toMatchObject({ kind: 'CONSENT' });
  });

  test('not for another user, nor another client', async () => {
    await tokensOf(serving, clientId, userId);
    expect(await begin({}, await visitOf(serving, await addUser(serving.em)))).toMatchObject({ kind: 'CONSENT' });
    const otherId = await addClient(serving.em, userId);
    expect(await beginAuthorization(serving.em, serving.server, authorizeQueryOf(otherId), visit)).toMatchObject({
      kind: 'CONSENT',
    });
  });
});

describe('prompt', () => {
  test('none never shows a page: it answers with what would have had to be asked', async () => {
    expect(parametersOf(await begin({ prompt: 'none' }, await visitOf(serving)))).toMatchObject({
      error: 'login_required',
      iss: ISSUER,
    });
    expect(parametersOf(await begin({ prompt: 'none' }))).toMatchObject({ error: 'consent_required', state: 'xyz' });
    await tokensOf(serving, clientId, userId);
    expect(codeIn(await begin({ prompt: 'none' }))).toMatch(/^gh_code_/);
  });

  test('login wants a fresh sign-in, and is content with one', async () => {
    await tokensOf(serving, clientId, userId);
    const asked = await begin({ prompt: 'login' });
    expect(asked).toMatchObject({ kind: 'SIGN_IN' });
    expect(await open(asked)).toMatchObject({ kind: 'SIGN_IN' });
    // Times are kept in milliseconds: a sign-in of the same one counts as earlier.
    await changed(
      serving.em,
      sql`update oauth_interactions set created_at = created_at - interval '1 second' where client_id = ${clientId}`,
    );
    expect(codeIn(await open(asked, await visitOf(serving, userId)))).toMatch(/^gh_code_/);
  });
});

describe('checking a request alone, as for HEAD', () => {
  test('stores nothing', async () => {
    const before = await interactions();
    expect(await checkAuthorization(serving.em, serving.server, authorizeQueryOf(clientId))).toMatchObject({
      clientId,
    });
    expect(await interactions()).toBe(before);
  });
});

describe('every decision', () => {
  test('is in the audit log once, with what was granted', async () => {
    const page = await begin();
    await press(serving, page, visit);
    await press(serving, page, visit);
    await authorize(serving, clientId, visit);
    await press(serving, await begin({ prompt: 'consent' }), visit, 'deny');
    const logged = await rows(
      serving.em,
      sql<{ type: string }>`select type from audit_events where client_id = ${clientId} order by occurred_at`,
    );
    expect(logged.map(({ type }) => type)).toEqual(['CONSENT_GIVEN', 'CONSENT_GIVEN', 'CONSENT_REFUSED']);
  });
});

type Changes = Readonly<Record<string, string | undefined>>;

function begin(changes: Changes = {}, as: Visit = visit): Promise<AuthorizeAnswer> {
  return beginAuthorization(serving.em, serving.server, authorizeQueryOf(clientId, changes), as);
}

/** Opens the page of an authorization again. */
function open(page: AuthorizeAnswer, as: Visit = visit): Promise<AuthorizeAnswer> {
  if (page.kind === 'SIGN_IN' && 'sealedRequest' in page.goOn) {
    return continueAuthorization(serving.em, serving.server, page.goOn.sealedRequest, as);
  }
  return advance(serving.em, serving.server, interactionOf(page), as);
}

function interactionOf(answer: AuthorizeAnswer): string {
  if (answer.kind === 'CONSENT') return answer.question.interactionId;
  if (answer.kind === 'SIGN_IN' && 'interactionId' in answer.goOn) return answer.goOn.interactionId;
  throw new Error(`Expected a page, got ${JSON.stringify(answer)}`);
}

function locationOf(answer: AuthorizeAnswer): string {
  if (answer.kind !== 'REDIRECT') throw new Error(`Expected a redirect, got ${JSON.stringify(answer)}`);
  return answer.location;
}

function parametersOf(answer: AuthorizeAnswer): Record<string, string> {
  return Object.fromEntries(new URL(locationOf(answer)).searchParams);
}

async function codesOf(): Promise<number> {
  return (await rows(serving.em, sql`select from oauth_codes where client_id = ${clientId}`)).length;
}

async function interactions(): Promise<number> {
  return (await rows(serving.em, sql`select from oauth_interactions`)).length;
}
