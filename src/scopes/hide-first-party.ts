/** The schema as access tokens and anonymous callers see it: as if its first-party fields had never been written. */
import { MapperKind, mapSchema, pruneSchema } from '@graphql-tools/utils';
import {
  assertValidSchema,
  type GraphQLNamedType,
  type GraphQLSchema,
  isAbstractType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import { isFirstParty } from './requirement.ts';

/**
 * A copy without first-party fields and without the types that only they lead to, so that introspection, validation
 * and suggestions ("Did you mean …?") know nothing of them. Resolvers and requirements are those of the original.
 * @throws Error naming what would go beside them, as when a type has nothing but first-party fields and another leads to it
 */
export function hideFirstParty(schema: GraphQLSchema): GraphQLSchema {
  const shown = pruneSchema(
    mapSchema(schema, { [MapperKind.COMPOSITE_FIELD]: (field) => (isFirstParty(field) ? null : undefined) }),
  );
  assertValidSchema(shown);
  const lost = lostFrom(schema, shown);
  if (lost.length > 0) throw new Error(`Hiding first-party fields would also hide ${lost.join(', ')}.`);
  return shown;
}

/**
 * What a type that is left no longer leads to, though it is not first-party. An empty type goes without a word, and takes
 * along every field that returns it; the last that is left of such a chain is found here.
 */
function lostFrom(schema: GraphQLSchema, shown: GraphQLSchema): string[] {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  return Object.values(schema.getTypeMap()).flatMap((type) => {
    const left = shown.getType(type.name);
    if (left === undefined && !roots.some((root) => root === type)) return [];
    const names = new Set(left ? partsOf(left, shown) : []);
    return partsOf(type, schema).filter((name) => !names.has(name));
  });
}

/** Its fields that are not first-party, and what it may stand for. */
function partsOf(type: GraphQLNamedType, schema: GraphQLSchema): string[] {
  const fields = isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];
  const objects = isAbstractType(type) ? schema.getPossibleTypes(type) : [];
  return [
    ...fields.filter((field) => !isFirstParty(field)).map(({ name }) => `${type.name}.${name}`),
    ...objects.map(({ name }) => `${name} as ${type.name}`),
  ];
}
