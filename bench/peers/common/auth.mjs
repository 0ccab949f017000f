// The key of the peers' tokens (contest/peer-tokens.ts), and their verification.
import { readFileSync } from 'node:fs';
import { importJWK, jwtVerify } from 'jose';
import { alg, audience, issuer, stateDir } from './config.mjs';

const keyFile = `${stateDir}/key.json`;
export async function publicKey() {
  const { d, ...pub } = JSON.parse(readFileSync(keyFile, 'utf8'));
  return importJWK(pub, alg);
}

export async function privateKey() {
  return importJWK(JSON.parse(readFileSync(keyFile, 'utf8')), alg);
}

/**
 * Answers a function from an Authorization header to { userId, scopes } or null.
 * TOKEN_CACHE=1 keeps verified tokens in memory until they expire (bounded), so that a peer can be measured with our own trick.
 */
export async function makeVerifier() {
  const key = await publicKey();
  const options = { issuer, audience, algorithms: [alg] };
  const cache = process.env.TOKEN_CACHE ? new Map() : null;
  return async function verify(header) {
    if (!header || !header.startsWith('Bearer ')) return null;
    const hit = cache?.get(header);
    if (hit && hit.exp > Date.now()) return hit;
    try {
      const { payload } = await jwtVerify(header.slice(7), key, options);
      const auth = { userId: Number(payload.sub), scopes: new Set(payload.scope.split(' ')), exp: payload.exp * 1000 };
      if (cache) {
        if (cache.size >= 20_000) cache.clear();
        cache.set(header, auth);
      }
      return auth;
    } catch {
      return null;
    }
  };
}
