import { html } from 'hono/html';
import { idOf } from '../../core/id.ts';
import { type Mistake, Problem } from '../../core/problem.ts';
import type { Em } from '../../database/sql.ts';
import type { BookingRow } from '../../modules/bookings/booking.queries.ts';
import { holdsTime, isOver, movesMistake, timeOf } from '../../modules/bookings/booking-transitions.rules.ts';
import { cancelBooking, cancelSeries } from '../../modules/bookings/change/cancel-booking.ts';
import { confirmBooking, declineBooking } from '../../modules/bookings/change/confirm-booking.ts';
import { markAbsence } from '../../modules/bookings/change/mark-absence.ts';
import { reassignBooking } from '../../modules/bookings/change/reassign-booking.ts';
import { requestReschedule } from '../../modules/bookings/change/reschedule-booking.ts';
import { rotateUid } from '../../modules/bookings/change/rotate-uid.ts';
import { byHost, type HostedBooking } from '../../modules/bookings/locked-booking.ts';
import type { BookableEventType } from '../../modules/bookings/slots/bookable-event-type.queries.ts';
import { checkBox, hiddenField, textArea } from '../kit/form-parts.ts';
import type { Html } from '../kit/layout.ts';
import { mistakesIn } from '../kit/problem-words.ts';
import type { FormBack } from '../kit/request.ts';
import { type BookingsWords, bookingsWords } from './hosting-words.ts';

/** The actions of a host on a booking; each is a form that is sent to its name below the page. */
export const HOST_ACTIONS = [
  'confirm',
  'decline',
  'request-reschedule',
  'reassign',
  'absence',
  'replace-link',
  'cancel',
] as const;
export type HostAction = (typeof HOST_ACTIONS)[number];

/** Those of them that a link in a mail lets a host do without being signed in. */
export const ANSWERS = ['confirm', 'decline'] as const satisfies readonly HostAction[];
export type Answer = (typeof ANSWERS)[number];

/** A form of a booking's page, sent by one of its hosts. */
interface SentAction {
  readonly acting: HostedBooking;
  readonly booking: BookingRow;
  readonly eventType: BookableEventType | undefined;
  readonly form: URLSearchParams;
  readonly reason: string | null;
}

interface ActionOfHost {
  /** Whether the page offers it; the command decides once more. */
  readonly isPossible: (booking: BookingRow, eventType: BookableEventType | undefined, now: number) => boolean;
  /** @throws Problem */
  readonly act: (em: Em, sent: SentAction) => Promise<unknown>;
}

/** The command of each form of a booking's page. */
export const ACTIONS_OF_HOST: Readonly<Record<HostAction, ActionOfHost>> = {
  confirm: {
    isPossible: ({ status }) => status === 'PENDING',
    act: (em, { acting }) => confirmBooking(em, acting),
  },
  decline: {
    isPossible: ({ status }) => status === 'PENDING',
    act: (em, { acting, reason }) => declineBooking(em, acting, reason),
  },
  'request-reschedule': {
    isPossible: (booking, eventType, now) =>
      eventType !== undefined && booking.status === 'ACCEPTED' && !isOver(booking, now) && !movesMistake(booking.moves),
    act: (em, { acting, reason }) => requestReschedule(em, acting, reason),
  },
  reassign: {
    isPossible: (booking, eventType, now) =>
      (eventType?.hosts.length ?? 0) > booking.hosts.length && isStanding(booking, now),
    act: handOver,
  },
  absence: {
    isPossible: (booking, _eventType, now) => booking.status === 'ACCEPTED' && timeOf(booking).start <= now,
    act: (em, { acting, booking, form }) => markAbsence(em, acting, absenceIn(form, booking, acting.hostId)),
  },
  'replace-link': {
    isPossible: (booking, _eventType, now) => isStanding(booking, now) && booking.attendees.length > 0,
    act: (em, { acting }) => rotateUid(em, acting, null),
  },
  cancel: {
    isPossible: (booking, _eventType, now) => isStanding(booking, now),
    act: cancel,
  },
};

/** The actions that a page offers a host. `now`: epoch milliseconds */
export function possibleActions(
  booking: BookingRow,
  eventType: BookableEventType | undefined,
  now: number,
): readonly HostAction[] {
  return HOST_ACTIONS.filter((action) => ACTIONS_OF_HOST[action].isPossible(booking, eventType, now));
}

/** Whether what is said to be done is still how things stand. */
export function isDone(action: HostAction, { status, rescheduleRequested }: BookingRow): boolean {
  if (action === 'confirm') return status === 'ACCEPTED';
  if (action === 'decline') return status === 'REJECTED';
  if (action === 'cancel') return status === 'CANCELLED' && !rescheduleRequested;
  if (action === 'request-reschedule') return status === 'CANCELLED' && rescheduleRequested;
  return action === 'absence' || action === 'replace-link';
}

/** The mistakes in a form that comes back, at its fields: the reason has another name in each. */
export function mistakesOf(back: FormBack<HostAction> | undefined, locale: string): readonly Mistake[] {
  const { mistakes: texts } = bookingsWords(locale);
  return mistakesIn(locale, back?.problem, { texts }).map(({ code, message, path }) => {
    const [field] = path ?? [];
    const name = field === 'reason' && back ? reasonName(back.name) : field === 'toHost' ? 'toHost' : undefined;
    return { code, message, ...(name && { path: [name] }) };
  });
}

function isStanding(booking: BookingRow, now: number): boolean {
  return holdsTime(booking.status) && !isOver(booking, now);
}

async function handOver(em: Em, { acting, eventType, form, reason }: SentAction): Promise<void> {
  if (!eventType) throw new Problem('NOT_POSSIBLE', 'The event type was deleted, so it has no other hosts.');
  const named = form.get('toHost') ?? '';
  const toHostId = named === '' ? null : idOf('user', named);
  if (toHostId === undefined) throw new Problem('NOT_FOUND', 'Choose one of the hosts in the list.', ['toHost']);
  await reassignBooking(em, eventType, acting, toHostId, { reason });
}

async function cancel(em: Em, { acting, eventType, form, reason }: SentAction): Promise<void> {
  const { ownerId, id, hostId: callerId } = acting;
  const cancelThem = form.has('series') ? cancelSeries : cancelBooking;
  await cancelThem(em, eventType?.rules, { key: { ownerId, id }, reason, callerId, by: byHost(acting), acting });
}

/** Says of everybody in the form whether they came: a box that is not ticked says that they did. */
function absenceIn(form: URLSearchParams, { attendees }: BookingRow, hostId: string) {
  const absent = new Set(form.getAll('absent'));
  return {
    hosts: [{ hostId, isAbsent: form.has('hostAbsent') }],
    attendees: attendees.map(({ email }) => ({ email, isAbsent: absent.has(email) })),
  };
}

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

interface ActionForm {
  readonly isDangerous?: true;
  /** Whether the form asks for a reason, which must be given or need not be. */
  readonly reason?: 'REQUIRED' | 'OPTIONAL';
}

const FORMS: Readonly<Record<HostAction, ActionForm>> = {
  confirm: {},
  decline: { isDangerous: true, reason: 'OPTIONAL' },
  'request-reschedule': { reason: 'OPTIONAL' },
  reassign: { reason: 'OPTIONAL' },
  absence: {},
  'replace-link': {},
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
  const { isDangerous = false, reason } = FORMS[action];
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
