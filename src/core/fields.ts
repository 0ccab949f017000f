import { type Mistake, Problem } from './problem.ts';
import { nameOf, type Path } from './text.ts';

/** How one field of an input is stored and checked. A field that null clears says so. */
export type FieldRule<Value> = {
  /** Its stored spelling, which is then checked. */
  readonly tidy?: (value: NonNullable<Value>) => NonNullable<Value>;
  readonly check?: (path: Path, value: NonNullable<Value>) => Mistake | readonly Mistake[] | undefined;
} & (null extends Value ? { readonly nullable: true } : { readonly nullable?: never });

/** A rule for each field of a record. */
export type FieldRules<Values> = { readonly [Name in keyof Values]-?: FieldRule<Values[Name]> };

/** The input of an update: an absent field is unchanged, and null may be a mistake. */
export type PatchOf<Values> = { readonly [Name in keyof Values]?: Values[Name] | null | undefined };

/** The fields of `Given` with the types under which they are stored. */
export type CheckedFields<Given, Values> = {
  [Name in keyof Given as Name extends keyof Values ? Name : never]: Values[Name & keyof Values];
};

/** The given fields, as far as they can be stored, and everything that is wrong with them. */
export interface FieldCheck<Checked> {
  /** The given fields as they are stored; an absent field stays absent, and so does null where nothing can be emptied. */
  readonly values: Checked;
  readonly mistakes: readonly Mistake[];
}

/** For callers who have more to check than each field by itself. */
export function checkFields<Values, Given extends PatchOf<Values>>(
  given: Given,
  rules: FieldRules<Values>,
): FieldCheck<CheckedFields<Given, Values>> {
  const mistakes: Mistake[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, rule] of Object.entries(rules as Record<string, AnyRule>)) {
    const value = (given as Readonly<Record<string, unknown>>)[name];
    if (value === undefined) continue;
    if (value === null) {
      if (rule.nullable) values[name] = null;
      else mistakes.push(nullMistake(name));
      continue;
    }
    const stored = rule.tidy?.(value) ?? value;
    values[name] = stored;
    mistakes.push(...[rule.check?.([name], stored) ?? []].flat());
  }
  return { values: values as CheckedFields<Given, Values>, mistakes };
}

/** The given fields as they are stored; an absent field stays absent. @throws Problem with every mistake at once */
export function checkedFields<Values, Given extends PatchOf<Values>>(
  given: Given,
  rules: FieldRules<Values>,
): CheckedFields<Given, Values> {
  const { values, mistakes } = checkFields(given, rules);
  Problem.throwIfAny(mistakes);
  return values;
}

/** The mistake of a field that cannot be empty and was given as null. */
function nullMistake(name: string): Mistake {
  return { code: 'REQUIRED', message: `${name} cannot be null; give a value, or leave it out.`, path: [name] };
}

interface AnyRule {
  readonly tidy?: (value: unknown) => unknown;
  readonly check?: (path: Path, value: unknown) => Mistake | readonly Mistake[] | undefined;
  readonly nullable?: true;
}

/** The code is OUT_OF_RANGE: not a whole number, too small or too large. */
export function wholeNumberMistake(path: Path, value: number, min: number, max: number): Mistake | undefined {
  if (Number.isSafeInteger(value) && min <= value && value <= max) return undefined;
  const message = `The ${nameOf(path)} is ${value}; give a whole number from ${min} to ${max}.`;
  return { code: 'OUT_OF_RANGE', message, path, bounds: { least: min, most: max } };
}
