import { type ExecutionArgs, GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { giveUpAfter } from '../../database/deadline.ts';

export const EXECUTION_SECONDS = 10;

/**
 * Ends executions that take too long, with their statements; what they were about to resolve is not begun any more.
 * 504 and not 503, because the latter invites to try again at once, and a mutation may have been carried out.
 */
export function useDeadline(seconds: number = EXECUTION_SECONDS): Plugin {
  return {
    onExecute({ executeFn, setExecuteFn }) {
      // Yoga's executor takes a signal, which the type that it shares with graphql-js does not know.
      setExecuteFn((args: ExecutionArgs) =>
        giveUpAfter(
          seconds * 1000,
          async (signal) => executeFn({ ...args, signal } as ExecutionArgs),
          () => timeoutError(seconds),
        ),
      );
    },
  };
}

function timeoutError(seconds: number): GraphQLError {
  return new GraphQLError(
    `The operation took more than ${seconds} seconds and was stopped: ask for less at once. If it was a mutation, look whether it was carried out before you send it again.`,
    { extensions: { code: 'EXECUTION_TIMEOUT', http: { status: 504 } } },
  );
}
