/**
 * Everywhere an operation can get to: each field of the schema at each standing at which a path can select it.
 *
 * `findHoles` proves that all of it is guarded, the manifest lists it, and tests have a path to each.
 */
import type { Standing } from './judgement.ts';
import type { FieldRule, SchemaRules, TypeRule } from './schema-rules.ts';
import { covers, NOBODY_BIT, type ScopeSet } from './scope-set.ts';

/**
 * The price that the way to a type has cost.
 * - `FREE`: nothing yet that covers the type's own content; each of its fields must say what it requires.
 * - `PAID`: a field that required something leads here, and fields that inherit go with it.
 * - `BASE`: a wrapper leads here whose base scopes are to pay for what inherits. They are owed by a selection without
 *   data only, so all data that can be selected with it must cost as much.
 * - `PUBLIC`: a public field leads here, so nothing here may require anything.
 */
export type Fare =
  | { readonly kind: 'FREE' | 'PAID' | 'PUBLIC' }
  | { readonly kind: 'BASE'; readonly wrapper: Standpoint };

/** A type, and the level at which it is judged. */
export interface Standpoint {
  readonly type: TypeRule;
  readonly standing: Standing;
}

/** A type as a path can stand on it. */
export interface Position extends Standpoint {
  readonly fare: Fare;
  /** The operation and the fields that lead here: `query`, `me`, `teams`, … */
  readonly path: readonly string[];
}

/** A field as a path can select it. */
export interface Reached {
  readonly field: FieldRule;
  readonly from: Position;
  /** Where it is judged */
  readonly standing: Standing;
}

/** Every field at every position, breadth first, so that the path named is a shortest one. */
export function* reachableFields({ roots }: SchemaRules): Generator<Reached> {
  const queue: Position[] = [];
  for (const [operation, type] of Object.entries(roots)) {
    if (type !== undefined) queue.push({ type, standing: 'OUTSIDE', fare: FREE, path: [operation] });
  }
  const seen = new Set<string>();
  for (const from of queue) {
    const key = keyOf(from);
    if (seen.has(key)) continue;
    seen.add(key);
    for (const field of from.type.fields.values()) {
      const { standing, required } = field.judgements[from.standing];
      yield { field, from, standing };
      // Where nobody may pass, there is nothing behind.
      if (covers(required, NOBODY_BIT)) continue;
      const path = [...from.path, field.name];
      for (const type of field.output)
        queue.push({ type, standing, fare: fareAfter(field, from, { type, standing }), path });
    }
  }
}

const FREE: Fare = { kind: 'FREE' };
const PAID: Fare = { kind: 'PAID' };
const PUBLIC: Fare = { kind: 'PUBLIC' };

function keyOf({ type, standing, fare }: Position): string {
  const payer = fare.kind === 'BASE' ? `${fare.wrapper.type.name} ${fare.wrapper.standing}` : '';
  return `${type.name} ${standing} ${fare.kind} ${payer}`;
}

function fareAfter(field: FieldRule, from: Position, below: Standpoint): Fare {
  if (from.fare.kind === 'PUBLIC' || field.access === 'PUBLIC') return PUBLIC;
  if (field.access !== 'INHERIT') return PAID;
  if (below.type.base === undefined) return from.fare;
  // Base scopes are required only where nothing else is, so they do not pay for fields that cost nothing themselves,
  // except in a wrapper, which has no others.
  return isWrapper(below.type) ? { kind: 'BASE', wrapper: below } : FREE;
}

/** Finds the data in a selection on a type: the fields with a price, also those behind fields that cost nothing. */
export function* dataBelow(start: Standpoint): Generator<{ readonly field: FieldRule; readonly required: ScopeSet }> {
  const queue = [start];
  const seen = new Set<string>();
  for (const { type, standing } of queue) {
    const key = `${type.name} ${standing}`;
    if (seen.has(key)) continue;
    seen.add(key);
    for (const field of type.fields.values()) {
      const below = field.judgements[standing];
      if (field.access === 'INHERIT') {
        for (const next of field.output) queue.push({ type: next, standing: below.standing });
      } else if (field.access !== 'PUBLIC') {
        yield { field, required: below.required };
      }
    }
  }
}

/** A type without data of its own: a connection, an edge, a payload. */
function isWrapper({ fields }: TypeRule): boolean {
  return [...fields.values()].every(({ access }) => access === 'INHERIT' || access === 'PUBLIC');
}
