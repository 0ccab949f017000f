import { html } from 'hono/html';
import { publicOwnedId } from '../../core/id.ts';
import { instantOf, zoneName } from '../../core/instant.ts';
import { type Page, pageRequest } from '../../core/page.ts';
import type { Mistake } from '../../core/problem.ts';
import { shown } from '../../core/text.ts';
import { Selection } from '../../database/columns.ts';
import type { Em } from '../../database/sql.ts';
import { once } from '../../limits/at-most-once.ts';
import { User } from '../../modules/accounts/user.entity.ts';
import { findUser } from '../../modules/accounts/user.queries.ts';
import { requireOwnId } from '../../modules/levels/change-owned.ts';
import { ownedPage } from '../../modules/levels/owned.queries.ts';
import { own } from '../../modules/levels/reach.ts';
import { createOutOfOffice, deleteOutOfOffice } from '../../modules/schedules/out-of-office.commands.ts';
import { OutOfOffice } from '../../modules/schedules/out-of-office.entity.ts';
import {
  COLLEAGUE,
  colleagueCalled,
  isMemberOfAny,
  OUT_OF_OFFICE,
} from '../../modules/schedules/out-of-office.queries.ts';
import { MAX_REASON_LENGTH } from '../../modules/schedules/out-of-office.rules.ts';
import { aboutFields, formTitle, hiddenField, mistakeSummary, textField } from '../kit/form-parts.ts';
import { type Html, isolated, layout } from '../kit/layout.ts';
import { always, page, type Showing } from '../kit/page.ts';
import { doneNotice, nothingYet, pager, SEND_ONCE_HEAD } from '../kit/page-parts.ts';
import { SCRIPTED_HEADERS } from '../kit/page-response.ts';
import { FormProblem } from '../kit/problem-words.ts';
import { requestIn } from '../kit/request.ts';
import { type Clock, clockOf, inLanguage, longDate, longTime } from '../kit/when.ts';
import { type AbsenceWords, absenceWords } from './hosting-words.ts';

const ABSENCES_PATH = '/settings/absences';

const SHOWN = new Selection(
  OutOfOffice,
  ['startsAt', 'endsAt', 'reason'],
  [{ part: COLLEAGUE, of: new Selection(User, ['name']) }],
);

/** `/settings/absences`: when a user cannot be booked, in whole days. */
export const absencesPage = page({
  path: ABSENCES_PATH,
  find: always,
  show: async (showing) => {
    const { c, session, locale, back, done } = showing;
    return absencesView({
      ...showing,
      absences: await absencesOf(showing.em, session.userId, c.req.query('after')),
      clock: clockOf(await findUser(showing.em, session.userId)),
      isInTeam: await isMemberOfAny(showing.em, session.userId),
      typed: back?.name === 'add' ? typedIn(back.form) : NOTHING,
      mistakes: mistakesOf(showing),
      done: new Map(Object.entries(absenceWords(locale).done)).get(done),
    });
  },
  headers: SCRIPTED_HEADERS,
  forms: {
    add: {
      at: '',
      run: async ({ em, session, locale }, _, form) => {
        const typed = typedIn(form);
        const { timeZone } = clockOf(await findUser(em, session.userId));
        const days = daysOf(typed, timeZone, locale);
        const redirectToUserId = typed.standIn === '' ? null : await colleagueCalled(em, typed.standIn);
        const absence = { ...days, reason: typed.reason || null, redirectToUserId };
        await once(em, requestIn({ ...session, form }, ['absence add'], typed), (inner) =>
          createOutOfOffice(inner, own(session.userId), absence),
        );
        return { to: ABSENCES_PATH, done: 'added' };
      },
    },
    remove: {
      run: async ({ em, session }, _, form) => {
        const id = requireOwnId('outOfOffice', form.get('absence') ?? '', session.userId);
        await once(em, requestIn({ ...session, form }, ['absence remove'], id), (inner) =>
          deleteOutOfOffice(inner, own(session.userId), id),
        );
        return { to: ABSENCES_PATH, done: 'removed' };
      },
    },
  },
});

interface ShownAbsence {
  /** As the database has it, for cursors; forms send `publicId`. */
  readonly id: string;
  readonly publicId: string;
  /** RFC 3339; so is the end. */
  readonly startsAt: string;
  readonly endsAt: string;
  readonly reason: string | null;
  /** The colleague who can be booked instead, by name. */
  readonly standIn: string | undefined;
}

/** A new absence as it was typed: two dates, both of which are days off. */
interface TypedAbsence {
  readonly first: string;
  readonly last: string;
  readonly reason: string;
  /** The username of the colleague who can be booked instead. */
  readonly standIn: string;
}

async function absencesOf(em: Em, userId: string, after: string | undefined): Promise<Page<ShownAbsence>> {
  const found = await ownedPage(em, OUT_OF_OFFICE, userId, pageRequest({ after }), SHOWN);
  const rows = found.rows.map((row) => {
    const { id, startsAt, endsAt, reason } = row;
    const { redirectTo } = row as { readonly redirectTo?: { readonly name: string } | null };
    const publicId = publicOwnedId('outOfOffice', { ownerId: userId, id });
    return { id, publicId, startsAt, endsAt, reason, standIn: redirectTo?.name };
  });
  return { ...found, rows };
}

function typedIn(form: URLSearchParams): TypedAbsence {
  const text = (name: string): string => form.get(name) ?? '';
  return { first: text('first'), last: text('last'), reason: text('reason'), standIn: text('standIn').trim() };
}

const NOTHING: TypedAbsence = { first: '', last: '', reason: '', standIn: '' };

/** The time from the beginning of the first day to the end of the last one. @throws FormProblem for a text that is no date */
function daysOf({ first, last }: TypedAbsence, timeZone: string, locale: string) {
  const [from, to] = [dateOf(first), dateOf(last)];
  const wrong: readonly Mistake[] = [
    from ? [] : noDate('first', first, locale),
    to ? [] : noDate('last', last, locale),
  ].flat();
  FormProblem.throwIfAny(wrong);
  const startOf = (date: Temporal.PlainDate) => date.toZonedDateTime(timeZone).toInstant();
  return { start: startOf(from as Temporal.PlainDate), end: startOf((to as Temporal.PlainDate).add({ days: 1 })) };
}

/** As a field for a date sends it; a year that the command refuses is none either. */
function dateOf(text: string): Temporal.PlainDate | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' });
  } catch {
    return undefined;
  }
}

function noDate(name: string, text: string, locale: string): Mistake {
  const { noDay, noDate: isNone } = absenceWords(locale);
  return { code: 'INVALID_DATE', message: text === '' ? noDay : isNone(shown(text)), path: [name] };
}

/** The command's fields, by those of the form. */
const FIELDS: ReadonlyMap<string, keyof TypedAbsence> = new Map([
  ['start', 'first'],
  ['end', 'last'],
  ['redirectToUserId', 'standIn'],
]);

/** The form has days and a username, where the command takes times and an id. */
function mistakesOf({ locale, mistakes }: Showing): readonly Mistake[] {
  const { fields, inverted, noColleague } = absenceWords(locale);
  const labels = { ...fields, start: fields.first, end: fields.last, redirectToUserId: fields.standIn };
  const texts = { INVERTED_RANGE: inverted, NOT_A_COLLEAGUE: noColleague };
  return mistakes({ labels, texts }).map((mistake) => {
    const [field = ''] = mistake.path ?? [];
    const name = FIELDS.get(field) ?? field;
    return name ? { ...mistake, path: [name] } : mistake;
  });
}

interface AbsencesView extends Pick<Showing<'add' | 'remove'>, 'viewer' | 'csrf' | 'idempotencyKey'> {
  readonly absences: Page<ShownAbsence>;
  readonly clock: Clock;
  /** Whether the user is in a team, so that a colleague can stand in. */
  readonly isInTeam: boolean;
  readonly typed: TypedAbsence;
  readonly mistakes: readonly Mistake[];
  readonly done: string | undefined;
}

/** When a user is out of office, and a form for more. */
function absencesView(page: AbsencesView): Html {
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

function rowOf(absence: ShownAbsence, clock: Clock, page: AbsencesView, words: AbsenceWords): Html {
  const when = shownTime(absence, clock, words);
  return html`<h2>${inLanguage(when, clock)}</h2>
          ${absence.reason === null ? '' : html`<p><bdi>${absence.reason}</bdi></p>`}
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
