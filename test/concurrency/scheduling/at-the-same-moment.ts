/** The answer of a mutation: `done`, or the code of its first user error. */
export interface Answer {
  readonly code: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  readonly payload: any;
}

/** One of the things that happen at the same moment. Its number says which process is asked. */
export type Call = (n: number) => Promise<Answer>;

/**
 * So many calls at the same moment, those of each kind in turn, since the first ten have a connection at once. Every
 * kind reaches every process, also where there are as many kinds as processes.
 */
export function atTheSameMoment(count: number, ...kinds: readonly [Call, ...Call[]]): Promise<Answer[]> {
  const [first] = kinds;
  return Promise.all(
    Array.from({ length: count }, (_, n) => (kinds[n % kinds.length] ?? first)(Math.floor(n / kinds.length))),
  );
}

/** How many were answered what. */
export function counted(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { code } of answers) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

/** Those of one kind among the answers of `atTheSameMoment`. */
export function ofKind(answers: readonly Answer[], kind: number, kinds: number): Answer[] {
  return answers.filter((_, n) => n % kinds === kind);
}

/** The answers that were done. */
export function doneOf(answers: readonly Answer[]): Answer[] {
  return answers.filter(({ code }) => code === 'done');
}
