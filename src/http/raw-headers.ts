/** How often a header was sent; names are in lower case. Cheaper than `headersDistinct`, which takes all headers apart. */
export function countOf(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.length === name.length && rawHeaders[index]?.toLowerCase() === name) count += 1;
  }
  return count;
}
