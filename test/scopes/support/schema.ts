import {
  buildSchema,
  type ConstDirectiveNode,
  type GraphQLSchema,
  isObjectType,
  parse,
  valueFromASTUntyped,
} from 'graphql';
import { CATALOG } from '../../../src/scopes/catalog.ts';
import { compileOperation } from '../../../src/scopes/compile.ts';
import { type Catalog, scopeNamesIn } from '../../../src/scopes/create-catalog.ts';
import { DIRECTIVE_NAME, directiveDefinition } from '../../../src/scopes/directive.ts';
import { BASE_SCOPES, REQUIREMENT } from '../../../src/scopes/requirement.ts';
import { rulesOf, type SchemaRules } from '../../../src/scopes/schema-rules.ts';
import { covers, FIRST_PARTY_BIT, NOBODY_BIT } from '../../../src/scopes/scope-set.ts';

/**
 * A schema written as text, whose `@requiresScope` becomes what the engine enforces: in tests the directive is where
 * requirements are typed, in the product it is where they are printed.
 */
export function aSchema(sdl: string, catalog: Catalog = CATALOG): GraphQLSchema {
  const schema = buildSchema(`${directiveDefinition(catalog)}\n${sdl}`);
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    attach(type.extensions, BASE_SCOPES, type.astNode?.directives);
    for (const field of Object.values(type.getFields()))
      attach(field.extensions, REQUIREMENT, field.astNode?.directives);
  }
  return schema;
}

export function rulesFrom(sdl: string): SchemaRules {
  return rulesOf(aSchema(sdl));
}

/** The requirement of an operation, as names; the engine's own bits as `FIRST_PARTY` and `NOBODY`. */
export function requiredBy(rules: SchemaRules, source: string, operationName?: string): string[] {
  const compiled = compileOperation(rules, parse(source), operationName);
  if (compiled === undefined) throw new Error(`No such operation in ${source}`);
  const { required } = compiled;
  return [
    ...scopeNamesIn(required, rules.catalog),
    ...(covers(required, FIRST_PARTY_BIT) ? ['FIRST_PARTY'] : []),
    ...(covers(required, NOBODY_BIT) ? ['NOBODY'] : []),
  ];
}

function attach(extensions: object, key: string, directives: readonly ConstDirectiveNode[] | undefined): void {
  const directive = directives?.find(({ name }) => name.value === DIRECTIVE_NAME);
  if (directive === undefined) return;
  const given = directive.arguments?.map(({ name, value }) => [name.value, valueFromASTUntyped(value)] as const) ?? [];
  Object.assign(extensions, { [key]: Object.fromEntries(given) });
}
