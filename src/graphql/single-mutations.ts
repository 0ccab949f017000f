import type { GraphQLSchema } from 'graphql';

/** The key of a mutation's `extensions` where an operation may have one such mutation, once. */
export const SINGLE = 'gatehouse.single';

/** The mutations that say so of themselves: were aliases allowed, one request could try a thousand codes, or book as often. */
export function singleMutationsOf(schema: GraphQLSchema): readonly string[] {
  const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});
  return mutations.filter(({ extensions }) => extensions[SINGLE] === true).map(({ name }) => name);
}
