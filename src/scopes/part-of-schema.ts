/** A schema made of some of the types and fields of another one. */
import {
  type FieldDefinitionNode,
  type GraphQLFieldMap,
  GraphQLInterfaceType,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLSchema,
  GraphQLUnionType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
} from 'graphql';

export type Fields = GraphQLFieldMap<unknown, unknown>;

/** By the name of an object or an interface, the fields of it that stay. It is not there if none do. */
export type StayingFields = ReadonlyMap<string, Fields>;

/**
 * Makes a schema of these types with these fields, in their order: whatever stays must lead to what stays. Scalars,
 * enums and inputs lose nothing, and are those of the original.
 */
export function partOfSchema(
  schema: GraphQLSchema,
  staying: StayingFields,
  reached: ReadonlySet<GraphQLNamedType>,
): GraphQLSchema {
  const { query, mutation, subscription, ...config } = schema.toConfig();
  const copies = new Map<string, GraphQLNamedType>();
  const copyOf = <Type extends GraphQLNamedType>(type: Type): Type => (copies.get(type.name) ?? type) as Type;
  const rewired = (type: GraphQLOutputType): GraphQLOutputType => {
    if (!(isNonNullType(type) || isListType(type))) return copyOf(type);
    const inner = rewired(type.ofType);
    if (inner === type.ofType) return type;
    return isListType(type) ? new GraphQLList(inner) : new GraphQLNonNull(inner as never);
  };
  const left = <Type extends GraphQLNamedType>(types: readonly Type[]): Type[] =>
    types.filter((type) => reached.has(type)).map(copyOf);
  for (const type of reached) {
    if (isUnionType(type)) {
      const union = type.toConfig();
      copies.set(type.name, new GraphQLUnionType({ ...union, types: () => left(union.types) }));
    } else if (isObjectType(type) || isInterfaceType(type)) {
      const { fields, interfaces, astNode, extensionASTNodes, ...rest } = type.toConfig();
      const names = staying.get(type.name) ?? {};
      const composite = {
        ...rest,
        interfaces: () => left(interfaces),
        fields: () =>
          Object.fromEntries(
            Object.keys(names).map((name) => {
              const field = fields[name] as (typeof fields)[string];
              return [name, { ...field, type: rewired(field.type) }];
            }),
          ),
        astNode: astNode && withFields(astNode, names),
        extensionASTNodes: extensionASTNodes.map((node) => withFields(node, names)),
      };
      copies.set(
        type.name,
        isObjectType(type) ? new GraphQLObjectType(composite as never) : new GraphQLInterfaceType(composite as never),
      );
    }
  }
  const root = (type: GraphQLObjectType | null | undefined) => (type && reached.has(type) ? copyOf(type) : undefined);
  return new GraphQLSchema({
    ...config,
    query: root(query),
    mutation: root(mutation),
    subscription: root(subscription),
    types: config.types.filter((type) => reached.has(type)).map(copyOf),
    assumeValid: false,
  });
}

/** The syntax shows no more than the type. */
function withFields<Node extends { readonly fields?: readonly FieldDefinitionNode[] | undefined }>(
  node: Node,
  names: object,
): Node {
  return { ...node, fields: node.fields?.filter(({ name }) => Object.hasOwn(names, name.value)) };
}
