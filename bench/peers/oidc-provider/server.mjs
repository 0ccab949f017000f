// oidc-provider 9 with JWT access tokens (resource indicators) and rotating refresh tokens.
// ADAPTER=pg keeps its models in one PostgreSQL table; the default is the package's own in-memory adapter.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import Provider from 'oidc-provider';
import { alg, audience, createData, host, port, stateDir } from '../common/index.mjs';
import { challenge, clientId, clientSecret, redirectUri, scope, sendJson } from '../common/oauth.mjs';

const jwk = JSON.parse(readFileSync(`${stateDir}/key.json`, 'utf8'));
const { pool } = createData();
const q = async (name, text, values) => (await pool.query({ name, text, values })).rows;
class PgAdapter {
  constructor(model) {
    this.model = model;
  }
  #out(rows) {
    if (!rows.length) return undefined;
    return rows[0].consumed_at
      ? { ...rows[0].payload, consumed: Math.floor(rows[0].consumed_at / 1000) }
      : rows[0].payload;
  }
  async upsert(id, payload, expiresIn) {
    await q(
      'up',
      `INSERT INTO bench.oidc_store (model, id, payload, grant_id, uid, user_code, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
      ON CONFLICT (model, id) DO UPDATE SET payload = excluded.payload, grant_id = excluded.grant_id, expires_at = excluded.expires_at`,
      [
        this.model,
        id,
        payload,
        payload.grantId ?? null,
        payload.uid ?? null,
        payload.userCode ?? null,
        expiresIn ? new Date(Date.now() + expiresIn * 1000) : null,
      ],
    );
  }
  async find(id) {
    return this.#out(
      await q('find', 'SELECT payload, consumed_at FROM bench.oidc_store WHERE model = $1 AND id = $2', [
        this.model,
        id,
      ]),
    );
  }
  async findByUid(uid) {
    return this.#out(
      await q('fuid', 'SELECT payload, consumed_at FROM bench.oidc_store WHERE model = $1 AND uid = $2', [
        this.model,
        uid,
      ]),
    );
  }
  async findByUserCode(c) {
    return this.#out(
      await q('fuc', 'SELECT payload, consumed_at FROM bench.oidc_store WHERE model = $1 AND user_code = $2', [
        this.model,
        c,
      ]),
    );
  }
  async consume(id) {
    await q('con', 'UPDATE bench.oidc_store SET consumed_at = now() WHERE model = $1 AND id = $2', [this.model, id]);
  }
  async destroy(id) {
    await q('del', 'DELETE FROM bench.oidc_store WHERE model = $1 AND id = $2', [this.model, id]);
  }
  async revokeByGrantId(g) {
    await q('rev', 'DELETE FROM bench.oidc_store WHERE grant_id = $1', [g]);
  }
}
const resource = 'urn:bench:api';
const provider = new Provider(`http://${host}:${port}`, {
  ...(process.env.ADAPTER === 'pg' ? { adapter: PgAdapter } : {}),
  clients: [
    {
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_post',
      id_token_signed_response_alg: alg,
    },
  ],
  jwks: { keys: [{ ...jwk, alg, use: 'sig', kid: 'k1' }] },
  scopes: [...scope.split(' '), 'offline_access'],
  enabledJWA: { idTokenSigningAlgValues: [alg, 'RS256'] },
  findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  rotateRefreshToken: true,
  expiresWithSession: () => false,
  issueRefreshToken: () => true,
  ttl: { AccessToken: 1800, RefreshToken: 30 * 86400, AuthorizationCode: 3600, Grant: 30 * 86400 },
  features: {
    devInteractions: { enabled: false },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => resource,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({
        scope,
        audience,
        accessTokenTTL: 1800,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg } },
      }),
    },
  },
});
async function seed(kind, n) {
  const list = [];
  const client = await provider.Client.find(clientId);
  for (let i = 0; i < n; i++) {
    const accountId = String(1 + (i % 5000));
    const grant = new provider.Grant({ accountId, clientId });
    grant.addResourceScope(resource, scope);
    const grantId = await grant.save();
    const base = {
      accountId,
      client,
      grantId,
      resource,
      scope,
      authTime: Math.floor(Date.now() / 1000),
      gty: 'authorization_code',
    };
    const model =
      kind === 'code'
        ? new provider.AuthorizationCode({
            ...base,
            redirectUri,
            codeChallenge: challenge,
            codeChallengeMethod: 'S256',
          })
        : new provider.RefreshToken(base);
    list.push(await model.save());
  }
  return list;
}
const handle = provider.callback();
createServer(async (req, res) => {
  if (req.method === 'GET' && req.url.startsWith('/seed')) {
    const u = new URL(req.url, 'http://x');
    try {
      return sendJson(res, 200, await seed(u.searchParams.get('kind'), Number(u.searchParams.get('n'))));
    } catch (e) {
      console.error(e);
      return sendJson(res, 500, {});
    }
  }
  handle(req, res);
}).listen(port, host);
