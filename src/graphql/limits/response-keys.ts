import { type FragmentDefinitionNode, Kind, type SelectionSetNode } from 'graphql';

/** Counts how often one response key is selected in one place, as execution sees it: with all fragments flattened. */
export class ResponseKeys {
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** The most often that any key was selected in any place read so far */
  repetitions = 0;
  /** The length of the longest alias, which an answer repeats for each object of a list. */
  aliasLength = 0;

  constructor(fragments: ReadonlyMap<string, FragmentDefinitionNode>) {
    this.#fragments = fragments;
  }

  /** Reads a selection set, and those written inside it. @returns the names of the fields selected here */
  read(selectionSet: SelectionSetNode): string[] {
    const names: string[] = [];
    const counts = new Map<string, number>();
    const flattened = new Set<string>();
    const flatten = ({ selections }: SelectionSetNode, isWrittenHere: boolean): void => {
      for (const selection of selections) {
        if (selection.kind === Kind.FIELD) {
          names.push(selection.name.value);
          const key = (selection.alias ?? selection.name).value;
          this.aliasLength = Math.max(this.aliasLength, selection.alias?.value.length ?? 0);
          counts.set(key, (counts.get(key) ?? 0) + 1);
          // A selection inside a fragment is read where the fragment is defined.
          if (isWrittenHere && selection.selectionSet) this.read(selection.selectionSet);
        } else if (selection.kind === Kind.INLINE_FRAGMENT) {
          flatten(selection.selectionSet, isWrittenHere);
        } else if (!flattened.has(selection.name.value)) {
          flattened.add(selection.name.value);
          const fragment = this.#fragments.get(selection.name.value);
          if (fragment) flatten(fragment.selectionSet, false);
        }
      }
    };
    flatten(selectionSet, true);
    this.repetitions = Math.max(this.repetitions, ...counts.values());
    return names;
  }
}
