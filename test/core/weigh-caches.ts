/** A process of its own (`node --expose-gc`): fills one cache with its worst case, and weighs the heap. Prints what was counted, and what was measured. */
import process from 'node:process';
import { validate } from 'graphql';
import { CACHES, MEGABYTE } from '../../src/core/caches.ts';
import { WireShape } from '../../src/database/wire/wire-row.ts';
import { Announcements, UseCounts } from '../../src/graphql/deprecation.ts';
import { Documents } from '../../src/graphql/limits/documents.ts';
import { OperationLimits } from '../../src/graphql/limits/operation-limits.ts';
import { WrittenRefusals } from '../../src/graphql/listener.ts';
import { QueryPlans, Refusals } from '../../src/graphql/operation.ts';
import { RememberedProfiles } from '../../src/modules/accounts/remembered-profiles.ts';
import { StatementNames } from '../../src/persistence/prepared-statements.ts';
import { buildSchemas } from '../../src/schema.ts';
import { chooseOperation, compileOperation } from '../../src/scopes/compile.ts';

const MEGABYTES = 16;
CACHES.limit(MEGABYTES * MEGABYTE);

const heap = (): number => {
  for (let time = 0; time < 4; time += 1) globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

/** As a request brings it: no part of another text. */
const sent = (text: string): string => JSON.parse(JSON.stringify(text)) as string;

const schemas = buildSchemas();
const { schema, rules } = schemas.forTokens;
const limits = new OperationLimits([]);
const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join(' ');

/** Documents that weigh much for their length, each by itself. */
const DOCUMENTS: Readonly<Record<string, (n: number) => string>> = {
  fields: (n) => `query D${n} { ${lines(400, (index) => `f${index}`)} }`,
  'short fields': (n) => `query D${n} { ${'a '.repeat(1_000)} }`,
  numbers: (n) => `query D${n} { a(x: [${'1,'.repeat(1_500)}]) }`,
  texts: (n) => `query D${n} { a(x: [${'"aaaaaaaaaaaaaaaaaaaa",'.repeat(500)}]) }`,
  'texts with escapes': (n) => `query D${n} { a(x: [${`"${'\\n'.repeat(200)}",`.repeat(20)}]) }`,
  'block texts': (n) => `query D${n} { a(x: [${`"""${'a'.repeat(500)}""",`.repeat(20)}]) }`,
  objects: (n) => `query D${n} { a(x: [${'{a:1},'.repeat(350)}]) }`,
  variables: (n) => `query D${n}(${lines(120, (index) => `$v${index}: [Int!]! = [1]`)}) { a }`,
  fragments: (n) => `query D${n} { ${'... { a } '.repeat(200)} }`,
  directives: (n) => `query D${n} { ${'a @include(if: true) '.repeat(200)} }`,
  operations: (n) => `fragment R on Query { a } ${lines(150, (index) => `query D${n}_${index} { ...R }`)}`,
  comments: (n) => `query D${n} { a \n${'#\n'.repeat(2_000)} }`,
  blanks: (n) => `query D${n} { a ${' '.repeat(20_000)} }`,
  'other letters': (n) => `query D${n} { a(x: "${'ж'.repeat(2_000)}") }`,
  tiny: (n) => `{a${n}}`,
};

const LEAVES = 'title slug description durationInMinutes';

/** Fills a cache; each call adds an entry. */
const FILLS: Readonly<Record<string, () => (n: number) => unknown>> = {
  ...Object.fromEntries(
    Object.entries(DOCUMENTS).map(([name, document]) => [
      `documents: ${name}`,
      () => {
        const documents = new Documents(limits);
        return (n: number) => {
          const text = document(n);
          for (let time = 0; time < 2; time += 1) documents.judged(schema, limits.parse(sent(text)), true);
        };
      },
    ]),
  ),
  'plans of one operation each': () =>
    planning((n) => [
      `{ ${lines(20, (index) => `r${n}_${index}: publicEventType(by: { ofUser: { username: "ada", slug: "intro" } }) { ${LEAVES} }`)} }`,
      [undefined],
    ]),
  'plans of many operations': () =>
    planning((n) => [
      `fragment R on Query { ${lines(20, (index) => `r${index}: publicEventType(by: { ofUser: { username: "ada", slug: "intro" } }) { ${LEAVES} }`)} } ${lines(30, (index) => `query D${n}_${index} { ...R }`)}`,
      Array.from({ length: 30 }, (_, index) => `D${n}_${index}`),
    ]),
  'plans of lists': () =>
    planning((n) => [
      `query D${n}($first: Int, $after: String) { ${lines(15, (index) => `a${index}: me { eventTypes(first: $first, after: $after) { nodes { id title slug } } }`)} }`,
      [undefined],
    ]),
  refusals: () => {
    const documents = new Documents(limits);
    const refusals = new Refusals(
      { realm: 'Gatehouse', resourceMetadata: 'https://gatehouse.example/.well-known/oauth' },
      { note: () => undefined },
    );
    const written = new WrittenRefusals(refusals);
    return async (n) => {
      const text = `query D${n} { ${lines(20, (index) => `${'a'.repeat(50)}${index}: me { bookings { nodes { id } } }`)} }`;
      for (let time = 0; time < 3; time += 1) {
        const document = documents.read(sent(text));
        documents.judged(schema, document, true);
        const compiled = compileOperation(rules, document);
        const refusal = compiled && refusals.of(compiled, { kind: 'anonymous' });
        if (compiled && refusal)
          for (const type of ['application/json', 'application/graphql-response+json'])
            await written.of({ kind: 'REFUSED', refusal, required: compiled }, type);
      }
    };
  },
  statements: () => {
    const names = new StatementNames();
    return (n) => {
      const text = `select ${lines(20, (index) => `column_${index},`)} ${n}`;
      for (let time = 0; time < 2; time += 1) {
        const shape = new WireShape(
          Array.from({ length: 20 }, (_, index) => ({ name: `column_${n}_${index}`, oid: 25 })),
          'BINARY',
        );
        // Whoever looks at a row has the places of its columns looked up.
        Object.hasOwn(shape.row(Buffer.alloc(10), 0), 'id');
        names.shapes.set(text, shape);
      }
    };
  },
  'keys that were cut out of a long header': () => {
    const share = CACHES.share<object>({ name: 'cut keys', weigh: () => 100, fromFirstUse: true });
    return (n) =>
      share.set(sent(`Bearer ${'t'.repeat(60)}${n} ${'x'.repeat(8_000)}`).slice(7, 67 + String(n).length), { n });
  },
  profiles: () => {
    const profiles = new RememberedProfiles();
    return (n) =>
      profiles.get(`user-${n}`, async (ids) => new Map(ids.map((id) => [id, sentData(profile(id)) as never])));
  },
};

const profile = (id: string) => ({
  id,
  name: `Ada ${id}`,
  email: `${id}@example.test`,
  username: id,
  bio: 'a'.repeat(300),
  timeZone: 'Europe/Berlin',
  metadata: { a: 'b'.repeat(100), n: 1 },
});

function sentData<Data>(data: Data): Data {
  return JSON.parse(JSON.stringify(data)) as Data;
}

function planning(of: (n: number) => readonly [string, readonly (string | undefined)[]]) {
  const documents = new Documents(limits);
  const announcements = new Announcements('https://gatehouse.example/deprecations', new UseCounts(() => undefined));
  const plans = new QueryPlans(schemas.forTokens, documents, announcements);
  return (n: number) => {
    const [text, names] = of(n);
    for (const name of names) {
      for (let time = 0; time < 3; time += 1) {
        const document = documents.read(sent(text));
        const operation = chooseOperation(document, name);
        if (!operation) throw new Error(`There is no ${name}.`);
        if (!documents.isValid(schema, document))
          documents.judged(schema, document, validate(schema, document).length === 0);
        plans.find(document, operation, name);
        limits.cost(schema, document, operation, {});
        if (time === 2 && !plans.known(operation)) throw new Error(`It is not known: ${name}.`);
      }
    }
  };
}

const [name = ''] = process.argv.slice(2);
const fill = FILLS[name]?.();
if (!fill) {
  console.log(JSON.stringify(Object.keys(FILLS)));
} else {
  // Things that are made once (compiled code, tables) are none of it.
  for (let n = 0; n < 30; n += 1) await fill(n);
  CACHES.clear();
  const before = heap();
  let n = 1_000;
  while (CACHES.bytes < 4 * MEGABYTE && n < 60_000) await fill((n += 1));
  const [counted, measured] = [CACHES.bytes, heap() - before];
  for (const until = n + 5 * (n - 1_000); n < until; ) await fill((n += 1));
  const full = heap() - before;
  console.log(
    JSON.stringify({
      name,
      counted,
      measured,
      ratio: counted / measured,
      anonymous: CACHES.anonymousBytes,
      full,
      fullCounted: CACHES.bytes,
      budget: MEGABYTES * MEGABYTE,
      n,
    }),
  );
}
