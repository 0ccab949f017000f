import { html } from 'hono/html';
import type { ScopeDefinition } from '../../scopes/create-catalog.ts';
import { hiddenField } from '../kit/form-parts.ts';
import { type Html, isolated, layout, type Viewer } from '../kit/layout.ts';

/** One permission that an app requests. */
export interface ConsentScope extends Pick<ScopeDefinition, 'level' | 'resource' | 'action' | 'words'> {
  /** Not part of what the user granted this app before. False for all when there was no before. */
  readonly isNew: boolean;
}

export interface ConsentPage {
  readonly clientName: string;
  readonly developerName: string;
  readonly websiteUrl: string | null;
  /** Where the answer goes: the host of the redirect URI, or what stands for it (an app on this device). */
  readonly redirectHost: string;
  readonly scopes: readonly ConsentScope[];
  /** A legacy client without scopes: everything that is the user's. `scopes` is empty then. */
  readonly isUnrestricted: boolean;
  readonly viewer: Viewer;
  /** Where somebody else signs in and then comes back to this request. */
  readonly otherAccountPath: string;
  /** Where the decision goes. */
  readonly action: string;
  readonly csrf: string;
}

const GROUPS = [
  { level: 'USER', title: 'Your account' },
  { level: 'TEAM', title: 'Your teams' },
  { level: 'ORGANIZATION', title: 'Your organizations' },
] as const;

/** What a resource of the catalogue is called in a list of what an app may see and change. */
const RESOURCES: Readonly<Record<string, string>> = {
  EVENT_TYPE: 'Event types',
  BOOKING: 'Bookings',
  SCHEDULE: 'Working hours and absences',
  APPS: 'Calendars and video apps',
  PROFILE: 'Profile',
  WEBHOOK: 'Webhooks',
  VERIFIED_RESOURCES: 'Verified e-mail addresses and phone numbers',
  MEMBERSHIP: 'Members',
  ROUTING_FORM: 'Routing forms',
  WORKFLOW: 'Workflows',
};

/**
 * Asks a user whether an app may do what it asks for. Everything about the app is its developer's own words, so it is
 * escaped and isolated; no logo is loaded, because its host would learn who is about to decide.
 */
export function consentPage(page: ConsentPage): Html {
  const { clientName, viewer, otherAccountPath, isUnrestricted, scopes, action, csrf } = page;
  const content = html`<article class="consent">
      <h1>Allow <bdi>${clientName}</bdi> to use your account?</h1>
      <p class="account">You are signed in as <strong><bdi>${viewer.name}</bdi></strong> (<bdi>${viewer.email}</bdi>).
        <a href="${otherAccountPath}">Not you? Use another account</a></p>
      ${aboutTheApp(page)}
      ${isUnrestricted ? everything() : scopeList(scopes)}
      <form method="post" action="${action}">
        ${hiddenField('csrf', csrf)}
        <button type="submit" name="decision" value="allow">Allow</button>
        <button type="submit" name="decision" value="deny" class="quiet">Cancel</button>
      </form>
      <p class="aside">You can end its access at any time under <a href="/settings/apps">Apps you authorized</a>.</p>
    </article>`;
  return layout({ title: `Allow ${isolated(clientName)}`, content, shape: 'card' });
}

/** One line for each thing: whether the app may see it, change it, or both. The scopes' own words unfold. */
function scopeList(scopes: readonly ConsentScope[]): Html {
  const groups = GROUPS.map(({ level, title }) => ({
    title,
    things: Map.groupBy(
      scopes.filter((scope) => scope.level === level),
      ({ resource }) => resource,
    ),
  }));
  return html`<h2>This app will be able to:</h2>
      ${groups
        .filter(({ things }) => things.size > 0)
        .map(
          ({ title, things }) => html`<h3>${title}</h3>
      <ul class="scopes">${[...things].map(([resource, requested]) => scopeLine(resource, requested))}</ul>`,
        )}`;
}

function scopeLine(resource: string, requested: readonly ConsentScope[]): Html {
  const actions = requested.map(({ action }) => (action === 'READ' ? 'see' : 'change'));
  const isNew = requested.some((one) => one.isNew);
  const words = requested.map((one) => html`<li>${one.words}${one.isNew ? html` <mark>New</mark>` : ''}</li>`);
  return html`<li><details>
          <summary><span><strong>${RESOURCES[resource] ?? resource}</strong>: ${actions.join(' and ')}</span>${isNew ? html` <mark>New</mark>` : ''}</summary>
          <ul>${words}</ul>
        </details></li>`;
}

function everything(): Html {
  return html`<h2>This app will be able to do everything</h2>
      <p class="warning">This app was registered before permissions existed, so it asks for none by name. It will be able to
        see and change all your resources: event types, bookings, schedules, calendars, your profile, and those of your
        teams and organizations. It cannot change your password or manage other apps.</p>`;
}

function aboutTheApp({ developerName, websiteUrl, redirectHost }: ConsentPage): Html {
  return html`<dl>
        <dt>Developer</dt><dd><bdi>${developerName}</bdi></dd>
        ${
          websiteUrl !== null && /^https?:\/\//.test(websiteUrl)
            ? html`<dt>Website</dt>
        <dd><a href="${websiteUrl}" rel="noopener noreferrer nofollow" target="_blank"><bdi>${websiteUrl}</bdi></a></dd>`
            : ''
        }
        <dt>Takes you to</dt><dd><bdi>${redirectHost}</bdi></dd>
      </dl>`;
}
