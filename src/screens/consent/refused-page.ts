import { html } from 'hono/html';
import type { OAuthError } from '../../oauth/protocol/oauth-error.ts';
import { authWords } from '../account/account-words.ts';
import type { Html, Viewer } from '../kit/layout.ts';
import { pageWords } from '../kit/page-words.ts';
import { withReturn } from '../kit/paths.ts';
import { errorPage } from '../kit/problem-response.ts';
import { problemWords } from '../kit/problem-words.ts';
import { consentWords } from './words/consent-words.ts';

/** A request that ends on our own page. The user can only pass an app's mistake on: the details unfold. */
export function refusedPage(error: OAuthError, { locale, viewer }: Omit<Stand, 'path'>, wayOn?: Html): Html {
  const { status, description, parameter, person } = error;
  const words = consentWords(locale).refused;
  if (parameter === undefined) {
    const message = (person && words.errors[person]) ?? description;
    return errorPage({ status, title: titleOf(status, locale), message, more: wayOn, locale, viewer });
  }
  const explanation = error.error === 'unauthorized_client' ? words.outOfUse : words.invalid;
  const more = detailsPart({ error: error.error, parameter, description }, locale);
  return errorPage({ ...explanation, status, more, locale, viewer });
}

interface Details extends Pick<OAuthError, 'error' | 'description'> {
  readonly parameter: string | null;
}

/** The description is in English, as it would be sent to the app. */
function detailsPart({ error, parameter, description }: Details, locale: string): Html {
  const words = consentWords(locale).refused;
  return html`<details class="developer">
        <summary>${words.details}</summary>
        <dl>
          <dt>${words.error}</dt><dd><code>${error}</code></dd>
          ${parameter === null ? '' : html`<dt>${words.parameter}</dt><dd><code>${parameter}</code></dd>`}
          <dt>${words.whatToDo}</dt><dd lang="en">${description}</dd>
        </dl>
        <p>${words.listed('/settings/developer/oauth')}</p>
      </details>`;
}

interface Stand {
  /** The path of the interaction's page. */
  readonly path: string;
  /** The user who is signed in now. */
  readonly viewer: Viewer | undefined;
  /** BCP 47, the reader's. */
  readonly locale: string;
}

/** How the person goes on. It does not say whose account the page was opened for: that may be somebody else's. */
export function wayOnPart(wayOn: 'OTHER_ACCOUNT' | 'ANSWER_AGAIN', { path, viewer, locale }: Stand): Html {
  const words = consentWords(locale).refused;
  if (wayOn === 'ANSWER_AGAIN' || !viewer) {
    return html`<p class="actions stacked"><a class="button" href="${path}">${words.lookAgain}</a></p>`;
  }
  return html`<p>${authWords(locale).signedInAs(viewer.name, viewer.email)} ${words.whichAccount}</p>
      <p class="actions stacked"><a class="button" href="${path}/restart">${words.goOnAs(viewer.name)}</a>
        <a class="button quiet" href="${withReturn('/auth/login', path)}">${words.otherAccount}</a></p>`;
}

function titleOf(status: number, locale: string): string {
  const { over, stuck } = consentWords(locale).refused;
  if (status >= 500) return problemWords(locale).tryAgain;
  if (status === 410) return over;
  return status === 404 ? pageWords(locale).nowhere.title : stuck;
}
