import { type DocumentNode, type GraphQLSchema, type OperationDefinitionNode, OperationTypeNode } from 'graphql';
import { type FilledBy, Hanging, hasRoomFor, isFull } from '../../core/caches.ts';
import { type CompiledOperation, compileChosen } from '../../scopes/compile.ts';
import type { SchemaRules } from '../../scopes/schema-rules.ts';
import type { Announce, Announcements } from '../deprecation/announcements.ts';
import type { Documents } from '../limits/documents.ts';
import { type CompiledQuery, compileQuery, conditionsOf, fragmentsOf, type QueryPlan } from './compile.ts';
import { isIntrospection } from './introspection.ts';
import { variablesOf } from './variables.ts';

/** A schema with what its fields require. */
export interface GuardedSchema {
  readonly schema: GraphQLSchema;
  readonly rules: SchemaRules;
}

/** An operation of a valid document, with what it requires of its caller. */
export interface KnownOperation {
  readonly operationName: string | undefined;
  readonly required: CompiledOperation;
  /** Its answers say this about deprecated parts that it uses; undefined where it uses none. */
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

type Variables = Readonly<Record<string, unknown>>;

/**
 * Operations of valid documents. Each has a plan from its second time on (what comes once is not worth one), which is kept as
 * long as the document is, if there is room for it: the executor answers what has none.
 */
export class QueryPlans {
  readonly schema: GraphQLSchema;
  readonly #guarded: GuardedSchema;
  readonly #documents: Documents;
  readonly #announcements: Pick<Announcements, 'of'> | undefined;
  readonly #arePlansMade: boolean;
  readonly #known = new Hanging<OperationDefinitionNode, KnownOperation>(
    ({ query }) => OPERATION_BYTES + (query?.bytes ?? 0),
  );

  /** `arePlansMade`: otherwise, the executor answers all. */
  constructor(
    guarded: GuardedSchema,
    documents: Documents,
    announcements?: Pick<Announcements, 'of'>,
    arePlansMade = true,
  ) {
    this.#guarded = guarded;
    this.#documents = documents;
    this.#announcements = announcements;
    this.#arePlansMade = arePlansMade;
    this.schema = guarded.schema;
  }

  /** An operation that has come before in this document, which then is valid. */
  known(operation: OperationDefinitionNode): KnownOperation | undefined {
    return this.#known.get(operation);
  }

  /** An operation of a document that is valid. */
  find(
    document: DocumentNode,
    operation: OperationDefinitionNode,
    operationName: string | undefined,
    by?: FilledBy,
  ): KnownOperation {
    const once = {
      operationName,
      required: compileChosen(this.#guarded.rules, document, operation),
      announce: this.#announcements?.of(this.schema, document, operation),
      isIntrospection: isIntrospection(operation),
      query: undefined,
    };
    if (!this.#arePlansMade || !this.#documents.hasComeAgain(document, operationName, by)) return once;
    return this.#known.of(operation, document, () => ({
      ...once,
      query: isFull(document) ? undefined : this.#query(document, operation),
    }));
  }

  #query(document: DocumentNode, operation: OperationDefinitionNode): PlannedQuery | undefined {
    // Bounds the size of a plan: even with its fragments written out it is not much larger than its document.
    const { tokenCount: mostFields } = document as DocumentNode & { readonly tokenCount?: number };
    const fragments = fragmentsOf(document);
    const names = conditionsOf(document);
    if (names.length > MOST_CONDITIONS) return undefined;
    const compile = (conditions: Variables) =>
      compileQuery(this.schema, fragments, operation, { mostFields, conditions });
    const plan = names.length === 0 ? compile({}) : planOfEach(names, document, compile);
    if (!plan) return undefined;
    return {
      isMutation: operation.operation === OperationTypeNode.MUTATION,
      breaker: new CircuitBreaker(),
      ...plan,
      variablesOf: variablesOf(this.schema, operation),
    };
  }
}

/** A document that depends on more of them has no plan: each has two values, and each choice of values a plan of its own. */
const MOST_CONDITIONS = 3;

/** A choice of values that no plan covers, which says nothing about the plans of others. */
export class NoPlan extends Error {}

/** Runs the plan of those values that `@skip` and `@include` have, which is made when they come for the first time. */
function planOfEach(
  names: readonly string[],
  document: DocumentNode,
  compile: (conditions: Variables) => CompiledQuery | undefined,
): CompiledQuery {
  const plans = new Map<string, CompiledQuery | undefined>();
  const planOf = (variables: Variables): CompiledQuery | undefined => {
    // In an operation that does not use it for a condition, a variable of this name may have any value.
    const key = names.map((name) => (typeof variables[name] === 'boolean' ? Number(variables[name]) : '-')).join('');
    if (plans.has(key) || isFull(document)) return plans.get(key);
    const plan = compile(variables);
    if (hasRoomFor(document, OPERATION_BYTES + (plan?.bytes ?? 0))) plans.set(key, plan);
    return plan;
  };
  const run: QueryPlan = (given) => {
    const plan = planOf(given.variables);
    if (!plan) throw new NoPlan('This is for the executor.');
    return plan.run(given);
  };
  return { run, bytes: 0 };
}
