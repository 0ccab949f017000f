import { html } from 'hono/html';
import type { Mistake } from '../../core/problem.ts';
import { MAX_TEXT } from '../../modules/event-types/event-type.rules.ts';
import {
  checkBox,
  formTitle,
  hiddenField,
  mistakeSummary,
  selectField,
  textArea,
  textField,
} from '../kit/form-parts.ts';
import { type Html, layout, type Viewer } from '../kit/layout.ts';
import { doneNotice, part } from '../kit/page-parts.ts';
import { CONFIRMATIONS, LINES } from './basics-part.ts';
import { atFields, FOLDED } from './event-type-form.ts';
import { EVENT_TYPES_PATH, eventTypePath } from './event-types-page.ts';
import type { Choices, ShownEventType, Values } from './form-part.ts';

export interface EventTypePage {
  readonly viewer: Viewer;
  readonly eventType: ShownEventType;
  readonly bookingUrl: string;
  readonly typed: Values;
  readonly choices: Choices;
  /** The ids of parts that are open, beside those with a mistake. */
  readonly open: readonly string[];
  readonly csrf: string;
  readonly mistakes: readonly Mistake[];
  readonly done: string | undefined;
}

/** One event type of a user, with a form to change it. */
export function eventTypePage(page: EventTypePage): Html {
  const { viewer, eventType, bookingUrl, typed, choices, csrf, done } = page;
  const mistakes = atFields(page.mistakes, typed);
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
        ${textArea({ name: 'description', label: 'Description (optional)', value: typed['description'] ?? '', rows: 4, isOptional: true, hint: `Shown on its booking page; at most ${MAX_TEXT.description} characters.` }, mistakes)}
        ${line('lengthInMinutes', typed, mistakes, 'numeric')}
        ${line('slug', typed, mistakes)}
        ${confirmationField(eventType, typed, mistakes)}
        ${checkBox({ name: 'hidden', label: 'Hidden: only people who have its address find it', isChecked: typed['hidden'] !== undefined })}
      </article>
      <article class="parts">
        ${FOLDED.map((folded) =>
          part(
            {
              id: folded.id,
              title: folded.title,
              gist: folded.gist(eventType),
              isOpen: page.open.includes(folded.id) || mistakes.some(({ path: [name = ''] = [] }) => folded.has(name)),
            },
            folded.content(typed, mistakes, choices),
          ),
        )}
      </article>
      <button type="submit">Save</button>
    </form>
    <p class="aside"><a href="${path}/delete">Delete this event type</a></p>`;
  return layout({ title: formTitle(eventType.title, mistakes), content, corner: viewer, shape: 'sheet' });
}

function line(name: keyof typeof LINES, typed: Values, mistakes: readonly Mistake[], inputMode?: 'numeric'): Html {
  const value = typed[name] ?? '';
  return textField({ name, ...LINES[name], value, autocomplete: 'off', ...(inputMode && { inputMode }) }, mistakes);
}

/** Short notice is offered where it is what stands: how short, only the API sets. */
function confirmationField(eventType: ShownEventType, typed: Values, mistakes: readonly Mistake[]): Html {
  const options = Object.entries(CONFIRMATIONS).filter(
    ([kind]) => kind !== 'SHORT_NOTICE' || eventType.confirmation.kind === 'SHORT_NOTICE',
  );
  const value = typed['confirmation'] ?? '';
  return selectField({ name: 'confirmation', label: 'Ask me before a booking stands', value, options }, mistakes);
}
