import type { Mistake } from '../../../core/problem.ts';
import { nameOf, type Path } from '../../../core/text.ts';

/** The code is OUT_OF_RANGE: not a whole number, too small or too large. */
export function wholeNumberMistake(path: Path, value: number, min: number, max: number): Mistake | undefined {
  if (Number.isSafeInteger(value) && min <= value && value <= max) return undefined;
  const message = `The ${nameOf(path)} is ${value}; give a whole number from ${min} to ${max}.`;
  return { code: 'OUT_OF_RANGE', message, path, bounds: { least: min, most: max } };
}
