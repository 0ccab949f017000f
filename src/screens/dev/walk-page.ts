import { html } from 'hono/html';
import { hiddenField } from '../kit/form-parts.ts';
import type { Html, Viewer } from '../kit/layout.ts';
import { DEV_PATH } from '../kit/paths.ts';
import { crumbs, devLayout } from './dev-parts.ts';
import { type Exchange, parametersOf } from './walk-exchange.ts';

export const WALK_PATH = `${DEV_PATH}/oauth`;
/** The requests that the app posts when a button is pressed. */
export const WALK_POSTS = ['token', 'query', 'more', 'refresh', 'revoke'] as const;
export type WalkPost = (typeof WALK_POSTS)[number];

const STEPS = ['The app asks', 'The code', 'The tokens', 'The API', 'New tokens', 'The end'];
const STEP_OF: Readonly<Record<WalkPost, number>> = { token: 3, query: 4, more: 4, refresh: 5, revoke: 6 };

/** The values that the app holds at a step. Forms carry them along, so that nothing of the walk is stored. */
export interface Held {
  readonly code: string;
  readonly state: string;
  readonly accessToken: string;
  readonly refreshToken: string;
}
/** The names of its fields, in forms. */
export const HELD = ['code', 'state', 'accessToken', 'refreshToken'] as const;

/** The first step: the address to which the app sends the browser. */
export function askPage(viewer: Viewer | undefined, url: URL): Html {
  const content = html`<p>The app creates two random strings and keeps them: a <code>state</code>, to recognize the answer to its own request, and a
      code verifier, of which it only sends the hash (<code>code_challenge</code>, PKCE). Then it sends the browser to the authorization server:</p>
    ${shown('Request', `GET ${url.origin}${url.pathname}\n\n${parametersOf(url.searchParams)}`)}
    <p>There you sign in and decide what the app may do.</p>
    <p class="actions"><a class="button" href="${url.pathname}${url.search}">Send the browser there</a></p>`;
  return walkPage(viewer, 1, content);
}

/** Where the demo app has no address to come back to. */
export function noWayBackPage(viewer: Viewer | undefined, publicUrl: string): Html {
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
export function answerPage(
  viewer: Viewer | undefined,
  answer: URL,
  next: WalkForm | { readonly refusal: string },
): Html {
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
  return walkPage(viewer, 2, content);
}

export interface PostedPage {
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
export function postedPage({ viewer, post, exchanges, next }: PostedPage): Html {
  const [before, after] = WORDS[post];
  const content = html`<p>${before}</p>
    ${exchanges.map(({ request, answer }) => html`${shown('Request', request)}${shown('Answer', answer)}`)}
    <p>${next || post === 'revoke' ? after : 'The server refused it and says why. A code or token that was used or has ended doesn’t work again.'}</p>
    ${next ? walkForm(next, NEXT[post]) : again()}`;
  return walkPage(viewer, STEP_OF[post], content);
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

function walkPage(viewer: Viewer | undefined, step: number, content: Html): Html {
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
