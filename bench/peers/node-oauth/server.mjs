// @node-oauth/oauth2-server on node:http with a PostgreSQL model and JWT access tokens by jose.
import OAuth2Server from '@node-oauth/oauth2-server';
import { SignJWT } from 'jose';
import { alg, audience, createData, issuer, privateKey } from '../common/index.mjs';
import {
  challenge,
  clientId,
  newSecret,
  readForm,
  redirectUri,
  scope,
  sendJson,
  serveTokens,
  sha256,
} from '../common/oauth.mjs';

const { pool } = createData();
const key = await privateKey();
const q = async (name, text, values) => (await pool.query({ name, text, values })).rows;
const model = {
  async getClient(id, secret) {
    const [c] = await q('client', 'SELECT * FROM bench.oauth_clients WHERE client_id = $1', [id]);
    if (!c || (secret && !sha256(secret).equals(c.secret_hash))) return null;
    return {
      id,
      redirectUris: [redirectUri],
      grants: ['authorization_code', 'refresh_token'],
      accessTokenLifetime: 1800,
    };
  },
  generateAccessToken: (client, user, s) =>
    new SignJWT({ scope: s.join(' '), client_id: client.id })
      .setProtectedHeader({ alg, typ: 'at+jwt', kid: 'k1' })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject(String(user.id))
      .setIssuedAt()
      .setExpirationTime('30m')
      .setJti(newSecret().slice(0, 22))
      .sign(key),
  generateRefreshToken: async () => newSecret(),
  async saveToken(token, client, user) {
    await q(
      'save',
      'INSERT INTO bench.lib_tokens (access_token, access_expires, refresh_token, refresh_expires, client_id, user_id, scope) VALUES ($1, $2, $3, $4, $5, $6, $7)',
      [
        token.accessToken,
        token.accessTokenExpiresAt,
        token.refreshToken,
        token.refreshTokenExpiresAt,
        client.id,
        user.id,
        token.scope.join(' '),
      ],
    );
    return { ...token, client, user };
  },
  async getRefreshToken(t) {
    const [r] = await q('ref', 'SELECT * FROM bench.lib_tokens WHERE refresh_token = $1', [t]);
    return (
      r && {
        refreshToken: t,
        refreshTokenExpiresAt: r.refresh_expires,
        scope: r.scope.split(' '),
        client: { id: r.client_id },
        user: { id: r.user_id },
      }
    );
  },
  async revokeToken(t) {
    return (
      (
        await pool.query({
          name: 'rev',
          text: 'DELETE FROM bench.lib_tokens WHERE refresh_token = $1',
          values: [t.refreshToken],
        })
      ).rowCount === 1
    );
  },
  async getAuthorizationCode(c) {
    const [r] = await q('code', 'SELECT * FROM bench.lib_codes WHERE code = $1', [c]);
    return (
      r && {
        authorizationCode: c,
        expiresAt: r.expires_at,
        redirectUri: r.redirect_uri,
        scope: r.scope.split(' '),
        client: { id: r.client_id },
        user: { id: r.user_id },
        codeChallenge: r.challenge,
        codeChallengeMethod: r.challenge_method,
      }
    );
  },
  async revokeAuthorizationCode(c) {
    return (
      (
        await pool.query({
          name: 'revc',
          text: 'DELETE FROM bench.lib_codes WHERE code = $1',
          values: [c.authorizationCode],
        })
      ).rowCount === 1
    );
  },
  async validateScope(_user, _client, s) {
    return s;
  },
};
const server = new OAuth2Server({ model, accessTokenLifetime: 1800, alwaysIssueNewRefreshToken: true });
serveTokens(
  async (req, res) => {
    const body = await readForm(req);
    const request = new OAuth2Server.Request({ headers: req.headers, method: 'POST', query: {}, body });
    const response = new OAuth2Server.Response({});
    try {
      await server.token(request, response);
      sendJson(res, response.status, response.body);
    } catch (e) {
      sendJson(res, e.code ?? 500, { error: e.name, error_description: e.message });
    }
  },
  async (kind, n) => {
    const list = Array.from({ length: n }, newSecret);
    if (kind === 'code')
      await pool.query(
        `INSERT INTO bench.lib_codes SELECT h, $2, 1 + o % 5000, $3, $4, $5, 'S256', now() + interval '1 hour' FROM unnest($1::text[]) WITH ORDINALITY AS x(h, o)`,
        [list, clientId, redirectUri, scope, challenge],
      );
    else
      await pool.query(
        `INSERT INTO bench.lib_tokens (refresh_token, refresh_expires, client_id, user_id, scope) SELECT h, now() + interval '1 hour', $2, 1 + o % 5000, $3 FROM unnest($1::text[]) WITH ORDINALITY AS x(h, o)`,
        [list, clientId, scope],
      );
    return list;
  },
);
