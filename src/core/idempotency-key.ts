import { type Mistake, Problem } from './problem.ts';
import { type Path, textMistake } from './text.ts';

const PATH: Path = ['idempotencyKey'];
/** A key must not be met by chance. */
const LENGTH = { min: 16, max: 255 };

/** What is wrong with the key under which a request is done once, however often it is sent. */
export function idempotencyKeyMistake(key: string): Mistake | undefined {
  return textMistake(PATH, key, LENGTH);
}

/** The answer to a key that has done something else already. */
export function reusedIdempotencyKey(): Problem {
  const message = 'The idempotencyKey was used for another request; make a new one for each request.';
  return new Problem('IDEMPOTENCY_KEY_REUSED', message, PATH);
}

/** The codes of both. */
export const IDEMPOTENCY_KEY_MISTAKES = [
  'REQUIRED',
  'TOO_SHORT',
  'TOO_LONG',
  'INVALID_TEXT',
  'IDEMPOTENCY_KEY_REUSED',
] as const;
