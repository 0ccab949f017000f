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
  /** The scopes of this step alone: the field's own, and base scopes if it owes them. */
  required: ScopeSet;
  /** Where it leads; nowhere, for a scalar or what is not understood. */
  readonly below: PlaceGroup | undefined;
}

/** One selection set, seen as one object type, at one level. */
export interface Place {
  readonly selectionSet: SelectionSetNode;
  readonly type: TypeRule;
  readonly standing: Standing;
  readonly steps: Step[];
  /** Whether anything below, through fields that cost nothing, is data that has a price of its own. */
  hasData: boolean;
  /** The groups that it is in. */
  readonly groups: PlaceGroup[];
}

/**
 * One selection set, seen as each object type that may stand there, at one level. Fields of a hundred types that lead to
 * the same interface lead to one group: it is linked once to each of them, and not each of them to each of its places.
 */
export interface PlaceGroup {
  readonly places: readonly Place[];
  /** The places that have data as soon as all of the group have: whichever object stands there shows some. */
  readonly sharesWith: Place[];
  /** How many of its places have no data, as far as is known. */
  bare: number;
}

/** Keeps each place once, and each group. */
export class Places {
  readonly all: Place[] = [];
  readonly #bySelectionSet = new Map<SelectionSetNode, AtStandings>();

  /** `types` is the same list each time for the same types: a field's `output`, or a type's `alone`. */
  of(selectionSet: SelectionSetNode, types: readonly TypeRule[], standing: Standing): PlaceGroup {
    const standings = this.#bySelectionSet.getOrInsertComputed(selectionSet, () => ({}));
    const known = (standings[standing] ??= { places: new Map(), groups: new Map() });
    return known.groups.getOrInsertComputed(types, () => {
      const places = types.map((type) =>
        known.places.getOrInsertComputed(type, () => this.#newPlace(selectionSet, type, standing)),
      );
      const group = { places, sharesWith: [], bare: places.length };
      for (const place of places) place.groups.push(group);
      return group;
    });
  }

  #newPlace(selectionSet: SelectionSetNode, type: TypeRule, standing: Standing): Place {
    const place: Place = { selectionSet, type, standing, steps: [], hasData: false, groups: [] };
    this.all.push(place);
    return place;
  }
}

type AtStandings = { [At in Standing]?: Known };

interface Known {
  readonly places: Map<TypeRule, Place>;
  readonly groups: Map<readonly TypeRule[], PlaceGroup>;
}
