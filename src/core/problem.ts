/** core/ is what every other folder may use: problems, ids, secrets, pages, instants. It imports nothing of ours. */
import type { ProblemCode } from './problem-code.ts';

/** One thing that is wrong with a request: a stable code, a full sentence, and where in the input it is. */
export interface Mistake {
  readonly code: ProblemCode;
  readonly message: string;
  readonly path?: readonly string[];
  /** The limit in the message, for pages that word it in another language. */
  readonly bounds?: Bounds;
}

/** Between which a number has to be, or how many entries, characters or days are possible; `given`: how many a request has of them. */
export interface Bounds {
  readonly given?: number;
  readonly least?: number;
  readonly most?: number;
}

/** A message quotes at most this much of what was sent, and a problem lists at most this many mistakes. */
export const MAX_MESSAGE_LENGTH = 500;
const MAX_NAME_LENGTH = 100;
export const MAX_PATH = 20;
export const MAX_MISTAKES = 40;
/** The most characters of all messages of a problem, and of all its paths with the punctuation of a list. */
export const MAX_MESSAGES_LENGTH = 5_000;
export const MAX_PATHS_LENGTH = 2_600;
const PUNCTUATION = 3;

/**
 * An outcome that the caller caused and can mend. Commands throw it; only the edges translate it
 * (GraphQL: `userErrors`; HTTP: a status and a body). Anything else that is thrown is a bug of ours.
 */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly mistakes: readonly [Mistake, ...Mistake[]];

  constructor(code: ProblemCode, message: string, path?: readonly string[], bounds?: Bounds) {
    const mistake = shortMistake({ code, message, ...(path && { path }), ...(bounds && { bounds }) });
    // Nobody looks for the line where a caller's mistake was found, and one operation can have thousands.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(mistake.message);
    Error.stackTraceLimit = stackTraceLimit;
    this.mistakes = [mistake];
  }

  get code(): ProblemCode {
    return this.mistakes[0].code;
  }

  /** The mistakes of one input at once, as many as there is room for, so that a form needs one round trip; returns when there are none. */
  static throwIfAny(mistakes: readonly Mistake[]): void {
    const [first] = mistakes;
    if (!first) return;
    const problem = new this(first.code, first.message, first.path);
    (problem as { mistakes: readonly Mistake[] }).mistakes = firstOf(mistakes.slice(0, MAX_MISTAKES).map(shortMistake));
    throw problem;
  }
}

/** The mistakes up to the first whose message or path there is no room for. One alone always has room. */
function firstOf(mistakes: readonly Mistake[]): readonly Mistake[] {
  let [messages, paths] = [0, 0];
  const end = mistakes.findIndex(({ message, path = [] }) => {
    messages += message.length;
    for (const name of path) paths += name.length + PUNCTUATION;
    return messages > MAX_MESSAGES_LENGTH || paths > MAX_PATHS_LENGTH;
  });
  return end === -1 ? mistakes : mistakes.slice(0, end);
}

function shortMistake({ code, message, path, bounds }: Mistake): Mistake {
  const short = shortText(message, MAX_MESSAGE_LENGTH);
  return {
    code,
    message: short,
    ...(path && { path: path.slice(0, MAX_PATH).map((name) => shortText(name, MAX_NAME_LENGTH)) }),
    ...(bounds && { bounds }),
  };
}

/** A text with its middle left out where it is longer than `most`: what is wrong stands at one end of a message, the advice at the other. */
export function shortText(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor((most - 1) / 2);
  return `${text.slice(0, half)}…${text.slice(-half)}`.toWellFormed();
}
