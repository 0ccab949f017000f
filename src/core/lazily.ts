/** Runs it at the first call, and gives every caller that result. */
export function lazily<Result>(run: () => Result): () => Result {
  let result: { readonly value: Result } | undefined;
  return () => {
    result ??= { value: run() };
    return result.value;
  };
}
