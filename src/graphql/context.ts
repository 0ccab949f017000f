import { GraphQLError } from 'graphql';
import type { FilledBy } from '../core/caches.ts';
import type { Problem } from '../core/problem.ts';
import type { Standing } from '../database/on-behalf.ts';
import type { Em } from '../database/sql.ts';
import type { Actor } from '../events/record-event.ts';
import type { Asking } from '../limits/large-work.ts';
import { networkOf } from '../limits/network.ts';
import type { Scope } from '../scopes/catalog.ts';
import { heldScopes } from '../scopes/held-scopes.ts';
import { covers, type ScopeSet } from '../scopes/scope-set.ts';
import type { CostBudget } from './limits/cost-budget.ts';

/** An anonymous caller, who sees PUBLIC fields only. */
interface AnonymousCaller {
  readonly kind: 'anonymous';
}

/** An app with an access token, acting for a user. */
interface TokenCaller {
  readonly kind: 'token';
  readonly userId: string;
  readonly clientId: string;
  readonly grantId: string;
  /** The scopes that the token holds, implication applied. */
  readonly held: ScopeSet;
  readonly standing?: Standing | undefined;
}

/** A user signed in with this service's own session: sees first-party fields too. */
interface SessionCaller {
  readonly kind: 'session';
  readonly userId: string;
  readonly sessionId: string;
  readonly isAdministrator: boolean;
  /** The check that runs before each change of a caller who may lose the account during the request; undefined for all others. */
  readonly standing?: Standing | undefined;
}

export type Caller = AnonymousCaller | TokenCaller | SessionCaller;

/** The kind of caller on whose behalf caches keep what a request needs. */
export function filledBy({ kind }: { readonly kind: Caller['kind'] | 'refused' }): FilledBy {
  return kind === 'token' || kind === 'session' ? 'KNOWN' : 'ANONYMOUS';
}

/**
 * The results of the mutations of one operation, by their keys in the answer: each is carried out once, no matter which
 * path writes the answer.
 */
export type Outcomes = Map<string, Promise<object>>;

/** The context of a resolver. Scopes were compared before it ran; rows and roles are its own business. */
export interface GraphQLContext extends ModuleContext {
  readonly em: Em;
  /** An EntityManager that belongs to no request and is never in a transaction, for statements that answer several requests at once. */
  readonly sharedEm: Em;
  readonly caller: Caller;
  /** The rest of the operation's cost. */
  readonly budget: CostBudget;
  /** The results so far of an operation that may be begun by a plan and ended by the executor. */
  readonly outcomes?: Outcomes | undefined;
  /** Gets what a mutation was refused for: the problem knows more than `userErrors` show. */
  readonly onRefusal?: ((problem: Problem) => void) | undefined;
  /** The caller's network address, for limits and the audit log. */
  readonly address: string;
  /** The base of every address that is given out; without a slash at its end. */
  readonly publicUrl: string;
}

/**
 * The things that the resolvers of a module need beside, the same for every request. A module adds its own here by
 * declaration merging (`declare module`, as in `modules/accounts/accounts.graphql.ts`), and the composition root brings
 * it: the kit knows no module.
 */
// biome-ignore lint/suspicious/noEmptyInterface: declaration merging fills it
export interface ModuleContext {}

/** The user behind the call. The scope guard lets nobody without one past a field that is not PUBLIC. */
export function requireUserId(context: GraphQLContext): string {
  if (context.caller.kind === 'anonymous') throw new Error('A field that needs a user was reached without one.');
  return context.caller.userId;
}

/**
 * The user on whose behalf a PUBLIC field is called: of the session, or of an app with these scopes. Any other app is
 * treated as anonymous (null), or a token would show more than its scopes say.
 */
export function actingUserId({ caller }: Pick<GraphQLContext, 'caller'>, needed: ScopeSet): string | null {
  if (caller.kind === 'session') return caller.userId;
  return caller.kind === 'token' && covers(caller.held, needed) ? caller.userId : null;
}

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

/** The session behind the call, on FIRST_PARTY fields. */
export function requireSession(context: GraphQLContext): SessionCaller {
  if (context.caller.kind !== 'session') throw new Error('A first-party field was reached without a session.');
  return context.caller;
}

/** Where a call comes from, for limits on mails: from a network, and with a token from an app. */
export function calledFrom({ address, caller }: Pick<GraphQLContext, 'address' | 'caller'>): Omit<Actor, 'userId'> {
  return { network: networkOf(address), ...(caller.kind === 'token' && { clientId: caller.clientId }) };
}

/** The line in which a call with a large answer waits. */
export function askingOf(caller: Caller, address: string): Asking {
  return caller.kind === 'anonymous' ? { kind: caller.kind, address } : caller;
}

/** Credentials that were shown and cannot be used; nothing of the request is carried out. */
export interface RefusedCredentials {
  readonly kind: 'refused';
  readonly status: 400 | 401 | 403 | 503;
  readonly code: string;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Authentication {
  readonly caller: Caller | RefusedCredentials;
  readonly address: string;
}

/** Finds out who calls. `server` is what the server adapter passes along: Node's request, where there is one. */
export type Authenticate = (request: Request, server: unknown) => Promise<Authentication>;

/** The error for a caller with credentials that cannot be used. */
export function refusalOf({ code, message, status, headers }: RefusedCredentials): GraphQLError {
  return new GraphQLError(message, { extensions: { code, http: { status, headers } } });
}

/** A caller with a dead token is told that it is dead, since waiting would not revive it. While the database is away, no token can be judged. */
export function isRefusedAnyway({ status }: RefusedCredentials): boolean {
  return status === 401 || status === 503;
}
