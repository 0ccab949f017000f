/** A developer is suspended: all that they have registered stops, for everybody who uses it, and revives with them. */
import { globSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pageRequest } from '../../src/core/page.ts';
import { DatabaseClock } from '../../src/database/database-clock.ts';
import { changed, row, sql } from '../../src/database/sql.ts';
import { advance, beginAuthorization } from '../../src/oauth/authorize/authorize.ts';
import { updateClient } from '../../src/oauth/clients/client.commands.ts';
import { findClientsToReview, findListedClient } from '../../src/oauth/clients/oauth-client.queries.ts';
import { reviewClient } from '../../src/oauth/clients/review-client.ts';
import { findAuthorizedApps, isLetIn } from '../../src/oauth/grants/authorized-apps.ts';
import type { ReviewAction } from '../../src/oauth/protocol/client-review.ts';
import { RevocationFeed } from '../../src/oauth/revocations/revocations.ts';
import { BearerTokens } from '../../src/oauth/tokens/bearer.ts';
import { answerIntrospectionRequest } from '../../src/oauth/tokens/introspect.ts';
import { answerRevocationRequest } from '../../src/oauth/tokens/revoke.ts';
import { reinstateUserWithGrants, suspendUserWithGrants } from '../../src/oauth/users/suspend-user.ts';
import {
  asForm,
  authorize,
  authorizeQueryOf,
  exchange,
  expectTokens,
  press,
  refresh,
  tokensOf,
  visitOf,
} from './support/flow.ts';
import { ADDRESS, addClient, addUser, openTestServer, SECRET, type TestServer } from './support/test-server.ts';

let serving: TestServer;
let administratorId: string;
let developerId: string;
let userId: string;
let clientId: string;
beforeAll(async () => {
  serving = await openTestServer();
  administratorId = await addUser(serving.em, { isAdministrator: true });
});
afterAll(() => serving.close());
beforeEach(async () => {
  developerId = await addUser(serving.em);
  userId = await addUser(serving.em);
  clientId = await addClient(serving.em, developerId);
});

describe('an app whose developer is suspended', () => {
  test('is refused at every door, and a reinstatement revives what it was granted', async () => {
    const tokens = await tokensOf(serving, clientId, userId);
    const another = await tokensOf(serving, await addClient(serving.em, await addUser(serving.em)), userId);
    const visit = await visitOf(serving, userId);
    const unspent = await authorize(serving, clientId, visit);
    const open = await beginAuthorization(
      serving.em,
      serving.server,
      authorizeQueryOf(clientId, { prompt: 'consent' }),
      visit,
    );
    expect([await isGood(tokens.access_token), await isActive(tokens.access_token)]).toEqual([true, true]);

    await suspend();
    expect(await isGood(tokens.access_token)).toBe(false);
    // Nor in a process that has heard nothing since its start, and so asks the database.
    const clock = new DatabaseClock();
    const deaf = new BearerTokens({ ...serving.server, clock, revocations: new RevocationFeed(serving.em, clock) });
    expect(await deaf.authenticate(serving.em, tokens.access_token)).toMatchObject({ error: 'invalid_token' });
    expect(await isActive(tokens.access_token)).toBe(false);
    expect(await isActive(tokens.refresh_token)).toBe(false);
    expect(await refresh(serving, clientId, tokens.refresh_token)).toMatchObject({ error: 'unauthorized_client' });
    expect(await exchange(serving, clientId, unspent)).toMatchObject({ error: 'unauthorized_client' });
    // Our own page, and no redirect.
    const asked = await beginAuthorization(serving.em, serving.server, authorizeQueryOf(clientId), visit);
    expect(asked).toMatchObject({ kind: 'REFUSED', error: { error: 'unauthorized_client', status: 403 } });
    expect(await press(serving, open, visit)).toMatchObject({ kind: 'REFUSED', error: { status: 403 } });
    if (open.kind !== 'CONSENT') throw new Error('A consent page was expected.');
    const reloaded = await advance(serving.em, serving.server, open.question.interactionId, visit);
    expect(reloaded).toMatchObject({ kind: 'REFUSED', error: { status: 403 } });
    expect(await isInside()).toBe(false);
    expect(await appsOfUser()).toContainEqual({ clientId, isSuspended: true });
    // An app of somebody else goes on.
    expect(await isGood(another.access_token)).toBe(true);

    await reinstate();
    expect([await isGood(tokens.access_token), await isActive(tokens.refresh_token)]).toEqual([true, true]);
    expect(await isInside()).toBe(true);
    expect(await appsOfUser()).toContainEqual({ clientId, isSuspended: false });
    const next = expectTokens(await refresh(serving, clientId, tokens.refresh_token));
    expect(await isGood(next.access_token)).toBe(true);
    // Codes and consent pages from before stay dead, as after a suspension of the client itself.
    expect(await exchange(serving, clientId, unspent)).toMatchObject({ error: 'invalid_grant' });
    expect(await press(serving, open, visit)).toMatchObject({ kind: 'REFUSED' });
    expectTokens(await exchange(serving, clientId, await authorize(serving, clientId, await visitOf(serving, userId))));
  });

  test('may still give back what it has', async () => {
    const tokens = await tokensOf(serving, clientId, userId);
    await suspend();
    expect(await revoke(tokens.refresh_token)).toBeUndefined();
    await reinstate();
    expect(await isGood(tokens.access_token)).toBe(false);
    expect(await refresh(serving, clientId, tokens.refresh_token)).toMatchObject({ error: 'invalid_grant' });
  });

  test('is stopped by either suspension, whichever is lifted first', async () => {
    const tokens = await tokensOf(serving, clientId, userId);
    await isGood(tokens.access_token);
    await suspend();
    await decide('SUSPEND');
    await reinstate();
    expect(await isGood(tokens.access_token)).toBe(false);
    await suspend();
    await decide('REINSTATE');
    expect(await isGood(tokens.access_token)).toBe(false);
    expect(await refresh(serving, clientId, tokens.refresh_token)).toMatchObject({ error: 'unauthorized_client' });
    await reinstate();
    expect(await isGood(tokens.access_token)).toBe(true);
    expectTokens(await refresh(serving, clientId, tokens.refresh_token));
  });

  test('has nothing approved, whoever asked for it, and its reviewers see why', async () => {
    const waiting = await addClient(serving.em, developerId, { status: 'PENDING' });
    const by = { clientId, actorId: developerId, address: ADDRESS };
    await updateClient(serving.em, serving.server, by, { name: 'Another name' });
    await suspend();
    await updateClient(serving.em, serving.server, { ...by, actorId: administratorId }, { name: 'A third name' });
    for (const id of [waiting, clientId]) {
      await expect(decide('APPROVE', id)).rejects.toMatchObject({ code: 'NOT_POSSIBLE' });
      expect(await findListedClient(serving.em, id, administratorId)).toMatchObject({ isDeveloperSuspended: true });
    }
    const { rows: queue } = await findClientsToReview(
      serving.em,
      administratorId,
      pageRequest({ first: 100 }, ['TIME', 'TEXT']),
    );
    const ofDeveloper = queue.filter(({ ownerId }) => ownerId === developerId);
    expect(ofDeveloper.map(({ isDeveloperSuspended }) => isDeveloperSuspended)).toEqual([true, true]);
    await decide('REJECT', waiting);
    await reinstate();
    await decide('APPROVE');
    expect(await findListedClient(serving.em, clientId, administratorId)).toMatchObject({
      name: 'A third name',
      isDeveloperSuspended: false,
    });
  });
});

test('nothing but one condition says whether a client is in use', () => {
  const spelled = globSync('src/**/*.ts').filter((path) => /status\s*=\s*'APPROVED'/.test(readFileSync(path, 'utf8')));
  expect(spelled).toEqual(['src/oauth/clients/client-columns.ts']);
});

describe('a developer who has made an app', () => {
  test('is said as it was reviewed, until a reviewer has seen the new name', async () => {
    await rename('Dev Nobody');
    const by = { clientId, actorId: developerId, address: ADDRESS };
    clientId = await addClient(serving.em, developerId, { status: 'PENDING', developerName: 'Dev Nobody' });
    Object.assign(by, { clientId });
    await decide('APPROVE');
    await rename('Acme Security');
    expect(await shown()).toEqual({ developerName: 'Dev Nobody', isReviewed: true });

    // Any edit hands in the new name, and what is live stays.
    await updateClient(serving.em, serving.server, by, {});
    expect(await shown()).toEqual({ developerName: 'Dev Nobody', isReviewed: true });
    const waiting = await findListedClient(serving.em, clientId, administratorId);
    expect(waiting).toMatchObject({ developerName: 'Dev Nobody', pendingRevision: { developerName: 'Acme Security' } });
    // The administrator approves what was shown: a name that came later is none of it.
    await rename('Later Still');
    await decide('APPROVE', clientId, waiting?.version);
    expect(await shown()).toEqual({ developerName: 'Acme Security', isReviewed: true });
    await updateClient(serving.em, serving.server, by, {});
    await decide('REJECT');
    expect(await shown()).toEqual({ developerName: 'Acme Security', isReviewed: true });
  });

  test('is decided upon as it was looked at, where the client was edited meanwhile', async () => {
    const pending = await addClient(serving.em, developerId, { status: 'PENDING', developerName: 'Dev Nobody' });
    const seen = await findListedClient(serving.em, pending, administratorId);
    await rename('Acme Security');
    const by = { clientId: pending, actorId: developerId, address: ADDRESS };
    await updateClient(serving.em, serving.server, by, { name: 'App' });
    await expect(decide('APPROVE', pending, seen?.version)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('is vouched for by no decision but an approval of what is live', async () => {
    // From before reviews existed.
    clientId = await addClient(serving.em, developerId, { developerName: null });
    await rename('Nobody Knows');
    expect(await shown()).toEqual({ developerName: 'Nobody Knows', isReviewed: false });
    await decide('SUSPEND');
    await decide('REINSTATE');
    expect(await shown()).toMatchObject({ isReviewed: false });
    const by = { clientId, actorId: developerId, address: ADDRESS };
    await updateClient(serving.em, serving.server, by, { name: 'Another' });
    await decide('REJECT');
    expect(await shown()).toMatchObject({ isReviewed: false });
    await updateClient(serving.em, serving.server, by, { name: 'Another' });
    await decide('APPROVE');
    expect(await shown()).toEqual({ developerName: 'Nobody Knows', isReviewed: true });
  });
});

const rename = (name: string) => changed(serving.em, sql`update users set name = ${name} where id = ${developerId}`);

async function shown() {
  const query = authorizeQueryOf(clientId, { prompt: 'consent' });
  const answer = await beginAuthorization(serving.em, serving.server, query, await visitOf(serving, userId));
  if (answer.kind !== 'CONSENT') throw new Error(`A consent page was expected, not ${answer.kind}.`);
  const { developerName, isReviewed } = answer.question;
  return { developerName, isReviewed };
}

const suspension = () => ({ userId: developerId, actorId: administratorId, address: ADDRESS });
const suspend = () => suspendUserWithGrants(serving.em, serving.server, suspension());
const reinstate = () => reinstateUserWithGrants(serving.em, serving.server, suspension());

function decide(action: ReviewAction, id = clientId, seenVersion?: number): Promise<void> {
  const by = { actorId: administratorId, address: ADDRESS };
  return reviewClient(serving.em, serving.server, { clientId: id, action, reason: 'because', seenVersion, ...by });
}

async function isGood(token: string): Promise<boolean> {
  return !('error' in (await serving.server.bearerTokens.authenticate(serving.em, token)));
}

async function isActive(token: string): Promise<boolean> {
  const form = asForm({ client_id: clientId, client_secret: SECRET, token });
  const answer = await answerIntrospectionRequest(serving.em, serving.server, form, ADDRESS);
  if ('error' in answer) throw new Error(answer.error);
  return answer.active;
}

function revoke(token: string) {
  const form = asForm({ client_id: clientId, client_secret: SECRET, token });
  return answerRevocationRequest(serving.em, serving.server, form, ADDRESS);
}

/** By the condition that webhooks are judged by. */
async function isInside(): Promise<boolean | undefined> {
  const condition = isLetIn(sql`${userId}::uuid`, sql`${clientId}::text`);
  return (await row(serving.em, sql<{ isIn: boolean }>`select ${condition} as "isIn"`))?.isIn;
}

async function appsOfUser() {
  const { rows: apps } = await findAuthorizedApps(serving.em, userId, pageRequest({}, ['TEXT']));
  return apps.map((app) => ({ clientId: app.clientId, isSuspended: app.isSuspended }));
}
