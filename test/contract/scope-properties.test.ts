import { assert, property } from 'fast-check';
import {
  buildASTSchema,
  type DocumentNode,
  GraphQLSchema,
  Kind,
  parse,
  print as printDocument,
  validate,
  visit,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { contractFiles } from '../../src/cli/print-schema.ts';
import { buildSchemas } from '../../src/schema.ts';
import { authorize, tokenCaller } from '../../src/scopes/authorize.ts';
import { compileOperation } from '../../src/scopes/compile.ts';
import { heldScopes } from '../../src/scopes/held-scopes.ts';
import { print, rewriting, type Selection, selections } from '../scopes/support/documents.ts';
import { requiredByDefinition } from '../scopes/support/reference.ts';
import { requiredBy } from '../scopes/support/schema.ts';
import { readContract } from './contract-paths.ts';
import { observedScopes } from './observed-scopes.ts';

const { manifest, scopes } = readContract();
const { rules } = buildSchemas().forSessions;
const RUNS = { numRuns: 100 };

// Arguments never change what a field requires; without them every selection is a whole document.
const withoutArguments = buildASTSchema(
  visit(parse(contractFiles()['first-party.graphql'] ?? ''), {
    FieldDefinition: (field) => ({ ...field, arguments: [] }),
  }),
);
const config = withoutArguments.toConfig();
const ROOTS = [
  { operation: 'query', asQueries: withoutArguments },
  { operation: 'mutation', asQueries: new GraphQLSchema({ ...config, query: config.mutation, mutation: null }) },
] as const;

const required = (document: DocumentNode): Set<string> => new Set(requiredBy(rules, printDocument(document), 'Chosen'));

describe.each(ROOTS)('a random $operation over the product’s schema', ({ operation, asQueries }) => {
  const selected = selections(asQueries);
  const asOperation = (source: string): DocumentNode => parse(source.replace('query Chosen', `${operation} Chosen`));
  const written = (below: readonly Selection[]): DocumentNode => asOperation(print(below));

  test('requires the scopes of everything that its execution reaches', () => {
    assert(
      property(selected, rewriting, (below, rewrite) => {
        for (const document of [written(below), asOperation(rewrite(below))]) {
          if (hasConflict(document)) continue;
          const observed = observedScopes(withoutArguments, manifest, document);
          expect(observed.difference(required(document))).toEqual(new Set());
        }
      }),
      RUNS,
    );
  });

  test('requires what the definition says, path by path, and nobody is shut out', () => {
    assert(
      property(selected, (below) => {
        const document = written(below);
        const { data, base } = requiredByDefinition(rules.schema, document, 'Chosen');
        expect(required(document)).toEqual(data.union(base));
        expect(required(document)).not.toContain('NOBODY');
      }),
      RUNS,
    );
  });

  test('rewriting it changes nothing', () => {
    assert(
      property(selected, rewriting, (below, rewrite) => {
        expect(required(asOperation(rewrite(below)))).toEqual(required(written(below)));
      }),
      RUNS,
    );
  });

  test('a scope more never turns accepted into refused, and each that is required is needed', () => {
    assert(
      property(selected, (below) => {
        const compiled = compileOperation(rules, written(below), 'Chosen');
        if (!compiled) throw new Error('The operation was lost.');
        const isAccepted = (held: readonly string[]): boolean =>
          authorize(compiled, tokenCaller(heldScopes(held))) === undefined;
        const needed = [...required(written(below))];
        const isOpenToTokens = !needed.includes('FIRST_PARTY');
        expect(scopes.filter((one) => isAccepted([...needed, one]) !== isOpenToTokens)).toEqual([]);
        expect(needed.filter((one) => isAccepted(scopesNotGranting(one)))).toEqual([]);
      }),
      RUNS,
    );
  });
});

test('the documents of these tests are valid', () => {
  assert(
    property(selections(withoutArguments), (below) => {
      const document = parse(print(below));
      const errors = validate(withoutArguments, document).map(({ message }) => message);
      expect(errors.filter((message) => !/conflict/.test(message))).toEqual([]);
      expect(document.definitions[0]?.kind).toBe(Kind.OPERATION_DEFINITION);
    }),
    RUNS,
  );
});

function scopesNotGranting(scope: string): string[] {
  return scopes.filter((one) => one !== scope && one.replace(/^ORG_/, 'TEAM_') !== scope);
}

/** Aliases are drawn from a few awkward names, so that two fields may want one response key. */
function hasConflict(document: DocumentNode): boolean {
  return validate(withoutArguments, document).some(({ message }) => /conflict/.test(message));
}
