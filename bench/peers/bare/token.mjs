// Lower bound of the token endpoint: node:http, one statement per grant, one signature. SIGN=jose|crypto.
import { createPrivateKey, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { SignJWT } from 'jose';
import { alg, audience, createData, issuer, privateKey, stateDir } from '../common/index.mjs';
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
const nodeKey = createPrivateKey({ key: JSON.parse(readFileSync(`${stateDir}/key.json`, 'utf8')), format: 'jwk' });
const header = Buffer.from(JSON.stringify({ alg, typ: 'at+jwt', kid: 'k1' })).toString('base64url') + '.';
function signCrypto(user, granted) {
  const now = Math.floor(Date.now() / 1000);
  const part =
    header +
    Buffer.from(
      JSON.stringify({
        scope: granted,
        client_id: clientId,
        iss: issuer,
        aud: audience,
        sub: String(user),
        iat: now,
        exp: now + 1800,
        jti: newSecret().slice(0, 22),
      }),
    ).toString('base64url');
  const data = Buffer.from(part);
  const s =
    alg === 'EdDSA' || alg === 'Ed25519'
      ? sign(null, data, nodeKey)
      : sign('sha256', data, { key: nodeKey, dsaEncoding: 'ieee-p1363' });
  return part + '.' + s.toString('base64url');
}
const signJose = (user, granted) =>
  new SignJWT({ scope: granted, client_id: clientId })
    .setProtectedHeader({ alg, typ: 'at+jwt', kid: 'k1' })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(String(user))
    .setIssuedAt()
    .setExpirationTime('30m')
    .setJti(newSecret().slice(0, 22))
    .sign(key);
const signToken = process.env.SIGN === 'jose' ? signJose : signCrypto;

const known = 'EXISTS (SELECT 1 FROM bench.oauth_clients c WHERE c.client_id = $2 AND c.secret_hash = $4)';
const refresh = {
  name: 'refresh',
  text: `WITH u AS (UPDATE bench.oauth_refresh_tokens SET used_at = now()
      WHERE token_hash = $1 AND client_id = $2 AND used_at IS NULL AND expires_at > now() AND ${known} RETURNING family, user_id, scope),
    i AS (INSERT INTO bench.oauth_refresh_tokens SELECT $3, family, $2, user_id, scope, now() + interval '30 days' FROM u)
    SELECT user_id, scope FROM u`,
};
const code = {
  name: 'code',
  text: `WITH u AS (UPDATE bench.oauth_codes SET used_at = now()
      WHERE code_hash = $1 AND client_id = $2 AND redirect_uri = $5 AND used_at IS NULL AND expires_at > now() AND challenge = $6 AND ${known} RETURNING user_id, scope),
    i AS (INSERT INTO bench.oauth_refresh_tokens SELECT $3, gen_random_uuid(), $2, user_id, scope, now() + interval '30 days' FROM u)
    SELECT user_id, scope FROM u`,
};
// BATCH=1: requests that wait together share one statement and one commit. One batch of a kind is in flight at a time;
// a token that is already in a batch waits for the next, so each use is decided alone.
const many = {
  refresh: {
    name: 'refreshes',
    text: `WITH i AS (SELECT * FROM unnest($1::bytea[], $2::text[], $3::bytea[], $4::bytea[]) AS t(old, client, new, secret)),
      u AS (UPDATE bench.oauth_refresh_tokens r SET used_at = now() FROM i JOIN bench.oauth_clients c ON c.client_id = i.client AND c.secret_hash = i.secret
        WHERE r.token_hash = i.old AND r.client_id = i.client AND r.used_at IS NULL AND r.expires_at > now() RETURNING i.new, r.family, r.client_id, r.user_id, r.scope),
      x AS (INSERT INTO bench.oauth_refresh_tokens SELECT new, family, client_id, user_id, scope, now() + interval '30 days' FROM u)
      SELECT encode(new, 'hex') AS new, user_id, scope FROM u`,
  },
  code: {
    name: 'codes',
    text: `WITH i AS (SELECT * FROM unnest($1::bytea[], $2::text[], $3::bytea[], $4::bytea[], $5::text[], $6::text[]) AS t(old, client, new, secret, uri, challenge)),
      u AS (UPDATE bench.oauth_codes r SET used_at = now() FROM i JOIN bench.oauth_clients c ON c.client_id = i.client AND c.secret_hash = i.secret
        WHERE r.code_hash = i.old AND r.client_id = i.client AND r.redirect_uri = i.uri AND r.used_at IS NULL AND r.expires_at > now() AND r.challenge = i.challenge
        RETURNING i.new, r.client_id, r.user_id, r.scope),
      x AS (INSERT INTO bench.oauth_refresh_tokens SELECT new, gen_random_uuid(), client_id, user_id, scope, now() + interval '30 days' FROM u)
      SELECT encode(new, 'hex') AS new, user_id, scope FROM u`,
  },
};
const waiting = { refresh: [], code: [] };
const busy = { refresh: false, code: false };
async function flush(kind) {
  if (busy[kind]) return;
  busy[kind] = true;
  while (waiting[kind].length) {
    const taken = new Set();
    const batch = [],
      rest = [];
    for (const w of waiting[kind]) {
      const k = w.values[0].toString('latin1');
      if (taken.has(k) || batch.length >= 64) rest.push(w);
      else {
        taken.add(k);
        batch.push(w);
      }
    }
    waiting[kind] = rest;
    try {
      const { rows } = await pool.query({
        ...many[kind],
        values: batch[0].values.map((_, i) => batch.map((w) => w.values[i])),
      });
      const by = new Map(rows.map((r) => [r.new, r]));
      for (const w of batch) {
        const r = by.get(w.values[2].toString('hex'));
        w.resolve(r ? [r] : []);
      }
    } catch (e) {
      for (const w of batch) w.reject(e);
    }
  }
  busy[kind] = false;
}
const batched = (kind, values) =>
  new Promise((resolve, reject) => {
    waiting[kind].push({ values, resolve, reject });
    setImmediate(flush, kind);
  });

serveTokens(
  async (req, res) => {
    const p = await readForm(req);
    const next = newSecret();
    const isCode = p.grant_type === 'authorization_code';
    const values = [sha256(isCode ? p.code : p.refresh_token), p.client_id, sha256(next), sha256(p.client_secret)];
    if (isCode) values.push(p.redirect_uri, sha256(p.code_verifier).toString('base64url'));
    const rows = process.env.BATCH
      ? await batched(isCode ? 'code' : 'refresh', values)
      : (await pool.query({ ...(isCode ? code : refresh), values })).rows;
    if (rows.length === 0) return sendJson(res, 400, { error: 'invalid_grant' });
    const access = await signToken(rows[0].user_id, rows[0].scope);
    sendJson(res, 200, {
      access_token: access,
      refresh_token: next,
      token_type: 'bearer',
      expires_in: 1800,
      scope: rows[0].scope,
    });
  },
  async (kind, n) => {
    const list = Array.from({ length: n }, newSecret);
    const hashes = list.map(sha256);
    if (kind === 'code') {
      await pool.query(
        `INSERT INTO bench.oauth_codes SELECT h, $2, 1 + o % 5000, $3, $4, $5, now() + interval '1 hour' FROM unnest($1::bytea[]) WITH ORDINALITY AS x(h, o)`,
        [hashes, clientId, redirectUri, scope, challenge],
      );
    } else {
      await pool.query(
        `INSERT INTO bench.oauth_refresh_tokens SELECT h, gen_random_uuid(), $2, 1 + o % 5000, $3, now() + interval '1 hour' FROM unnest($1::bytea[]) WITH ORDINALITY AS x(h, o)`,
        [hashes, clientId, scope],
      );
    }
    return list;
  },
);
