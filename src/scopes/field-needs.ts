/** Which fields of an operation a caller lacks scopes for: for the people who read a refusal or ask beforehand. */
import { type FieldNode, Kind, type SelectionNode, type SourceLocation } from 'graphql';
import { type Catalog, type ScopeLevel, scopeNamesIn } from './create-catalog.ts';
import type { Place, Step } from './places.ts';
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
  readonly place: Place;
  readonly path: Path | undefined;
  /** What the caller holds, and what the fields on the way here were found to require. */
  readonly granted: ScopeSet;
}

interface FieldVisit extends Visit {
  readonly step: Step;
  readonly node: FieldNode;
  readonly path: Path;
}

/** Every field of the walk once, shallowest first. */
function* fieldVisits({ root }: Walk, held: ScopeSet): Generator<FieldVisit> {
  const seen = new Set<Place>();
  let visits: Visit[] = root ? [{ place: root, path: undefined, granted: held }] : [];
  while (visits.length > 0) {
    const fields = fieldsAtOneDepth(visits, seen);
    yield* fields;
    visits = fields.flatMap(({ step, path, granted }) =>
      step.places.map((place) => ({ place, path, granted: union(granted, step.required) })),
    );
  }
}

function fieldsAtOneDepth(visits: Visit[], seen: Set<Place>): FieldVisit[] {
  const fields: FieldVisit[] = [];
  // The list grows while it is read: what a fragment selects is as deep as the fragment stands.
  for (const visit of visits) {
    if (seen.has(visit.place)) continue;
    seen.add(visit.place);
    for (const step of visit.place.steps) {
      const node = step.selection;
      if (node.kind !== Kind.FIELD) for (const place of step.places) visits.push({ ...visit, place });
      else fields.push({ ...visit, step, node, path: { key: (node.alias ?? node.name).value, above: visit.path } });
    }
  }
  return fields;
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
  const places = new Set<Place>(root && [root]);
  // A set may grow while it is read, as a list may.
  for (const { steps } of places) {
    for (const { selection, places: below } of steps) {
      if (!isConditional(selection)) for (const place of below) places.add(place);
    }
  }
  return places;
}

function isConditional({ directives }: SelectionNode): boolean {
  return directives?.some(({ name }) => name.value === 'skip' || name.value === 'include') ?? false;
}

function keysOf(path: Path): string[] {
  const keys: string[] = [];
  for (let at: Path | undefined = path; at !== undefined; at = at.above) keys.push(at.key);
  return keys.toReversed();
}
