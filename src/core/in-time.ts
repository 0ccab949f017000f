/**
 * Waits for `work`, or throws the error of `late` once it has taken too long. The work itself goes on: a caller who can
 * stop it does so in `late`.
 */
export async function inTime<Result>(work: Promise<Result>, milliseconds: number, late: () => Error): Promise<Result> {
  const { promise: isLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(late()), milliseconds);
  try {
    return await Promise.race([work, isLate]);
  } finally {
    clearTimeout(timer);
  }
}
