/** Which fields of an operation a caller lacks scopes for: for the people who read a refusal or ask beforehand. */
import { type FieldNode, Kind, type SelectionNode, type SourceLocation } from 'graphql';
import { type Catalog, type ScopeLevel, scopeNamesIn } from './create-catalog.ts';
import type { Place, PlaceGroup, Step } from './places.ts';
import { covers, type ScopeSet, union } from './scope-set.ts';
import type { Walk } from './walk.ts';

/** A field and the scopes that it requires where it stands. */
export interface FieldNeed {
  /** `Type.field`, by the object type that requires it */
  readonly coordinate: string;
  readonly level: ScopeLevel;
  /** Response keys from the root, without list indexes */
  readonly path: readonly string[];
  readonly requires: readonly string[];
  /** Whether `@skip` or `@include` stands before it wherever the operation selects it; it is required all the same. */
  readonly conditional: boolean;
  /** Absent if the document was parsed without positions */
  readonly location?: SourceLocation;
}

/**
 * The outermost fields that require more than `held`, shallowest first: below a field that is listed, only what
 * requires more than it does. Every scope that is lacking shows in the list, unless the limit cuts it off.
 *
 * Each place of the document appears once, by the shortest path to it: the paths through fragments that fan out are
 * too many to list.
 */
export function fieldsLacking(walked: Walk, held: ScopeSet, catalog: Catalog, limit = Infinity): FieldNeed[] {
  const found: FieldNeed[] = [];
  const unconditional = unconditionalPlaces(walked);
  for (const field of fieldVisits(walked, held)) {
    if (covers(field.granted, field.step.required)) continue;
    const need = needOf(field, unconditional, catalog);
    if (need !== undefined && found.push(need) >= limit) break;
  }
  return found;
}

interface Path {
  readonly key: string;
  readonly above: Path | undefined;
}

interface Visit {
  readonly group: PlaceGroup;
  readonly path: Path | undefined;
  /** The scopes of the caller, and those that the fields on the way here were found to require. */
  readonly granted: ScopeSet;
}

interface FieldVisit extends Visit {
  readonly place: Place;
  readonly step: Step;
  readonly node: FieldNode;
  readonly path: Path;
}

/** Every field of the walk once, shallowest first. */
function* fieldVisits({ root }: Walk, held: ScopeSet): Generator<FieldVisit> {
  const seen: Seen = { groups: new Set(), places: new Set() };
  let visits: Visit[] = root ? [{ group: root, path: undefined, granted: held }] : [];
  while (visits.length > 0) {
    const fields = fieldsAtOneDepth(visits, seen);
    yield* fields;
    visits = fields.flatMap(({ step, path, granted }) =>
      step.below ? { group: step.below, path, granted: union(granted, step.required) } : [],
    );
  }
}

interface Seen {
  readonly groups: Set<PlaceGroup>;
  readonly places: Set<Place>;
}

function fieldsAtOneDepth(visits: Visit[], seen: Seen): FieldVisit[] {
  const fields: FieldVisit[] = [];
  // The list grows while it is walked: the fields of a fragment are added where the fragment is spread.
  for (const visit of visits) {
    if (seen.groups.has(visit.group)) continue;
    seen.groups.add(visit.group);
    for (const place of visit.group.places) {
      if (seen.places.has(place)) continue;
      seen.places.add(place);
      for (const step of place.steps) {
        const node = step.selection;
        if (node.kind === Kind.FIELD) fields.push(fieldVisit(visit, place, step, node));
        else if (step.below !== undefined) visits.push({ ...visit, group: step.below });
      }
    }
  }
  return fields;
}

function fieldVisit(visit: Visit, place: Place, step: Step, node: FieldNode): FieldVisit {
  return { ...visit, place, step, node, path: { key: (node.alias ?? node.name).value, above: visit.path } };
}

/** `undefined` for a field that no scope opens: there is nothing to name. */
function needOf(field: FieldVisit, unconditional: ReadonlySet<Place>, catalog: Catalog): FieldNeed | undefined {
  const { step, node, place, path } = field;
  const requires = scopeNamesIn(step.required, catalog);
  if (step.rule === undefined || step.standing === 'OUTSIDE' || requires.length === 0) return undefined;
  // The token has the position; `getLocation` would read the source from its beginning for every field.
  const start = node.loc?.startToken;
  return {
    coordinate: step.rule.coordinate,
    level: step.standing,
    path: keysOf(path),
    requires,
    conditional: isConditional(node) || !unconditional.has(place),
    ...(start && { location: { line: start.line, column: start.column } }),
  };
}

function unconditionalPlaces({ root }: Walk): Set<Place> {
  const groups = new Set(root && [root]);
  const found = new Set<Place>();
  // A set may grow while it is read, as a list may.
  for (const { places } of groups) {
    for (const place of places) {
      if (found.has(place)) continue;
      found.add(place);
      for (const { selection, below } of place.steps) {
        if (below !== undefined && !isConditional(selection)) groups.add(below);
      }
    }
  }
  return found;
}

function isConditional({ directives }: SelectionNode): boolean {
  return directives?.some(({ name }) => name.value === 'skip' || name.value === 'include') ?? false;
}

function keysOf(path: Path): string[] {
  const keys: string[] = [];
  for (let at: Path | undefined = path; at !== undefined; at = at.above) keys.push(at.key);
  return keys.toReversed();
}
