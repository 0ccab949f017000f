/** Settles a walk once every place is known: where nothing but structure is selected, base scopes are owed. */
import type { Place, PlaceGroup } from './places.ts';
import type { FieldRule } from './schema-rules.ts';
import { NO_SCOPES, NOBODY_BIT, type ScopeSet, union } from './scope-set.ts';

/** Adds to each step the base scopes it owes, and sums up what all steps require. */
export function settle(places: readonly Place[]): ScopeSet {
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
