import type { GuessLimit, GuessRule } from '../limits/guess-limit.ts';
import { type OAuthError, oauthError } from './protocol/oauth-error.ts';

/**
 * The guesses at one client over all networks; more are answered slowly. A right secret is never counted, and so never
 * waits.
 */
export const SECRET_GUESSES: GuessRule = {
  name: 'client-secret',
  guesses: 20,
  windowInSeconds: 60,
  everywhere: { guesses: 100, pauseInSeconds: 2 },
};
/** The guesses at all clients from one network together, so that made-up client ids are counted too. */
export const CLIENT_GUESSES: GuessRule = { name: 'client', guesses: 300, windowInSeconds: 60 };
export const TOKEN_GUESSES: GuessRule = { name: 'oauth-token', guesses: 300, windowInSeconds: 60 };

/** Some 150 bytes each. A caller who finds no room is taken for one that failed: its counts are cleared in vain. */
const MOST_REMEMBERED = 10_000;

/** A limit against guessing, for one client and network. A good request costs no query unless one before it failed. */
export class GuessGuard {
  readonly #limit: GuessLimit;
  /** The callers who failed here and have not succeeded since. */
  readonly #failed = new Set<string>();

  constructor(limit: GuessLimit) {
    this.#limit = limit;
  }

  /** Before the guess is judged: a right one does not count either while the limit is exceeded. */
  refusal(clientId: string, address: string): OAuthError | undefined | Promise<OAuthError | undefined> {
    const seconds = this.#limit.secondsToWait(clientId, address);
    if (seconds instanceof Promise)
      return seconds.then((known) => (known === undefined ? undefined : tooManyGuesses(known)));
    return seconds === undefined ? undefined : tooManyGuesses(seconds);
  }

  /** Counts a wrong guess. @returns what to answer: `error`, or that it was one too many */
  async failed(clientId: string, address: string, error: OAuthError): Promise<OAuthError> {
    if (this.#failed.size < MOST_REMEMBERED) this.#failed.add(keyOf(clientId, address));
    const seconds = await this.#limit.count(clientId, address);
    return seconds === undefined ? error : tooManyGuesses(seconds);
  }

  async succeeded(clientId: string, address: string): Promise<void> {
    if (!this.#failed.delete(keyOf(clientId, address)) && this.#failed.size < MOST_REMEMBERED) return;
    await this.#limit.clear(clientId, address);
  }
}

function keyOf(clientId: string, address: string): string {
  return `${address} ${clientId}`;
}

/** RFC 6749 has no error for it; RFC 6585 §4 has the status. */
function tooManyGuesses(retryAfterSeconds: number): OAuthError {
  const description = `Too many wrong tries; wait ${retryAfterSeconds} seconds and try again.`;
  return { ...oauthError('temporarily_unavailable', description, 429), retryAfterSeconds };
}
