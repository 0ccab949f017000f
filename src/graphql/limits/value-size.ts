/**
 * Whether a JSON value holds more than `maxValues` values, or more than `maxDepth` lists and objects inside one another.
 * Level by level, so that it stops at the limit and never recurses.
 */
export function valueExcess(value: unknown, maxValues: number, maxDepth: number): 'SIZE' | 'DEPTH' | undefined {
  let left = maxValues;
  let containers = [value].filter(isContainer);
  for (let depth = 1; containers.length > 0; depth += 1) {
    if (depth > maxDepth) return 'DEPTH';
    const inner: object[] = [];
    for (const container of containers) {
      const values: unknown[] = Array.isArray(container) ? container : Object.values(container);
      left -= values.length;
      if (left < 0) return 'SIZE';
      for (const one of values) if (isContainer(one)) inner.push(one);
    }
    containers = inner;
  }
  return undefined;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
