/** The schema as access tokens and anonymous callers see it: as if its first-party fields had never been written. */
import {
  assertValidSchema,
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
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
} from 'graphql';
import { isFirstParty } from './requirement.ts';

/**
 * A copy without first-party fields and without the types that only they lead to, so that introspection, validation
 * and suggestions ("Did you mean …?") know nothing of them. Resolvers and requirements are those of the original.
 * @throws Error naming what would go beside them, as when a type has nothing but first-party fields and another leads to it
 */
export function hideFirstParty(schema: GraphQLSchema): GraphQLSchema {
  const staying = stayingFields(schema);
  const shown = partOfSchema(schema, staying, reachedTypes(schema, staying));
  assertValidSchema(shown);
  const lost = lostFrom(schema, shown);
  if (lost.length > 0) throw new Error(`Hiding first-party fields would also hide ${lost.join(', ')}.`);
  return shown;
}

/**
 * The fields that are not first-party. A field that leads to nothing but a type without any field goes with that type.
 */
function stayingFields(schema: GraphQLSchema): StayingFields {
  const staying = new Map<string, Fields>();
  for (const type of Object.values(schema.getTypeMap())) {
    if (!(isObjectType(type) || isInterfaceType(type)) || isIntrospectionType(type)) continue;
    staying.set(
      type.name,
      only(type.getFields(), (field) => !isFirstParty(field)),
    );
  }
  const isLeft = (type: GraphQLNamedType): boolean =>
    isUnionType(type)
      ? type.getTypes().some(isLeft)
      : !(isObjectType(type) || isInterfaceType(type)) || staying.has(type.name) || isIntrospectionType(type);
  for (let isSettled = false; !isSettled; ) {
    isSettled = true;
    for (const [name, fields] of staying) {
      const left = only(fields, ({ type }) => isLeft(getNamedType(type)));
      const count = Object.keys(left).length;
      if (count > 0) staying.set(name, left);
      else staying.delete(name);
      if (count === 0 || count < Object.keys(fields).length) isSettled = false;
    }
  }
  return staying;
}

/** Finds the types that the roots and the directives lead to by fields that stay. */
function reachedTypes(schema: GraphQLSchema, staying: StayingFields): ReadonlySet<GraphQLNamedType> {
  const reached = new Set<GraphQLNamedType>();
  const reach = (type: GraphQLNamedType): void => {
    if (reached.has(type)) return;
    if (isUnionType(type)) {
      reached.add(type);
      for (const member of type.getTypes()) reach(member);
      return;
    }
    if (!(isObjectType(type) || isInterfaceType(type))) {
      reached.add(type);
      if (isInputObjectType(type)) for (const field of Object.values(type.getFields())) reach(getNamedType(field.type));
      return;
    }
    const fields = staying.get(type.name);
    if (fields === undefined) return;
    reached.add(type);
    for (const implemented of type.getInterfaces()) reach(implemented);
    for (const field of Object.values(fields)) {
      for (const argument of field.args) reach(getNamedType(argument.type));
      const returned = getNamedType(field.type);
      reach(returned);
      // A returned type may be any object that implements it; a type that is only implemented leads to nobody, and so
      // do the types that its fields return.
      if (!isInterfaceType(returned) || isInterfaceType(type)) continue;
      const { objects, interfaces } = schema.getImplementations(returned);
      for (const implementation of [...objects, ...interfaces]) reach(implementation);
    }
  };
  for (const root of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]) {
    if (root) reach(root);
  }
  for (const directive of schema.getDirectives()) {
    for (const argument of directive.args) reach(getNamedType(argument.type));
  }
  return reached;
}

function only(fields: Fields, isWanted: (field: Fields[string]) => boolean): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, field]) => isWanted(field)));
}

/**
 * Finds the types that a type which is left no longer leads to, though they are not first-party. An empty type goes
 * without a word, and takes along every field that returns it; the last that is left of such a chain is found here.
 */
function lostFrom(schema: GraphQLSchema, shown: GraphQLSchema): string[] {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const returned = returnedByObjects(schema);
  const partsOf = (type: GraphQLNamedType, of: GraphQLSchema) => partsIn(type, of, returned);
  return Object.values(schema.getTypeMap()).flatMap((type) => {
    const left = shown.getType(type.name);
    if (left === undefined && !roots.some((root) => root === type)) return [];
    const names = new Set(left ? partsOf(left, shown) : []);
    return partsOf(type, schema).filter((name) => !names.has(name));
  });
}

/**
 * The types that objects return. An interface that no object returns is nobody's loss: it is only a name for what some
 * types share.
 */
function returnedByObjects(schema: GraphQLSchema): ReadonlySet<string> {
  const objects = Object.values(schema.getTypeMap()).filter(isObjectType);
  return new Set(
    objects.flatMap((type) => Object.values(type.getFields()).map((field) => getNamedType(field.type).name)),
  );
}

/** Its fields that are not first-party, and what it may stand for. */
function partsIn(type: GraphQLNamedType, schema: GraphQLSchema, returned: ReadonlySet<string>): string[] {
  const fields = isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];
  const isPlace = isUnionType(type) || (isInterfaceType(type) && returned.has(type.name));
  const objects = isPlace ? schema.getPossibleTypes(type) : [];
  return [
    ...fields.filter((field) => !isFirstParty(field)).map(({ name }) => `${type.name}.${name}`),
    ...objects.map(({ name }) => `${name} as ${type.name}`),
  ];
}

type Fields = GraphQLFieldMap<unknown, unknown>;

/** By the name of an object or an interface, the fields of it that stay. It is not there if none do. */
type StayingFields = ReadonlyMap<string, Fields>;

/**
 * Makes a schema of these types with these fields, in their order: whatever stays must lead to what stays. Scalars,
 * enums and inputs lose nothing, and are those of the original.
 */
function partOfSchema(
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
