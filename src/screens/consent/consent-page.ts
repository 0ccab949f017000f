import { html } from 'hono/html';
import { authWords } from '../account/account-words.ts';
import { hiddenField } from '../kit/form-parts.ts';
import { type Html, isolated, layout, type Viewer } from '../kit/layout.ts';
import { type ShownScope, scopeList } from '../kit/scope-list.ts';
import { APPS_PATH } from './apps-page.ts';
import { consentWords } from './words/consent-words.ts';

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
      <p class="aside">${words.later(APPS_PATH)}</p>
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
