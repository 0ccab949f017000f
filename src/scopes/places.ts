/** The places of an operation and the steps between them: what `walk` builds and the listing of fields reads. */
import type { SelectionNode, SelectionSetNode } from 'graphql';
import type { Standing } from './judgement.ts';
import type { FieldRule, TypeRule } from './schema-rules.ts';
import type { ScopeSet } from './scope-set.ts';

/** One selection in a place: a field, or a fragment (which leads to a place of the same type and level). */
export interface Step {
  readonly selection: SelectionNode;
  /** `undefined` for fragments, and for fields that the schema does not have. */
  readonly rule: FieldRule | undefined;
  /** Where the field itself is judged, and where its selections stand. */
  readonly standing: Standing;
  /** What this step alone requires: the field's own scopes, and base scopes if it owes them. */
  required: ScopeSet;
  readonly places: readonly Place[];
}

/** One selection set, seen as one object type, at one level. */
export interface Place {
  readonly selectionSet: SelectionSetNode;
  readonly type: TypeRule;
  readonly standing: Standing;
  readonly steps: Step[];
  /** Whether anything below, through fields that cost nothing, is data that has a price of its own. */
  hasData: boolean;
  /** The places that have data as soon as this one has. */
  readonly sharesWith: Place[];
}

/** Keeps each place once. */
export class Places {
  readonly all: Place[] = [];
  readonly #bySelectionSet = new Map<SelectionSetNode, Place[]>();

  at(selectionSet: SelectionSetNode, type: TypeRule, standing: Standing): Place {
    const siblings = this.#bySelectionSet.getOrInsertComputed(selectionSet, () => []);
    const known = siblings.find((place) => place.type === type && place.standing === standing);
    if (known !== undefined) return known;

    const place: Place = { selectionSet, type, standing, steps: [], hasData: false, sharesWith: [] };
    siblings.push(place);
    this.all.push(place);
    return place;
  }
}
