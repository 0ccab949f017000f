import { html } from 'hono/html';
import { instantOf, zoneName } from '../../core/instant.ts';
import type { Page } from '../../core/page.ts';
import type { Mistake } from '../../core/problem.ts';
import { MAX_REASON_LENGTH } from '../../modules/schedules/out-of-office.rules.ts';
import { aboutFields, formTitle, hiddenField, mistakeSummary, textField } from '../kit/form-parts.ts';
import { type Html, isolated, layout, type Viewer } from '../kit/layout.ts';
import { doneNotice, nothingYet, pager, SEND_ONCE_HEAD } from '../kit/page-parts.ts';
import { type Clock, inLanguage, longDate, longTime } from '../kit/when.ts';
import { ABSENCES_PATH } from './hosting-paths.ts';
import { type AbsenceWords, absenceWords } from './words/hosting-words.ts';

export interface ShownAbsence {
  /** As the database has it, for cursors; forms send `publicId`. */
  readonly id: string;
  readonly publicId: string;
  /** RFC 3339; so is the end. */
  readonly startsAt: string;
  readonly endsAt: string;
  readonly reason: string;
  /** The colleague who can be booked instead, by name. */
  readonly standIn: string | undefined;
}

/** A new absence as it was typed: two dates, both of which are days off. */
export interface TypedAbsence {
  readonly first: string;
  readonly last: string;
  readonly reason: string;
  /** The username of the colleague who can be booked instead. */
  readonly standIn: string;
}

export interface AbsencesPage {
  readonly viewer: Viewer;
  readonly absences: Page<ShownAbsence>;
  readonly clock: Clock;
  /** Whether the user is in a team, so that a colleague can stand in. */
  readonly isInTeam: boolean;
  readonly typed: TypedAbsence;
  readonly csrf: { readonly add: string; readonly remove: string };
  readonly idempotencyKey: string;
  readonly mistakes: readonly Mistake[];
  readonly done: string | undefined;
}

/** When a user is out of office, and a form for more. */
export function absencesPage(page: AbsencesPage): Html {
  const { viewer, absences, clock, isInTeam, typed, csrf, idempotencyKey, done } = page;
  const { locale } = viewer;
  const words = absenceWords(locale);
  const mistakes = aboutFields(['first', 'last', 'reason', 'standIn'], page.mistakes);
  const content = html`${doneNotice(done)}
    ${mistakeSummary(mistakes, locale)}
    <h1>${words.title}</h1>
    <p class="aside top">${words.intro}</p>
    ${
      absences.rows.length === 0
        ? nothingYet(html`<p>${words.none}</p>`)
        : html`<ul class="rows">${absences.rows.map((one) => html`<li>${rowOf(one, clock, page, words)}</li>`)}</ul>`
    }
    ${pager(absences, ({ id }) => [id], { path: ABSENCES_PATH, locale })}
    <article>
      <h2>${words.add}</h2>
      <form method="post" action="${ABSENCES_PATH}" novalidate data-once>
        ${hiddenField('csrf', csrf.add)}
        ${hiddenField('idempotencyKey', idempotencyKey)}
        ${textField({ name: 'first', label: words.fields.first, type: 'date', autocomplete: 'off', value: typed.first }, mistakes)}
        ${textField({ name: 'last', label: words.fields.last, type: 'date', autocomplete: 'off', value: typed.last }, mistakes)}
        ${textField({ name: 'reason', label: words.fields.reason, isOptional: true, locale, autocomplete: 'off', value: typed.reason, hint: words.reasonHint(MAX_REASON_LENGTH) }, mistakes)}
        ${isInTeam || typed.standIn !== '' ? textField({ name: 'standIn', label: words.fields.standIn, isOptional: true, locale, autocomplete: 'off', value: typed.standIn, hint: words.standInHint }, mistakes) : ''}
        <button type="submit">${words.addButton}</button>
      </form>
    </article>
    <p class="aside">${words.zone(zoneName(clock.timeZone))}</p>`;
  const title = formTitle(words.title, mistakes, locale);
  return layout({ title, content, corner: viewer, setting: 'absences', shape: 'sheet', head: SEND_ONCE_HEAD, locale });
}

function rowOf(absence: ShownAbsence, clock: Clock, page: AbsencesPage, words: AbsenceWords): Html {
  const when = shownTime(absence, clock, words);
  return html`<h2>${inLanguage(when, clock)}</h2>
          ${absence.reason === '' ? '' : html`<p><bdi>${absence.reason}</bdi></p>`}
          ${absence.standIn === undefined ? '' : html`<p>${words.standIn(html`<bdi>${absence.standIn}</bdi>`)}</p>`}
          <form method="post" action="${ABSENCES_PATH}/remove">
            ${hiddenField('csrf', page.csrf.remove)}
            ${hiddenField('idempotencyKey', page.idempotencyKey)}
            ${hiddenField('absence', absence.publicId)}
            <button type="submit" class="quiet" aria-label="${words.remove(isolated(when))}">${words.removeButton}</button>
          </form>`;
}

/** Days where it is whole ones for its reader; times elsewhere. */
function shownTime({ startsAt, endsAt }: ShownAbsence, clock: Clock, words: AbsenceWords): string {
  const [start, end] = [instantOf(startsAt), instantOf(endsAt)];
  const [from, to] = [start.toZonedDateTimeISO(clock.timeZone), end.toZonedDateTimeISO(clock.timeZone)];
  const isWhole = [from, to].every((at) => at.equals(at.startOfDay()));
  if (!isWhole) return longTime(start, end, clock);
  const [first, last] = [from.toPlainDate(), to.toPlainDate().subtract({ days: 1 })];
  const [begin, until] = [longDate(first, clock.locale), longDate(last, clock.locale)];
  return first.equals(last) ? begin : words.days(begin, until);
}
