/** Lists whose entries are changed one by one, by a key: what no change names stays as it is, where it is. */

/** Those that are given take the place of the stored ones with their keys; the others come behind. */
export function replacedOrAdded<Item>(
  stored: readonly Item[],
  given: readonly Item[],
  keyOf: (item: Item) => string,
): readonly Item[] {
  const byKey = (items: readonly Item[], key: string): Item | undefined => items.find((one) => keyOf(one) === key);
  return [
    ...stored.map((item) => byKey(given, keyOf(item)) ?? item),
    ...given.filter((item) => !byKey(stored, keyOf(item))),
  ];
}

/** Those with these keys come first, in this order; the others follow in theirs. */
export function inOrder<Item>(
  items: readonly Item[],
  order: readonly string[],
  keyOf: (item: Item) => string,
): readonly Item[] {
  const place = (item: Item): number => {
    const index = order.indexOf(keyOf(item));
    return index === -1 ? order.length : index;
  };
  return items.toSorted((a, b) => place(a) - place(b));
}
