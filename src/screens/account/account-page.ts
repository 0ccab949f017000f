import { html } from 'hono/html';
import { formTitle, mistakeSummary } from '../kit/form-parts.ts';
import { type Html, layout } from '../kit/layout.ts';
import { doneNotice, SEND_ONCE_HEAD } from '../kit/page-parts.ts';
import type { AccountPage } from './account-forms.ts';
import { emailPart } from './parts/email-part.ts';
import { passwordPart } from './parts/password-part.ts';
import { profilePart } from './parts/profile-part.ts';
import { sessionsPart } from './parts/sessions-part.ts';
import { timesPart } from './parts/times-part.ts';
import { STOPPED_PATH, stoppedWords } from './stopped-page.ts';
import { accountWords } from './words/account-words.ts';

/** The parts of this page: the fragment of each. */
const PARTS = ['profile', 'times', 'email', 'password', 'sessions'] as const;

/** The account itself. */
export function accountPage(page: AccountPage): Html {
  const { mistakes, done } = page;
  const { locale } = page.clock;
  const { title, onThisPage, parts } = accountWords(locale);
  // The part about the address says that it is unconfirmed, and what to do, so the header need not.
  const viewer = { ...page.viewer, isUnconfirmed: false };
  const content = html`${doneNotice(done)}
    ${mistakeSummary(mistakes, locale)}
    <h1>${title}</h1>
    ${page.hasStoppedThings ? html`<p class="warning">${stoppedWords(locale).notice} <a href="${STOPPED_PATH}">${stoppedWords(locale).look}</a></p>` : ''}
    <nav class="tabs" aria-label="${onThisPage}">
      <ul>${PARTS.map((id) => html`<li><a href="#${id}">${parts[id]}</a></li>`)}</ul>
    </nav>
    ${profilePart(page)}
    ${timesPart(page)}
    ${emailPart(page)}
    ${passwordPart(page)}
    ${sessionsPart(page)}`;
  const head = SEND_ONCE_HEAD;
  return layout({
    title: formTitle(title, mistakes, locale),
    content,
    corner: viewer,
    setting: 'account',
    shape: 'sheet',
    head,
    locale,
  });
}
