/**
 * The proof, made at boot, that nothing is left open: every field that an operation can reach has a requirement at
 * every level at which it can be reached. Tests cover the documents somebody thought of; this covers the schema.
 */
import { type Catalog, scopeNamesIn } from './create-catalog.ts';
import { heldScopes, sessionScopes } from './held-scopes.ts';
import { mayEnter, type Standing } from './judgement.ts';
import { dataBelow, type Position, type Reached, reachableFields, type Standpoint } from './reach.ts';
import type { FieldRule, SchemaRules, TypeRule } from './schema-rules.ts';
import { covers, FIRST_PARTY_BIT, NOBODY_BIT, type ScopeSet, scopeAt } from './scope-set.ts';

/** A field that is not guarded where it can be reached. */
interface Hole {
  readonly coordinate: string;
  readonly standing: Standing;
  /** One way to it: `query.me.teams.nodes.workflows` */
  readonly path: string;
  /** Says what is wrong, as the end of a sentence that begins with the field. */
  readonly problem: string;
}

/** All holes of a schema, each with the shortest path to it. None, for a schema that may be served. */
export function findHoles(rules: SchemaRules): Hole[] {
  const holes = new Map<string, Hole>();
  for (const reached of reachableFields(rules)) {
    const { field, from, standing } = reached;
    for (const problem of problemsOf(reached, rules)) {
      const hole = { coordinate: field.coordinate, standing, path: [...from.path, field.name].join('.'), problem };
      const key = `${hole.coordinate} ${standing} ${problem}`;
      if (!holes.has(key)) holes.set(key, hole);
    }
  }
  return [...holes.values()];
}

/** Throws an error that names every hole. Call it before anything listens. */
export function assertClosed(rules: SchemaRules): void {
  const holes = findHoles(rules);
  if (holes.length === 0) return;
  const list = holes.map(
    ({ coordinate, standing, path, problem }) =>
      `- ${coordinate}, reached ${standing === 'OUTSIDE' ? 'outside of any level' : `at ${standing} level`} by ${path}: ${problem}.`,
  );
  throw new Error(`The schema leaves ${holes.length} of its fields open or unreachable:\n${list.join('\n')}`);
}

function problemsOf(reached: Reached, rules: SchemaRules): string[] {
  const { field, from } = reached;
  const problem =
    field.problem ??
    problemOfStanding(reached) ??
    problemBelowPublic(field, from) ??
    (from.type === rules.roots.mutation ? problemOfMutation(field, rules) : undefined);
  if (problem !== undefined) return [problem];

  const misdeclared = field.output.filter(({ baseProblem }) => baseProblem !== undefined);
  const problems = misdeclared.map(({ name, baseProblem }) => `it leads to ${name}, but ${baseProblem}`);
  return problems.length === 0 && field.access === 'INHERIT' ? problemsOfInheritance(reached, rules.catalog) : problems;
}

function problemOfStanding({ field, from, standing }: Reached): string | undefined {
  const { required } = field.judgements[from.standing];
  if (!covers(required, NOBODY_BIT)) return undefined;
  if (standing === 'OUTSIDE') return 'it needs scopes, and no field on the way says at which level';
  if (!mayEnter(from.standing, standing)) return `it leads from ${from.standing} level back to ${standing} level`;
  return `it names no scopes for ${standing} level`;
}

/** Inheriting is not enough: a type that inherits would become public by one field somewhere that leads to it. */
function problemBelowPublic(field: FieldRule, from: Position): string | undefined {
  return from.fare.kind === 'PUBLIC' && field.access !== 'PUBLIC'
    ? 'it is below a public field and not PUBLIC itself'
    : undefined;
}

/** A mutation that only inherits, or asks for READ alone, would let a token that may read write. */
function problemOfMutation(field: FieldRule, { catalog }: SchemaRules): string | undefined {
  if (field.access === 'PUBLIC' || field.access === 'FIRST_PARTY') return undefined;
  const { required } = field.judgements.OUTSIDE;
  const writes = catalog.definitions.some(
    ({ action }, position) => action === 'WRITE' && covers(required, scopeAt(position)),
  );
  return writes ? undefined : 'it is a mutation that requires no WRITE scope';
}

function problemsOfInheritance(reached: Reached, catalog: Catalog): string[] {
  const { field, from, standing } = reached;
  if (field.output.length > 0)
    return field.output.flatMap((type) => problemOfInherited(field, from, standing, type) ?? []);
  switch (from.fare.kind) {
    case 'FREE':
      return [NOTHING_TO_INHERIT];
    case 'BASE':
      return problemsOfBase(from.fare.wrapper, catalog);
    default:
      return [];
  }
}

/** The base scopes of a wrapper are owed where no data is selected: so where some is, it must cost as much. */
function problemsOfBase(wrapper: Standpoint, catalog: Catalog): string[] {
  const base = wrapper.type.base?.[wrapper.standing] ?? NOBODY_BIT;
  const cheaper = dataBelow(wrapper).find(({ required }) => !covers(heldWith(required, catalog), base));
  if (cheaper === undefined) return [];
  return [
    `it inherits the base scopes of ${wrapper.type.name}, which are not owed when ${cheaper.field.coordinate} is selected beside it, for less`,
  ];
}

/** Everybody who passes a field with this requirement holds these: what the scopes imply; a session, everything. */
function heldWith(required: ScopeSet, catalog: Catalog): ScopeSet {
  if (covers(required, FIRST_PARTY_BIT) || covers(required, NOBODY_BIT)) return sessionScopes(catalog);
  return heldScopes(scopeNamesIn(required, catalog), catalog);
}

function problemOfInherited(
  field: FieldRule,
  from: Position,
  standing: Standing,
  { name, base }: TypeRule,
): string | undefined {
  if (base !== undefined) {
    return covers(base[standing], NOBODY_BIT)
      ? `it leads to ${name}, whose base scopes name none for this level`
      : undefined;
  }
  const isDoor = field.requirement?.access === 'INHERIT' && field.requirement.enters !== undefined;
  if (isDoor) return `it is a door to ${name}, which has no base scopes`;
  return from.fare.kind === 'FREE' ? `${NOTHING_TO_INHERIT}, and ${name} has no base scopes` : undefined;
}

const NOTHING_TO_INHERIT = 'it inherits, but nothing on the way to it requires anything of its own';
