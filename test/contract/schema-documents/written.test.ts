/** The documents of tests and pages: a field that gets another name is found here, before what selects it fails one by one. */
import { glob, readFile } from 'node:fs/promises';
import {
  type DocumentNode,
  FieldsOnCorrectTypeRule,
  Kind,
  KnownArgumentNamesRule,
  KnownFragmentNamesRule,
  KnownTypeNamesRule,
  NoUnusedFragmentsRule,
  parse,
  ScalarLeafsRule,
  specifiedRules,
  ValuesOfCorrectTypeRule,
  validate,
} from 'graphql';
import { expect, test } from 'vitest';
import { buildSchemas } from '../../../src/schema.ts';
import { documentsOfPage, documentsOfScript, HOLE, type WrittenDocument } from './written.ts';

/** Tests of what works on any schema, which make schemas of their own; and of documents of others. */
const OF_OTHER_SCHEMAS = [
  'docs/scope-engine.md',
  'test/cli/',
  'test/graphql/',
  'test/scopes/',
  'test/contract/deprecations.alone.test.ts',
  'test/contract/limits/requests.hits.ts',
  'test/contract/new-resource.alone.test.ts',
  'test/contract/schema-',
  'test/core/weigh-caches.ts',
];

const { schema } = buildSchemas().forSessions;
/** A fragment may be written in another text. */
const OF_WHOLE = specifiedRules.filter((rule) => rule !== NoUnusedFragmentsRule && rule !== KnownFragmentNamesRule);
/** Relay's compiler takes these away. */
const OF_RELAY = /^Unknown directive "@(?:argumentDefinitions|connection|refetchable)"/;
/** The rules that can be asked of a text that is not all there. */
const OF_PARTS = [
  FieldsOnCorrectTypeRule,
  KnownArgumentNamesRule,
  KnownTypeNamesRule,
  ScalarLeafsRule,
  ValuesOfCorrectTypeRule,
];

/** The mistakes in the reading that has the fewest; undefined if it is no document in any. */
function mistakesIn({ readings }: Pick<WrittenDocument, 'readings'>): readonly string[] | undefined {
  const rules = readings.length === 1 ? OF_WHOLE : OF_PARTS;
  const found = readings
    .map(parsed)
    .filter((document) => document !== undefined)
    .map((document) => validate(schema, document, rules).map(({ message }) => message))
    .map((mistakes) => mistakes.filter((mistake) => !mistake.includes(HOLE) && !OF_RELAY.test(mistake)));
  return found.toSorted((a, b) => a.length - b.length)[0];
}

function parsed(text: string): DocumentNode | undefined {
  try {
    const document = parse(text);
    const isExecutable = document.definitions.every(
      ({ kind }) => kind === Kind.OPERATION_DEFINITION || kind === Kind.FRAGMENT_DEFINITION,
    );
    return isExecutable ? document : undefined;
  } catch {
    return undefined;
  }
}

const paths = await Array.fromAsync(glob(['test/**/*.ts', 'docs/*.md', 'README.md']));
const files = await Promise.all(
  paths
    .filter((path) => !OF_OTHER_SCHEMAS.some((start) => path.startsWith(start)))
    .toSorted()
    .map(async (path) => [path, await readFile(path, 'utf8')] as const),
);
const written = files
  .flatMap(([path, text]) => (path.endsWith('.md') ? documentsOfPage : documentsOfScript)(path, text))
  .flatMap((document) => {
    const mistakes = mistakesIn(document);
    return mistakes ? [{ ...document, mistakes }] : [];
  });
const ofPages = written.filter(({ place }) => /\.md:/.test(place));

test('the documents of tests and pages are those of the schema', () => {
  const invalid = written.filter(({ mistakes, isInvalidOnPurpose }) => mistakes.length > 0 && !isInvalidOnPurpose);
  expect(invalid.map(({ place, mistakes }) => `${place} ${mistakes[0]}`)).toEqual([]);
  expect(written.length - ofPages.length).toBeGreaterThan(900);
  expect(ofPages.length).toBeGreaterThan(20);
});

test('one is marked as invalid if it is', () => {
  const valid = written.filter(({ mistakes, isInvalidOnPurpose }) => mistakes.length === 0 && isInvalidOnPurpose);
  expect(valid.map(({ place }) => place)).toEqual([]);
});

test.each([
  [['{ me { nmae } }']],
  [[`{ me { ${HOLE} nmae } }`, `{ me { { ${HOLE} } nmae } }`]],
  [[`{ team(id: "${HOLE}") { slgu ${HOLE} } }`]],
  [[`mutation { scheduleCreate(input: { nmae: "x" }) { ${HOLE} } }`]],
] as const)('a name that the schema does not have is found in %j', (readings) => {
  expect(mistakesIn({ readings })).toContainEqual(expect.stringMatching(/nmae|slgu/));
});

test('the name that stands for one which a test puts in is no mistake', () => {
  expect(mistakesIn({ readings: [`{ me { ${HOLE} { nodes { id } } } }`, `{ me { name } }`] })).toEqual([]);
});
