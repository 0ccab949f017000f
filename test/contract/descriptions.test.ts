/** Everything in both schemas is described, in words of its own: what it holds, not only what it costs to read. */
import {
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { buildSchemas } from '../../src/schema.ts';

const { forSessions, forTokens } = buildSchemas();

describe.each([
  ['signed-in sessions', forSessions.schema],
  ['access tokens', forTokens.schema],
])('the schema of %s', (_, schema) => {
  const described = [...descriptionsOf(schema)];

  test('describes each type, field, argument, input field and enum value', () => {
    expect(described.length).toBeGreaterThan(2_000);
    expect(described.filter(([, description]) => description === '').map(([coordinate]) => coordinate)).toEqual([]);
  });
});

/** Each element by its schema coordinate, with what it says of itself; scopes are said of every field and do not count. */
function* descriptionsOf(schema: GraphQLSchema): Generator<readonly [coordinate: string, description: string]> {
  for (const directive of schema.getDirectives().filter(({ name }) => name === 'requiresScope')) {
    yield [`@${directive.name}`, wordsOf(directive)];
    for (const argument of directive.args) yield [`@${directive.name}(${argument.name}:)`, wordsOf(argument)];
  }
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__') || isSpecifiedScalarType(type)) continue;
    yield [type.name, wordsOf(type)];
    yield* membersOf(type);
  }
}

function* membersOf(type: GraphQLNamedType): Generator<readonly [coordinate: string, description: string]> {
  if (isEnumType(type)) for (const value of type.getValues()) yield [`${type.name}.${value.name}`, wordsOf(value)];
  if (isInputObjectType(type)) {
    for (const field of Object.values(type.getFields())) yield [`${type.name}.${field.name}`, wordsOf(field)];
  }
  if (!isObjectType(type) && !isInterfaceType(type)) return;
  for (const field of Object.values(type.getFields())) {
    yield [`${type.name}.${field.name}`, wordsOf(field)];
    for (const argument of field.args) yield [`${type.name}.${field.name}(${argument.name}:)`, wordsOf(argument)];
  }
}

/** Without the paragraph that the scope engine adds. */
function wordsOf({ description }: { readonly description?: string | null | undefined }): string {
  return (description ?? '').replace(/(?:^|\n\n)(?:Scopes: .*|Signed-in sessions only\.)$/, '').trim();
}
