import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { html } from 'hono/html';
import { Problem } from '../../core/problem.ts';
import { equalsInConstantTime, randomBase62 } from '../../core/secret.ts';
import { ENDPOINTS } from '../../oauth/protocol/metadata.ts';
import { isRegistered } from '../../oauth/protocol/redirect-uri.ts';
import { DEV_STYLE, hrefOf } from '../kit/assets.ts';
import { hiddenField } from '../kit/form-parts.ts';
import { type Html, layout, type Viewer } from '../kit/layout.ts';
import { always, type DeclaredPage, type OpenShowing, openPage } from '../kit/page.ts';
import { seeOther, sendPage } from '../kit/page-response.ts';
import { DEV_PATH } from '../kit/paths.ts';
import type { Visitors } from '../kit/visitors.ts';

export interface WalkSettings {
  readonly visitors: Visitors;
  readonly publicUrl: string;
  /** A confidential client of the demo data, whose secret is public. */
  readonly app: { readonly clientId: string; readonly secret: string; readonly redirectUris: readonly string[] };
  readonly send: Send;
}

export const WALK_PATH = `${DEV_PATH}/oauth`;
const CALLBACK = '/demo/callback';
const SCOPE = 'PROFILE_READ EVENT_TYPE_READ';
const SECRETS = 'oauth walk';

/**
 * The demo app itself, walking through the authorization code flow with PKCE (RFC 6749 §4.1, RFC 7636), one page a step. It is a
 * client like any other: what it sends goes to the endpoints that all use. It stores nothing: state and verifier hang
 * on the browser, tokens are carried from form to form.
 */
export function walkPage({ visitors, publicUrl, app, send }: WalkSettings): DeclaredPage {
  const redirectUri = `${publicUrl}${CALLBACK}`;
  const asApp = { Authorization: `Basic ${Buffer.from(`${app.clientId}:${app.secret}`).toString('base64')}` };
  return openPage({
    path: WALK_PATH,
    alsoShownAt: CALLBACK,
    find: always,
    show,
    forms: {
      walk: {
        at: '',
        run: async ({ c, token, reader }, _, form) => {
          const post = WALK_POSTS.find((one) => one === form.get('step'));
          if (!post) return seeOther(c, WALK_PATH);
          const { exchanges, held } = await posted(c, post, heldIn(form));
          const next = held && { held, csrf: token('walk') };
          return sendPage(c, postedView({ viewer: (await reader()).viewer, post, exchanges, next }));
        },
      },
    },
  });

  async function show({ c, path, csrf, reader, back }: OpenShowing<'walk'>): Promise<Html | Response> {
    if (back?.problem?.code === 'FORGED_FORM') return seeOther(c, WALK_PATH);
    if (back?.problem) throw back.problem;
    const { viewer } = await reader();
    if (path === CALLBACK) {
      const answer = new URL(`${redirectUri}${new URL(c.req.url).search}`);
      const refusal = refusalOf(c, answer.searchParams);
      const held = heldIn(answer.searchParams);
      return answerView(viewer, answer, refusal === undefined ? { csrf: csrf.walk, held } : { refusal });
    }
    if (!isRegistered(app.redirectUris, redirectUri)) return noWayBackView(viewer, publicUrl);
    return askView(viewer, authorizationUrl(c));
  }

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
    return visitors.browserSecret(c, `${SECRETS}, verifier ${nonce}`);
  }

  function stateOf(c: Context, nonce: string): string {
    return `${nonce}.${visitors.browserSecret(c, `${SECRETS}, state ${nonce}`)}`;
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

/** The requests that the app posts when a button is pressed. */
const WALK_POSTS = ['token', 'query', 'more', 'refresh', 'revoke'] as const;
type WalkPost = (typeof WALK_POSTS)[number];

const STEPS = ['The app asks', 'The code', 'The tokens', 'The API', 'New tokens', 'The end'];
const STEP_OF: Readonly<Record<WalkPost, number>> = { token: 3, query: 4, more: 4, refresh: 5, revoke: 6 };

/** The values that the app holds at a step. Forms carry them along, so that nothing of the walk is stored. */
interface Held {
  readonly code: string;
  readonly state: string;
  readonly accessToken: string;
  readonly refreshToken: string;
}
/** The names of its fields, in forms. */
const HELD = ['code', 'state', 'accessToken', 'refreshToken'] as const;

/** The first step: the address to which the app sends the browser. */
function askView(viewer: Viewer | undefined, url: URL): Html {
  const content = html`<p>The app creates two random strings and keeps them: a <code>state</code>, to recognize the answer to its own request, and a
      code verifier, of which it only sends the hash (<code>code_challenge</code>, PKCE). Then it sends the browser to the authorization server:</p>
    ${shown('Request', `GET ${url.origin}${url.pathname}\n\n${parametersOf(url.searchParams)}`)}
    <p>There you sign in and decide what the app may do.</p>
    <p class="actions"><a class="button" href="${url.pathname}${url.search}">Send the browser there</a></p>`;
  return stepView(viewer, 1, content);
}

/** Where the demo app has no address to come back to. */
function noWayBackView(viewer: Viewer | undefined, publicUrl: string): Html {
  const content = html`<h1>The walk needs localhost</h1>
    <p>The demo app is registered for addresses of this machine only, and <code>PUBLIC_URL</code> is <code>${publicUrl}</code>.
      Start the service without it, or let <code>npm run demo</code> walk in a terminal.</p>`;
  return devLayout('The walk needs localhost', viewer, html`${crumbs()}${content}`);
}

interface WalkForm {
  readonly csrf: string;
  readonly held: Held;
}

/** The second step: what came back, checked. `refusal` says why the walk ends here. */
function answerView(viewer: Viewer | undefined, answer: URL, next: WalkForm | { readonly refusal: string }): Html {
  const { searchParams } = answer;
  const content = html`<p>The authorization server sends the browser back to the app:</p>
    ${shown('Request to the app', `GET ${answer.origin}${answer.pathname}\n\n${parametersOf(searchParams)}`)}
    ${
      'refusal' in next
        ? html`<p class="warning">${next.refusal}</p>${again()}`
        : html`<p>The app checks that <code>state</code> is its own and that <code>iss</code> names the server it asked. A code is used once, within minutes, and
      is worth nothing without the verifier and the secret of the app. Now the app asks the server for tokens, without the browser.</p>
    ${walkForm(next, [['token', 'Exchange the code']])}`
    }`;
  return stepView(viewer, 2, content);
}

interface PostedView {
  readonly viewer: Viewer | undefined;
  readonly post: WalkPost;
  readonly exchanges: readonly Exchange[];
  /** Undefined where the app holds no tokens any more. */
  readonly next: WalkForm | undefined;
}

/** The text around each request: before what was sent, and after it was answered well. */
const WORDS: Readonly<Record<WalkPost, readonly [before: string, after: string]>> = {
  token: [
    'The app shows the code, the verifier and, by HTTP Basic, its client ID and secret.',
    'The access token opens the API until it expires (expires_in, in seconds); the refresh token gets the next pair.',
  ],
  query: ['The app queries the API with the access token.', 'The API answers what the token allows.'],
  more: [
    'The app asks for your bookings, but it doesn’t have the scope for them.',
    'The whole operation is refused, and the response names the missing scope.',
  ],
  refresh: [
    'Before the access token ends, the app exchanges the refresh token.',
    'It gets a new pair. The old refresh token is used up: if two sides use it, the app’s access ends.',
  ],
  revoke: [
    'When someone signs out of the app, it revokes its tokens.',
    'Revoking the refresh token also ended its access token: the same query is refused. You can end the app’s access yourself, too, under “Apps with access”.',
  ],
};

/** A step at which the app has posted something. */
function postedView({ viewer, post, exchanges, next }: PostedView): Html {
  const [before, after] = WORDS[post];
  const content = html`<p>${before}</p>
    ${exchanges.map(({ request, answer }) => html`${shown('Request', request)}${shown('Answer', answer)}`)}
    <p>${next || post === 'revoke' ? after : 'The server refused it and says why. A code or token that was used or has ended doesn’t work again.'}</p>
    ${next ? walkForm(next, NEXT[post]) : again()}`;
  return stepView(viewer, STEP_OF[post], content);
}

type Buttons = readonly (readonly [post: WalkPost, words: string])[];

const REFRESH = ['refresh', 'Get new tokens'] as const;
/** The buttons that follow each step. */
const NEXT: Readonly<Record<WalkPost, Buttons>> = {
  token: [['query', 'Ask the API']],
  query: [['more', 'Ask for more than was allowed'], REFRESH],
  more: [REFRESH],
  refresh: [['revoke', 'Revoke the tokens']],
  revoke: [],
};

function walkForm({ csrf, held }: WalkForm, buttons: Buttons): Html {
  return html`<form method="post" action="${WALK_PATH}" class="actions">
      ${hiddenField('csrf', csrf)}
      ${HELD.map((name) => hiddenField(name, held[name]))}
      ${buttons.map(
        ([post, words], index) =>
          html`<button type="submit" name="step" value="${post}" ${index > 0 ? html`class="quiet"` : ''}>${words}</button>`,
      )}
    </form>`;
}

function again(): Html {
  return html`<p class="actions"><a class="button" href="${WALK_PATH}">Walk again</a>
      <a class="button quiet" href="/settings/apps">See apps with access</a></p>`;
}

function stepView(viewer: Viewer | undefined, step: number, content: Html): Html {
  const title = STEPS[step - 1] ?? '';
  return devLayout(
    title,
    viewer,
    html`${crumbs(html` / <a href="${WALK_PATH}">How an app gets access</a>`)}
    <h1>${title}</h1>
    <ol class="steps" aria-label="Steps">${STEPS.map(
      (name, index) => html`<li ${index + 1 === step ? html`aria-current="step"` : ''}>${name}</li>`,
    )}</ol>
    ${content}`,
  );
}

function shown(title: string, text: string): Html {
  return html`<section class="sent" aria-label="${title}"><h2>${title}</h2><pre class="shown" tabindex="0">${text}</pre></section>`;
}

const HEAD = html`<link rel="stylesheet" href="${hrefOf(DEV_STYLE)}">`;

/** A page of /dev, for anybody. */
export function devLayout(title: string, viewer: Viewer | undefined, content: Html): Html {
  return layout({ title, content, corner: viewer ?? 'signed out', shape: 'sheet', head: HEAD });
}

/** The way back to /dev, and what stands between. */
export function crumbs(rest: Html | '' = ''): Html {
  return html`<p class="crumbs"><a href="${DEV_PATH}">Development</a>${rest}</p>`;
}

/** Carries out a request at an endpoint of this service, as if it had come over the network. */
type Send = (request: Request, environment: object) => Promise<Response>;

/** A request, and what it was answered: as text, for a page. */
interface Exchange {
  readonly request: string;
  readonly answer: string;
  readonly status: number;
  /** The members of the answer; none where it is no JSON object. */
  readonly body: Readonly<Record<string, unknown>>;
}

interface Sent {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: URLSearchParams | string;
}

/** A reader learns from these headers; the rest of an answer's is the same everywhere. */
const SHOWN_HEADERS = ['content-type', 'cache-control', 'www-authenticate'];
const LONGEST_SHOWN = 72;

/** Posts a request, and keeps both sides of the exchange. */
async function exchanged(c: Context, send: Send, sent: Sent): Promise<Exchange> {
  const { url, headers, body } = sent;
  const type = typeof body === 'string' ? 'application/json' : 'application/x-www-form-urlencoded';
  const all = { ...headers, 'Content-Type': type, Accept: 'application/json' };
  const response = await send(new Request(url, { method: 'POST', headers: all, body: String(body) }), c.env as object);
  const text = await response.text();
  const parsed = parsedObject(text);
  const headerLines = SHOWN_HEADERS.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [`${name}: ${value}`];
  });
  const statusLine = `HTTP ${response.status}`;
  return {
    request: [
      `POST ${url}`,
      ...Object.entries(all).map(([name, value]) => `${name}: ${short(value)}`),
      '',
      written(body),
    ].join('\n'),
    answer: [statusLine, ...headerLines, '', parsed ? JSON.stringify(parsed, shortTexts, 2) : text]
      .join('\n')
      .trimEnd(),
    status: response.status,
    body: parsed ?? {},
  };
}

/** One parameter a line. */
function parametersOf(parameters: URLSearchParams): string {
  return [...parameters].map(([name, value]) => `${name}=${short(value)}`).join('\n');
}

/** For a header. @throws Problem for what no token looks like */
function bearer(token: string): Readonly<Record<string, string>> {
  if (/^[!-~]+$/.test(token)) return { Authorization: `Bearer ${token}` };
  throw new Problem('BAD_REQUEST', 'The form was sent without its token; start the walk again.');
}

function written(body: Sent['body']): string {
  return typeof body === 'string' ? body : parametersOf(body);
}

function parsedObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function shortTexts(_name: string, value: unknown): unknown {
  return typeof value === 'string' && !/\s/.test(value) ? short(value) : value;
}

/** Tokens are long, and their beginning tells them apart. */
function short(text: string): string {
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}
