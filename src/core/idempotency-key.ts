import { type Mistake, Problem } from './problem.ts';
import { type Path, TEXT_CODES, textMistake } from './text.ts';

const PATH: Path = ['idempotencyKey'];
/** A key must not be met by chance. */
const [FEWEST, MOST] = [16, 255];

/** What is wrong with the key under which a request is done once, however often it is sent. */
export function idempotencyKeyMistake(key: string): Mistake | undefined {
  if (key === '' || Array.from(key.slice(0, 2 * FEWEST)).length >= FEWEST) return textMistake(PATH, key, { max: MOST });
  const message = `The idempotencyKey is shorter than ${FEWEST} characters; lengthen it.`;
  return { code: 'TOO_SHORT', message, path: PATH };
}

/** The answer to a key that has done something else already. */
export function reusedIdempotencyKey(): Problem {
  const message = 'The idempotencyKey was used for another request; make a new one for each request.';
  return new Problem('IDEMPOTENCY_KEY_REUSED', message, PATH);
}

/** The codes of both. */
export const IDEMPOTENCY_KEY_CODES = [...TEXT_CODES, 'TOO_SHORT', 'IDEMPOTENCY_KEY_REUSED'] as const;
