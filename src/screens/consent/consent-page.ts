import { html } from 'hono/html';
import { hiddenField } from '../kit/form-parts.ts';
import { type Html, isolated, layout, type Viewer } from '../kit/layout.ts';
import { type ShownScope, scopeList } from '../kit/scope-list.ts';

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
}

/**
 * Asks a user whether an app may do what it asks for. Everything about the app is its developer's own words, so it is
 * escaped and isolated; no logo is loaded, because its host would learn who is about to decide.
 */
export function consentPage(page: ConsentPage): Html {
  const { clientName, viewer, otherAccountPath, isUnrestricted, scopes, action, csrf } = page;
  const content = html`<article class="consent">
      <h1>Allow <bdi>${clientName}</bdi> to use your account?</h1>
      ${aboutTheApp(page)}
      <p class="account">You are signed in as <strong><bdi>${viewer.name}</bdi></strong> (<bdi>${viewer.email}</bdi>).
        <a href="${otherAccountPath}">Not you? Use another account</a></p>
      ${
        isUnrestricted
          ? everything()
          : html`<h2>This app will be able to:</h2>
      ${scopeList(scopes, 'Your')}`
      }
      <form method="post" action="${action}">
        ${hiddenField('csrf', csrf)}
        <button type="submit" name="decision" value="allow">Allow</button>
        <button type="submit" name="decision" value="deny" class="quiet">Cancel</button>
      </form>
      <p class="aside">You can end its access at any time under <a href="/settings/apps">Apps you authorized</a>.</p>
    </article>`;
  return layout({ title: `Allow ${isolated(clientName)}`, content, shape: 'card' });
}

function everything(): Html {
  return html`<h2>This app will be able to do everything</h2>
      <p class="warning">This app was registered before permissions existed, so it asks for none by name. It will be able to
        see and change all your resources: event types, bookings, schedules, calendars, your profile, and those of your
        teams and organizations. It cannot change your password or manage other apps.</p>`;
}

function aboutTheApp(page: ConsentPage): Html {
  const { developerName, websiteUrl, redirectHost, isOnDevice } = page;
  return html`<dl>
        <dt>Made by</dt><dd><bdi>${developerName}</bdi></dd>
        ${
          websiteUrl !== null && /^https?:\/\//.test(websiteUrl)
            ? html`<dt>Website</dt>
        <dd><a href="${websiteUrl}" rel="noopener noreferrer nofollow" target="_blank"><bdi>${websiteUrl}</bdi></a></dd>`
            : ''
        }
        <dt>Checked</dt><dd>${checked(page)}</dd>
        <dt>Takes you to</dt><dd>${isOnDevice ? 'an app on this device, ' : ''}<bdi>${redirectHost}</bdi></dd>
      </dl>`;
}

/** What is known of the app and its developer besides their own words. */
function checked({ isReviewed, isDeveloperConfirmed }: ConsentPage): Html {
  if (isReviewed && isDeveloperConfirmed) return html`<mark>Verified</mark> by an administrator of this service`;
  const missing = [
    ...(isReviewed ? [] : ['no administrator has looked at this app']),
    ...(isDeveloperConfirmed ? [] : ['the e-mail address of its developer is not confirmed']),
  ];
  return html`<mark class="pending">Not verified</mark> ${missing.join(', and ')}`;
}
