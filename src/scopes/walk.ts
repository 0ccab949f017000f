/**
 * Walks what an operation selects, as far as requirements go: a graph of places and the steps between them.
 *
 * A place is a selection set, seen as one object type, at one level. An operation reaches each place at most once
 * however many paths lead there, so that fragments which fan out (2^400 paths in 40 kB) cost what they are long.
 * All three parts are needed: without the type, an interface would be judged for one of its objects; without the
 * level, a fragment used below two doors would be judged once (GHSA-224p-v68g-5g8f).
 *
 * It reads documents that nobody validated. A part that it does not understand requires nobody's bit, so it is refused;
 * fragments in a circle end, because a place is visited once.
 */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
} from 'graphql';
import { type Place, type PlaceGroup, Places, type Step } from './places.ts';
import type { FieldRule, SchemaRules, TypeRule } from './schema-rules.ts';
import { NO_SCOPES, NOBODY_BIT, type ScopeSet, union } from './scope-set.ts';

export interface Walk {
  readonly root: PlaceGroup | undefined;
  /** Everything the operation requires. All of it must be held: there is no "or". */
  readonly required: ScopeSet;
  /** How many places were visited: the cost of the walk. */
  readonly visited: number;
}

/** Walks one operation of a document. The document's other operations do not matter. */
export function walk(rules: SchemaRules, document: DocumentNode, operation: OperationDefinitionNode): Walk {
  const type = rules.roots[operation.operation];
  if (type === undefined) return { root: undefined, required: NOBODY_BIT, visited: 0 };

  const places = new Places();
  const root = places.of(operation.selectionSet, type.alone, 'OUTSIDE');
  const reader = { rules, fragments: fragmentsOf(document), places };
  // The list grows while it is read. No recursion: a chain of 100,000 fragments must not exhaust the stack.
  for (const place of places.all) readPlace(place, reader);

  return { root, required: settle(places.all), visited: places.all.length };
}

interface Reader {
  readonly rules: SchemaRules;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly places: Places;
}

/** Finds the fragments by name. The later of two with one name counts, as it does when graphql-js executes. */
function fragmentsOf(document: DocumentNode): Map<string, FragmentDefinitionNode> {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  return fragments;
}

function readPlace(place: Place, reader: Reader): void {
  // `@skip` and `@include` are not looked at: a document is judged as it is written.
  for (const selection of place.selectionSet.selections) {
    const step =
      selection.kind === Kind.FIELD ? fieldStep(selection, place, reader) : fragmentStep(selection, place, reader);
    if (step !== undefined) place.steps.push(step);
  }
}

function fieldStep(selection: FieldNode, place: Place, { rules, places }: Reader): Step | undefined {
  const name = selection.name.value;
  if (isFree(name, place.type, rules)) return undefined;

  const rule = place.type.fields.get(name);
  if (rule === undefined) return nobodyStep(selection, place);

  const { standing, required } = rule.judgements[place.standing];
  const { selectionSet } = selection;
  // An object without a selection is not GraphQL, but graphql-js would still run its resolver.
  if (selectionSet === undefined && rule.output.length > 0) return nobodyStep(selection, place, rule);

  const below = selectionSet && rule.output.length > 0 ? places.of(selectionSet, rule.output, standing) : undefined;
  if (rule.access === 'INHERIT') below?.sharesWith.push(place);
  else if (rule.access !== 'PUBLIC') place.hasData = true;
  return { selection, rule, standing, required, below };
}

/** Introspection is public, and `__typename` is free; a selection of nothing else owes base scopes. */
function isFree(name: string, type: TypeRule, rules: SchemaRules): boolean {
  return name === '__typename' || (type === rules.roots.query && (name === '__schema' || name === '__type'));
}

function fragmentStep(
  selection: Exclude<SelectionNode, FieldNode>,
  place: Place,
  { rules, fragments, places }: Reader,
): Step | undefined {
  const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection;
  if (fragment === undefined) return nobodyStep(selection, place);

  const condition = fragment.typeCondition?.name.value ?? place.type.name;
  if (!place.type.conditions.has(condition)) {
    return rules.schema.getType(condition) === undefined ? nobodyStep(selection, place) : undefined;
  }
  const below = places.of(fragment.selectionSet, place.type.alone, place.standing);
  below.sharesWith.push(place);
  return { selection, rule: undefined, standing: place.standing, required: NO_SCOPES, below };
}

function nobodyStep(selection: SelectionNode, { standing }: Place, rule?: FieldRule): Step {
  return { selection, rule, standing, required: NOBODY_BIT, below: undefined };
}

/** Adds to each step the base scopes it owes, and sums up what all steps require. */
function settle(places: readonly Place[]): ScopeSet {
  spreadData(places);
  const owed = new Map<PlaceGroup, BaseOwed>();
  let total = NO_SCOPES;
  for (const { steps } of places) {
    for (const step of steps) {
      const { rule, below } = step;
      if (rule?.access === 'INHERIT' && below !== undefined) {
        const { base, isUnnamed } = owed.getOrInsertComputed(below, baseOwed);
        step.required = union(step.required, base);
        // A wrapper has none and costs what led to it. A door has not cost anything yet.
        if (isUnnamed && isDoor(rule)) step.required = union(step.required, NOBODY_BIT);
      }
      total = union(total, step.required);
    }
  }
  return total;
}

function spreadData(places: readonly Place[]): void {
  const pending = places.filter(({ hasData }) => hasData);
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    for (const group of place.groups) {
      group.bare -= 1;
      // An object with nothing selected would be `{}`, and show that what is above it is there.
      if (group.bare > 0) continue;
      for (const above of group.sharesWith) {
        if (above.hasData) continue;
        above.hasData = true;
        pending.push(above);
      }
    }
  }
}

function isDoor({ requirement }: FieldRule): boolean {
  return requirement?.access === 'INHERIT' && requirement.enters !== undefined;
}

interface BaseOwed {
  readonly base: ScopeSet;
  /** Whether one of the types has no base scopes. */
  readonly isUnnamed: boolean;
}

/**
 * Finds the scopes that a selection of nothing but structure owes below a field that costs nothing itself. Otherwise
 * `team(id: …) { __typename }` would tell anybody which teams exist, and `totalCount` how many. It is required for
 * every type that may stand there, also where the fragments select nothing on it: `{}` instead of `null` tells as much.
 */
function baseOwed({ places }: PlaceGroup): BaseOwed {
  const bare = places.filter(({ hasData }) => !hasData);
  return {
    base: bare.map(({ type, standing }) => type.base?.[standing] ?? NO_SCOPES).reduce(union, NO_SCOPES),
    isUnnamed: bare.some(({ type }) => type.base === undefined),
  };
}
