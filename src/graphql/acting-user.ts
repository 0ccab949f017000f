import { covers, type ScopeSet } from '../scopes/scope-set.ts';
import type { GraphQLContext } from './context.ts';

/**
 * Who calls a PUBLIC field as themselves: whoever is signed in, or an app with these scopes. Any other app is as good as
 * anybody (null), or a token would show more than its scopes say.
 */
export function actingUserId({ caller }: Pick<GraphQLContext, 'caller'>, needed: ScopeSet): string | null {
  if (caller.kind === 'session') return caller.userId;
  return caller.kind === 'token' && covers(caller.held, needed) ? caller.userId : null;
}
