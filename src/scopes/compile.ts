/** The requirement of an operation, compiled once from its document and kept as long as the document is. */
import { type DocumentNode, Kind, type OperationDefinitionNode } from 'graphql';
import { Hanging } from '../core/caches.ts';
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

const BYTES = 250;
/** By schema. The verdict on a caller is never kept: only what the document requires of any. */
const COMPILED = new WeakMap<SchemaRules, Hanging<OperationDefinitionNode, CompiledOperation>>();

/**
 * The requirement of the operation that `operationName` chooses, from the cache if the document came before.
 * `undefined` if the document has no such operation: then graphql-js executes nothing and says why.
 */
export function compileOperation(
  rules: SchemaRules,
  document: DocumentNode,
  operationName?: string | null,
): CompiledOperation | undefined {
  const operation = chooseOperation(document, operationName ?? undefined);
  // Nothing is kept for a name that is not there, or every invented name would stay in memory.
  if (operation === undefined) return undefined;
  return compileChosen(rules, document, operation);
}

/** Compiles an operation that was already chosen. */
export function compileChosen(
  rules: SchemaRules,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): CompiledOperation {
  const known = COMPILED.getOrInsertComputed(rules, () => new Hanging(() => BYTES));
  const compile = () => ({ rules, document, operation, required: walk(rules, document, operation).required });
  return known.of(operation, document, compile);
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
