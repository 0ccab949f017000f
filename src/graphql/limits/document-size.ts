/**
 * How large a document is, before anybody validates it: counted on its syntax alone, each fragment once, so that what
 * fans out (2^400 selections in 40 kB) or runs in a circle takes no longer than its text is long.
 */
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql';
import { Expansion } from './expansion.ts';
import { ResponseKeys } from './response-keys.ts';

/** Sizes of an operation with its fragments expanded; of several operations in a document, the largest of each. */
export interface DocumentSize {
  /** Fields inside one another */
  readonly depth: number;
  /** Fields, each as often as fragments repeat it */
  readonly selections: number;
  readonly aliases: number;
  readonly directives: number;
  readonly rootFields: number;
  /** How often one response key is selected in one place: validation compares each pair of them */
  readonly repetitions: number;
  /** Characters of the longest alias */
  readonly aliasLength: number;
  /** Lists and objects inside one another, in arguments */
  readonly valueDepth: number;
  /** Lists inside one another below `__schema` or `__type` */
  readonly introspectionLists: number;
  readonly introspectionAliases: number;
  /** Selections of those mutations of which an operation may have one */
  readonly singleMutations: number;
}

/** Measures a document that was parsed within a token limit: the walk goes as deep as the parser did. */
export function sizeOf(document: DocumentNode, singleMutations: ReadonlySet<string>): DocumentSize {
  const fragments = new Map<string, FragmentDefinitionNode>();
  const operations: OperationDefinitionNode[] = [];
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
    if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(definition);
  }
  const expansion = new Expansion(fragments);
  const keys = new ResponseKeys(fragments);
  for (const fragment of fragments.values()) keys.read(fragment.selectionSet);
  const sizes = operations.map((operation) => {
    const root = keys.read(operation.selectionSet);
    const singles =
      operation.operation === OperationTypeNode.MUTATION ? root.filter((name) => singleMutations.has(name)).length : 0;
    return { operation, extent: expansion.of(operation.selectionSet), rootFields: root.length, singles };
  });
  return {
    depth: largest(sizes, ({ extent }) => extent.depth),
    selections: largest(sizes, ({ extent }) => extent.selections),
    aliases: largest(sizes, ({ extent }) => extent.aliases),
    directives: largest(sizes, ({ extent, operation }) => extent.directives + (operation.directives?.length ?? 0)),
    valueDepth: largest(sizes, ({ extent }) => extent.valueDepth),
    introspectionLists: largest(sizes, ({ extent }) => extent.introspectionLists),
    introspectionAliases: largest(sizes, ({ extent }) => extent.introspectionAliases),
    rootFields: largest(sizes, ({ rootFields }) => rootFields),
    singleMutations: largest(sizes, ({ singles }) => singles),
    repetitions: keys.repetitions,
    aliasLength: keys.aliasLength,
  };
}

function largest<Item>(items: readonly Item[], sizeOfItem: (item: Item) => number): number {
  return Math.max(0, ...items.map(sizeOfItem));
}
