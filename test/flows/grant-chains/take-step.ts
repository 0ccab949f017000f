import { expect } from 'vitest';
import { changed, sql } from '../../../src/database/sql.ts';
import { reviewClient } from '../../../src/oauth/clients/review-client.ts';
import { revokeApp } from '../../../src/oauth/grants/authorized-apps.ts';
import { interactionIdOfCode } from '../../../src/oauth/protocol/credentials.ts';
import { answerRevocationRequest } from '../../../src/oauth/tokens/revoke.ts';
import type { Scope } from '../../../src/scopes/catalog.ts';
import { ageGrants, asForm, authorize, expectTokens, visitOf } from '../../oauth/support/flow.ts';
import { REDIRECT_URI, SECRET } from '../../oauth/support/test-server.ts';
import { type Chain, confirm, expectedRefresh, type Step, scopesOf } from './model.ts';
import { address, ask, catchUp, next, type World } from './world.ts';

/** Takes a step in the real world and in the model, and compares what they say. */
export async function takeStep(world: World, step: Step): Promise<void> {
  switch (step.do) {
    case 'AUTHORIZE':
      return takeAuthorize(world, step.scopes);
    case 'ENABLE':
      return enable(world, step.scopes);
    case 'REVOKE_APP':
      return revokeByUser(world, world.model.chains, undefined);
    case 'SUSPEND':
    case 'REINSTATE':
      return takeReview(world, step.do);
    case 'WAIT':
      world.model.now += step.seconds;
      return ageGrants(world.serving, world.clientId, step.seconds);
    default: {
      const chain = fromTheEnd(world.model.chains, step.chain);
      if (chain) await takeStepOfChain(world, chain, step);
    }
  }
}

async function takeStepOfChain(world: World, chain: Chain, step: Extract<Step, { chain: number }>): Promise<void> {
  switch (step.do) {
    case 'REFRESH':
      return refresh(world, chain, step);
    case 'USE':
      return useToken(world, chain, step.token);
    case 'REPLAY_CODE':
      return replay(world, chain);
    case 'REVOKE_GRANT':
      return revokeByUser(world, [chain], chain.grantId);
    case 'REVOKE_REFRESH_TOKEN':
      await revokeByClient(world, refreshTokenAt(chain, step.back));
      chain.isRevoked = true;
      return;
    default: {
      const token = fromTheEnd(chain.accessTokens, step.token);
      if (!token) return;
      await revokeByClient(world, token.text);
      token.isRevoked = true;
    }
  }
}

async function takeAuthorize(world: World, scopes: readonly Scope[]): Promise<void> {
  const { model, serving, clientId, userId } = world;
  if (model.isSuspended || !scopes.every((scope) => model.enabled.includes(scope))) return;
  const code = await authorize(next(world), clientId, await visitOf(serving, userId), { scope: scopes.join(' ') });
  const fields = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI };
  const tokens = expectTokens(await ask(world, fields));
  expect(tokens.scope.split(' ').toSorted()).toEqual(scopes.toSorted());
  model.chains.push({
    grantId: interactionIdOfCode(code) ?? '',
    code,
    granted: scopes,
    refreshTokens: [tokens.refresh_token],
    accessTokens: [{ text: tokens.access_token, generation: 1, isRevoked: false }],
    createdAt: model.now,
    rotatedAt: model.now,
    confirmedAt: undefined,
    isRevoked: false,
  });
}

async function refresh(world: World, chain: Chain, step: Extract<Step, { do: 'REFRESH' }>): Promise<void> {
  const { scopes, times } = step;
  const back = step.back % chain.refreshTokens.length;
  const { answer, isReuse } = expectedRefresh(world.model, chain, { back, scopes });
  const token = refreshTokenAt(chain, back);
  const fields = { grant_type: 'refresh_token', refresh_token: token, ...(scopes && { scope: scopes.join(',') }) };
  const answers = await Promise.all(Array.from({ length: times }, () => ask(world, fields)));
  if (isReuse) chain.isRevoked = true;
  if (answer !== 'NEXT' && answer !== 'SAME') {
    expect(answers.map((one) => ('error' in one ? one.error : 'tokens'))).toEqual(answers.map(() => answer));
    return;
  }
  const [first, ...others] = answers.map((one) => expectTokens(one));
  if (!first) throw new Error('A step asks at least once.');
  expect(others.map(pairOf)).toEqual(others.map(() => pairOf(first)));
  expect(first.scope.split(' ').toSorted()).toEqual(scopesOf(world.model, chain, scopes).toSorted());
  expect(chain.refreshTokens.indexOf(first.refresh_token)).toBe(
    answer === 'NEXT' ? -1 : chain.refreshTokens.length - 1,
  );
  if (answer === 'NEXT') {
    chain.refreshTokens.push(first.refresh_token);
    chain.rotatedAt = world.model.now;
    chain.confirmedAt = undefined;
  }
  if (chain.accessTokens.some(({ text }) => text === first.access_token)) return;
  const generation = chain.refreshTokens.length;
  chain.accessTokens.push({ text: first.access_token, generation, isRevoked: false });
}

async function useToken(world: World, chain: Chain, index: number): Promise<void> {
  const token = fromTheEnd(chain.accessTokens, index);
  if (!token) return;
  // The server that revoked something knows it at once, the other one hears of it a moment later.
  await catchUp(world);
  const { em, server } = next(world);
  const principal = await server.bearerTokens.authenticate(em, token.text);
  if ('error' in principal) return;
  expect([chain.isRevoked, world.model.isSuspended, token.isRevoked]).toEqual([false, false, false]);
  expect(principal.access).toEqual({ kind: 'SCOPED', scopes: expect.toSatisfy(isWithin(chain.granted)) });
  confirm(world.model, chain, token.generation);
}

async function replay(world: World, chain: Chain): Promise<void> {
  const { isSuspended } = world.model;
  const fields = { grant_type: 'authorization_code', code: chain.code, redirect_uri: REDIRECT_URI };
  expect(await ask(world, fields)).toMatchObject({ error: isSuspended ? 'unauthorized_client' : 'invalid_grant' });
  if (!isSuspended) chain.isRevoked = true;
}

async function revokeByClient(world: World, token: string): Promise<void> {
  const { em, server } = next(world);
  const fields = asForm({ client_id: world.clientId, client_secret: SECRET, token });
  expect(await answerRevocationRequest(em, server, fields, address(world))).toBeUndefined();
}

async function revokeByUser(world: World, chains: readonly Chain[], grantId: string | undefined): Promise<void> {
  const { em, server } = next(world);
  const { userId, clientId } = world;
  const revoking = revokeApp(em, server, { userId, clientId, grantId, address: address(world) });
  const wasAlive = chains.some(({ isRevoked }) => !isRevoked);
  expect(await revoking.then(() => true).catch(({ code }) => code)).toBe(wasAlive || 'NOT_FOUND');
  for (const chain of chains) chain.isRevoked = true;
}

async function enable({ serving, clientId, model }: World, scopes: readonly Scope[]): Promise<void> {
  await changed(serving.em, sql`update oauth_clients set scopes = ${scopes}::text[] where client_id = ${clientId}`);
  model.enabled = scopes;
}

async function takeReview(world: World, action: 'SUSPEND' | 'REINSTATE'): Promise<void> {
  const { model, clientId, userId: actorId } = world;
  const isSuspended = action === 'SUSPEND';
  if (model.isSuspended === isSuspended) return;
  const { em, server } = next(world);
  await reviewClient(em, server, { clientId, actorId, address: address(world), action, reason: 'Test' });
  await catchUp(world);
  model.isSuspended = isSuspended;
}

/** The newest has the index 0. */
function fromTheEnd<Item>(items: readonly Item[], index: number): Item | undefined {
  return items.at(-1 - (index % (items.length || 1)));
}

function refreshTokenAt({ refreshTokens }: Chain, back: number): string {
  return fromTheEnd(refreshTokens, back) ?? '';
}

function pairOf(tokens: { readonly access_token: string; readonly refresh_token: string }): string {
  return `${tokens.access_token} ${tokens.refresh_token}`;
}

function isWithin(granted: readonly Scope[]) {
  return (scopes: readonly Scope[]): boolean => scopes.every((scope) => granted.includes(scope));
}
