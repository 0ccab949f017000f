import { html } from 'hono/html';
import { instantOf } from '../../core/instant.ts';
import type { Page } from '../../core/page.ts';
import type { Mistake } from '../../core/problem.ts';
import { MAX_REASON_LENGTH } from '../../modules/schedules/out-of-office.rules.ts';
import { aboutFields, formTitle, hiddenField, mistakeSummary, textField } from '../kit/form-parts.ts';
import { type Html, layout, type Viewer } from '../kit/layout.ts';
import { doneNotice, pager } from '../kit/page-parts.ts';
import { type Clock, longDate, longTime, zoneName } from '../kit/when.ts';
import { ABSENCES_PATH } from './hosting-paths.ts';

export interface ShownAbsence {
  /** As the database has it, for cursors; `publicId` is what forms send. */
  readonly id: string;
  readonly publicId: string;
  /** RFC 3339; so is the end. */
  readonly startsAt: string;
  readonly endsAt: string;
  readonly reason: string;
}

/** A new absence as it was typed: two dates, both of which are days off. */
export interface TypedAbsence {
  readonly first: string;
  readonly last: string;
  readonly reason: string;
}

export interface AbsencesPage {
  readonly viewer: Viewer;
  readonly absences: Page<ShownAbsence>;
  readonly clock: Clock;
  readonly typed: TypedAbsence;
  readonly csrf: { readonly add: string; readonly remove: string };
  readonly mistakes: readonly Mistake[];
  readonly done: string | undefined;
}

/** When a user is out of office, and a form for more. */
export function absencesPage({ viewer, absences, clock, typed, csrf, done, ...page }: AbsencesPage): Html {
  const mistakes = aboutFields(['first', 'last', 'reason'], page.mistakes);
  const content = html`${doneNotice(done)}
    ${mistakeSummary(mistakes)}
    <h1>Out of office</h1>
    <p class="aside top">Nobody can book you in that time, whatever <a href="/settings/hours">your hours</a> say. Bookings that you
      have already stay.</p>
    ${
      absences.rows.length === 0
        ? html`<p>You have no absences.</p>`
        : html`<ul class="rows">${absences.rows.map((one) => html`<li>${rowOf(one, clock, csrf.remove)}</li>`)}</ul>`
    }
    ${pager(absences, ({ id }) => [id], { path: ABSENCES_PATH })}
    <article>
      <h2>Add an absence</h2>
      <form method="post" action="${ABSENCES_PATH}" novalidate>
        ${hiddenField('csrf', csrf.add)}
        ${textField({ name: 'first', label: 'First day', type: 'date', autocomplete: 'off', value: typed.first }, mistakes)}
        ${textField({ name: 'last', label: 'Last day', type: 'date', autocomplete: 'off', value: typed.last }, mistakes)}
        ${textField({ name: 'reason', label: 'Reason', isOptional: true, autocomplete: 'off', value: typed.reason, hint: `People who book do not see it. At most ${MAX_REASON_LENGTH} characters.` }, mistakes)}
        <button type="submit">Add</button>
      </form>
    </article>
    <p class="aside">Days in ${zoneName(clock.timeZone)} (<a href="/settings/account#timeZone">change</a>).</p>`;
  return layout({ title: formTitle('Out of office', mistakes), content, corner: viewer, shape: 'sheet' });
}

function rowOf(absence: ShownAbsence, clock: Clock, csrf: string): Html {
  const when = shownTime(absence, clock);
  return html`<h2>${when}</h2>
          ${absence.reason === '' ? '' : html`<p><bdi>${absence.reason}</bdi></p>`}
          <form method="post" action="${ABSENCES_PATH}/remove">
            ${hiddenField('csrf', csrf)}
            ${hiddenField('absence', absence.publicId)}
            <button type="submit" class="quiet" aria-label="Remove the absence of ${when}">Remove</button>
          </form>`;
}

/** Days where it is whole ones for its reader; times elsewhere. */
function shownTime({ startsAt, endsAt }: ShownAbsence, clock: Clock): string {
  const [start, end] = [instantOf(startsAt), instantOf(endsAt)];
  const [from, to] = [start.toZonedDateTimeISO(clock.timeZone), end.toZonedDateTimeISO(clock.timeZone)];
  const isWhole = [from, to].every((at) => at.equals(at.startOfDay()));
  if (!isWhole) return longTime(start, end, clock);
  const [first, last] = [from.toPlainDate(), to.toPlainDate().subtract({ days: 1 })];
  return first.equals(last) ? longDate(first) : `${longDate(first)} to ${longDate(last)}`;
}
