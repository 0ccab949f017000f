import { html } from 'hono/html';
import { formTitle, mistakeSummary } from '../kit/form-parts.ts';
import { type Html, layout } from '../kit/layout.ts';
import { doneNotice } from '../kit/page-parts.ts';
import { settingsList } from '../kit/settings.ts';
import type { AccountPage } from './account-forms.ts';
import { emailPart } from './parts/email-part.ts';
import { passwordPart } from './parts/password-part.ts';
import { profilePart } from './parts/profile-part.ts';
import { sessionsPart } from './parts/sessions-part.ts';
import { timesPart } from './parts/times-part.ts';

const TITLE = 'Settings';
/** The parts of this page: the fragment of each. */
const PARTS = [
  ['profile', 'Profile'],
  ['times', 'Times and language'],
  ['email', 'E-mail address'],
  ['password', 'Password'],
  ['sessions', 'Where you are signed in'],
] as const;

/** The account itself, and the ways to all other settings of a user. */
export function accountPage(page: AccountPage): Html {
  const { mistakes, done } = page;
  // The part of the address says it, with what to do.
  const viewer = { ...page.viewer, isUnconfirmed: false };
  const content = html`${doneNotice(done)}
    ${mistakeSummary(mistakes)}
    <h1>${TITLE}</h1>
    <nav class="tabs" aria-label="On this page">
      <ul>${PARTS.map(([id, name]) => html`<li><a href="#${id}">${name}</a></li>`)}<li><a href="#more">More settings</a></li></ul>
    </nav>
    ${profilePart(page)}
    ${timesPart(page)}
    ${emailPart(page)}
    ${passwordPart(page)}
    ${sessionsPart(page)}
    <article id="more">
      <h2>More settings</h2>
      ${settingsList()}
    </article>`;
  return layout({ title: formTitle(TITLE, mistakes), content, corner: viewer, shape: 'sheet' });
}
