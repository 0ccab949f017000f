import type { IncomingMessage } from 'node:http';
import type { Context } from 'hono';

/** How often a header was sent; names are in lower case. Cheaper than `headersDistinct`, which takes all headers apart. */
export function countOf(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.length === name.length && rawHeaders[index]?.toLowerCase() === name) count += 1;
  }
  return count;
}

/**
 * The query as it stood in the request line, without its `?`. Not that of the Request, whose URL was parsed and written
 * anew (`'` became `%27`), where what was sent must be compared and returned byte for byte.
 */
export function rawQuery(c: Context): string {
  const { req } = (c.env ?? {}) as { req?: IncomingMessage };
  return queryOf(req?.url ?? c.req.raw.url);
}

export function queryOf(url: string): string {
  const [address = ''] = url.split('#', 1);
  const start = address.indexOf('?');
  return start === -1 ? '' : address.slice(start + 1);
}
