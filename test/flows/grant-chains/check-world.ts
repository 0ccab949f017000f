import { decodeJwt } from 'jose';
import { expect } from 'vitest';
import { type Chain, isExpired, type Model } from './model.ts';
import { catchUp, isActive, type World } from './world.ts';

/** One live chain per grant at most, nothing alive after revocation, and everything else as alive as it should be. */
export async function checkWorld(world: World): Promise<void> {
  await catchUp(world);
  for (const chain of world.model.chains) {
    const refreshTokens = chain.refreshTokens.map((token) => isActive(world, token));
    expect(await Promise.all(refreshTokens)).toEqual(liveRefreshTokens(world.model, chain));
    const accessTokens = chain.accessTokens.map(({ text }) => isActive(world, text));
    expect(await Promise.all(accessTokens)).toEqual(liveAccessTokens(world.model, chain));
  }
}

/** The newest one, while the grant is alive. */
function liveRefreshTokens(model: Model, chain: Chain): boolean[] {
  const isAlive = !chain.isRevoked && !model.isSuspended && !isExpired(model, chain);
  return chain.refreshTokens.map((_, index) => isAlive && index === chain.refreshTokens.length - 1);
}

/** Each one that was not revoked by itself. Only the database was told that time passed, not what the token says. */
function liveAccessTokens({ isSuspended }: Model, chain: Chain): boolean[] {
  const isAlive = !chain.isRevoked && !isSuspended;
  return chain.accessTokens.map(
    ({ text, isRevoked }) => isAlive && !isRevoked && Number(decodeJwt(text).exp) > Date.now() / 1_000,
  );
}
