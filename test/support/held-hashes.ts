let held: Promise<void> | undefined;

/** A hash waits for this before it is computed (see cheap-hashes.ts). */
export function hashesAreHeld(): Promise<void> | undefined {
  return held;
}

/** From now on no hash is computed, until `release` is called: those who wait for one stand in line. */
export async function holdingHashes<Result>(run: (release: () => void) => Promise<Result>): Promise<Result> {
  const { promise, resolve } = Promise.withResolvers<void>();
  held = promise;
  const release = (): void => {
    held = undefined;
    resolve();
  };
  try {
    return await run(release);
  } finally {
    release();
  }
}
