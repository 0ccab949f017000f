import { type Mistake, Problem } from './problem.ts';
import type { Path } from './text.ts';

/** How one field of an input is stored and checked. */
export interface FieldRule<Value> {
  /** Its stored spelling; checked is what this returns. */
  readonly tidy?: (value: NonNullable<Value>) => NonNullable<Value>;
  readonly mistakes?: (path: Path, value: NonNullable<Value>) => readonly Mistake[];
}

/** A rule for each field; those that null clears are the ones whose type has null. */
export type FieldRules<Values> = { readonly [Name in keyof Values]-?: FieldRule<Values[Name]> };

type Checked<Given, Values> = { [Name in keyof Given]: Name extends keyof Values ? Values[Name] : never };

/**
 * The fields that were given, as they are stored. An absent field stays absent, so that an update changes nothing else;
 * null is kept for the fields named in `nullable`. @throws Problem with every mistake at once
 */
export function checkedFields<Values extends object, Given extends { readonly [Name in keyof Values]?: unknown }>(
  given: Given,
  rules: FieldRules<Values>,
  nullable: readonly NullableName<Values>[],
): Checked<Given, Values> {
  const mistakes: Mistake[] = [];
  const checked: Record<string, unknown> = {};
  for (const [name, rule] of Object.entries(rules) as [string, FieldRule<unknown>][]) {
    const value = (given as Record<string, unknown>)[name];
    if (value === undefined) continue;
    if (value === null) {
      checked[name] = null;
      if (!(nullable as readonly string[]).includes(name)) mistakes.push(cannotBeNull(name));
      continue;
    }
    const tidied = rule.tidy?.(value) ?? value;
    checked[name] = tidied;
    mistakes.push(...(rule.mistakes?.([name], tidied) ?? []));
  }
  Problem.throwIfAny(mistakes);
  return checked as Checked<Given, Values>;
}

/** The fields of a record that may be null. */
export type NullableName<Values> = {
  [Name in keyof Values]-?: null extends Values[Name] ? Name & string : never;
}[keyof Values];

function cannotBeNull(name: string): Mistake {
  return {
    code: 'REQUIRED',
    message: `${name} is null, and it cannot be empty; leave it out to keep what it is.`,
    path: [name],
  };
}
