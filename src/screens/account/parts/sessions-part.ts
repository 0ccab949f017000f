import { html } from 'hono/html';
import { publicId } from '../../../core/id.ts';
import type { ListedSession } from '../../../modules/accounts/sign-in/session.queries.ts';
import { hiddenField } from '../../kit/form-parts.ts';
import type { Html } from '../../kit/layout.ts';
import { pager } from '../../kit/page-parts.ts';
import { type Clock, momentFor } from '../../kit/when.ts';
import { ACCOUNT_PATH, type AccountPage, accountFormPath } from '../account-forms.ts';
import { accountWords } from '../words/account-words.ts';

export function sessionsPart({ sessions, currentSessionId, csrf, clock }: AccountPage): Html {
  const { parts, sessions: words } = accountWords(clock.locale);
  const hasOthers = sessions.rows.some(({ id }) => id !== currentSessionId);
  return html`<article id="sessions">
      <h2>${parts.sessions}</h2>
      <form method="post" action="${accountFormPath('sessions')}">
        ${hiddenField('csrf', csrf.sessions)}
        <ul class="rows">${sessions.rows.map((session) => sessionRow(session, session.id === currentSessionId, clock))}</ul>
        ${hasOthers ? html`<button type="submit" name="end" value="others" class="quiet">${words.endOthers}</button>` : ''}
      </form>
      ${pager(sessions, ({ key }) => key, { path: ACCOUNT_PATH, locale: clock.locale })}
    </article>`;
}

function sessionRow(session: ListedSession, isCurrent: boolean, clock: Clock): Html {
  const { id, userAgent, address, createdAt, lastSeenAt } = session;
  const { sessions: words } = accountWords(clock.locale);
  const browser = browserNamed(userAgent, clock.locale);
  return html`<li>
          <h3><bdi>${browser}</bdi> ${isCurrent ? html`<mark>${words.thisBrowser}</mark>` : ''}</h3>
          <p class="facts"><span>${words.from(address)}</span> <span>${words.since} ${momentFor(createdAt, clock)}</span>
            <span>${words.lastSeen} ${momentFor(lastSeenAt, clock)}</span>
            ${isCurrent ? '' : html`<button type="submit" name="end" value="${publicId('session', id)}" class="link">${words.endOne}</button>`}</p>
        </li>`;
}

/** `Firefox on Linux`; one that is not known in its own words. */
function browserNamed(userAgent: string, locale: string): string {
  const { browserOn, unknownBrowser } = accountWords(locale).sessions;
  const { browser, system } = knownBrowser(userAgent);
  if (browser === undefined) return userAgent.slice(0, MAX_LENGTH) || unknownBrowser;
  return system === undefined ? browser : browserOn(browser, system);
}

/** The most characters of a browser's name for itself. */
const MAX_LENGTH = 80;

// The order counts: each claims to be the ones after it, too.
const BROWSERS = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const;

const SYSTEMS = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
] as const;

/** `Firefox` and `Linux`, from what a browser calls itself; each undefined where it is not known. */
function knownBrowser(userAgent: string): {
  readonly browser: string | undefined;
  readonly system: string | undefined;
} {
  return {
    browser: BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1],
    system: SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1],
  };
}
