import { MAX_URL_LENGTH } from '../core/text.ts';

/**
 * Scalars whose values are texts. They say what a text holds, and take whatever `String` takes: what is wrong with one is told
 * like everything else that is wrong with an input, by a code of `userErrors` with its path, all mistakes at once. Answers hold
 * what was checked before it was stored.
 */
export const TEXT_SCALARS = {
  Date: {
    description: 'A day of the calendar as `YYYY-MM-DD`, such as `2026-12-24`.',
    specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6',
  },
  LocalTime: {
    description:
      'A time of day as `HH:MM`, such as `09:00`, in the time zone of what it belongs to; `24:00` is the end of the day.',
    specifiedByURL: 'https://html.spec.whatwg.org/multipage/common-microsyntaxes.html#times',
  },
  TimeZone: {
    description: 'The name of a time zone in the IANA database, such as `Europe/Berlin` or `UTC`.',
    specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc6557',
  },
  URL: {
    description: `An absolute address, such as \`https://example.com/path\`. What you may give is https without a user name, of at most ${MAX_URL_LENGTH} characters; redirect URIs have rules of their own.`,
    specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3986',
  },
  EmailAddress: {
    description: 'An e-mail address without a name, such as `ada@example.com`.',
    specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc5321#section-4.1.2',
  },
} as const;

export type TextScalar = keyof typeof TEXT_SCALARS;

/** Whether values of a scalar of this name are texts and nothing else. */
export function isText(scalar: string): boolean {
  return scalar === 'String' || Object.hasOwn(TEXT_SCALARS, scalar);
}
