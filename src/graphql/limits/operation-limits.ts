import { type DocumentNode, GraphQLError, type GraphQLSchema, type OperationDefinitionNode, parse } from 'graphql';
import type { Place } from '../../limits/large-work.ts';
import { costOf } from './cost.ts';
import { type Cost, CostBudget } from './cost-budget.ts';
import { type DocumentSize, sizeOf } from './document-size.ts';
import {
  CHARACTERS,
  DOCUMENT_RULES,
  LIMITS,
  type Limits,
  limitError,
  TOKENS,
  VARIABLE_DEPTH,
  VARIABLES,
} from './limits.ts';
import { oversizedPage } from './oversized-page.ts';
import { valueExcess } from './value-size.ts';

/**
 * Checks operations against the limits, for Yoga's pipeline and for anything beside it. What a document costs, but for its
 * variables, is found once for each of its operations.
 */
export class OperationLimits {
  readonly #limits: Limits;
  readonly #singleMutations: ReadonlySet<string>;

  /** `singleMutations`: an operation may select one of them, once. */
  constructor(singleMutations: readonly string[], limits: Limits = LIMITS) {
    this.#limits = limits;
    this.#singleMutations = new Set(singleMutations);
  }

  /** Parses no more than is allowed. @throws GraphQLError */
  parse(text: string): DocumentNode {
    const { characters, tokens } = this.#limits;
    if (text.length > characters) throw limitError(CHARACTERS, characters, text.length);
    try {
      return parse(text, { maxTokens: tokens });
    } catch (error) {
      // The parser's own error has neither a code nor advice.
      const isTooLong = error instanceof GraphQLError && error.message.includes(`more that ${tokens} tokens`);
      throw isTooLong ? limitError(TOKENS, tokens) : error;
    }
  }

  /** Checks a document by itself: the caller and the variables do not matter. It need not be valid yet. */
  documentError(document: DocumentNode): GraphQLError | undefined {
    const size = sizeOf(document, this.#singleMutations);
    for (const [name, rule] of Object.entries(DOCUMENT_RULES)) {
      const [found, allowed] = [size[name as keyof DocumentSize], this.#limits.document[name as keyof DocumentSize]];
      if (found > allowed) return limitError(rule, allowed, found);
    }
    return undefined;
  }

  variablesError(variables: unknown): GraphQLError | undefined {
    const {
      variableValues,
      document: { valueDepth },
    } = this.#limits;
    // The variables are one object around all values.
    const excess = valueExcess(variables, variableValues, valueDepth + 1);
    if (excess === undefined) return undefined;
    return excess === 'SIZE' ? limitError(VARIABLES, variableValues) : limitError(VARIABLE_DEPTH, valueDepth);
  }

  /** The cost of an operation of a valid document. */
  cost(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode, variables: unknown): Cost {
    return { requested: costOf(schema, document, operation, variables), limit: this.#limits.cost };
  }

  /** Why an operation that costs too much does, where it is a page that no list has. */
  pageError(document: DocumentNode, operation: OperationDefinitionNode, variables: unknown): GraphQLError | undefined {
    return oversizedPage(document, operation, variables);
  }

  /** The budget of an operation that runs. */
  budget(place?: Place): CostBudget {
    return new CostBudget(this.#limits.cost, place);
  }
}
