// graphql-yoga as its documentation shows it, with @envelop/generic-auth in granular mode. JIT=1 adds @envelop/graphql-jit.
import { createServer } from 'node:http';
import { useGenericAuth } from '@envelop/generic-auth';
import { useGraphQlJit } from '@envelop/graphql-jit';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { createYoga } from 'graphql-yoga';
import { createData, host, makeVerifier, port, resolvers, typeDefs } from '../common/index.mjs';

const data = createData();
const verify = await makeVerifier();
const schema = makeExecutableSchema({
  typeDefs: typeDefs(
    'directive @requiresScopes(scopes: [[String!]!]!) on FIELD_DEFINITION',
    (s) => `@requiresScopes(scopes: [["${s}"]])`,
  ),
  resolvers,
});
const yoga = createYoga({
  schema,
  graphiql: false,
  landingPage: false,
  logging: false,
  context: () => ({ data, loaders: data.loaders() }),
  plugins: [
    useGenericAuth({
      mode: 'protect-granular',
      contextFieldName: 'auth',
      resolveUserFn: (c) => verify(c.request.headers.get('authorization')),
      extractScopes: (user) => [...user.scopes],
    }),
    ...(process.env.JIT ? [useGraphQlJit()] : []),
  ],
});
createServer(yoga).listen(port, host);
