import { GraphQLInt, GraphQLObjectType, GraphQLSchema, parse } from 'graphql';
import { expect, test } from 'vitest';
import { authorize, sessionCaller, tokenCaller } from '../../src/scopes/authorize.ts';
import { compileOperation } from '../../src/scopes/compile.ts';
import { createCatalog, type ScopeRow } from '../../src/scopes/create-catalog.ts';
import { entering, scopesFor } from '../../src/scopes/declare.ts';
import { directiveDefinition, withRequirement } from '../../src/scopes/directive.ts';
import { heldScopes, unrestrictedScopes } from '../../src/scopes/held-scopes.ts';
import { rulesOf } from '../../src/scopes/schema-rules.ts';
import { findHoles } from '../../src/scopes/unguarded-fields.ts';

/** As many scopes as there can be, so that the last ones lie beside the engine's own bits. */
const fillers = Array.from(
  { length: 58 },
  (_, index): ScopeRow => [`F${index}_READ`, 'USER', `F${index}`, 'READ', 'Read'],
);
const catalog = createCatalog([
  ...fillers,
  ['DOC_READ', 'USER', 'DOC', 'READ', 'Read documents'],
  ['TEAM_DOC_READ', 'TEAM', 'DOC', 'READ', 'Read the documents of a team'],
  ['ORG_DOC_READ', 'ORGANIZATION', 'DOC', 'READ', 'Read all documents'],
  ['DOC_WRITE', 'USER', 'DOC', 'WRITE', 'Write documents'],
]);
const reads = scopesFor(catalog, 'READ');

const doc = withRequirement({ type: GraphQLInt }, entering('USER', reads('DOC')), 'Query.doc', catalog);
const teamDoc = withRequirement({ type: GraphQLInt }, entering('TEAM', reads('DOC')), 'Query.teamDoc', catalog);
const query = new GraphQLObjectType({ name: 'Query', fields: { doc, teamDoc } });
const rules = rulesOf(new GraphQLSchema({ query }), catalog);

test('the engine works with any catalogue: declared, closed, compiled, implied and refused', () => {
  expect(reads('DOC')).toEqual({ user: ['DOC_READ'], team: ['TEAM_DOC_READ'], organization: ['ORG_DOC_READ'] });
  expect(findHoles(rules)).toEqual([]);
  expect(directiveDefinition(catalog)).toContain('"Read all documents"\n  ORG_DOC_READ');

  const compiled = compileOperation(rules, parse('{ doc teamDoc }'));
  const decide = (...scopes: string[]) => compiled && authorize(compiled, tokenCaller(heldScopes(scopes, catalog)));
  expect(decide('DOC_READ', 'ORG_DOC_READ')).toBeUndefined();
  expect(decide('DOC_READ', 'DOC_WRITE')).toMatchObject({ status: 403, missingScopes: ['TEAM_DOC_READ'] });
  expect(compiled && authorize(compiled, tokenCaller(unrestrictedScopes(catalog)))).toBeUndefined();
  expect(compiled && authorize(compiled, sessionCaller(catalog))).toBeUndefined();
});

test('a scope of another catalogue is none of this one', () => {
  expect(() => withRequirement({ type: GraphQLInt }, { user: ['BOOKING_READ'] }, 'Query.doc', catalog)).toThrow(
    'names "BOOKING_READ", which is no scope',
  );
  expect(findHoles(rulesOf(new GraphQLSchema({ query })))).toHaveLength(2);
});
