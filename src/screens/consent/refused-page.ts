import { html } from 'hono/html';
import type { OAuthError } from '../../oauth/protocol/oauth-error.ts';
import { withReturn } from '../account/sign-in-page.ts';
import { errorPage } from '../kit/error-page.ts';
import type { Html, Viewer } from '../kit/layout.ts';

/** A request that ends on our own page. What an app has done wrong, its user can only pass on: the details unfold. */
export function refusedPage(error: OAuthError, wayOn?: Html): Html {
  const { status, description, parameter } = error;
  if (parameter === undefined) {
    return errorPage({ status, title: titleOf(status), message: description, more: wayOn });
  }
  const isOutOfUse = error.error === 'unauthorized_client';
  return errorPage({
    status,
    title: isOutOfUse ? 'This app cannot be used at the moment' : 'This app’s request is invalid',
    message: isOutOfUse
      ? 'Nobody can sign in with it, so nothing was shared with it.'
      : 'Something is wrong with the link that brought you here, so nothing was shared with the app.',
    advice: isOutOfUse
      ? 'There is nothing wrong with your account. Ask those who make the app, and show them the details below.'
      : 'Go back to the app and try once more. If you come here again, show the details below to those who make the app.',
    more: detailsPart({ error: error.error, parameter, description }),
  });
}

interface Details extends Pick<OAuthError, 'error' | 'description'> {
  readonly parameter: string | null;
}

function detailsPart({ error, parameter, description }: Details): Html {
  return html`<details class="developer">
        <summary>Details for the app’s developer</summary>
        <dl>
          <dt>Error</dt><dd><code>${error}</code></dd>
          ${parameter === null ? '' : html`<dt>Parameter</dt><dd><code>${parameter}</code></dd>`}
          <dt>What to do</dt><dd>${description}</dd>
        </dl>
        <p>Requests of your clients that were refused are listed in the <a href="/settings/developer/oauth">developer settings</a>.</p>
      </details>`;
}

interface Stand {
  /** Of the interaction's page. */
  readonly path: string;
  /** Who is signed in now. */
  readonly viewer: Viewer | undefined;
}

/** How the person goes on. It does not say whose account the page was opened for: that may be somebody else's. */
export function wayOnPart(wayOn: 'OTHER_ACCOUNT' | 'ANSWER_AGAIN', { path, viewer }: Stand): Html {
  if (wayOn === 'ANSWER_AGAIN' || !viewer) {
    return html`<p class="actions stacked"><a class="button" href="${path}">Look at the request once more</a></p>`;
  }
  return html`<p>You are signed in as <strong><bdi>${viewer.name}</bdi></strong> (<bdi>${viewer.email}</bdi>). Which account do
        you want to use with the app?</p>
      <p class="actions stacked"><a class="button" href="${path}/restart">Go on as <bdi>${viewer.name}</bdi></a>
        <a class="button quiet" href="${withReturn('/auth/login', path)}">Sign in with the other account</a></p>`;
}

function titleOf(status: number): string {
  if (status >= 500 || status === 429) return 'Please try again';
  if (status === 410) return 'This request is over';
  return status === 404 ? 'Nothing here' : 'You cannot go on like this';
}
