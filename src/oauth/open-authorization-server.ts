import { Background } from '../core/background.ts';
import { DatabaseClock } from '../database/database-clock.ts';
import { apartFromCaller } from '../database/deadline.ts';
import type { Listen } from '../database/listen.ts';
import type { Em } from '../database/sql.ts';
import { FailedRequestLog } from '../events/failed-request-log.ts';
import { createGuessLimit } from '../limits/guess-limit.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { Notices, type SendMail } from './clients/notices.ts';
import { CLIENT_GUESSES, GuessGuard, SECRET_GUESSES, TOKEN_GUESSES } from './guess-guard.ts';
import { KeyRing } from './keys/key-ring.ts';
import type { MasterKeys } from './keys/signing-keys.ts';
import { RevocationFeed } from './revocations/revocations.ts';
import { BearerTokens } from './tokens/bearer.ts';
import { SurplusGrants } from './tokens/surplus-grants.ts';
import { tokenStatements } from './tokens/token-statements.ts';

export interface AuthorizationServerSettings {
  /** The global EntityManager: each piece of work that outlives a request runs on it by single statements. */
  readonly em: Em;
  readonly listen: Listen;
  /** An origin without a slash at its end. */
  readonly issuer: string;
  readonly masterKeys: MasterKeys;
  readonly codeLifetimeInSeconds: number;
  readonly sendMail: SendMail;
  /** Receives what failed after an answer was sent. */
  readonly onError: (error: unknown) => void;
}

export interface OpenAuthorizationServer extends AuthorizationServer {
  readonly bearerTokens: BearerTokens;
  /** Stops listening and waits for what runs behind the answers; before the database is closed. */
  close(): Promise<void>;
}

const RELOAD_KEYS_EVERY_MS = 10_000;

/** Opens the keys and begins to listen for revocations. @throws Error when the master key is wrong, or the database away */
export async function openAuthorizationServer(settings: AuthorizationServerSettings): Promise<OpenAuthorizationServer> {
  const { issuer, codeLifetimeInSeconds } = settings;
  const em = settings.em.fork();
  const clock = new DatabaseClock();
  const background = new Background(settings.onError, apartFromCaller);
  const keys = await KeyRing.open(em, settings.masterKeys, clock);
  const revocations = new RevocationFeed(em, clock);
  await revocations.start(settings.listen);
  const server: AuthorizationServer = {
    issuer,
    codeLifetimeInSeconds,
    keys,
    clock,
    revocations,
    statements: tokenStatements(em),
    surplusGrants: new SurplusGrants(em, background, revocations),
    secretGuesses: new GuessGuard(createGuessLimit(SECRET_GUESSES, { em })),
    clientGuesses: new GuessGuard(createGuessLimit(CLIENT_GUESSES, { em })),
    tokenGuesses: new GuessGuard(createGuessLimit(TOKEN_GUESSES, { em })),
    background,
    failedRequests: new FailedRequestLog(em, settings.onError),
    notices: new Notices(settings.sendMail, background, issuer),
  };
  const timer = setInterval(() => background.run(() => keys.reloadIfDue()), RELOAD_KEYS_EVERY_MS);
  timer.unref();
  const close = async (): Promise<void> => {
    clearInterval(timer);
    await revocations.stop();
    await background.settled();
    await server.failedRequests.written();
  };
  return { ...server, bearerTokens: new BearerTokens(server), close };
}
