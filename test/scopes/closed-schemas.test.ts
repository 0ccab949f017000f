/** The proof at boot keeps its promise, tried on random schemas that it passes, against the definition. */
import { array, assert, constant, oneof, property, tuple } from 'fast-check';
import { parse } from 'graphql';
import { expect, test } from 'vitest';
import { CATALOG } from '../../src/scopes/catalog.ts';
import type { SchemaRules } from '../../src/scopes/schema-rules.ts';
import { denseSelections, print, selections } from './support/documents.ts';
import { closedSchema } from './support/random-schema.ts';
import { pricesByDefinition, requiredByDefinition } from './support/reference.ts';
import { requiredBy, rulesFrom } from './support/schema.ts';

/** A closed schema with documents for it. */
const asked = closedSchema.chain((sdl) => {
  const { schema } = rulesFrom(sdl);
  const documents = oneof(selections(schema), denseSelections(schema)).map(print);
  return tuple(constant(sdl), array(documents, { minLength: 12, maxLength: 12 }));
});

/** The scopes that everybody holds who may run an operation that requires these. */
function held(required: readonly string[]): Set<string> {
  if (required.includes('FIRST_PARTY')) return new Set([...CATALOG.names, 'FIRST_PARTY']);
  const implied = CATALOG.implications.filter(({ scope }) => required.includes(scope)).map(({ implies }) => implies);
  return new Set([...required, ...implied]);
}

/** Whether a document is decided as defined, and shows nothing that is not paid for. */
function expectPaid(rules: SchemaRules, source: string): void {
  const required = requiredBy(rules, source, 'Chosen');
  const { data, base } = requiredByDefinition(rules.schema, parse(source), 'Chosen');
  expect(new Set(required)).toEqual(data.union(base));
  expect(required).not.toContain('NOBODY');

  const selected = pricesByDefinition(rules.schema, parse(source), 'Chosen');
  // Where nothing is required, nothing is selected but what is public; not even structure.
  const isOpen = selected.every(({ access }) => access === 'PUBLIC');
  expect({ source, isOpen }).toEqual({ source, isOpen: required.length === 0 });
  const holds = held(required);
  const unpaid = selected.filter(
    ({ access, isValue, price }) => isValue && access !== 'PUBLIC' && (price.size === 0 || !price.isSubsetOf(holds)),
  );
  expect({ source, unpaid }).toEqual({ source, unpaid: [] });
}

test('in a random schema that the proof passes, nothing is shown to a token that does not hold its price', () => {
  assert(
    property(asked, ([sdl, sources]) => {
      const rules = rulesFrom(sdl);
      for (const source of sources) expectPaid(rules, source);
    }),
    { numRuns: 120, endOnFailure: true },
  );
});
