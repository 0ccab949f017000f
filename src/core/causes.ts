const DEEPEST = 5;

/** An error and what has caused it, the error itself first. A thrown value that is no Error has none. */
export function* causesOf(error: unknown): Generator<Error> {
  for (let cause = error, depth = 0; cause instanceof Error && depth < DEEPEST; cause = cause.cause, depth += 1)
    yield cause;
}
