import { createHash } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { equalsInConstantTime, randomBase62 } from '../../core/secret.ts';
import { ENDPOINTS } from '../../oauth/protocol/metadata.ts';
import { isRegistered } from '../../oauth/protocol/redirect-uri.ts';
import { seeOther, sendPage } from '../kit/page-response.ts';
import type { Visitors } from '../kit/visitors.ts';
import { bearer, type Exchange, exchanged, type Send } from './walk-exchange.ts';
import {
  answerPage,
  askPage,
  HELD,
  type Held,
  noWayBackPage,
  postedPage,
  WALK_PATH,
  WALK_POSTS,
  type WalkPost,
} from './walk-page.ts';

export interface WalkSettings {
  readonly visitors: Visitors;
  readonly publicUrl: string;
  /** A confidential client of the demo data, whose secret is public. */
  readonly app: { readonly clientId: string; readonly secret: string; readonly redirectUris: readonly string[] };
  readonly send: Send;
}

const CALLBACK = '/demo/callback';
const SCOPE = 'PROFILE_READ EVENT_TYPE_READ';
const FORM = 'oauth walk';

/**
 * The demo app itself, walking through the authorization code flow with PKCE (RFC 6749 §4.1, RFC 7636), one page a step. It is a
 * client like any other: what it sends goes to the endpoints that all use. It stores nothing: state and verifier hang
 * on the browser, tokens are carried from form to form.
 */
export function walkRoutes({ visitors, publicUrl, app, send }: WalkSettings): Hono {
  const routes = new Hono();
  const redirectUri = `${publicUrl}${CALLBACK}`;
  const asApp = { Authorization: `Basic ${Buffer.from(`${app.clientId}:${app.secret}`).toString('base64')}` };
  routes.get(WALK_PATH, async (c) => {
    const viewer = await visitors.viewerOf(c.req.raw);
    if (!isRegistered(app.redirectUris, redirectUri)) return sendPage(c, noWayBackPage(viewer, publicUrl));
    return sendPage(c, askPage(viewer, authorizationUrl(c)));
  });
  routes.get(CALLBACK, async (c) => {
    const answer = new URL(`${redirectUri}${new URL(c.req.url).search}`);
    const refusal = refusalOf(c, answer.searchParams);
    const held = heldIn(answer.searchParams);
    const next = refusal === undefined ? { csrf: visitors.formToken(c, FORM), held } : { refusal };
    return sendPage(c, answerPage(await visitors.viewerOf(c.req.raw), answer, next));
  });
  routes.post(WALK_PATH, (c) => take(c));
  return routes;

  function authorizationUrl(c: Context): URL {
    const nonce = randomBase62(22);
    const challenge = createHash('sha256').update(verifierOf(c, nonce)).digest('base64url');
    const url = new URL(ENDPOINTS.authorize, publicUrl);
    url.search = new URLSearchParams({
      response_type: 'code',
      client_id: app.clientId,
      redirect_uri: redirectUri,
      scope: SCOPE,
      state: stateOf(c, nonce),
      code_challenge: challenge,
      code_challenge_method: 'S256',
    }).toString();
    return url;
  }

  /** Both are made anew from the random text and the browser's id. */
  function verifierOf(c: Context, nonce: string): string {
    return visitors.browserSecret(c, `${FORM}, verifier ${nonce}`);
  }

  function stateOf(c: Context, nonce: string): string {
    return `${nonce}.${visitors.browserSecret(c, `${FORM}, state ${nonce}`)}`;
  }

  /** Why the app goes no further with an answer; undefined for one that it asked for itself. */
  function refusalOf(c: Context, answer: URLSearchParams): string | undefined {
    const state = answer.get('state') ?? '';
    if (!equalsInConstantTime(state, stateOf(c, nonceOf(state))))
      return `This browser didn’t start that walk (state), so the app rejects the answer. Start at ${publicUrl}${WALK_PATH}.`;
    if (answer.get('iss') !== publicUrl)
      return 'A different server answered than the app asked (iss), so the app stops here.';
    if (answer.has('error')) return 'The app didn’t get access, and is told why (error).';
    return answer.has('code') ? undefined : 'There’s no code in the answer, so the app can’t continue.';
  }

  async function take(c: Context): Promise<Response> {
    const { form, forgery } = await visitors.readForm(c, FORM);
    const post = WALK_POSTS.find((one) => one === form.get('step'));
    if (forgery || !post) return seeOther(c, WALK_PATH);
    const { exchanges, held } = await posted(c, post, heldIn(form));
    const next = held && { held, csrf: visitors.formToken(c, FORM) };
    return sendPage(c, postedPage({ viewer: await visitors.viewerOf(c.req.raw), post, exchanges, next }));
  }

  async function posted(c: Context, post: WalkPost, held: Held): Promise<Posted> {
    switch (post) {
      case 'token':
        return withTokens(
          await toServer(c, ENDPOINTS.token, {
            grant_type: 'authorization_code',
            code: held.code,
            redirect_uri: redirectUri,
            code_verifier: verifierOf(c, nonceOf(held.state)),
          }),
        );
      case 'query':
      case 'more':
        return { exchanges: [await ask(c, held, QUERIES[post])], held };
      case 'refresh':
        return withTokens(
          await toServer(c, ENDPOINTS.token, { grant_type: 'refresh_token', refresh_token: held.refreshToken }),
        );
      case 'revoke': {
        const revoked = await toServer(c, ENDPOINTS.revoke, { token: held.refreshToken });
        return { exchanges: [revoked, await ask(c, held, QUERIES.query)], held: undefined };
      }
    }
  }

  function toServer(c: Context, path: string, body: Record<string, string>): Promise<Exchange> {
    return exchanged(c, send, { url: `${publicUrl}${path}`, headers: asApp, body: new URLSearchParams(body) });
  }

  function ask(c: Context, { accessToken }: Held, query: string): Promise<Exchange> {
    const body = JSON.stringify({ query });
    return exchanged(c, send, { url: `${publicUrl}/graphql`, headers: bearer(accessToken), body });
  }
}

const QUERIES = {
  query: '{ me { name email eventTypes(first: 3) { nodes { slug title } } } }',
  more: '{ me { bookings(first: 3) { nodes { title start } } } }',
};

interface Posted {
  readonly exchanges: readonly Exchange[];
  /** Undefined where the app holds no tokens any more. */
  readonly held: Held | undefined;
}

function withTokens(exchange: Exchange): Posted {
  const { access_token: accessToken, refresh_token: refreshToken } = exchange.body;
  const areThere = typeof accessToken === 'string' && typeof refreshToken === 'string';
  return { exchanges: [exchange], held: areThere ? { code: '', state: '', accessToken, refreshToken } : undefined };
}

function heldIn(sent: URLSearchParams): Held {
  const [code = '', state = '', accessToken = '', refreshToken = ''] = HELD.map((name) => sent.get(name) ?? '');
  return { code, state, accessToken, refreshToken };
}

/** The random part of a state, or whatever stands in its place in a state that is not ours. */
function nonceOf(state: string): string {
  return state.split('.', 1)[0] ?? '';
}
