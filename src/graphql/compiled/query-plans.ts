import {
  type DocumentNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
  OperationTypeNode,
  validate,
} from 'graphql';
import { type FilledBy, Hanging, isFull } from '../../core/caches.ts';
import { type CompiledOperation, chooseOperation, compileOperation } from '../../scopes/compile.ts';
import type { Announce, Announcements } from '../deprecation/announcements.ts';
import type { GuardedSchema } from '../guard/scope-guard.ts';
import type { Documents } from '../limits/documents.ts';
import { compileQuery, fragmentsOf, type QueryPlan } from './compile.ts';
import { isIntrospection } from './introspection.ts';
import { variablesOf } from './variables.ts';

/** An operation of a valid document, with what it requires of its caller. */
export interface KnownOperation {
  readonly required: CompiledOperation;
  readonly operationName: string | undefined;
  /** Adds to the answer what must be said about deprecated parts that it uses; undefined where it uses none. */
  readonly announce: Announce | undefined;
  /** Whether it asks for the schema alone (introspection.ts). */
  readonly isIntrospection: boolean;
  /** How it is answered without the executor, if it can be. */
  readonly query: PlannedQuery | undefined;
}

/** A query, or a mutation. */
export interface PlannedQuery {
  readonly isMutation: boolean;
  readonly breaker: CircuitBreaker;
  readonly run: QueryPlan;
  /** The operation's bytes on the heap. */
  readonly bytes: number;
  /** The variables as resolvers get them; undefined when the executor has to say what is wrong with them. */
  readonly variablesOf: (sent: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>> | undefined;
}

const FAILURES = 3;
const EVERY = 10;

/**
 * A circuit breaker for one plan. What it fails to answer the executor does once more, so one that has failed several times in a row
 * (a document that always leads to an error) is tried now and then only.
 */
export class CircuitBreaker {
  #failures = 0;
  #passed = 0;

  get letsThrough(): boolean {
    if (this.#failures < FAILURES) return true;
    this.#passed += 1;
    return this.#passed % EVERY === 0;
  }

  succeeded(): void {
    this.#failures = 0;
  }

  failed(): void {
    this.#failures += 1;
  }
}

const OPERATION_BYTES = 500;

/**
 * Plans, each made when its operation comes again (what comes once is not worth one) and kept as long as the document is, if
 * there is room for it: the executor answers what has none.
 */
export class QueryPlans {
  readonly #schema: GraphQLSchema;
  readonly #guarded: GuardedSchema;
  readonly #documents: Documents;
  readonly #announcements: Announcements | undefined;
  readonly #known = new Hanging<OperationDefinitionNode, KnownOperation>(
    ({ query }) => OPERATION_BYTES + (query?.bytes ?? 0),
  );

  constructor(guarded: GuardedSchema, documents: Documents, announcements?: Announcements) {
    this.#guarded = guarded;
    this.#documents = documents;
    this.#announcements = announcements;
    this.#schema = guarded.schema;
  }

  /** The operation of this name, if the document has it and is valid, and both have come before. */
  find(document: DocumentNode, operationName: string | undefined, by?: FilledBy): KnownOperation | undefined {
    const operation = chooseOperation(document, operationName);
    // Nothing is kept for names that are not there.
    if (!operation) return undefined;
    const known = this.#known.get(operation);
    if (known) return known;
    if (!this.#schema.getRootType(operation.operation) || !this.#isValid(document, by)) return undefined;
    if (!this.#documents.hasComeAgain(document, operationName, by)) return undefined;
    const required = compileOperation(this.#guarded.rules, document, operationName);
    if (!required) return undefined;
    const announce = this.#announcements?.of(this.#schema, document, operation);
    return this.#known.of(operation, document, () => {
      const query = isFull(document) ? undefined : this.#query(document, operation);
      return { required, operationName, announce, isIntrospection: isIntrospection(operation), query };
    });
  }

  #isValid(document: DocumentNode, by: FilledBy | undefined): boolean {
    const known = this.#documents.isValid(this.#schema, document);
    if (known !== undefined) return known;
    const isValid = validate(this.#schema, document, undefined, { maxErrors: 1 }).length === 0;
    this.#documents.judged(this.#schema, document, isValid, by);
    return isValid;
  }

  #query(document: DocumentNode, operation: OperationDefinitionNode): PlannedQuery | undefined {
    // With its fragments written out, no plan is much larger than its document.
    const { tokenCount } = document as DocumentNode & { readonly tokenCount?: number };
    const plan = compileQuery(this.#schema, fragmentsOf(document), operation, tokenCount);
    if (!plan) return undefined;
    return {
      isMutation: operation.operation === OperationTypeNode.MUTATION,
      breaker: new CircuitBreaker(),
      ...plan,
      variablesOf: variablesOf(this.#schema, operation),
    };
  }
}
