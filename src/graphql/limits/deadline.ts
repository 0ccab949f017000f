import { GraphQLError } from 'graphql';

/** Operations that take longer are ended, with their statements; what they were about to resolve is not begun any more. */
export const EXECUTION_SECONDS = 10;

/** 504 and not 503, because the latter invites to try again at once, and a mutation may have been carried out. */
export function timeoutError(seconds: number): GraphQLError {
  return new GraphQLError(
    `The operation took more than ${seconds} seconds and was stopped: ask for less at once. If it was a mutation, look whether it was carried out before you send it again.`,
    { extensions: { code: 'EXECUTION_TIMEOUT', http: { status: 504 } } },
  );
}
