import { parse } from 'graphql';
import { buildSchemas } from '../src/schema.ts';
import { authorize, tokenCaller } from '../src/scopes/authorize.ts';
import { SCOPES } from '../src/scopes/catalog.ts';
import { compileOperation } from '../src/scopes/compile.ts';
import { heldScopes } from '../src/scopes/held-scopes.ts';
import { nanoseconds } from './measure.ts';

// 30 fields over two levels, with a fragment.
const DOCUMENT = `
  query Thirty {
    me { id name username email timeZone weekStart timeFormat locale bio avatarUrl
      eventTypes(first: 20) { nodes { ...Type } pageInfo { hasNextPage endCursor } }
      teams { nodes { id slug name bio timeZone weekStart } }
    }
  }
  fragment Type on EventType { id slug title description durationInMinutes isHidden color metadata createdAt updatedAt }
`;

export function benchScopeEngine(): void {
  const { rules } = buildSchemas().forTokens;
  const caller = tokenCaller(heldScopes(SCOPES));
  const documents = Array.from({ length: 20_000 }, () => parse(DOCUMENT, { noLocation: true }));
  let next = 0;
  const compileNew = (): unknown => compileOperation(rules, documents[next++ % documents.length] ?? parse(DOCUMENT));
  nanoseconds(5_000, compileNew);
  const compile = nanoseconds(documents.length - 5_000, compileNew);
  const compiled = compileOperation(rules, parse(DOCUMENT));
  if (!compiled) throw new Error('The document of the benchmark is not one operation.');
  const compare = nanoseconds(5_000_000, () => authorize(compiled, caller));
  const fanOut = parse(fragmentFanOut(400));
  const fan = nanoseconds(1, () => compileOperation(rules, fanOut));
  console.log('Scope engine');
  console.log(`  compile a new document of 30 fields   ${(compile / 1_000).toFixed(1)} µs (at most 100)`);
  console.log(`  compare with a caller                 ${compare.toFixed(1)} ns (at most 100)`);
  console.log(`  compile a fragment fan-out of 400     ${(fan / 1e6).toFixed(1)} ms (at most 50)`);
}

/** Each fragment spreads the next one twice: 2^400 paths for code that walks them all. */
function fragmentFanOut(levels: number): string {
  const fragments = Array.from(
    { length: levels },
    (_, level) => `fragment F${level} on Viewer { ...F${level + 1} ...F${level + 1} }`,
  );
  return `{ me { ...F0 } } ${fragments.join(' ')} fragment F${levels} on Viewer { name }`;
}
