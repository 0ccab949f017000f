/** guard/ declares to the builder which scopes fields require, and compares what values require beside; operation.ts holds operations to it. */
import { GraphQLError } from 'graphql';
import type { Scope } from '../../scopes/catalog.ts';
import { heldScopes } from '../../scopes/held-scopes.ts';
import { covers } from '../../scopes/scope-set.ts';
import type { GraphQLContext } from '../context.ts';

/**
 * Requires of an app what a value makes necessary, which the scopes of a field cannot say: they are compared before values are
 * known. A session holds every scope. `required`: all that the field takes with this value, its own scopes included.
 * @throws GraphQLError INSUFFICIENT_SCOPE, HTTP 403, before anything is changed
 */
export function requireScopes(
  { caller }: Pick<GraphQLContext, 'caller'>,
  required: readonly Scope[],
  value: string,
): void {
  if (caller.kind === 'session') return;
  const [needed, held] = [heldScopes(required), caller.kind === 'token' ? caller.held : heldScopes([])];
  if (covers(held, needed)) return;
  const missingScopes = required.filter((name) => !covers(held, heldScopes([name])));
  const message = `The access token lacks scopes that ${value} needs: ${missingScopes.join(', ')}.`;
  const extensions = { code: 'INSUFFICIENT_SCOPE', requiredScopes: required, missingScopes, http: { status: 403 } };
  throw new GraphQLError(message, { extensions });
}
