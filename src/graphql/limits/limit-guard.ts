import type { ExecutionArgs, ExecutionResult, GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { type Cost, type CostBudget, costError } from './cost-budget.ts';
import type { Documents } from './documents.ts';
import type { OperationLimits } from './operation-limits.ts';

/** For Yoga's own cache of documents: `Documents` keeps them instead, and by their size. */
export const NOTHING_KEPT = { get: () => undefined, set: () => undefined };

/**
 * Holds operations to the limits: the document before it is validated, variables and cost before the caller's scopes
 * are looked at. Answers that have data say in `extensions.cost` what they cost.
 */
export function useLimits(documents: Documents, limits: OperationLimits): Plugin<{ budget: CostBudget }> {
  const check = (
    args: ExecutionArgs,
  ): { readonly error: GraphQLError | undefined; readonly cost?: Cost | undefined } => {
    const error = limits.variablesError(args.variableValues);
    if (error) return { error };
    const cost = limits.cost(args.schema, args.document, args.operationName, args.variableValues);
    const excess = cost && costError(cost);
    return {
      cost,
      error: excess && (limits.pageError(args.document, args.operationName, args.variableValues) ?? excess),
    };
  };
  return {
    onContextBuilding({ extendContext }) {
      extendContext({ budget: limits.budget() });
    },
    onParse({ params: { source }, setParsedDocument }) {
      setParsedDocument(documents.read(typeof source === 'string' ? source : source.body));
    },
    onExecute({ args, setResultAndStopExecution }) {
      const { error, cost } = check(args);
      if (error) return setResultAndStopExecution({ errors: [error] });
      const { budget } = args.contextValue;
      if (cost) budget.spend(cost.requested);
      return {
        onExecuteDone({ result, setResult }) {
          if (!hasData(result)) return;
          setResult({ ...result, extensions: { ...result.extensions, cost: budget.cost } });
        },
      };
    },
    onSubscribe({ args, setResultAndStopExecution }) {
      const { error } = check(args);
      if (error) setResultAndStopExecution({ errors: [error] });
    },
  };
}

function hasData(result: object): result is ExecutionResult {
  return 'data' in result && result.data !== undefined;
}
