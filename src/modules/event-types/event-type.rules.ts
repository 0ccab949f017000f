import type { FieldRules } from '../../core/fields.ts';
import type { Mistake } from '../../core/problem.ts';
import { metadataMistakes, type Path, slugMistake, TEXT_MISTAKES, textMistake, tidyText } from '../../core/text.ts';

/** What whoever owns an event type says of it. */
export interface EventTypeFields {
  readonly slug: string;
  readonly title: string;
  readonly description: string | null;
  readonly lengthInMinutes: number;
  readonly hidden: boolean;
  readonly color: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

/** Every code that the checks of these fields give. */
export const EVENT_TYPE_MISTAKES = [...TEXT_MISTAKES, 'INVALID_LENGTH', 'INVALID_COLOR'] as const;

const MINUTES_OF_A_DAY = 1_440;

export const EVENT_TYPE_FIELDS: FieldRules<EventTypeFields> = {
  slug: { check: slugMistake },
  title: { tidy: tidyText, check: (path, title) => textMistake(path, title, { max: 200 }) },
  description: {
    nullable: true,
    tidy: tidyText,
    check: (path, text) => textMistake(path, text, { min: 0, max: 5_000, multiline: true }),
  },
  lengthInMinutes: { check: lengthMistake },
  hidden: {},
  color: { nullable: true, tidy: (color) => color.toLowerCase(), check: colorMistake },
  metadata: { check: metadataMistakes },
};

function lengthMistake(path: Path, minutes: number): Mistake | undefined {
  if (Number.isInteger(minutes) && minutes >= 1 && minutes <= MINUTES_OF_A_DAY) return undefined;
  const message = `A length of ${minutes} minutes is not possible; use 1 to ${MINUTES_OF_A_DAY}.`;
  return { code: 'INVALID_LENGTH', message, path };
}

function colorMistake(path: Path, color: string): Mistake | undefined {
  if (/^#[0-9a-f]{6}$/.test(color)) return undefined;
  return { code: 'INVALID_COLOR', message: 'The color is not written as #rrggbb, such as #1a7f37.', path };
}
