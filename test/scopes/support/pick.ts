import { type Arbitrary, type GeneratorValue, integer } from 'fast-check';

/** One of them, chosen by fast-check. */
export function pickFrom<Value>(value: GeneratorValue, values: readonly Value[]): Value {
  return values[value(placesIn(values.length))] as Value;
}

/**
 * fast-check remembers each arbitrary by its builder and what that was called with, which it compares with all former calls,
 * value by value. A builder for each length is called with nothing, so that there is nothing to compare.
 */
const PLACES = new Map<number, () => Arbitrary<number>>();

function placesIn(length: number): () => Arbitrary<number> {
  return PLACES.getOrInsertComputed(length, () => () => integer({ min: 0, max: length - 1 }));
}
