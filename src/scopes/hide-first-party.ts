/** The schema as access tokens and anonymous callers see it: as if its first-party fields had never been written. */
import {
  assertValidSchema,
  type GraphQLFieldConfig,
  GraphQLInterfaceType,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLSchema,
  GraphQLUnionType,
  getNamedType,
  isAbstractType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
} from 'graphql';
import { isFirstParty } from './requirement.ts';

/**
 * A copy without first-party fields and without the types that only they lead to, so that introspection, validation
 * and suggestions ("Did you mean …?") know nothing of them. Resolvers and requirements are those of the original.
 * Throws if what is left is not a valid schema, as when a type has nothing but first-party fields and another leads to it.
 */
export function hideFirstParty(schema: GraphQLSchema): GraphQLSchema {
  const copies = new Map<string, GraphQLNamedType>();
  const copy = <Type extends GraphQLNamedType>(type: Type): Type => {
    const known = copies.get(type.name) ?? copyOf(type, copy);
    copies.set(type.name, known);
    return known as Type;
  };
  const { query, mutation, subscription, ...config } = schema.toConfig();
  const root = (type: GraphQLObjectType | null | undefined) =>
    type && shownFields(type).length > 0 ? copy(type) : undefined;
  const shown = new GraphQLSchema({
    ...config,
    astNode: null,
    extensionASTNodes: [],
    query: root(query),
    mutation: root(mutation),
    subscription: root(subscription),
    // The types that only an interface leads to; the others follow from the fields.
    types: implementations(schema).map(copy),
  });
  assertValidSchema(shown);
  return shown;
}

type Copy = <Type extends GraphQLNamedType>(type: Type) => Type;

/** Scalars, enums and inputs lead to no field and are used as they are. */
function copyOf(type: GraphQLNamedType, copy: Copy): GraphQLNamedType {
  // The syntax nodes of a schema written as text still name what is hidden.
  const bare = { astNode: null, extensionASTNodes: [] };
  if (isObjectType(type)) {
    const { fields, interfaces, ...config } = type.toConfig();
    return new GraphQLObjectType({
      ...config,
      ...bare,
      interfaces: () => interfaces.map(copy),
      fields: () => copyFields(fields, copy),
    });
  }
  if (isInterfaceType(type)) {
    const { fields, interfaces, ...config } = type.toConfig();
    return new GraphQLInterfaceType({
      ...config,
      ...bare,
      interfaces: () => interfaces.map(copy),
      fields: () => copyFields(fields, copy),
    });
  }
  if (isUnionType(type)) {
    const { types, ...config } = type.toConfig();
    return new GraphQLUnionType({ ...config, ...bare, types: () => types.map(copy) });
  }
  return type;
}

type Fields = Record<string, GraphQLFieldConfig<unknown, unknown>>;

function copyFields(fields: Fields, copy: Copy): Fields {
  const shown = Object.entries(fields).filter(([, field]) => !isFirstParty(field));
  return Object.fromEntries(shown.map(([name, field]) => [name, { ...field, type: copyOutput(field.type, copy) }]));
}

function copyOutput(type: GraphQLOutputType, copy: Copy): GraphQLOutputType {
  if (isNonNullType(type)) return new GraphQLNonNull(copyOutput(type.ofType, copy) as never);
  if (isListType(type)) return new GraphQLList(copyOutput(type.ofType, copy));
  return copy(type);
}

function shownFields(type: GraphQLObjectType | GraphQLInterfaceType) {
  return Object.values(type.getFields()).filter((field) => !isFirstParty(field));
}

/** The object types that the fields which are shown can return in place of an interface or a union. */
function implementations(schema: GraphQLSchema): GraphQLObjectType[] {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const reached = new Set<GraphQLNamedType>(roots.filter((type) => type != null));
  const found: GraphQLObjectType[] = [];
  // The set grows while it is read.
  for (const type of reached) {
    const possible = isAbstractType(type) ? schema.getPossibleTypes(type) : [];
    found.push(...possible);
    const below =
      isObjectType(type) || isInterfaceType(type) ? shownFields(type).map((field) => getNamedType(field.type)) : [];
    for (const next of [...possible, ...below]) reached.add(next);
  }
  return [...new Set(found)];
}
