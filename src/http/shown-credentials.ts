import type { Context, MiddlewareHandler } from 'hono';
import { type Authenticate, isRefusedAnyway, type RefusedCredentials } from '../graphql/context.ts';
import { answerProblem } from '../screens/kit/problem-response.ts';
import type { Visitors } from '../screens/kit/visitors.ts';

/** Why what a request shows in `Authorization` cannot be used; undefined when it can, or when it shows nothing. */
export async function refusalOfCredentials(
  c: Context,
  authenticate: Authenticate,
): Promise<RefusedCredentials | undefined> {
  if (c.req.header('authorization') === undefined) return undefined;
  const { caller } = await authenticate(c.req.raw, c.env ?? {});
  return caller.kind === 'refused' ? caller : undefined;
}

/**
 * For routes that need no credentials: a caller who sends invalid ones is refused, as by the API, and never answered as
 * an anonymous caller.
 */
export function refuseBadCredentials({
  authenticate,
  visitors,
}: {
  readonly authenticate: Authenticate;
  readonly visitors: Visitors;
}): MiddlewareHandler {
  return async (c, next) => {
    const refusal = await refusalOfCredentials(c, authenticate);
    if (!refusal) return next();
    const tooMany = await visitors.countRequest(c, undefined);
    if (tooMany && !isRefusedAnyway(refusal)) return tooMany;
    const { status, code, message, headers } = refusal;
    return answerProblem(c, { status, code, title: 'Something went wrong', message }, headers);
  };
}
