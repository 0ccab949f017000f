import { phoneMistake, tidyPhone } from '../../core/phone.ts';
import { type Mistake, Problem } from '../../core/problem.ts';
import {
  EMAIL_CODES,
  emailMistake,
  localeMistake,
  localeNamed,
  metadataMistakes,
  optionalTextMistake,
  type Path,
  personNameMistake,
  TEXT_CODES,
  tidyText,
  timeZoneMistake,
  timeZoneNamed,
} from '../../core/text.ts';

/** The booker, as they describe themselves. */
export interface AttendeeInput {
  readonly name: string;
  readonly email: string;
  readonly timeZone: string;
  readonly locale: string | null;
  readonly phone: string | null;
}

/** The texts of a booking: everything that is given with it besides time, place and answers. */
export interface BookingTexts {
  readonly attendee: AttendeeInput;
  readonly notes: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

export const ATTENDEE_CODES = [
  ...TEXT_CODES,
  ...EMAIL_CODES,
  'INVALID_TIME_ZONE',
  'INVALID_LOCALE',
  'INVALID_PHONE',
] as const;

export const MAX_NAME_LENGTH = 150;
export const MAX_NOTES_LENGTH = 5_000;
export const MAX_REASON_LENGTH = 1_000;

/** The attendee as they are stored and checked. */
export function tidyAttendee({ name, email, timeZone, locale, phone }: AttendeeInput): AttendeeInput {
  return {
    name: tidyText(name),
    email: email.trim(),
    timeZone: timeZoneNamed(timeZone) ?? timeZone,
    locale: locale === null ? null : (localeNamed(locale) ?? locale),
    phone: phone === null ? null : tidyPhone(phone),
  };
}

/** Everything that is wrong with (tidied) texts. */
export function bookingTextMistakes({ attendee, notes, metadata }: BookingTexts): readonly Mistake[] {
  return [
    ...attendeeMistakes(['attendee'], attendee),
    notes === null ? undefined : optionalTextMistake(['notes'], notes, { max: MAX_NOTES_LENGTH, multiline: true }),
    ...metadataMistakes(['metadata'], metadata),
  ].filter((mistake) => mistake !== undefined);
}

export function attendeeMistakes(path: Path, attendee: AttendeeInput): readonly Mistake[] {
  const { name, email, timeZone, locale, phone } = attendee;
  return [
    personNameMistake([...path, 'name'], name, MAX_NAME_LENGTH),
    emailMistake([...path, 'email'], email),
    timeZoneMistake([...path, 'timeZone'], timeZone),
    locale === null ? undefined : localeMistake([...path, 'locale'], locale),
    phone === null ? undefined : phoneMistake([...path, 'phone'], phone),
  ].filter((mistake) => mistake !== undefined);
}

/** Checks the reason for a cancellation, a reschedule or a refusal. The transition says whether there must be one. */
export function reasonMistake(path: Path, reason: string | null): Mistake | undefined {
  return reason === null ? undefined : optionalTextMistake(path, reason, { max: MAX_REASON_LENGTH, multiline: true });
}

/** The reason as it is stored; a blank one counts as none. @throws Problem */
export function checkedReason(given: string | null): string | null {
  const reason = given === null ? null : tidyText(given) || null;
  const mistake = reasonMistake(['reason'], reason);
  Problem.throwIfAny(mistake ? [mistake] : []);
  return reason;
}
