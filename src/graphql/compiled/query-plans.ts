import {
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
  OperationTypeNode,
  validate,
} from 'graphql';
import { type CompiledOperation, chooseOperation, compileOperation } from '../../scopes/compile.ts';
import type { Announce, Announcements } from '../deprecation/announcements.ts';
import type { GuardedSchema } from '../guard/scope-guard.ts';
import { compileQuery, fragmentsOf, type QueryPlan } from './compile.ts';
import { isIntrospection } from './introspection.ts';
import { variablesOf } from './variables.ts';

/** An operation of a valid document, with what it requires of its caller. */
export interface KnownOperation {
  readonly required: CompiledOperation;
  readonly operationName: string | undefined;
  /** What its answers say of deprecated parts that it uses; undefined where it uses none. */
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

type ByName = Map<string | undefined, KnownOperation | undefined>;

/** Plans, each made when its document comes again (what comes once is not worth one) and kept as long as the document is. */
export class QueryPlans {
  readonly #schema: GraphQLSchema;
  readonly #guarded: GuardedSchema;
  readonly #announcements: Announcements | undefined;
  readonly #plans = new WeakMap<DocumentNode, ByName>();

  constructor(guarded: GuardedSchema, announcements?: Announcements) {
    this.#guarded = guarded;
    this.#announcements = announcements;
    this.#schema = guarded.schema;
  }

  /** The operation of this name, if the document has it and is valid. The document has come before. */
  find(document: DocumentNode, operationName: string | undefined): KnownOperation | undefined {
    const known = this.#plans.get(document);
    if (known?.has(operationName)) return known.get(operationName);
    const operation = chooseOperation(document, operationName);
    // Nothing is kept for names that are not there.
    if (!operation) return undefined;
    const found = this.#known(document, operation, operationName);
    this.#plans.set(document, (known ?? new Map()).set(operationName, found));
    return found;
  }

  #known(
    document: DocumentNode,
    operation: OperationDefinitionNode,
    operationName: string | undefined,
  ): KnownOperation | undefined {
    if (!this.#schema.getRootType(operation.operation)) return undefined;
    if (validationErrors(this.#schema, document).length > 0) return undefined;
    const required = compileOperation(this.#guarded.rules, document, operationName);
    const announce = this.#announcements?.of(this.#schema, document, operation);
    if (!required) return undefined;
    const [asksForSchema, query] = [isIntrospection(operation), this.#query(document, operation)];
    return { required, operationName, announce, isIntrospection: asksForSchema, query };
  }

  #query(document: DocumentNode, operation: OperationDefinitionNode): PlannedQuery | undefined {
    // A plan is about as large as its document, by whose tokens `Documents` bounds what is kept.
    const { tokenCount } = document as DocumentNode & { readonly tokenCount?: number };
    const run = compileQuery(this.#schema, fragmentsOf(document), operation, tokenCount);
    if (!run) return undefined;
    return {
      isMutation: operation.operation === OperationTypeNode.MUTATION,
      breaker: new CircuitBreaker(),
      run,
      variablesOf: variablesOf(this.#schema, operation),
    };
  }
}

function validationErrors(schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] {
  return validate(schema, document, undefined, { maxErrors: 1 });
}
