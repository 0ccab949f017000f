import { html } from 'hono/html';
import { inLanguages } from '../../core/language.ts';
import type { OAuthError } from '../../oauth/protocol/oauth-error.ts';
import { authWords } from '../account/account-words.ts';
import { hiddenField } from '../kit/form-parts.ts';
import { type Html, isolated, layout, type Viewer } from '../kit/layout.ts';
import { pageWords } from '../kit/page-words.ts';
import { SETTINGS, withReturn } from '../kit/paths.ts';
import { errorPage } from '../kit/problem-response.ts';
import { problemWords } from '../kit/problem-words.ts';
import { type ShownScope, scopeList } from '../kit/scope-list.ts';
import { CONSENT_DE } from './consent-words.de.ts';
import { CONSENT_EN } from './consent-words.en.ts';

/** The words of the pages on which an app is let in or its access ended, for a reader of this locale. */
export const consentWords = inLanguages(CONSENT_EN, { de: CONSENT_DE });

type Words = ReturnType<typeof consentWords>['consent'];

export interface ConsentPage {
  readonly clientName: string;
  readonly developerName: string;
  readonly isDeveloperConfirmed: boolean;
  readonly isReviewed: boolean;
  readonly websiteUrl: string | null;
  /** Where the answer goes: the host of the redirect URI, or what stands for it (an app on this device). */
  readonly redirectHost: string;
  readonly isOnDevice: boolean;
  /** Marked as new: what is not part of what the user granted this app before. None, when there was no before. */
  readonly scopes: readonly ShownScope[];
  /** A legacy client without scopes: everything that is the user's. `scopes` is empty then. */
  readonly isUnrestricted: boolean;
  readonly viewer: Viewer;
  /** Where somebody else signs in and then comes back to this request. */
  readonly otherAccountPath: string;
  /** Where the decision goes. */
  readonly action: string;
  readonly csrf: string;
  /** BCP 47, the reader's. */
  readonly locale: string;
}

/**
 * Asks a user whether an app may do what it asks for. Everything about the app is its developer's own words, so it is
 * escaped and isolated; no logo is loaded, because its host would learn who is about to decide.
 */
export function consentPage(page: ConsentPage): Html {
  const { clientName, viewer, otherAccountPath, isUnrestricted, scopes, action, csrf, locale } = page;
  const { consent: words } = consentWords(locale);
  const content = html`<article class="consent">
      <h1>${words.heading(clientName)}</h1>
      ${aboutTheApp(page, words)}
      <p class="account">${authWords(locale).signedInAs(viewer.name, viewer.email)}
        <a href="${otherAccountPath}">${words.notYou}</a></p>
      ${
        isUnrestricted
          ? html`<h2>${words.everything.title}</h2>
      <p class="warning">${words.everything.what}</p>`
          : html`<h2>${words.able}</h2>
      ${scopeList(scopes, 'your', locale)}`
      }
      <form method="post" action="${action}">
        ${hiddenField('csrf', csrf)}
        <button type="submit" name="decision" value="allow">${words.allow}</button>
        <button type="submit" name="decision" value="deny" class="quiet">${words.deny}</button>
      </form>
      <p class="aside">${words.later(SETTINGS.apps)}</p>
    </article>`;
  return layout({ title: words.title(isolated(clientName)), content, shape: 'card', locale });
}

function aboutTheApp(page: ConsentPage, words: Words): Html {
  const { developerName, websiteUrl, redirectHost, isOnDevice } = page;
  return html`<dl>
        <dt>${words.madeBy}</dt><dd><bdi>${developerName}</bdi></dd>
        ${
          websiteUrl !== null && /^https?:\/\//.test(websiteUrl)
            ? html`<dt>${words.website}</dt>
        <dd><a href="${websiteUrl}" rel="noopener noreferrer nofollow" target="_blank"><bdi>${websiteUrl}</bdi></a></dd>`
            : ''
        }
        <dt>${words.checked}</dt><dd>${checked(page, words)}</dd>
        <dt>${words.leadsTo}</dt><dd>${isOnDevice ? words.onDevice : ''}<bdi>${redirectHost}</bdi></dd>
      </dl>`;
}

/** Says what is known of the app and its developer besides their own words. */
function checked({ isReviewed, isDeveloperConfirmed }: ConsentPage, words: Words): Html {
  if (isReviewed && isDeveloperConfirmed) return words.verified;
  const { review, address, both } = words.missing;
  const missing = isDeveloperConfirmed ? review : address;
  return html`<mark class="pending">${words.notVerified}</mark> ${isReviewed || isDeveloperConfirmed ? missing : both}`;
}

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
