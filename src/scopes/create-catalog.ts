import { covers, MAX_SCOPES, NO_SCOPES, type ScopeSet, scopeAt, union } from './scope-set.ts';

/** The owner of the resources that a scope opens, and the door by which a path of an operation came in. */
export type ScopeLevel = (typeof LEVELS)[number];
export const LEVELS = ['USER', 'TEAM', 'ORGANIZATION'] as const;

export type ScopeAction = 'READ' | 'WRITE';

/** One scope of a catalogue: what {@link createCatalog} reads, one line each. `words` are shown to the user who consents. */
export type ScopeRow = readonly [name: string, level: ScopeLevel, resource: string, action: ScopeAction, words: string];

export interface ScopeDefinition {
  readonly name: string;
  readonly level: ScopeLevel;
  readonly resource: string;
  readonly action: ScopeAction;
  readonly words: string;
}

/** An organization's scope and the team's scope that it grants besides itself. */
export interface Implication<Name extends string = string> {
  readonly scope: Name;
  readonly implies: Name;
}

/** Every scope there is. The engine works with any catalogue; the product's own is `CATALOG`. */
export interface Catalog<Definition extends ScopeDefinition = ScopeDefinition> {
  /** In catalogue order, which is the order of every list of scopes in an answer. The index is the scope's bit. */
  readonly definitions: readonly Definition[];
  readonly names: readonly Definition['name'][];
  readonly positions: ReadonlyMap<string, number>;
  readonly implications: readonly Implication<Definition['name']>[];
  /** By position: what holding that one scope opens, implication included. */
  readonly opens: readonly ScopeSet[];
  /** All scopes at once: what an unrestricted grant holds. */
  readonly all: ScopeSet;
}

type DefinitionOf<Row extends ScopeRow> = Row extends readonly [
  infer Name extends string,
  infer Level extends ScopeLevel,
  infer Resource extends string,
  infer Action extends ScopeAction,
  string,
]
  ? {
      readonly name: Name;
      readonly level: Level;
      readonly resource: Resource;
      readonly action: Action;
      readonly words: string;
    }
  : never;

/**
 * Builds a catalogue. Implications are derived, never listed: a scope of an organization implies its team's twin
 * (same resource, same action) where there is one. Throws `RangeError` for a table that cannot be a catalogue.
 */
export function createCatalog<const Rows extends readonly ScopeRow[]>(rows: Rows): Catalog<DefinitionOf<Rows[number]>> {
  type Definition = DefinitionOf<Rows[number]>;
  const definitions = rows.map(
    ([name, level, resource, action, words]) => ({ name, level, resource, action, words }) as Definition,
  );
  assertIsCatalog(definitions);

  const positions = new Map<string, number>(definitions.map(({ name }, position) => [name, position]));
  const twins = definitions.map((definition) => teamTwin(definition, definitions));
  return {
    definitions,
    names: definitions.map(({ name }) => name),
    positions,
    implications: definitions.flatMap(({ name }, position) => {
      const twin = twins[position];
      return twin ? [{ scope: name, implies: twin.name }] : [];
    }),
    opens: twins.map((twin, position) =>
      union(scopeAt(position), twin ? scopeAt(definitions.indexOf(twin)) : NO_SCOPES),
    ),
    all: definitions.map((_, position) => scopeAt(position)).reduce(union, NO_SCOPES),
  };
}

/** The bits of these scopes by name, without implication. Throws `RangeError` for a name the catalogue lacks. */
export function scopeSetOf(names: Iterable<string>, catalog: Catalog): ScopeSet {
  let set = NO_SCOPES;
  for (const name of names) {
    const position = catalog.positions.get(name);
    if (position === undefined) throw new RangeError(`"${name}" is not a scope of this catalogue: check its spelling.`);
    set = union(set, scopeAt(position));
  }
  return set;
}

/** The scopes in a set, in catalogue order. The engine's own bits have no name and never appear. */
export function scopeNamesIn<Definition extends ScopeDefinition>(
  set: ScopeSet,
  catalog: Catalog<Definition>,
): Definition['name'][] {
  return catalog.names.filter((_, position) => covers(set, scopeAt(position)));
}

function teamTwin<Definition extends ScopeDefinition>(
  scope: Definition,
  definitions: readonly Definition[],
): Definition | undefined {
  if (scope.level !== 'ORGANIZATION') return undefined;
  return definitions.find(
    ({ level, resource, action }) => level === 'TEAM' && resource === scope.resource && action === scope.action,
  );
}

function assertIsCatalog(definitions: readonly ScopeDefinition[]): void {
  if (definitions.length > MAX_SCOPES) {
    throw new RangeError(`A catalogue holds at most ${MAX_SCOPES} scopes, this one has ${definitions.length}.`);
  }
  const seen = new Set<string>();
  for (const { name, level, resource, action } of definitions) {
    // Every name is at once a GraphQL enum value, a scope-token (RFC 6749 §3.3) and part of a header.
    if (!/^[A-Z][A-Z0-9_]*$/.test(name))
      throw new RangeError(`"${name}" cannot name a scope: use A to Z, 0 to 9 and _.`);
    for (const key of [name, `${level} ${resource} ${action}`]) {
      if (seen.has(key))
        throw new RangeError(`"${key}" appears twice in the catalogue: each scope needs a line of its own.`);
      seen.add(key);
    }
  }
}
