/** What the proof at boot promises, tried on random schemas that it passes, against the definition. */
import { array, assert, constant, oneof, property, tuple } from 'fast-check';
import { parse } from 'graphql';
import { expect, test } from 'vitest';
import { CATALOG } from '../../src/scopes/catalog.ts';
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

/** What everybody holds who may run an operation that requires these. */
function held(required: readonly string[]): Set<string> {
  if (required.includes('FIRST_PARTY')) return new Set([...CATALOG.names, 'FIRST_PARTY']);
  const implied = CATALOG.implications.filter(({ scope }) => required.includes(scope)).map(({ implies }) => implies);
  return new Set([...required, ...implied]);
}

test('in a random schema that the proof passes, nothing is shown to who does not hold its price', () => {
  const run = ([sdl, sources]: readonly [string, readonly string[]]): void => {
    const rules = rulesFrom(sdl);
    for (const source of sources) {
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
        ({ access, isValue, price }) =>
          isValue && access !== 'PUBLIC' && (price.size === 0 || !price.isSubsetOf(holds)),
      );
      expect({ source, unpaid }).toEqual({ source, unpaid: [] });
    }
  };
  assert(property(asked, run), { numRuns: 120, endOnFailure: true });
});
