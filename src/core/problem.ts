/** One thing that is wrong with a request: a stable code, a full sentence, and where in the input it is. */
export interface Mistake {
  readonly code: string;
  readonly message: string;
  readonly path?: readonly string[];
}

/**
 * An outcome that the caller caused and can mend. Commands throw it; only the edges translate it
 * (GraphQL: `userErrors`; HTTP: a status and a body). Anything else that is thrown is a bug of ours.
 */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly mistakes: readonly [Mistake, ...Mistake[]];

  constructor(code: string, message: string, path?: readonly string[]) {
    super(message);
    this.mistakes = [path ? { code, message, path } : { code, message }];
  }

  get code(): string {
    return this.mistakes[0].code;
  }

  /** All mistakes of one input at once, so that a form needs one round trip; returns when there are none. */
  static throwIfAny(mistakes: readonly Mistake[]): void {
    const [first, ...rest] = mistakes;
    if (!first) return;
    const problem = new Problem(first.code, first.message, first.path);
    (problem as { mistakes: readonly Mistake[] }).mistakes = [first, ...rest];
    throw problem;
  }
}
