import type { Em } from '../database/sql.ts';
import type { GuessLimit } from '../limits/guess-limit.ts';
import type { Verification } from '../limits/verification.ts';
import type { AccountMails } from '../modules/accounts/account-mails.ts';
import type { FurnishMember } from '../modules/organizations/group.ts';
import type { AuthorizationServer } from '../oauth/authorization-server.ts';
import type { ScopeSet } from '../scopes/scope-set.ts';
import type { CostBudget } from './cost-budget.ts';

/** Nobody in particular: PUBLIC fields only. */
export interface AnonymousCaller {
  readonly kind: 'anonymous';
}

/** An app with an access token, acting for a user. */
export interface TokenCaller {
  readonly kind: 'token';
  readonly userId: string;
  readonly clientId: string;
  readonly grantId: string;
  /** What the token may select, implication applied. */
  readonly held: ScopeSet;
}

/** A user signed in with this service's own session: sees first-party fields too. */
export interface SessionCaller {
  readonly kind: 'session';
  readonly userId: string;
  readonly sessionId: string;
  readonly isAdministrator: boolean;
}

export type Caller = AnonymousCaller | TokenCaller | SessionCaller;

/** What a resolver has at hand. Scopes were compared before it ran; rows and roles are its own business. */
export interface GraphQLContext {
  readonly em: Em;
  readonly caller: Caller;
  /** What the operation may still cost. */
  readonly budget: CostBudget;
  /** The caller's network address, for limits and the audit log. */
  readonly address: string;
  /** The base of every address that is given out; without a slash at its end. */
  readonly publicUrl: string;
  /** Counts wrong passwords; the same one everywhere that takes a password. */
  readonly passwordGuesses: GuessLimit;
  /** Codes that are mailed to whoever has to show that an address is theirs. */
  readonly verification: Verification;
  readonly accountMails: AccountMails;
  /** What whoever joins a team is given there: teams do not know of event types. */
  readonly furnishMember: FurnishMember;
  /** For first-party fields that change clients and grants: their tokens must be refused at once. */
  readonly oauth: AuthorizationServer;
}

/** The user behind the call. The scope guard lets nobody without one past a field that is not PUBLIC. */
export function requireUserId(context: GraphQLContext): string {
  if (context.caller.kind === 'anonymous') throw new Error('A field that needs a user was reached without one.');
  return context.caller.userId;
}

/** The session behind the call, on FIRST_PARTY fields. */
export function requireSession(context: GraphQLContext): SessionCaller {
  if (context.caller.kind !== 'session') throw new Error('A first-party field was reached without a session.');
  return context.caller;
}
