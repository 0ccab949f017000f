import type { ServerResponse } from 'node:http';
import type { ExecutionArgs, ExecutionResult, GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { FilledBy } from '../../core/caches.ts';
import type { Report } from '../../database/failure.ts';
import type { Place } from '../../limits/large-work.ts';
import type { GraphQLContext } from '../context.ts';
import { maskError } from '../errors.ts';
import { type Cost, type CostBudget, costError } from './cost-budget.ts';
import type { Documents } from './documents.ts';
import type { OperationLimits } from './operation-limits.ts';

/**
 * Holds operations to the limits: the document before it is validated, variables and cost before the caller's scopes
 * are looked at. Answers that have data say in `extensions.cost` what they cost. A document is parsed and validated by its
 * text, here and not by Yoga, whose own caches would keep requests along with errors. `placeOf`: where large ones wait
 * (`useRoom`). `filledBy`: on whose behalf a document is kept.
 */
export function useLimits(
  documents: Documents,
  limits: OperationLimits,
  placeOf?: (context: GraphQLContext) => Place,
  filledBy: (request: Request) => FilledBy = () => 'ANONYMOUS',
): Plugin<{ budget: CostBudget }> {
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
  const by = (context: unknown): FilledBy => filledBy((context as { readonly request: Request }).request);
  return {
    onContextBuilding({ context, extendContext }) {
      extendContext({ budget: limits.budget(placeOf?.(context as unknown as GraphQLContext)) });
    },
    onParse({ params: { source }, context, setParsedDocument }) {
      setParsedDocument(documents.read(typeof source === 'string' ? source : source.body, by(context)));
    },
    onValidate({ params: { schema, documentAST }, context, setResult }) {
      if (documents.isValid(schema, documentAST)) return setResult([]);
      return ({ valid }) => documents.judged(schema, documentAST, valid, by(context));
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

/**
 * Has large operations wait for each other, once it is decided that they run. What waits has done nothing yet, and holds no
 * connection; whoever waits in vain is told when to come again.
 */
export function useRoom(report: Report): Plugin<GraphQLContext> {
  const budgets = new WeakMap<Request, CostBudget>();
  return {
    async onExecute({ args, setResultAndStopExecution }) {
      const { budget, outcomes, request, res } = args.contextValue as ContextOfRequest;
      // The result of a mutation that a plan has carried out is shown, whoever else waits.
      if (outcomes) return;
      budgets.set(request, budget);
      res?.once('close', () => budget.done());
      try {
        await budget.room();
      } catch (error) {
        setResultAndStopExecution({ errors: [maskError(error, report)] });
      }
    },
    onResponse: ({ request }) => budgets.get(request)?.done(),
  };
}

type ContextOfRequest = GraphQLContext & { readonly request: Request; readonly res?: ServerResponse };

function hasData(result: object): result is ExecutionResult {
  return 'data' in result && result.data !== undefined;
}
