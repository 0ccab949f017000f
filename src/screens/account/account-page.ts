import { html } from 'hono/html';
import { formTitle, mistakeSummary } from '../kit/form-parts.ts';
import { type Html, layout } from '../kit/layout.ts';
import { doneNotice } from '../kit/page-parts.ts';
import type { AccountPage } from './account-forms.ts';
import { emailPart } from './email-part.ts';
import { passwordPart } from './password-part.ts';
import { sessionsPart } from './sessions-part.ts';
import { timeZonePart } from './time-zone-part.ts';

/** A user's address, password and time zone, and where the user is signed in. */
export function accountPage(page: AccountPage): Html {
  const { mistakes, done } = page;
  // The part of the address says it, with what to do.
  const viewer = { ...page.viewer, isUnconfirmed: false };
  const content = html`${doneNotice(done)}
    ${mistakeSummary(mistakes)}
    <h1>Your account</h1>
    ${emailPart(page)}
    ${passwordPart(page)}
    ${timeZonePart(page)}
    ${sessionsPart(page)}`;
  return layout({ title: formTitle('Your account', mistakes), content, corner: viewer, shape: 'sheet' });
}
