import { inLanguages } from '../../core/language.ts';
import type { Mistake } from '../../core/problem.ts';
import { shown } from '../../core/text.ts';
import { SLOT_CODES } from '../../modules/bookings/slots/assign-hosts.rules.ts';
import { START_CODES } from '../../modules/bookings/slots/slot-request.rules.ts';
import type { BookableEventType } from '../../modules/event-types/public/event-type-rules.queries.ts';
import { problemWords, textOf } from '../kit/problem-words.ts';
import { responseName } from './booking-field-parts.ts';
import { linesOf } from './booking-form.ts';
import type { TypedBooking } from './booking-form-page.ts';
import { saidLabel, saidName } from './location-part.ts';
import { bookingWords } from './words/booking-words.ts';
import { MISTAKES_DE } from './words/mistake-words.de.ts';
import { MISTAKES_EN } from './words/mistake-words.en.ts';

/** The words for mistakes, for a reader of this locale. */
export const mistakeWords = inLanguages(MISTAKES_EN, { de: MISTAKES_DE });

/** Another time helps. */
const CLOSED_CODES: readonly string[] = [...SLOT_CODES, ...START_CODES];

/** Whether it is the time that cannot be had, and not something in the form. */
export function isClosed({ code }: Mistake): boolean {
  return CLOSED_CODES.includes(code);
}

/** A mistake in words for these pages; one of the time is at the choice of another one. */
export function wordsOf(mistake: Mistake, locale: string): Mistake {
  const { code, path } = mistake;
  const { texts, gone } = mistakeWords(locale);
  if (isClosed(mistake)) return { code, message: texts[code] ?? gone, path: ['start'] };
  return { ...(path && { path }), code, message: texts[code] ?? textOf(mistake, locale) };
}

/** Mistakes of a request, each at the field of the form that it is about. */
export function mistakesOfForm(
  mistakes: readonly Mistake[],
  typed: TypedBooking,
  eventType: BookableEventType,
  locale: string,
): readonly Mistake[] {
  const { closedSeries } = mistakeWords(locale);
  const { about } = problemWords(locale);
  return mistakes.map((mistake) => {
    const { path, ...worded } = wordsOf(mistake, locale);
    if (isClosed(mistake)) {
      const isOfSeries = eventType.rules.recurrence !== null && mistake.code !== 'LENGTH_NOT_OFFERED';
      return { ...worded, ...(path && { path }), ...(isOfSeries && { message: closedSeries }) };
    }
    const control = controlOf(path ?? [], typed, eventType, locale);
    if (!control) return worded;
    return { code: mistake.code, message: about(control.subject, worded.message), path: [control.name] };
  });
}

/** A field of the form, and what a mistake there is about: its label, or one of the lines or options in it. */
interface Control {
  readonly name: string;
  readonly subject: string;
}

function controlOf(
  [first, second, third]: readonly string[],
  typed: TypedBooking,
  { bookingFields, locations }: BookableEventType,
  locale: string,
): Control | undefined {
  const { fields, where } = bookingWords(locale);
  switch (first) {
    case 'attendee':
      return second === 'name' || second === 'email' || second === 'phone'
        ? { name: second, subject: fields[second] }
        : undefined;
    case 'responses': {
      if (second === undefined) return undefined;
      const field = bookingFields.find(({ slug }) => slug === second);
      const answers = typed.responses.get(second) ?? [];
      const all = field?.type === 'MULTIEMAIL' ? answers.flatMap(linesOf) : answers;
      return { name: responseName(second), subject: oneOf(all, third) ?? field?.label ?? second };
    }
    case 'location': {
      if (second !== 'value') return { name: 'location', subject: where };
      const said = locations.find(({ id }) => id === typed.location.id);
      return { name: saidName(typed.location.id), subject: said ? saidLabel(said, locale) : where };
    }
    case 'emailVerificationCode':
      return { name: 'code', subject: fields.code };
    case 'guests':
      return { name: first, subject: oneOf(linesOf(typed.guests), second) ?? fields.guests };
    case 'notes':
    case 'occurrences':
      return { name: first, subject: fields[first] };
    default:
      return undefined;
  }
}

function oneOf(lines: readonly string[], index: string | undefined): string | undefined {
  const line = index === undefined ? undefined : lines[Number(index)];
  return line === undefined ? undefined : shown(line);
}
