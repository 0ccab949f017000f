/** The requirement of an operation, compiled once from its document and kept as long as the document is. */
import { type DocumentNode, Kind, type OperationDefinitionNode } from 'graphql';
import type { SchemaRules } from './schema-rules.ts';
import type { ScopeSet } from './scope-set.ts';
import { walk } from './walk.ts';

/** An operation with what it requires. Compare `required` with what a caller holds; `authorize` does. */
export interface CompiledOperation {
  readonly rules: SchemaRules;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly required: ScopeSet;
}

type ByName = Map<string | undefined, CompiledOperation>;
/** Schema, then document, then name. The verdict on a caller is never kept: only what the document requires of any. */
const COMPILED = new WeakMap<SchemaRules, WeakMap<DocumentNode, ByName>>();

/**
 * The requirement of the operation that `operationName` chooses, from the cache if the document came before.
 * `undefined` if the document has no such operation: then graphql-js executes nothing and says why.
 */
export function compileOperation(
  rules: SchemaRules,
  document: DocumentNode,
  operationName?: string | null,
): CompiledOperation | undefined {
  const name = operationName ?? undefined;
  const known = COMPILED.getOrInsertComputed(rules, () => new WeakMap()).getOrInsertComputed(document, () => new Map());
  const compiled = known.get(name);
  if (compiled !== undefined) return compiled;

  const operation = chooseOperation(document, name);
  // Nothing is kept for a name that is not there, or every invented name would stay in memory.
  if (operation === undefined) return undefined;
  const fresh = { rules, document, operation, required: walk(rules, document, operation).required };
  known.set(name, fresh);
  return fresh;
}

/** The operation that graphql-js would execute. Its name means nothing else: no name is treated specially. */
export function chooseOperation(document: DocumentNode, operationName?: string): OperationDefinitionNode | undefined {
  const operations = operationsOf(document);
  if (operationName === undefined) return operations.length === 1 ? operations[0] : undefined;
  return operations.findLast(({ name }) => name?.value === operationName);
}

export function operationsOf(document: DocumentNode): OperationDefinitionNode[] {
  return document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
}
