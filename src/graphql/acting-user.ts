import { covers, type ScopeSet } from '../scopes/scope-set.ts';
import type { GraphQLContext } from './context.ts';

/**
 * The user on whose behalf a PUBLIC field is called: of the session, or of an app with these scopes. Any other app is
 * treated as anonymous (null), or a token would show more than its scopes say.
 */
export function actingUserId({ caller }: Pick<GraphQLContext, 'caller'>, needed: ScopeSet): string | null {
  if (caller.kind === 'session') return caller.userId;
  return caller.kind === 'token' && covers(caller.held, needed) ? caller.userId : null;
}
