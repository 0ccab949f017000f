import { type DocumentNode, type GraphQLSchema, Kind, type OperationDefinitionNode, OperationTypeNode } from 'graphql';
import { Hanging, hasRoomFor } from '../../core/caches.ts';
import { apartFromCaller } from '../../database/deadline.ts';
import { Place } from '../../limits/large-work.ts';
import type { CompiledOperation } from '../../scopes/compile.ts';
import { askingOf, type GraphQLContext } from '../context.ts';
import { BYTES_OF_ONE } from '../limits/cost-budget.ts';
import { compileQuery, fragmentsOf, type QueryPlan } from './compile.ts';

const BUFFER_BYTES = 200;

/**
 * Operations that ask for the schema alone. All its callers get the same answer, so it is made once for all who ask at the same
 * moment, kept with its document if it is asked for again, and sent to all from the same bytes.
 */
export class Introspection {
  readonly #schema: GraphQLSchema;
  readonly #answers = new WeakMap<OperationDefinitionNode, Buffer<ArrayBuffer>>();
  readonly #underWay = new WeakMap<OperationDefinitionNode, Promise<Buffer<ArrayBuffer>>>();
  readonly #askedBefore = new WeakSet<OperationDefinitionNode>();
  readonly #plans = new Hanging<OperationDefinitionNode, { readonly run?: QueryPlan; readonly bytes: number }>(
    ({ bytes }) => bytes,
  );

  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
  }

  /**
   * The answer; undefined for an operation that asks for anything else, or has to be left to the executor.
   * @throws TooMuchAtOnce where too many others are made
   */
  answer(
    { document, operation }: Pick<CompiledOperation, 'document' | 'operation'>,
    context: GraphQLContext,
  ): Buffer<ArrayBuffer> | Promise<Buffer<ArrayBuffer>> | undefined {
    if (!isIntrospection(operation)) return undefined;
    const known = this.#answers.get(operation);
    if (known) return known;
    const underWay = this.#underWay.get(operation);
    const { run } = this.#plans.of(
      operation,
      document,
      () => compileQuery(this.#schema, fragmentsOf(document), operation) ?? { bytes: 0 },
    );
    if (underWay || !run) return underWay;
    return this.#make(document, operation, run, context);
  }

  #make(
    document: DocumentNode,
    operation: OperationDefinitionNode,
    plan: QueryPlan,
    context: GraphQLContext,
  ): Promise<Buffer<ArrayBuffer>> {
    const isKept = this.#askedBefore.has(operation);
    this.#askedBefore.add(operation);
    // Others get it, too, who are still there when the first one has gone away.
    const made = apartFromCaller(() => written(plan, context)).finally(() => this.#underWay.delete(operation));
    this.#underWay.set(operation, made);
    if (isKept)
      made.then(
        (answer) => void (hasRoomFor(document, answer.length + BUFFER_BYTES) && this.#answers.set(operation, answer)),
        () => undefined,
      );
    return made;
  }
}

async function written(plan: QueryPlan, context: GraphQLContext): Promise<Buffer<ArrayBuffer>> {
  const { caller, address, budget } = context;
  const { requested, limit } = budget.cost;
  const place = new Place(askingOf(caller, address));
  try {
    await place.take(requested * BYTES_OF_ONE);
    const data = await plan({ context, variables: {} });
    return Buffer.from(`{"data":${data},"extensions":{"cost":{"requested":${requested},"limit":${limit}}}}`);
  } finally {
    place.giveBack();
  }
}

/** Whether an operation asks for nothing but the schema, and says itself for what of it. */
export function isIntrospection({
  operation,
  selectionSet,
  variableDefinitions = [],
  directives = [],
}: OperationDefinitionNode): boolean {
  if (operation !== OperationTypeNode.QUERY || variableDefinitions.length > 0 || directives.length > 0) return false;
  const names = selectionSet.selections.map((one) => (one.kind === Kind.FIELD ? one.name.value : ''));
  return names.every((name) => name.startsWith('__')) && names.some((name) => name !== '__typename');
}
