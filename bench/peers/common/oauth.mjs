// What the token peers share.
import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { host, port } from './config.mjs';

export { challenge, clientId, clientSecret, redirectUri, verifier } from '../../contest/oauth-client.ts';
export const scope = 'PROFILE_READ EVENT_TYPE_READ BOOKING_READ';
export const sha256 = (s) => createHash('sha256').update(s).digest();
export const newSecret = () => randomBytes(32).toString('base64url');

export const readForm = (req) =>
  new Promise((resolve, reject) => {
    let s = '';
    req.setEncoding('utf8');
    req.on('data', (d) => (s += d));
    req.on('end', () => resolve(Object.fromEntries(new URLSearchParams(s))));
    req.on('error', reject);
  });
export function sendJson(res, status, value) {
  const b = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
  res.writeHead(status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'content-length': b.length,
  });
  res.end(b);
}
/** Serves POST /token with token(req, res) and GET /seed?kind=&n= with seed(kind, n): the codes or refresh tokens to spend. */
export function serveTokens(token, seed) {
  createServer(async (req, res) => {
    try {
      if (req.method === 'GET') {
        const u = new URL(req.url, 'http://x');
        if (u.pathname !== '/seed') return sendJson(res, 404, {});
        return sendJson(res, 200, await seed(u.searchParams.get('kind'), Number(u.searchParams.get('n'))));
      }
      await token(req, res);
    } catch (e) {
      if (!res.headersSent) sendJson(res, 500, { error: 'server_error', error_description: e.message });
    }
  }).listen(port, host);
}
