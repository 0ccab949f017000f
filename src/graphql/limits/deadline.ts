import type { IncomingMessage } from 'node:http';
import { type ExecutionArgs, GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { giveUpAfter } from '../../database/deadline.ts';

export const EXECUTION_SECONDS = 10;

/** When operations began to run that are run again: both together have the time of one. */
export type Begun = WeakMap<IncomingMessage, number>;

/**
 * Ends executions that take too long, with their statements; what they were about to resolve is not begun any more.
 * 504 and not 503, because the latter invites to try again at once, and a mutation may have been carried out.
 */
export function useDeadline(seconds: number = EXECUTION_SECONDS, begun: Begun = new WeakMap()): Plugin {
  return {
    onExecute({ args, executeFn, setExecuteFn }) {
      const { req } = args.contextValue as { req?: IncomingMessage };
      const since = req && begun.get(req);
      const left = since === undefined ? seconds * 1000 : seconds * 1000 - (performance.now() - since);
      if (left <= 0) return setExecuteFn(() => Promise.reject(timeoutError(seconds)));
      // Yoga's executor takes a signal, which the type that it shares with graphql-js does not know.
      setExecuteFn((args: ExecutionArgs) =>
        giveUpAfter(
          left,
          async ({ signal }) => executeFn({ ...args, signal } as ExecutionArgs),
          () => timeoutError(seconds),
        ),
      );
    },
  };
}

export function timeoutError(seconds: number): GraphQLError {
  return new GraphQLError(
    `The operation took more than ${seconds} seconds and was stopped: ask for less at once. If it was a mutation, look whether it was carried out before you send it again.`,
    { extensions: { code: 'EXECUTION_TIMEOUT', http: { status: 504 } } },
  );
}
