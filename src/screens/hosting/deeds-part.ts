import { html } from 'hono/html';
import type { Mistake } from '../../core/problem.ts';
import type { BookingRow } from '../../modules/bookings/booking.queries.ts';
import { checkBox, hiddenField, textArea } from '../kit/form-parts.ts';
import type { Html } from '../kit/layout.ts';
import { type HostDeed, hostedBookingPath } from './hosting-paths.ts';

/** What a host can do with a booking now, and what was typed into a form that came back. */
export interface DeedForms {
  readonly possible: readonly HostDeed[];
  readonly isOver: boolean;
  /** The anti-forgery token of each form. */
  readonly csrf: Readonly<Record<HostDeed, string>>;
  /** The form that came back, which is open. */
  readonly open: HostDeed | undefined;
  readonly reason: string;
  /** Who else could host it. */
  readonly otherHosts: readonly { readonly id: string; readonly name: string }[];
  /** Who looks at the page. */
  readonly hostId: string;
}

interface Deed {
  /** What unfolds the form; null where a button alone does it. */
  readonly summary: string | null;
  readonly button: string;
  readonly isDangerous?: true;
  /** What the form asks for: a reason, which must be given or need not be, or nothing. */
  readonly reason?: 'REQUIRED' | 'OPTIONAL';
}

const DEEDS: Readonly<Record<HostDeed, Deed>> = {
  confirm: { summary: null, button: 'Confirm booking' },
  decline: { summary: 'Decline …', button: 'Decline booking', isDangerous: true, reason: 'OPTIONAL' },
  'request-reschedule': { summary: 'Ask for another time …', button: 'Ask to reschedule', reason: 'OPTIONAL' },
  reassign: { summary: 'Hand it to another host …', button: 'Hand over', reason: 'OPTIONAL' },
  absence: { summary: 'Mark who did not come …', button: 'Save' },
  cancel: { summary: 'Cancel …', button: 'Cancel booking', isDangerous: true, reason: 'REQUIRED' },
};

/** The forms of what is possible, folded but for the one that came back. */
export function deedsPart(booking: BookingRow, forms: DeedForms, mistakes: readonly Mistake[]): Html | '' {
  if (forms.possible.length === 0) return '';
  return html`<article class="deeds">
      <h2>What would you like to do?</h2>
      ${forms.possible.map((deed) => deedPart(deed, booking, forms, mistakes))}
    </article>`;
}

function deedPart(deed: HostDeed, booking: BookingRow, forms: DeedForms, mistakes: readonly Mistake[]): Html {
  const { summary, button, isDangerous = false, reason } = DEEDS[deed];
  const isOpen = forms.open === deed;
  const form = html`<form method="post" action="${hostedBookingPath(booking)}/${deed}" novalidate>
        ${hiddenField('csrf', forms.csrf[deed])}
        ${deed === 'absence' ? absenceFields(booking, forms) : ''}
        ${deed === 'reassign' ? hostField(forms) : ''}
        ${reason ? reasonField(deed, reason === 'OPTIONAL', isOpen ? forms.reason : '', isOpen ? mistakes : []) : ''}
        <button type="submit" class="${isDangerous ? 'danger' : ''}">${button}</button>
      </form>`;
  return summary === null
    ? form
    : html`<details ${isOpen ? html`open` : ''}><summary>${summary}</summary>${form}</details>`;
}

/** Each form has a field of its own, since an id must not stand twice on a page. */
function reasonField(deed: HostDeed, isOptional: boolean, value: string, mistakes: readonly Mistake[]): Html {
  const label = isOptional ? 'Reason (optional)' : 'Reason';
  return textArea(
    { name: reasonName(deed), label, value, rows: 3, isOptional, hint: 'Everybody in the booking can read it.' },
    mistakes,
  );
}

/** The name of the field in which the reason of a deed is typed. */
export function reasonName(deed: HostDeed): string {
  return `${deed}-reason`;
}

function hostField({ otherHosts }: DeedForms): Html {
  return html`<div class="field"><label for="toHost">New host</label>
          <select id="toHost" name="toHost"><option value="">Whose turn it is</option>
            ${otherHosts.map(({ id, name }) => html`<option value="${id}">${name}</option>`)}</select></div>`;
}

function absenceFields({ attendees, hosts }: BookingRow, { hostId }: DeedForms): Html {
  const self = hosts.find(({ id }) => id === hostId);
  return html`<fieldset><legend>Who did not come?</legend>
          ${attendees.map(({ email, name, absent }) =>
            checkBox({ name: 'absent', value: email, label: html`<bdi>${name}</bdi>`, isChecked: absent }),
          )}
          ${self ? checkBox({ name: 'hostAbsent', label: 'I was not there', isChecked: self.absent }) : ''}
        </fieldset>`;
}
