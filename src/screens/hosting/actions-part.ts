import { html } from 'hono/html';
import type { Mistake } from '../../core/problem.ts';
import type { BookingRow } from '../../modules/bookings/booking.queries.ts';
import { checkBox, hiddenField, textArea } from '../kit/form-parts.ts';
import type { Html } from '../kit/layout.ts';
import type { HostAction } from './hosting-paths.ts';
import type { BookingsWords } from './words/hosting-words.ts';

/** The actions that a host can take on a booking now, and the input of a form that came back. */
export interface AnswerForms {
  readonly possible: readonly HostAction[];
  /** The page that they stand on: each is sent to its name below it. */
  readonly path: string;
  /** The anti-forgery token of each form. */
  readonly csrf: Readonly<Partial<Record<HostAction, string>>>;
  /** The form that came back, which is open. */
  readonly open: HostAction | undefined;
  readonly reason: string;
}

/** The same with what the forms of the host's page need besides. */
export interface ActionForms extends AnswerForms {
  readonly idempotencyKey: string;
  /** This booking alone can be cancelled. */
  readonly canCancel: boolean;
  /** How many of its series can be cancelled at once: this one with others, or where it stands no more, the others. */
  readonly cancellable: number;
  /** The form that came back was for all of these. */
  readonly isForSeries: boolean;
  /** The other hosts who could take it over. */
  readonly otherHosts: readonly { readonly id: string; readonly name: string }[];
  /** The host who looks at the page. */
  readonly hostId: string;
}

interface Action {
  readonly isDangerous?: true;
  /** Whether the form asks for a reason, which must be given or need not be. */
  readonly reason?: 'REQUIRED' | 'OPTIONAL';
}

const ACTIONS: Readonly<Record<HostAction, Action>> = {
  confirm: {},
  decline: { isDangerous: true, reason: 'OPTIONAL' },
  'request-reschedule': { reason: 'OPTIONAL' },
  reassign: { reason: 'OPTIONAL' },
  absence: {},
  cancel: { isDangerous: true, reason: 'REQUIRED' },
};

/** The forms of what is possible, folded but for the one that came back. */
export function actionsPart(
  booking: BookingRow,
  forms: ActionForms,
  mistakes: readonly Mistake[],
  words: BookingsWords,
): Html | '' {
  return answersPart(forms, mistakes, words, (action) => fieldsOf(action, booking, forms, words));
}

/** The forms that have no field but the reason. */
export function answersPart(
  forms: AnswerForms,
  mistakes: readonly Mistake[],
  words: BookingsWords,
  fields: (action: HostAction) => Html | '' = () => '',
): Html | '' {
  if (forms.possible.length === 0) return '';
  return html`<article class="action-forms">
      <h2>${words.whatToDo}</h2>
      ${forms.possible.map((action) => actionPart(action, forms, fields(action), mistakes, words))}
    </article>`;
}

function fieldsOf(action: HostAction, booking: BookingRow, forms: ActionForms, words: BookingsWords): Html {
  return html`${hiddenField('idempotencyKey', forms.idempotencyKey)}
        ${action === 'absence' ? absenceFields(booking, forms, words) : ''}
        ${action === 'reassign' ? hostField(forms, words) : ''}
        ${action === 'cancel' ? seriesField(forms, words) : ''}`;
}

function actionPart(
  action: HostAction,
  forms: AnswerForms,
  fields: Html | '',
  mistakes: readonly Mistake[],
  words: BookingsWords,
): Html {
  const { isDangerous = false, reason } = ACTIONS[action];
  const { summary, button } = words.actions[action];
  const isOpen = forms.open === action;
  const form = html`<form method="post" action="${forms.path}/${action}" novalidate>
        ${hiddenField('csrf', forms.csrf[action] ?? '')}
        ${fields}
        ${reason ? reasonField(action, reason === 'OPTIONAL', isOpen ? forms.reason : '', isOpen ? mistakes : [], words) : ''}
        <button type="submit" class="${isDangerous ? 'danger' : ''}">${button}</button>
      </form>`;
  return summary === null
    ? form
    : html`<details ${isOpen ? html`open` : ''}><summary>${summary}</summary>${form}</details>`;
}

/** Each form has a field of its own, since an id must not stand twice on a page. */
function reasonField(
  action: HostAction,
  isOptional: boolean,
  value: string,
  mistakes: readonly Mistake[],
  words: BookingsWords,
): Html {
  const label = isOptional ? words.optionalReason : words.reason;
  return textArea({ name: reasonName(action), label, value, rows: 3, isOptional, hint: words.reasonHint }, mistakes);
}

/** The name of the field in which the reason of an action is typed. */
export function reasonName(action: HostAction): string {
  return `${action}-reason`;
}

function seriesField({ canCancel, cancellable, isForSeries }: ActionForms, words: BookingsWords): Html | '' {
  const label = words.wholeSeries(cancellable);
  if (!canCancel) return html`${hiddenField('series', 'on')}<p>${label}</p>`;
  return cancellable > 1 ? checkBox({ name: 'series', label, isChecked: isForSeries }) : '';
}

function hostField({ otherHosts }: ActionForms, words: BookingsWords): Html {
  return html`<div class="field"><label for="toHost">${words.newHost}</label>
          <select id="toHost" name="toHost"><option value="">${words.anyHost}</option>
            ${otherHosts.map(({ id, name }) => html`<option value="${id}">${name}</option>`)}</select></div>`;
}

function absenceFields({ attendees, hosts }: BookingRow, { hostId }: ActionForms, words: BookingsWords): Html {
  const self = hosts.find(({ id }) => id === hostId);
  return html`<fieldset><legend>${words.whoAbsent}</legend>
          ${attendees.map(({ email, name, absent }) =>
            checkBox({ name: 'absent', value: email, label: html`<bdi>${name}</bdi>`, isChecked: absent }),
          )}
          ${self ? checkBox({ name: 'hostAbsent', label: words.selfAbsent, isChecked: self.absent }) : ''}
        </fieldset>`;
}
