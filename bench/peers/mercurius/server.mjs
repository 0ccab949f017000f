// Fastify + Mercurius + mercurius-auth. JIT=1 compiles queries on first use.
import Fastify from 'fastify';
import mercurius from 'mercurius';
import mercuriusAuth from 'mercurius-auth';
import { createData, host, makeVerifier, port, resolvers, typeDefs } from '../common/index.mjs';

const data = createData();
const verify = await makeVerifier();
const app = Fastify();
app.register(mercurius, {
  schema: typeDefs(
    'directive @requiresScope(scope: String!) on FIELD_DEFINITION',
    (s) => `@requiresScope(scope: "${s}")`,
  ),
  resolvers,
  jit: process.env.JIT ? 1 : 0,
  async context(request) {
    const auth = await verify(request.headers.authorization);
    if (!auth) throw new mercurius.ErrorWithProps('Unauthenticated', {}, 401);
    return { auth, data, loaders: data.loaders() };
  },
});
app.register(mercuriusAuth, {
  authContext: (context) => context.auth,
  applyPolicy: (ast, _parent, _args, context) => context.auth.scopes.has(ast.arguments[0].value.value),
  authDirective: 'requiresScope',
});
await app.listen({ port, host });
