import { LRUCache } from 'lru-cache';

/**
 * Remembers so many values, of which the one used longest ago goes first. With the library's own `max`, room for all of them
 * is taken at the start: a quarter of a megabyte for ten thousand, which most processes never have. So each has the size 1.
 *
 * @param ttl milliseconds after which a value is forgotten
 */
export function leastRecentlyUsed<Key extends {}, Value extends {}>(
  most: number,
  { ttl }: { readonly ttl?: number } = {},
): LRUCache<Key, Value> {
  return new LRUCache({ maxSize: most, sizeCalculation: () => 1, ...(ttl !== undefined && { ttl }) });
}
