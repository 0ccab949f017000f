import { html } from 'hono/html';
import type { Mistake } from '../../core/problem.ts';
import { MAX_TEXT } from '../../modules/event-types/event-type.rules.ts';
import {
  aboutFields,
  checkBox,
  formTitle,
  hiddenField,
  mistakeOf,
  mistakeSummary,
  textArea,
  textField,
} from '../kit/form-parts.ts';
import { type Html, layout, type Viewer } from '../kit/layout.ts';
import { doneNotice } from '../kit/page-parts.ts';
import { CONFIRMATIONS, LINES, type ShownEventType, type TypedEventType } from './event-type-form.ts';
import { EVENT_TYPES_PATH, eventTypePath } from './event-types-page.ts';

export interface EventTypePage {
  readonly viewer: Viewer;
  readonly eventType: ShownEventType;
  readonly bookingUrl: string;
  readonly typed: TypedEventType;
  readonly csrf: string;
  readonly mistakes: readonly Mistake[];
  readonly done: string | undefined;
}

const FIELDS = [...Object.keys(LINES), 'description', 'confirmation', 'hidden'];

/** One event type of a user, with a form to change it. */
export function eventTypePage(page: EventTypePage): Html {
  const { viewer, eventType, bookingUrl, typed, csrf, done } = page;
  const mistakes = aboutFields(FIELDS, page.mistakes);
  const path = eventTypePath(eventType);
  const content = html`${doneNotice(done)}
    ${mistakeSummary(mistakes)}
    <p class="aside top"><a href="${EVENT_TYPES_PATH}">Your event types</a></p>
    <h1><bdi>${eventType.title}</bdi></h1>
    <p class="booking-link"><a href="${bookingUrl}">${bookingUrl}</a></p>
    <form method="post" action="${path}" novalidate>
      ${hiddenField('csrf', csrf)}
      ${hiddenField('updatedAt', eventType.updatedAt)}
      <article>
        ${line('title', typed, mistakes)}
        ${textArea({ name: 'description', label: 'Description (optional)', value: typed.description, rows: 4, isOptional: true, hint: `Shown on its booking page; at most ${MAX_TEXT.description} characters.` }, mistakes)}
        ${line('slug', typed, mistakes)}
        ${checkBox({ name: 'hidden', label: 'Hidden: only people who have its address find it', isChecked: typed.hidden })}
      </article>
      <article>
        <h2>When</h2>
        ${line('lengthInMinutes', typed, mistakes, 'numeric')}
        ${line('minimumBookingNoticeInMinutes', typed, mistakes, 'numeric')}
        ${line('bufferBeforeInMinutes', typed, mistakes, 'numeric')}
        ${line('bufferAfterInMinutes', typed, mistakes, 'numeric')}
        ${confirmationField(eventType, typed, mistakes)}
        <p class="aside"><a href="/settings/hours">When you can be booked</a> is set for all event types without a schedule of their own.</p>
      </article>
      <button type="submit">Save</button>
    </form>
    <p class="aside"><a href="${path}/delete">Delete this event type</a></p>`;
  return layout({ title: formTitle(eventType.title, mistakes), content, corner: viewer, shape: 'sheet' });
}

function line(
  name: keyof typeof LINES,
  typed: TypedEventType,
  mistakes: readonly Mistake[],
  inputMode?: 'numeric',
): Html {
  const field = { name, ...LINES[name], value: typed[name], autocomplete: 'off', ...(inputMode && { inputMode }) };
  return textField(field, mistakes);
}

/** Short notice is offered where it is what stands: how short, only the API sets. */
function confirmationField(eventType: ShownEventType, typed: TypedEventType, mistakes: readonly Mistake[]): Html {
  const kinds = Object.entries(CONFIRMATIONS).filter(
    ([kind]) => kind !== 'SHORT_NOTICE' || eventType.confirmation.kind === 'SHORT_NOTICE',
  );
  const options = kinds.map(
    ([kind, says]) =>
      html`<option value="${kind}" ${kind === typed.confirmation ? html`selected` : ''}>${says}</option>`,
  );
  return html`<div class="field"><label for="confirmation">Ask me before a booking stands</label>
          <select id="confirmation" name="confirmation">${options}</select>${mistakeOf('confirmation', mistakes)}</div>`;
}
