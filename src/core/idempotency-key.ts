/**
 * A request that is sent again under its key is done once: this is the rule for keys, and `limits/at-most-once.ts` keeps them.
 */
import { type Mistake, Problem } from './problem.ts';
import { sha256Hex } from './secret.ts';
import { type Path, TEXT_CODES, textMistake } from './text.ts';

const PATH: Path = ['idempotencyKey'];
/** A key must not be met by chance. */
const [FEWEST, MOST] = [16, 255];

/** Checks the key under which a request is done once, however often it is sent. */
export function idempotencyKeyMistake(key: string): Mistake | undefined {
  if (key === '' || Array.from(key.slice(0, 2 * FEWEST)).length >= FEWEST) return textMistake(PATH, key, { max: MOST });
  const message = `The idempotencyKey is shorter than ${FEWEST} characters; lengthen it.`;
  return { code: 'TOO_SHORT', message, path: PATH };
}

/** A key and the request that came with it, as hashes. */
export interface KeyedRequest {
  /** SHA-256 of the key and its operation. */
  readonly keyHash: string;
  /** SHA-256 of all that was sent. */
  readonly requestHash: string;
}

/** `operation`: what the key is for, and the app or caller who sent it. */
export function keyedRequest(key: string, operation: readonly (string | null)[], request: unknown): KeyedRequest {
  return {
    keyHash: sha256Hex(JSON.stringify([key, ...operation])),
    requestHash: sha256Hex(JSON.stringify(request)),
  };
}

/**
 * Returns what was found under the key of a request, if it came with the same one.
 * @throws Problem IDEMPOTENCY_KEY_REUSED
 */
export function requireSameRequest<Found extends { readonly requestHash: string }>(
  found: Found | undefined,
  { requestHash }: KeyedRequest,
): Found {
  if (found?.requestHash === requestHash) return found;
  const message = 'The idempotencyKey was used for another request; make a new one for each request.';
  throw new Problem('IDEMPOTENCY_KEY_REUSED', message, PATH);
}

/** The codes of both. */
export const IDEMPOTENCY_KEY_CODES = [...TEXT_CODES, 'TOO_SHORT', 'IDEMPOTENCY_KEY_REUSED'] as const;
