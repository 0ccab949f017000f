import { type ExecutionResult, GraphQLError, OperationTypeNode } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { inTurns } from '../../core/turns.ts';
import { chooseOperation } from '../../scopes/compile.ts';
import { COST_OF_SMALL, type CostBudget } from './cost-budget.ts';
import { ANSWER, limitError } from './limits.ts';

type Written = ExecutionResult & { stringify?: (result: ExecutionResult) => string };

/**
 * Writes the answers of costly operations piece by piece, with turns of others in between, and ends where one would be
 * larger than any may be: the price is the most that could be there, and long texts in full lists are more than that.
 */
export function useAnswerSize(maxBytes: number): Plugin<{ budget: CostBudget }> {
  return {
    onExecute({ args }) {
      const { budget } = args.contextValue;
      return {
        async onExecuteDone({ result, setResult }) {
          if (Symbol.asyncIterator in result || !result.data || budget.cost.requested <= COST_OF_SMALL) return;
          const text = await inTurns(written(result.data, maxBytes));
          if (text === undefined) {
            const operation = chooseOperation(args.document, args.operationName ?? undefined)?.operation;
            setResult({ errors: [tooLarge(maxBytes, operation === OperationTypeNode.MUTATION)] });
          } else {
            setResult({ ...result, stringify: (final) => withData(text, final) } as Written);
          }
        },
      };
    },
  };
}

/** As JSON; `undefined` once it is larger than that. Pauses after each object. */
function* written(value: unknown, maxBytes: number): Generator<void, string | undefined> {
  const parts: string[] = [];
  let bytes = 0;
  for (const piece of piecesOf(value)) {
    bytes += Buffer.byteLength(piece);
    if (bytes > maxBytes) return undefined;
    parts.push(piece);
    yield;
  }
  return parts.join('');
}

function* piecesOf(value: unknown): Generator<string> {
  if (!isObject(value) || !Object.values(value).some(isObject)) {
    yield JSON.stringify(value);
    return;
  }
  const isList = Array.isArray(value);
  let before = isList ? '[' : '{';
  for (const [key, inner] of Object.entries(value)) {
    if (inner === undefined) continue;
    yield isList ? before : `${before}${JSON.stringify(key)}:`;
    yield* piecesOf(inner);
    before = ',';
  }
  yield isList ? ']' : '}';
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The parts beside the data are small, and known only at the end. */
function withData(text: string, final: Written): string {
  const others = JSON.stringify({ ...final, data: undefined, stringify: undefined });
  return others === '{}' ? `{"data":${text}}` : `{"data":${text},${others.slice(1)}`;
}

function tooLarge(maxBytes: number, isMutation: boolean): GraphQLError {
  if (!isMutation) return limitError(ANSWER, maxBytes);
  const { code } = ANSWER;
  const message = `The mutation was carried out, but its answer would have more than ${maxBytes} bytes: select less of it, and look up what you need.`;
  return new GraphQLError(message, { extensions: { code, limit: maxBytes, http: { status: 400 } } });
}
