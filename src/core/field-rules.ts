import type { FieldRule } from './fields.ts';
import { colorMistake, optionalTextMistake, textMistake, tidyText, timeZoneMistake, timeZoneNamed } from './text.ts';

/** Rules of fields that several things have: what is said of one of them holds for all. */
export const TIME_ZONE_FIELD: FieldRule<string> = {
  tidy: (zone) => timeZoneNamed(zone) ?? zone,
  check: timeZoneMistake,
};

/** `#rrggbb`, stored in lower case; null for none. */
export const COLOR_FIELD: FieldRule<string | null> = {
  nullable: true,
  tidy: (color) => color.toLowerCase(),
  check: colorMistake,
};

/** One line that must say something, of at most so many characters. */
export function lineField(max: number): FieldRule<string> {
  return { tidy: tidyText, check: (path, text) => textMistake(path, text, { max }) };
}

/** Any number of lines with at most so many characters; null for none. */
export function linesField(max: number): FieldRule<string | null> {
  return {
    nullable: true,
    tidy: tidyText,
    check: (path, text) => optionalTextMistake(path, text, { max, multiline: true }),
  };
}
