/**
 * oauth/ is the authorization server. protocol/ holds its rules as pure functions; the files here carry them out:
 * authorize.ts the browser's way to a code, token.ts and grants/ the way from a code to tokens, bearer.ts the way of a
 * token back in, clients/ the register of apps.
 */
import type { Background } from '../core/background.ts';
import type { DatabaseClock } from '../database/database-clock.ts';
import type { FailedRequestLog } from '../events/failed-request-log.ts';
import type { Notices } from './clients/notices.ts';
import type { GuessGuard } from './guess-guard.ts';
import type { KeyRing } from './keys/key-ring.ts';
import type { RevocationFeed } from './revocations/revocations.ts';
import type { SurplusGrants } from './tokens/surplus-grants.ts';
import type { TokenStatements } from './tokens/token-statements.ts';

/** The parts that live as long as the process; the requests of all endpoints share them. */
export interface AuthorizationServer {
  /** The issuer, the base of every address and the audience of access tokens; without a slash at its end. */
  readonly issuer: string;
  readonly codeLifetimeInSeconds: number;
  readonly keys: KeyRing;
  readonly clock: DatabaseClock;
  readonly revocations: RevocationFeed;
  readonly statements: TokenStatements;
  readonly surplusGrants: SurplusGrants;
  /** Limits the wrong secrets of a client. */
  readonly secretGuesses: GuessGuard;
  readonly clientGuesses: GuessGuard;
  /** Unknown codes and refresh tokens, and inactive introspections, of an authenticated client. */
  readonly tokenGuesses: GuessGuard;
  readonly background: Background;
  readonly failedRequests: FailedRequestLog;
  readonly notices: Notices;
}

/** The steps after the commit of a change: other processes hear of revocations, people get mails. */
export type Aftermath = Pick<AuthorizationServer, 'notices' | 'revocations'>;
