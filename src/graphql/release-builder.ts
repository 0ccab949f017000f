import {
  type GraphQLSchema,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';

interface Part {
  extensions: Readonly<Record<string, unknown>>;
}

/**
 * Lets go of what Pothos keeps on every part of a schema for its plugins, and needs no more once the schema is built: the
 * options and configurations it was made from, and resolvers without their wrappers; a third of what a schema takes. No field returns an abstract type, so that
 * none has to be told from others at run time. Changes the schema.
 */
export function releaseBuilder(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    release(type);
    if (isAbstractType(type)) type.resolveType = null;
    if (isEnumType(type)) type.getValues().forEach(release);
    else if (isInputObjectType(type)) Object.values(type.getFields()).forEach(release);
    else if (isObjectType(type) || isInterfaceType(type)) {
      for (const field of Object.values(type.getFields())) {
        release(field);
        field.args.forEach(release);
      }
    }
  }
  return schema;
}

function release(part: Part): void {
  part.extensions = Object.fromEntries(Object.entries(part.extensions).filter(([key]) => !key.startsWith('pothos')));
}
