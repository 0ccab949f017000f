/** Lists whose entries are changed one by one, by a key: what no change names stays as it is, where it is. */

/** Replaces the stored items with the given ones of the same keys; the others come behind. */
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

/** Puts the items with these keys first, in this order; the others follow in theirs. */
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
