/**
 * Everywhere an operation can get to: each field of the schema at each standing at which a path can select it.
 *
 * `findHoles` proves that all of it is guarded, the manifest lists it, and tests have a path to each.
 */
import type { Standing } from './judgement.ts';
import type { FieldRule, SchemaRules, TypeRule } from './schema-rules.ts';
import { covers, NOBODY_BIT } from './scope-set.ts';

/**
 * What the way to a type has cost.
 * - `FREE`: nothing yet that covers the type's own content; each of its fields must say what it requires.
 * - `PAID`: a field that required something leads here, and fields that inherit go with it.
 * - `PUBLIC`: a public field leads here, so nothing here may require anything.
 */
export type Fare = 'FREE' | 'PAID' | 'PUBLIC';

/** A type as a path can stand on it. */
export interface Position {
  readonly type: TypeRule;
  readonly standing: Standing;
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
    if (type !== undefined) queue.push({ type, standing: 'OUTSIDE', fare: 'FREE', path: [operation] });
  }
  const seen = new Set<string>();
  for (const from of queue) {
    const key = `${from.type.name} ${from.standing} ${from.fare}`;
    if (seen.has(key)) continue;
    seen.add(key);
    for (const field of from.type.fields.values()) {
      const { standing, required } = field.judgements[from.standing];
      yield { field, from, standing };
      // Where nobody may pass, there is nothing behind.
      if (covers(required, NOBODY_BIT)) continue;
      const path = [...from.path, field.name];
      for (const type of field.output) queue.push({ type, standing, fare: fareAfter(field, from, type), path });
    }
  }
}

function fareAfter(field: FieldRule, from: Position, type: TypeRule): Fare {
  if (from.fare === 'PUBLIC' || field.access === 'PUBLIC') return 'PUBLIC';
  if (field.access !== 'INHERIT') return 'PAID';
  // Base scopes are asked only where nothing else is, so they do not pay for fields that cost nothing themselves,
  // except in a wrapper, which has no others.
  if (type.base !== undefined) return isWrapper(type) ? 'PAID' : 'FREE';
  return from.fare;
}

/** A type without data of its own: a connection, an edge, a payload. */
function isWrapper({ fields }: TypeRule): boolean {
  return [...fields.values()].every(({ access }) => access === 'INHERIT' || access === 'PUBLIC');
}
