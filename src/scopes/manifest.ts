/** The whole of what a schema requires as one JSON value, to be kept in version control and reviewed like code. */
import { LEVELS, type ScopeLevel } from './create-catalog.ts';
import { reachableFields } from './reach.ts';
import { declaredBase, LEVEL_KEYS, type ScopeAccess, type ScopeLists } from './requirement.ts';
import type { FieldRule, SchemaRules, TypeRule } from './schema-rules.ts';

/** Scopes by the level at which something is judged. */
export type ScopesByLevel = { readonly [Level in ScopeLevel]?: readonly string[] };

export interface ManifestField {
  readonly access: ScopeAccess;
  readonly enters?: ScopeLevel;
  /** For `SCOPED`: a level that is absent cannot be reached, whatever the field lists for it */
  readonly scopes?: ScopesByLevel;
}

export interface Manifest {
  /** By coordinate, `Type.field`: every field that an operation can reach */
  readonly fields: Readonly<Record<string, ManifestField>>;
  /** By type */
  readonly baseScopes: Readonly<Record<string, ScopesByLevel>>;
}

/** The manifest of a schema that `assertClosed` passes, in an order that does not depend on how it was built. */
export function manifestOf(rules: SchemaRules): Manifest {
  const levels = new Map<FieldRule, Set<ScopeLevel>>();
  const types = new Set<TypeRule>();
  for (const { field, from, standing } of reachableFields(rules)) {
    types.add(from.type);
    const reached = levels.getOrInsertComputed(field, () => new Set());
    if (standing !== 'OUTSIDE') reached.add(standing);
  }
  return {
    fields: sorted([...levels].map(([field, reached]) => [field.coordinate, manifestField(field, reached)])),
    baseScopes: sorted([...types].flatMap((type) => baseEntry(type, rules))),
  };
}

function manifestField({ coordinate, requirement }: FieldRule, reached: ReadonlySet<ScopeLevel>): ManifestField {
  if (requirement === undefined) throw new TypeError(`${coordinate} has no requirement: the schema is not closed.`);
  if (requirement.access === 'PUBLIC') return { access: 'PUBLIC' };
  const { access = 'SCOPED', enters } = requirement;
  return {
    access,
    ...(enters && { enters }),
    ...(access === 'SCOPED' && { scopes: byLevel(requirement as ScopeLists, reached) }),
  };
}

function baseEntry({ name, base, baseProblem }: TypeRule, { schema }: SchemaRules): [string, ScopesByLevel][] {
  const type = schema.getType(name);
  if (type === undefined || base === undefined || baseProblem !== undefined) return [];
  return [[name, byLevel(declaredBase(type) as ScopeLists, new Set(LEVELS))]];
}

function byLevel(lists: ScopeLists, levels: ReadonlySet<ScopeLevel>): ScopesByLevel {
  const entries = LEVELS.filter((level) => levels.has(level)).map(
    (level) => [level, lists[LEVEL_KEYS[level]]] as const,
  );
  return Object.fromEntries(entries.filter(([, list]) => list !== undefined));
}

/** By code unit, which is the same on every machine. */
function sorted<Value>(entries: readonly (readonly [string, Value])[]): Record<string, Value> {
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
