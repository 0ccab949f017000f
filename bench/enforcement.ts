import { GraphQLList, GraphQLNonNull, GraphQLObjectType, GraphQLSchema, GraphQLString } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { useScopeGuard } from '../src/graphql/guard/scope-guard.ts';
import { Refusals } from '../src/graphql/refusals.ts';
import { entering, INHERIT, reads } from '../src/scopes/declare.ts';
import { withBaseScopes, withRequirement } from '../src/scopes/directive.ts';
import { heldScopes } from '../src/scopes/held-scopes.ts';
import { rulesOf } from '../src/scopes/schema-rules.ts';
import { interleaved } from './measure.ts';

const FIELDS = ['id', 'slug', 'title', 'description', 'length', 'hidden', 'color', 'created'];
const ITEMS = Array.from({ length: 20 }, (_, n) => Object.fromEntries(FIELDS.map((field) => [field, `${field} ${n}`])));
const QUERY = `{ me { items { ${FIELDS.join(' ')} } } }`;

const requirement = reads('EVENT_TYPE', ['USER']);
const Item = new GraphQLObjectType({
  name: 'Item',
  fields: Object.fromEntries(
    FIELDS.map((field) => [field, withRequirement({ type: GraphQLString }, requirement, `Item.${field}`)]),
  ),
});
const Viewer = new GraphQLObjectType(
  withBaseScopes(
    {
      name: 'Viewer',
      fields: {
        items: withRequirement({ type: new GraphQLNonNull(new GraphQLList(Item)) }, requirement, 'Viewer.items'),
      },
    },
    requirement,
    'Viewer',
  ),
);
const schema = new GraphQLSchema({
  query: new GraphQLObjectType({
    name: 'Query',
    fields: {
      me: withRequirement({ type: Viewer, resolve: () => ({ items: ITEMS }) }, entering('USER', INHERIT), 'Query.me'),
    },
  }),
});

/** Server CPU of one request with the guard on, against the same server without it; 20 items of 8 fields in memory. */
export async function benchEnforcement(): Promise<void> {
  const rules = rulesOf(schema);
  const guard = useScopeGuard(
    () => rules,
    new Refusals({ realm: 'bench', resourceMetadata: 'https://bench.test' }, { note: () => undefined }),
  );
  const on = load([guard]);
  const off = load([]);
  for (let warm = 0; warm < 3_000; warm += 1) await Promise.all([on(), off()]);
  const { first, second, ratio } = await interleaved(25, 1_000, [on, off]);
  console.log('Enforcement, µs of CPU a request (Yoga, 20 × 8 fields in memory)');
  console.log(`  guard on ${first.toFixed(1)}, off ${second.toFixed(1)}: ratio ${ratio.toFixed(3)} (at most 1.010)`);
}

function load(plugins: Plugin[]): () => Promise<void> {
  const held = heldScopes(['EVENT_TYPE_READ']);
  const caller = { kind: 'token', userId: 'usr', clientId: 'client', grantId: 'grant', held };
  const yoga = createYoga({ schema, plugins, context: { caller }, logging: false, maxRequestBodySize: false });
  const body = JSON.stringify({ query: QUERY });
  return async () => {
    const response = await yoga.fetch('http://bench.test/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    if (response.status !== 200) throw new Error(`The benchmark's request was answered with ${response.status}.`);
    await response.text();
  };
}
