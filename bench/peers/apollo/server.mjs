// Apollo Server 5 on its standalone HTTP server; scope directive through mapSchema; dataloader.
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { getDirective, MapperKind, mapSchema } from '@graphql-tools/utils';
import { defaultFieldResolver, GraphQLError } from 'graphql';
import { createData, host, makeVerifier, port, resolvers, typeDefs } from '../common/index.mjs';

const data = createData();
const verify = await makeVerifier();
const schema = mapSchema(
  makeExecutableSchema({
    typeDefs: typeDefs(
      'directive @requiresScope(scope: String!) on FIELD_DEFINITION',
      (s) => `@requiresScope(scope: "${s}")`,
    ),
    resolvers,
  }),
  {
    [MapperKind.OBJECT_FIELD](field, _name, _type, s) {
      const d = getDirective(s, field, 'requiresScope')?.[0];
      if (!d) return field;
      const inner = field.resolve ?? defaultFieldResolver;
      return {
        ...field,
        resolve(root, args, context, info) {
          if (!context.auth.scopes.has(d.scope)) {
            throw new GraphQLError(`Scope ${d.scope} is required`, { extensions: { code: 'FORBIDDEN' } });
          }
          return inner(root, args, context, info);
        },
      };
    },
  },
);
const server = new ApolloServer({ schema, introspection: true });
await startStandaloneServer(server, {
  listen: { port, host },
  async context({ req }) {
    const auth = await verify(req.headers.authorization);
    if (!auth)
      throw new GraphQLError('Unauthenticated', { extensions: { code: 'UNAUTHENTICATED', http: { status: 401 } } });
    return { auth, data, loaders: data.loaders() };
  },
});
