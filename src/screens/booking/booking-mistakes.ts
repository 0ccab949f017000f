import type { Mistake } from '../../core/problem.ts';
import { SLOT_CODES } from '../../modules/bookings/slots/closed-slot.rules.ts';
import { START_CODES } from '../../modules/bookings/slots/requested-start.ts';
import type { BookableEventType } from '../../modules/event-types/public/event-type-rules.queries.ts';
import { responseName } from './booking-field-parts.ts';
import type { TypedBooking } from './booking-form-page.ts';
import { saidName } from './location-part.ts';

/** What to say of a time that was free when the page was made. */
export const GONE = 'That time is not free any more; choose another one.';

/** The length was offered when the form was made. */
const CHANGED_LENGTH = 'LENGTH_NOT_OFFERED';

/** What this page says in place of messages that are written for developers. */
const WORDS: Readonly<Record<string, string>> = {
  AUTHENTICATION_REQUIRED: 'Only somebody signed in can book this.',
  EMAIL_VERIFICATION_REQUIRED: 'Enter the code that was mailed to you, or ask for one.',
  [CHANGED_LENGTH]: 'Its host has changed how long this takes; choose a time once more.',
  NOT_BOOKABLE: 'Nobody can be booked here at the moment.',
  SLOT_TAKEN: 'That time has been taken in the meantime; choose another one.',
  SLOT_RESERVED: 'Somebody else is booking that time just now; choose another one, or try again in a few minutes.',
};
const CLOSED_SERIES = 'Not all times of the series are free; choose another time, or fewer of them.';

/** Another time helps. */
const CLOSED_CODES: readonly string[] = [...SLOT_CODES, ...START_CODES];

/** Whether it is the time that cannot be had, and not something in the form. */
export function isClosed({ code }: Mistake): boolean {
  return CLOSED_CODES.includes(code);
}

/** A mistake in words for this page; one of the time is at the choice of another one. */
export function wordsOf(mistake: Mistake): Mistake {
  const { code, message, path } = mistake;
  if (isClosed(mistake)) return { code, message: WORDS[code] ?? GONE, path: ['start'] };
  return { ...(path && { path }), code, message: WORDS[code] ?? message };
}

/** Mistakes of a request, each at the field of the form that it is about. */
export function mistakesOfForm(
  mistakes: readonly Mistake[],
  typed: TypedBooking,
  { rules }: BookableEventType,
): readonly Mistake[] {
  return mistakes.map((mistake) => {
    const told = wordsOf(mistake);
    if (isClosed(mistake)) {
      return rules.recurrence && mistake.code !== CHANGED_LENGTH ? { ...told, message: CLOSED_SERIES } : told;
    }
    const { path, ...words } = told;
    const name = controlOf(path ?? [], typed);
    return name === undefined ? words : { ...words, path: [name] };
  });
}

function controlOf([first, second]: readonly string[], typed: TypedBooking): string | undefined {
  switch (first) {
    case 'attendee':
      return second === 'name' || second === 'email' || second === 'phone' ? second : undefined;
    case 'responses':
      return second === undefined ? undefined : responseName(second);
    case 'location':
      return second === 'value' ? saidName(typed.location.id) : 'location';
    case 'emailVerificationCode':
      return 'code';
    case 'notes':
    case 'guests':
    case 'occurrences':
      return first;
    default:
      return undefined;
  }
}
