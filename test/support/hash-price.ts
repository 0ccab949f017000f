let isFull = false;

export function isFullPrice(): boolean {
  return isFull;
}

/** Where a test is about the time that hashes take, they take it (see cheap-hashes.ts). What was hashed before does not match. */
export async function atFullPrice<Result>(run: () => Promise<Result>): Promise<Result> {
  isFull = true;
  try {
    return await run();
  } finally {
    isFull = false;
  }
}
